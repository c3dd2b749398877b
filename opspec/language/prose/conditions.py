"""Statements that hang on conditions: if, otherwise, and what differs by product."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from opspec.language import tree
from opspec.language.prose import clauses, patterns, trees
from opspec.language.prose.clauses import Cases, Guarded, Joined, Numbered, Otherwise, Simple, Text
from opspec.language.record import replace
from opspec.language.types import BOOL, DTYPE, FORMAT, STR, list_of
from opspec.later import later
from opspec.vocabulary import products

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.language import build
    from opspec.language.prose import meaning, opposites, scopes, subjects
    from opspec.language.prose.clauses import Clause
    from opspec.language.prose.writer import Writer
else:  # what the words of most findings need not
    build = later("opspec.language.build")
    meaning = later("opspec.language.prose.meaning")
    opposites = later("opspec.language.prose.opposites")
    scopes = later("opspec.language.prose.scopes")
    subjects = later("opspec.language.prose.subjects")

_BEFORE = 3  # conditions beside which an exception is told behind the requirement
_FEW = 2  # names of products that are said in place of "others"


def if_then(writer: Writer, when: tree.Node, node: tree.Node) -> Clause:
    """A requirement under a condition, with the conditions that it has itself."""
    if _is_of_public_formats(writer, when, node):
        return writer.clause(node)
    node = subjects.fitting(when, node)
    if writer.mood == 0:
        node = opposites.taken_apart(node)
        node = meaning.implied(writer, node)
    if isinstance(node, tree.Implies) and writer.mood == 0 and scopes.scope(when)[0] is None:
        both = tree.Logic("and", (*build.conjuncts(when), *build.conjuncts(node.condition)), BOOL)
        return if_then(writer, both, node.then)
    on, rest = _scope(writer, when)
    by_value = None if rest is None else _value_by_value(writer, rest, node)
    if by_value is None:
        return _under(writer, when, node)
    found = writer.clause(by_value)
    return found if on is None else _on(writer, on, None, found)


def _value_by_value(writer: Writer, when: tree.Node, node: tree.Node) -> tree.Logic | None:
    """What must be under ``x in (a, b, c)`` and hangs on ``x == a``: if x is a, this, and if x is b or c, that."""
    found = trees.choices(when)
    cases = patterns.as_cases(node)
    if writer.mood or found is None or cases is None or len(found[1]) < 2 or build.TRUE in (cases.then, cases.other):
        return None
    thing, left = found[0], list(found[1])
    parts: list[tree.Node] = []
    rest: tree.Node = cases
    while isinstance(rest, tree.If) and len(left) > 1:
        asked = rest.condition
        if not isinstance(asked, tree.Compare) or asked.ops != ("==",) or asked.operands != (thing, asked.operands[1]):
            return None
        if asked.operands[1] not in left:
            return None
        left.remove(asked.operands[1])
        parts.append(tree.Implies(asked, rest.then, BOOL))
        rest = rest.other
    if isinstance(rest, tree.If):
        return None
    return tree.Logic("and", (*parts, tree.Implies(build.one_of(thing, left), rest, BOOL)), BOOL)


def _under(writer: Writer, when: tree.Node, node: tree.Node) -> Clause:
    """A requirement under a condition; it does not name again what the condition is about."""
    return _with_exception(writer, when, node) or guarded(writer, when, _under_condition(writer, when, node))


def _with_exception(writer: Writer, when: tree.Node, node: tree.Node) -> Clause | None:
    """``not (a and b)`` among the conditions as "…, unless a and b" behind what is required."""
    on, rest = _scope(writer, when)
    parts = () if rest is None or writer.mood or writer.fails else build.conjuncts(rest)
    denied = [part for part in parts if isinstance(part, tree.Unary) and _is_joined(writer, part)]
    if len(denied) != 1 or len(parts) > _BEFORE:
        return None
    kept = [part for part in parts if part is not denied[0]]
    body = _under_condition(writer, build.all_of(kept), node) if kept else writer.clause(node)
    exception = writer.condition(denied[0].operand)
    if not isinstance(body, Simple) or body.tails or body.letters or clauses.is_conditional(exception):
        return None
    if clauses.has_numbers(exception):
        return None
    whole = Joined("unless", (body, exception))
    if on is None and not kept:
        return whole
    return _on(writer, on, writer.condition(build.all_of(kept)) if kept else None, whole)


def _is_joined(writer: Writer, node: tree.Unary) -> bool:
    """Whether what is denied has several parts, or is told in its author's words, which have no plain opposite."""
    inner = meaning.meant(writer, node.operand)
    if isinstance(inner, tree.Logic):
        return inner.op == "and" and 2 * sum(map(_is_denial, inner.items)) < len(inner.items)
    return isinstance(inner, tree.Let) and writer.terms.clause(inner.name, writer.lang) is not None


def _is_denial(node: tree.Node) -> bool:
    """Whether a statement says what is not so, which is told without a "not" where it is denied."""
    if isinstance(node, tree.Compare) and len(node.ops) == 1:
        return (
            node.ops[0] in ("!=", "not in")
            or patterns.FILLED.get((node.ops[0], trees.number(node.operands[1]))) == "not "
        )
    return node.negated if isinstance(node, tree.IsNone) else isinstance(node, tree.Unary)


def guarded(writer: Writer, when: tree.Node, body: Clause) -> Guarded:
    """A clause under a condition."""
    on, rest = _scope(writer, when)
    return _on(writer, on, None if rest is None else writer.condition(rest), body)


def _scope(writer: Writer, when: tree.Node) -> tuple[tree.OnProducts | None, tree.Node | None]:
    """The products that a condition is about, be it by a name of theirs, and the rest of it."""
    parts = []
    for part in build.conjuncts(when):
        inner = meaning.meant(writer, part)
        parts.append(part if tree.on_products(inner) is None else inner)
    return scopes.scope(build.all_of(parts))


def _on(writer: Writer, on: tree.OnProducts | None, condition: Clause | None, body: Clause) -> Guarded:
    """A clause on some products, under a condition."""
    condition = None if condition is None else _either(writer, condition)
    if on is None:
        return Guarded("", "", condition, body)
    key = "on" if on.inside else "elsewhere"
    last = "or" if key == "elsewhere" and writer.lang == "en" else "and"
    return Guarded(key, named_products(writer, on.ids, last), condition, body)


def _either(writer: Writer, condition: Clause) -> Clause:
    """Two alternatives that are a condition as "a, or if b", where it is clear what belongs together."""
    if not isinstance(condition, Numbered) or len(condition.parts) != 2:
        return condition
    if any(map(clauses.is_conditional, condition.parts)) or any(map(clauses.has_numbers, condition.parts)):
        return condition
    texts = map(Text(writer.lang).of, condition.parts)
    loose = any((" either " if writer.lang == "en" else "或") in text for text in texts)
    return condition if loose else Joined("or if", condition.parts)


def reasons(writer: Writer, guards: Sequence[tree.Node]) -> str:
    """Why a requirement counts: "applies to …, because …"."""
    places: list[str] = []
    told: list[str] = []
    for guard in guards:
        on, rest = scopes.scope(guard)
        if on is not None:
            key = "on" if on.inside else "elsewhere"
            last = "or" if key == "elsewhere" and writer.lang == "en" else "and"
            places.append(writer.phrases[f"reason {key}"].format(p=named_products(writer, on.ids, last)))
        if rest is not None:
            told.append(writer.stating(rest))
    because = [writer.phrases["reason"].format(c=writer.listing(list(dict.fromkeys(told)), "and"))] if told else []
    return writer.phrases["between"].join([*dict.fromkeys(places), *because])


def is_apart(clause: Guarded) -> bool:
    """Whether the condition ends in more than a comma."""
    numbered = clause.condition is not None and clauses.has_numbers(clause.condition)
    return clauses.is_conditional(clause.body) or numbered


def _is_of_public_formats(writer: Writer, when: tree.Node, node: tree.Node) -> bool:
    """Whether a choice of formats counts for a thing that is of no private one.

    It is told whole and without the condition: a rule of its own holds private formats to the same choice.
    """
    asked = trees.privacy(when)
    return not writer.mood and asked is not None and not asked[1] and patterns.is_about(node, asked[0])


def named_products(writer: Writer, ids: list[str], last: str) -> str:
    """Products by name; of one whose members the operator runs on, not on all of it, these."""
    runs = writer.terms.products
    found = [[one] if one in runs else [name for name in runs if products.owner(name) == one] or [one] for one in ids]
    return clauses.listing(products.in_text(itertools.chain(*found), writer.lang), writer.lang, last)


# --- otherwise


def branches(writer: Writer, node: tree.If) -> Clause:
    """What is so under a condition, and what otherwise."""
    when, then, other = node.condition, node.then, node.other
    if trees.is_const(other, True) or trees.is_any_multiple(other):
        return if_then(writer, when, then)
    if trees.is_const(then, True) or trees.is_any_multiple(then):
        return if_then(writer, tree.Unary("not", when, when.type), other)
    if isinstance(when, tree.Unary) and when.op == "not":
        when, then, other = when.operand, other, then
    by_product = scopes.by_product(tree.If(when, then, other, BOOL), bool(writer.terms.among))
    if by_product is not None:
        return _on_each(writer, *by_product)
    if _denies(when):
        when, then, other = opposites.negated(when) or when, other, then
    if subjects.is_conditional(then) and not subjects.is_conditional(other):
        when, then, other = tree.Unary("not", when, BOOL), other, then  # so that it is clear which "otherwise" is whose
    first = _as_guarded(_under(writer, when, subjects.fitting(when, then)), writer, when)
    if isinstance(other, tree.If) and not (trees.is_const(other.then, True) or trees.is_const(other.other, True)):
        return _otherwise(first, branches(writer, other))
    return _otherwise(first, _of_the_same(writer, first.body, other, about(writer, then, other)))


def _otherwise(first: Guarded, other: Clause) -> Clause:
    """What is otherwise so; behind what is so on some products, what is so on others."""
    if first.key != "on" or first.condition is not None:
        return Otherwise(first, other)
    if isinstance(other, Cases):
        return Cases((first, *other.cases), other.other)
    return Cases((first,), other)


def _of_the_same(writer: Writer, before: Clause, node: tree.Node, clause: Clause) -> Clause:
    """What is otherwise so of several things, or in one of several ways, without what the first case names."""
    if not isinstance(node, tree.Logic) or not isinstance(before, Simple) or not isinstance(clause, Simple):
        return clause
    if clause.subject != before.subject or clause.link != before.link:
        return clause
    several = subjects.said_of(node.items)[1] is not None
    named: Clause = replace(clause, subject=writer.phrases["they" if several else "it"])
    return named


def _denies(node: tree.Node) -> bool:
    """Whether a condition says what one thing is not; "otherwise" is better read where it says what it is."""
    return isinstance(node, tree.Compare) and node.ops in (("!=",), ("not in",))


def _as_guarded(clause: Clause, writer: Writer, when: tree.Node) -> Guarded:
    return clause if isinstance(clause, Guarded) else guarded(writer, when, clause)


def _on_each(writer: Writer, cases: list[tuple[list[str], tree.Node]], other: tree.Node | None) -> Clause:
    """What is so on some products, and what on the others."""
    if other is not None and _is_everything(writer, [name for names, _ in cases for name in names]):
        other = None
    together = _shared_list(writer, cases, other)
    if together is not None:
        return together
    left = [] if other is None else _left(writer, [name for names, _ in cases for name in names])
    if other is not None and left:
        cases, other = [*cases, (left, other)], None
    cases = _alike(cases)
    found = [Guarded("on", named_products(writer, cases[0][0], "and"), None, writer.clause(cases[0][1]))]
    for (_, before), (names, node) in itertools.pairwise(cases):
        found.append(Guarded("on", named_products(writer, names, "and"), None, about(writer, before, node)))
    return Cases(tuple(found), None if other is None else about(writer, cases[-1][1], other))


def _left(writer: Writer, names: list[str]) -> list[str]:
    """The products that others are than these, in order, where they are known and few enough to be named."""
    among = writer.terms.among
    if any(name not in among and products.owner(name) in among for name in names):
        return []  # what is left of a product without one of its members has no name
    left = [name for name in among if name not in names and products.owner(name) not in names]
    left.sort(key=lambda name: products.ids().index(products.owner(name)))
    return left if len(products.in_text(left, writer.lang)) <= _FEW else []


def _alike(cases: list[tuple[list[str], tree.Node]]) -> list[tuple[list[str], tree.Node]]:
    """Products of which the same is said as one case."""
    found: list[tuple[list[str], tree.Node]] = []
    for names, node in cases:
        same = next((place for place, (_, known) in enumerate(found) if known == node), None)
        if same is None:
            found.append((names, node))
        else:
            found[same] = ([*found[same][0], *names], node)
    return found


def _is_everything(writer: Writer, names: list[str]) -> bool:
    """Whether an operator runs on these products alone."""
    return bool(writer.terms.products) and writer.terms.products <= set(names)


def _shared_list(writer: Writer, cases: list[tuple[list[str], tree.Node]], other: tree.Node | None) -> Clause | None:
    """``x is a, b or c; c is not supported on p``, where products differ by a few of many data types."""
    lists = [trees.choices(node) for _, node in cases] + ([] if other is None else [trees.choices(other)])
    first = lists[0]
    if writer.mood or len(lists) < 2 or first is None:
        return None
    subject = first[0]
    if subject.type not in (DTYPE, FORMAT) or any(one is None or one[0] != subject for one in lists):
        return None
    sets = [one[1] for one in lists if one is not None]
    every = list(dict.fromkeys(item for items in sorted(sets, key=len, reverse=True) for item in items))
    apart = [item for item in every if not all(item in items for items in sets)]
    groups: dict[tuple[str, tuple[str, ...]], list[tree.Node]] = {}
    for item in apart:
        holds = other is None or item in sets[-1]
        named = [name for (names, _), items in zip(cases, sets, strict=False) for name in names
                 if (item in items) != holds]  # fmt: skip
        groups.setdefault(("not on" if holds else "only on", tuple(named)), []).append(item)
    if 2 * len(apart) > len(every) or len(groups) > 2:
        return None
    tails = [_supported(writer, *_fewer(writer, *where), items) for where, items in groups.items()]
    return with_tails(writer, subject, every, tails)


def _supported(writer: Writer, key: str, names: tuple[str, ...], items: list[tree.Node]) -> str:
    """Where alone, or where not, some items of a list are supported."""
    form = writer.phrases[key if len(items) == 1 else f"{key} many"]
    what = clauses.listing(list(map(writer.noun, items)), writer.lang, "and")
    last = "or" if key == "not on" and writer.lang == "en" else "and"
    return form.format(a=what, p=named_products(writer, list(names), last))


def with_tails(writer: Writer, subject: tree.Node, items: list[tree.Node], tails: list[str]) -> Clause:
    """That a thing is one of a list, and what of it is supported only here or not there."""
    listed = tree.Seq(tuple(items), (False,) * len(items), list_of(subject.type))
    found = writer.clause(tree.Compare(("in",), (subject, listed), BOOL))
    if not tails or not isinstance(found, Simple):
        return found
    whole: Clause = replace(found, tails=(writer.phrases["of these"].format(a=tails[0]), *tails[1:]))
    return whole


def also_on(writer: Writer, node: tree.Logic) -> Clause | None:
    """``x is a, b, c or d; c is supported only on p; d is not supported on q``."""
    few, *rest = node.items
    found = trees.choices(few)
    only = [trees.choice_on(item) for item in rest]
    if found is None or found[0].type not in (DTYPE, FORMAT) or len(only) < 2:
        return None
    every, tails = list(found[1]), list[str]()
    for one in only:
        if one is None or one[1] != found[0]:
            return None
        new = [item for item in one[2] if item not in every]
        if new:
            every += new
            tails.append(_supported(writer, "only on" if one[0].inside else "not on", tuple(one[0].ids), new))
    return with_tails(writer, found[0], every, tails)


def _fewer(writer: Writer, key: str, names: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """``not on a, b or c`` as ``only on d`` where that is the shorter."""
    left = writer.terms.products - set(names)
    if key != "not on" or not left or len(left) >= len(names) or not set(names) <= set(products.ids()):
        return key, names
    return "only on", tuple(name for name in products.ids() if name in left)


# --- what a sentence speaks of already


def about(writer: Writer, before: tree.Node, node: tree.Node) -> Clause:
    """The clause of ``node``, with a pronoun (in Chinese with nothing) where ``before`` has the same subject."""
    return named_once(writer, before, node, writer.clause(node))


def _under_condition(writer: Writer, when: tree.Node, node: tree.Node) -> Clause:
    """The clause of what a condition asks, which may say of a thing itself what one of its attributes is."""
    clause, known = writer.clause(node), subjects.subject(when)
    if isinstance(known, tree.Attr) and known.name in ("dtype", "rank") and isinstance(clause, Simple):
        said = writer.condition(when)
        if isinstance(said, Simple) and said.subject == writer.base(known):  # "x is FLOAT", and not its data type
            return _of_owner(writer, known, clause)
    return named_once(writer, when, node, clause)


def _of_owner(writer: Writer, known: tree.Attr, clause: Simple) -> Simple:
    """What is said of a thing, or of an attribute of it, after a condition that named the thing."""
    if writer.lang == "en" and clause.subject == writer.base(known):
        return writer.pronoun(clause)
    if clause.subject != writer.noun(known):
        return clause
    owned: Simple = replace(
        clause, subject=writer.phrases["its"].format(name=writer.phrases.get(known.name, known.name))
    )
    return owned


def named_once(writer: Writer, before: tree.Node, node: tree.Node, clause: Clause) -> Clause:
    """The clause of a statement, with a pronoun for what the statement before it is about."""
    subject, known = subjects.subject(node), subjects.subject(before)
    if subject is None or not isinstance(clause, Simple) or not clause.subject:
        return clause
    owner = patterns.owner(before)
    if owner is not None and patterns.owner_of(subject) == owner and clause.subject == writer.noun(owner):
        return writer.pronoun(clause)
    if known is None or isinstance(node, (tree.Logic, tree.Each, tree.If)) or _is_unnamed(writer, before):
        return clause
    aside = writer.aside()
    name, earlier = aside.noun(subject), aside.noun(known)
    if clause.subject != name:
        return clause
    of_owner = _is_of_owner(aside, before, known)
    if name == earlier and not of_owner:
        return writer.pronoun(clause)
    if isinstance(subject, tree.Attr) and (
        (name == earlier and of_owner) or (writer.lang == "en" and aside.noun(subject.base) == earlier)
    ):
        what = writer.phrases.get(subject.name, subject.name)
        owned: Clause = replace(clause, subject=writer.phrases["its"].format(name=what))
        return owned
    return clause


def _is_of_owner(writer: Writer, node: tree.Node, known: tree.Node) -> bool:
    """Whether a statement on a shape is said of the tensor: "x must be a 1D tensor"."""
    if not trees.is_attribute(known, "shape"):
        return False
    said = writer.clause(node)
    return isinstance(said, Simple) and said.subject == writer.base(known)


def _is_unnamed(writer: Writer, node: tree.Node) -> bool:
    """Whether a condition says that a thing is or is not empty, and does not name the number that it compares."""
    if not isinstance(node, tree.Compare) or len(node.ops) != 1:
        return False
    counted, number = node.operands[0], trees.number(node.operands[1])
    emptiness = (node.ops[0], number) in patterns.FILLED or (node.ops[0] in ("==", "!=") and number == 0)
    length = isinstance(counted, tree.Length) and (writer.lang == "en" or counted.operand.type == STR)
    return emptiness and (length or trees.is_attribute(counted, "numel"))
