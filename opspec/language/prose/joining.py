"""Statements that hold together, and alternatives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from opspec.language import tree
from opspec.language.prose import (
    clauses,
    comparing,
    conditions,
    meaning,
    merging,
    opposites,
    patterns,
    subjects,
    trees,
)
from opspec.language.prose.bound import Bound
from opspec.language.prose.clauses import Framed, Joined, Numbered, Simple, Text
from opspec.language.record import replace
from opspec.language.types import BOOL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from opspec.language.prose.clauses import Clause
    from opspec.language.prose.writer import Writer

_NAME = 12  # characters of a subject that is not said twice in a sentence
_PRONOUNS = ("it", "they")
_LISTING = (", ", " or ", " nor ", " and ", "或", "且", "也不")  # beside which another "or" is lost


def logic(writer: Writer, node: tree.Logic) -> Clause:
    """What several statements say together."""
    if node.op == "or":
        return _or(writer, node)
    flat = tuple(dict.fromkeys(_flat(writer, node.items)))
    items = subjects.grouped(subjects.spanned(flat if writer.mood else _by_case(writer, flat)))
    if writer.mood:
        items = _settled(writer, patterns.without_presence(items))
        items = items if writer.fails else tuple(map(_plain_rank, items))
    if len(items) == 1:
        return writer.clause(items[0])
    several = _given_together(writer, items) or _of_several(writer, items, "and")
    if several is not None:
        return several
    alike = patterns.alike(items)
    if alike is not None:
        what = writer.listing([writer.what(item.operands[0]) for item in alike], "and")
        a, b = (writer.base(side) for side in alike[0].operands)
        return writer.form("same", a=a, b=b, what=what)
    if writer.mood:
        items, found = _loose_last(writer, items, tuple(map(writer.clause, items)))
        if any(map(clauses.is_conditional, found)):
            return Joined("also", found)
        return _joined_by(writer, "and", items, found)
    if any(meaning.is_conditional(writer, item) for item in items):
        ordered = sorted(items, key=lambda item: meaning.is_conditional(writer, item))
        told = merging.merged(_named_once(writer, ordered), writer.lang)
        return Joined("also", tuple(told))  # last: behind "otherwise" nothing is read on
    parts = tuple(map(writer.clause, items))
    if any(map(clauses.has_exception, parts)) or any(map(merging.has_alternative, parts)):
        parts = tuple(sorted(parts, key=lambda part: (clauses.has_exception(part), merging.has_alternative(part))))
        return Joined("also", tuple(merging.merged(parts, writer.lang)))
    return _joined_by(writer, "and", items, parts)


def _by_case(writer: Writer, items: tuple[tree.Node, ...]) -> tuple[tree.Node, ...]:
    """Requirements of which those that hang on one condition, and on its opposite, are said together."""
    branches = [comparing.as_branches(writer, item) for item in items]
    cases = [branch or patterns.as_cases(item) for item, branch in zip(items, branches, strict=True)]
    asked = [None if case is None else case.condition for case in cases]
    found: list[tree.Node] = []
    for place, (item, case) in enumerate(zip(items, cases, strict=True)):
        alike = [one for one in cases if case is not None and one is not None and one.condition == case.condition]
        if case is None or len(alike) < 2:
            found.append(branches[place] or item)
        elif case.condition not in asked[:place]:
            then, other = (
                tree.Logic("and", tuple(side), BOOL)
                for side in zip(*((one.then, one.other) for one in alike), strict=True)
            )
            found.append(tree.If(case.condition, then, other, BOOL))
    return tuple(found)


def _plain_rank(node: tree.Node) -> tree.Node:
    return comparing.plain_rank(node) if isinstance(node, tree.Compare) else node


def _settled(writer: Writer, items: tuple[tree.Node, ...]) -> tuple[tree.Node, ...]:
    """Statements with their alternatives, but those that another statement rules out."""
    known = [meaning.meant(writer, item) for item in items]

    def settled(item: tree.Node) -> tree.Node:
        inner = meaning.meant(writer, item)
        if not isinstance(inner, tree.Logic) or inner.op != "or":
            return item
        kept = tuple(part for part in inner.items if _opposite(writer, part) not in known)
        if len(kept) in (0, len(inner.items)):
            return item
        return kept[0] if len(kept) == 1 else tree.Logic("or", kept, inner.type)

    return tuple(map(settled, items))


def _opposite(writer: Writer, node: tree.Node) -> tree.Node | None:
    found = opposites.negated(meaning.meant(writer, node))
    return None if found is None else meaning.meant(writer, found)


def _loose_last(
    writer: Writer, items: tuple[tree.Node, ...], found: tuple[Clause, ...]
) -> tuple[tuple[tree.Node, ...], tuple[Clause, ...]]:
    """Statements with their clauses; behind alternatives, numbered or not, more would be read as part of the last."""
    ordered = sorted(
        zip(items, found, strict=True),
        key=lambda pair: (clauses.has_numbers(pair[1]), _is_loose(writer, *pair)),
    )
    return tuple(item for item, _ in ordered), tuple(clause for _, clause in ordered)


def _flat(writer: Writer, items: tuple[tree.Node, ...]) -> Iterator[tree.Node]:
    """All that holds where several statements do, with what conditions with short names stand for."""
    for item in items:
        opened = opposites.opened(item, lambda node: meaning.meant(writer, node))
        if writer.mood and not writer.fails:
            opened = opposites.as_alternatives(meaning.meant(writer, opened)) or opened
        if isinstance(opened, tree.Logic) and opened.op == "and":
            yield from _flat(writer, opened.items)
        else:
            yield opened


def _given_together(writer: Writer, items: tuple[tree.Node, ...]) -> Clause | None:
    """``(x is None) == (y is None) and (y is None) == (z is None)``: all are null or all are given."""
    found: list[tree.Node] = []
    for item in items:
        sides = item.operands if isinstance(item, tree.Compare) and item.ops == ("==",) else ()
        if len(sides) != 2 or not all(isinstance(side, tree.IsNone) and not side.negated for side in sides):
            return None
        things = [side.operand for side in sides if isinstance(side, tree.IsNone)]
        if found and not any(thing in found for thing in things):
            return None
        found += [thing for thing in things if thing not in found]
    return writer.form("all null", all=writer.listing(list(map(writer.noun, found)), "and")) if len(items) > 1 else None


def _named_once(writer: Writer, items: Sequence[tree.Node]) -> list[Clause]:
    """Statements one after the other, of which those behind the first do not name its subject again."""
    found = list(map(writer.clause, items))
    subject = subjects.subject(items[0])
    name = writer.noun(subject) if subject is not None else ""
    first = found[0]
    if writer.mood or len(name) <= _NAME or not isinstance(first, Simple) or first.subject != name:
        return found
    return [first, *(_unnamed(writer, clause, name) for clause in found[1:])]


def _unnamed(writer: Writer, clause: Clause, name: str) -> Clause:
    """A clause within a condition that says nothing of a thing but what it must be, with a pronoun for it."""
    about = clauses.subjects(clause).count(name)
    if isinstance(clause, Simple) or not about or Text(writer.lang).of(clause).count(name) != about:
        return clause
    if writer.lang == "en" and clauses.has_conditions(clause):
        return clause  # whose subject "it" would be taken for
    return clauses.bodies(clause, lambda part: writer.pronoun(part) if part.subject == name else part)


def _joined_by(
    writer: Writer, word: Literal["and", "or"], items: tuple[tree.Node, ...], parts: tuple[Clause, ...]
) -> Clause:
    """Statements joined by a word; each is made once: who makes it again at every level takes exponential time."""
    found = [_beside(writer, items[0], parts[0])]
    for before, item, part in zip(items, items[1:], parts[1:], strict=False):
        clause = _beside(writer, item, _after(writer, found[-1], before, item, part))
        known = meaning.meant(writer, before)
        neither = _neither(writer, known, item) if word == "and" else None
        if neither is not None:
            found[-1] = neither
        else:
            found.append(_of_given(writer, known, item, clause) if writer.mood else clause)
    if len(found) == 1:
        return found[0]
    predicates = _predicates(writer, found, word)
    if predicates is not None:
        return predicates
    alike = None if writer.mood or len(found) < 3 else _predicates(writer, found[:-1], word)
    if alike is not None:
        found = [alike, found[-1]]
    if not writer.mood and word == "and":
        found = merging.merged(found, writer.lang)
        if len(found) == 1:
            return found[0]
    if writer.mood and word == "or" and any(_lists(writer, clause) for clause in found):
        return Joined("or", tuple(found))
    if writer.mood and writer.lang == "en" and _is_loose(writer, items[-1], parts[-1]):
        return Joined(word, tuple(found))
    return Joined(f"{word} also" if writer.mood else word, tuple(found))


def _lists(writer: Writer, clause: Clause) -> bool:
    """Whether it has an "and" or an "or" of its own."""
    text = Text(writer.lang).of(clause)
    return any(mark in text for mark in _LISTING)


def _neither(writer: Writer, before: tree.Node, item: tree.Node) -> Clause | None:
    """``x is neither null nor empty``."""
    if not isinstance(before, tree.IsNone) or not before.negated or patterns.owner(item) != before.operand:
        return None
    counted = item.operands[0] if isinstance(item, tree.Compare) else item
    listed = isinstance(counted, tree.Length)
    return writer.about("neither null nor empty" if listed else "neither null nor no tensor", before.operand)


def _of_given(writer: Writer, before: tree.Node, item: tree.Node, clause: Clause) -> Clause:
    """A statement about an attribute of what is given, as the one before says: its data type is …"""
    subject = subjects.subject(item)
    if not isinstance(before, tree.IsNone) or not before.negated or not isinstance(clause, Simple):
        return clause
    counted = isinstance(subject, tree.Length) and writer.lang == "en"
    owner = subject.operand if isinstance(subject, tree.Length) else getattr(subject, "base", None)
    if owner != before.operand or subject is None or clause.subject != writer.noun(subject):
        return clause
    if not (counted or (isinstance(subject, tree.Attr) and subject.name in ("dtype", "format", "rank"))):
        return clause
    if writer.lang == "en" and clause.verb != "is":
        return clause
    found: Clause = replace(clause, subject=writer.phrases["its"].format(name=writer.what(subject)))
    return found


def _predicates(writer: Writer, found: list[Clause], word: Literal["and", "or"]) -> Clause | None:
    """``x must be a multiple of 32 and at most 512``, ``if x is null or empty``."""
    parts = _complements(writer, found)
    if parts is None or (writer.mood and word == "and"):
        return None
    first = found[0]
    assert isinstance(first, Simple)
    listed = any(mark in _without_brackets(part) for part in parts for mark in _LISTING)
    if word == "or":
        whole: Clause = replace(first, complement=writer.listing(parts, "or"))
        return None if listed else whole
    if len(parts) == 2 and not listed:
        both: Clause = replace(first, complement=f"{parts[0]} and {parts[1]}")
        return both
    if listed:  # beside "a, b or c" it must be clear where the next begins
        parts[1:] = [f"{first.verb} {part}" for part in parts[1:]]
    together: Clause = replace(first, complement=f"{', '.join(parts[:-1])}, and {parts[-1]}")
    return together


def _complements(writer: Writer, found: list[Clause]) -> list[str] | None:
    """What clauses say of the subject of the first, all with its verb; in Chinese 为 is said once."""
    first = found[0]
    if not isinstance(first, Simple) or (writer.lang == "en" and first.verb not in ("must be", "is", "are")):
        return None
    said_by_verb = first.verb.endswith("是")
    if (
        writer.lang == "zh"
        and not said_by_verb
        and not all(isinstance(part, Simple) and part.complement.startswith("为") for part in found)
    ):
        return None
    parts: list[str] = []
    for clause in found:
        if not isinstance(clause, Simple) or clause.verb != first.verb or clause.letters or clause.tails:
            return None
        if parts and clause.subject not in (*_PRONOUNS, ""):
            return None
        parts.append(clause.complement.removeprefix("为") if parts and writer.lang == "zh" else clause.complement)
    return parts


def _without_brackets(text: str) -> str:
    """A text without its intervals, whose commas list nothing."""
    kept, depth = [], 0
    for letter in text:
        depth += (letter in "[(") - (letter in "])")
        if depth == 0:
            kept.append(letter)
    return "".join(kept)


def _of_several(writer: Writer, items: tuple[tree.Node, ...], word: Literal["and", "or"]) -> Clause | None:
    """``a.rank > 2 and b.rank > 2``: the rank of each of a and b must be greater than 2."""
    things, common = subjects.said_of(items)
    if common is None:
        return None
    either = [writer.noun(thing) for thing in things]
    names = writer.listing(either, word)
    both = writer.mood == 1 and word == "and"
    if both and writer.lang == "en" and subjects.is_denial(common):
        none = f"neither {' nor '.join(either)}" if len(either) == 2 else f"none of {names}"
        return _with_any(writer, Bound(none)).clause(opposites.denied(common))
    inner = common.operand if isinstance(common, tree.Given) else common
    of_all = isinstance(inner, tree.Each)
    one = subjects.is_of_thing(inner) or writer.lang == "zh" or word == "or" or comparing.is_short_of(writer, inner)
    one = one or subjects.is_shared(inner)
    together = one or of_all
    several = word == "and" and one and not of_all
    bound = Bound(names if together else writer.phrases["each of"].format(a=names), several=several)
    clause = _with_any(writer, bound).clause(common)
    if both and writer.lang == "zh" and isinstance(clause, Simple) and clause.verb in ("不为", "既不为"):
        all_of: Clause = replace(clause, verb=f"均{clause.verb}")
        return all_of
    return clause


def _with_any(writer: Writer, bound: Bound) -> Writer:
    return writer.with_bound({**writer.bound, subjects.ANY: bound})


def _beside(writer: Writer, node: tree.Node, clause: Clause) -> Clause:
    """A statement beside others; of alternatives among them it is clear what belongs together."""
    if writer.mood and _is_loose(writer, node, clause):
        before, _, after = writer.phrases["either"].partition("{a}")
        return Framed(before, clause, after)
    return clause


def _is_loose(writer: Writer, node: tree.Node, clause: Clause) -> bool:
    """Whether it is not clear where alternatives begin and end; numbers tell, and so does one subject of them all."""
    inner = meaning.meant(writer, node)
    if not isinstance(inner, tree.Logic) or inner.op != "or" or trees.one_of(inner) is not inner:
        return False
    of_one = isinstance(clause, Simple) and subjects.said_of(inner.items)[1] is None
    return not (of_one or (writer.lang == "en" and clauses.has_numbers(clause)))


def _after(writer: Writer, said_before: Clause, before: tree.Node, node: tree.Node, clause: Clause) -> Clause:
    """A statement behind another one, with a pronoun where both begin with the same name."""
    clause = conditions.named_once(writer, before, node, clause)
    subject = subjects.subject(node)
    if not isinstance(subject, tree.Attr) or not isinstance(clause, Simple) or not isinstance(said_before, Simple):
        return clause
    named_type = subject.name == "dtype" and said_before.subject == writer.noun(subject)
    if named_type and clause.subject == writer.noun(subject.base):  # "the data type of x is …, or x is BOOL"
        return writer.pronoun(clause)
    if writer.lang != "en" and subject.name != "numel":
        return clause
    name = writer.noun(subject.base)
    known = subjects.subject(before)
    named = said_before.subject == name or (said_before.subject in _PRONOUNS and _owner(known) == subject.base)
    return writer.pronoun(clause) if named and clause.subject == name else clause


def _owner(subject: tree.Node | None) -> tree.Node | None:
    """What a statement about an attribute is about in the end."""
    return subject.base if isinstance(subject, tree.Attr) else subject


# --- alternatives


def _or(writer: Writer, node: tree.Logic) -> Clause:
    plain = patterns.without_null(meaning.alternatives(writer, node))
    if not isinstance(plain, tree.Logic):
        return writer.clause(plain)
    choice = trees.one_of(plain)
    if isinstance(choice, tree.Compare):
        return comparing.pair(writer, "in", *choice.operands)
    node = plain if len(plain.items) == 2 else tree.Logic("or", _with_choices(plain.items), plain.type)
    more = trees.more_on(node)
    if more is not None:
        return writer.clause(more)
    also = None if writer.mood else conditions.also_on(writer, node)
    if also is not None:
        return also
    several = _of_several(writer, node.items, "or") if writer.mood else None
    if several is not None:
        return several
    given = None if writer.mood else _some_given(writer, node.items)
    if given is not None:
        return given
    meant = tuple(meaning.meant(writer, item) for item in node.items)
    unless = None if writer.mood else patterns.as_implication(tree.Logic("or", meant, node.type))
    if unless is not None:
        return conditions.if_then(writer, *unless)
    if any(
        isinstance(meaning.meant(writer, item), tree.Logic) or meaning.is_conditional(writer, item)
        for item in node.items
    ):
        exception = _unless(writer, node.items)
        if exception is not None:
            return exception
        parts = tuple(writer.condition(item, letters=True) for item in node.items)
        return Numbered(writer.pairs["alternatives"][writer.mood], parts)
    return _joined_by(writer, "or", node.items, tuple(map(writer.clause, node.items)))


def _with_choices(items: tuple[tree.Node, ...]) -> tuple[tree.Node, ...]:
    """Alternatives, of which those next to each other that one value has are one."""
    found = [items[0]]
    for item in items[1:]:
        both = tree.Logic("or", (found[-1], item), item.type)
        choice = trees.one_of(both)
        if isinstance(choice, tree.Compare):
            found[-1] = choice
        else:
            found.append(item)
    return tuple(found)


def _unless(writer: Writer, items: tuple[tree.Node, ...]) -> Clause | None:
    """``x is a, or x is b and y is c``: x must be a, unless x is b and y is c."""
    plain = [item for item in items if not isinstance(meaning.meant(writer, item), tree.Logic)]
    if writer.mood or writer.fails or len(items) != 2 or len(plain) != 1:
        return None
    rest = items[0] if plain[0] is items[1] else items[1]
    said, other = writer.clause(plain[0]), writer.condition(rest, letters=True)
    if not isinstance(said, Simple) or said.tails or clauses.is_conditional(other) or clauses.has_numbers(other):
        return None
    return Joined("unless", (said, other))


def _some_given(writer: Writer, items: tuple[tree.Node, ...]) -> Clause | None:
    """``x is not None or y is not None``: at least one of x and y must not be null."""
    things = [item.operand for item in items if isinstance(item, tree.IsNone) and item.negated]
    if len(things) < len(items):
        return None
    return writer.form("some given", all=writer.listing(list(map(writer.noun, things)), "and"))
