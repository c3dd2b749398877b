"""Why a rule is violated, in a sentence with the actual values: from the rule's own expression.

The reference interpreter finds the part that failed: the conjunct, the element of a list (whose index the finding's
path then names), of a table the row that lacks least, of a scenario what its nearest alternative lacks. Runs only
when there is something to explain.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from opspec.language import interpret, prose, tree
from opspec.language.facts import Facts, facts
from opspec.language.functions import FUNCTIONS
from opspec.language.interpret import Env, Undef, evaluate
from opspec.language.text import write
from opspec.language.types import BOOL, STR, list_of
from opspec.validator.elements import NO_NAMES, named, names, placed
from opspec.validator.explanation import MARKS, Explanation, marked, said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    from opspec.registry.info import AlternativeInfo, OperatorInfo, RuleInfo
    from opspec.registry.registry import Form
    from opspec.validator.elements import Names
    from opspec.validator.explanation import Forms
    from opspec.vocabulary.literals import Lang

    T = TypeVar("T")
    Misfit = tuple[tree.Node, frozenset[object]]  # a column of a table, and what its cell allows

NO_LETTERS: Mapping[str, str] = {}

MOST_VALUES = 8  # that a message shows
MOST_ITEMS = 12  # of a list
MOST_CHARACTERS = 60  # of a text
NOT_APPLICABLE = 1000  # what an alternative that does not apply counts as lacking, besides what it lacks
_MOST_KEPT = 20_000  # words of rules, of all operators

_QUOTED = (STR, list_of(STR))

SAYS = {
    "en": {
        "found": "found {0}",
        "computed": ", required {0}",
        "alternative": "under the nearest alternative ({0}), ",
        "combination": "in the nearest supported combination, ",
        "must": "{0} must be {1}",
        "present": "present",
        "comma": ", ",
        "and": " and ",
        "undefined": "undefined",
        "null": "null",
        "more": "… {0} more",
        "guard": "{1} ({0})",
    },
    "zh": {
        "found": "实际为{0}",
        "computed": "，要求为{0}",
        "alternative": "按最接近的场景（{0}），",
        "combination": "按最接近的受支持组合，",
        "must": "{0}必须为{1}",
        "present": "非空",
        "comma": "，",
        "and": "，且",
        "undefined": "无定义",
        "null": "空指针",
        "more": "……另有{0}个",
        "guard": "{1}（{0}）",
    },
}


def lacking(node: tree.Node, form: Form) -> str:
    """The data that a call may lack to judge a check or a guard: ``x.values, product``."""
    lets = form.info.lets

    def of_let(name: str) -> Facts:
        return facts(lets[name], of_let)

    kinds = {name: kind for name, kind, *_ in form.params}
    needed = sorted(
        f"{name}.{facet}" if name else facet
        for name, facet in facts(node, of_let)
        if not name or facet in _MAY_LACK.get(kinds[name].removesuffix("_list"), ())
    )
    return ", ".join(needed) or write(node)


_MAY_LACK = {"tensor": ("values", "layout"), "scalar": ("value",)}  # kind of a param -> facets


def explain(rule: RuleInfo, env: Env, lang: Lang, info: OperatorInfo) -> Explanation:
    """Why ``rule`` of an operator is violated."""
    name, check = _nearest(rule, env, lang) if rule.alternatives else (None, rule.check)
    focus = _focus(check, env, rule.param)
    under = "" if name is None else SAYS[lang]["alternative"].format(name)
    if isinstance(focus.node, tree.Choice):
        lacking = _misfits(focus.node, focus.env)
        if lacking:
            terms = terms_of(info)
            focus.is_named = focus.is_named and not own_sentence(rule.say, bool(rule.alternatives), lang)
            return _lacking(rule, focus, under or SAYS[lang]["combination"], lacking, lang, terms)
    part = _said(rule, focus, lang, info)
    reads = part.words.reads
    texts: list[str] = []
    undefined: list[int] = []
    for node, quoted in reads:
        value = evaluate(node, focus.env)
        if isinstance(value, Undef):
            undefined.append(len(texts))
        texts.append(show(value, lang, quoted))
    if under or undefined or focus.path is not None or len(reads) > len(MARKS):
        return said(*_told(part, focus, under, texts, undefined, lang), focus.path or rule.param)
    if part.usual is None:
        part.usual = marked(*_told(part, focus, "", MARKS[: len(reads)], undefined, lang))
    return Explanation(part.usual, texts, rule.param)


def _told(
    part: _Said, focus: _Focus, under: str, texts: Sequence[str], undefined: Collection[int], lang: Lang
) -> tuple[str, str, str]:
    """The message on a part of a rule, what is required and what is there.

    Args:
        under: the alternative of a scenario that it is of.
        texts: the values that its words read; ``undefined``: places of those that are undefined.
    """
    words = part.words
    found: dict[str, str] = {}
    for place, name in enumerate(words.names):
        if place not in undefined:
            found.setdefault(name, texts[place])
    listed = _listed_values(((focus.placed(name), text) for name, text in found.items()), lang)
    expected, actual = words.expected_actual(texts, lang) or (focus.placed(words.requirement), listed)
    told = listed
    if told and words.computed is not None and words.computed not in undefined:
        told += SAYS[lang]["computed"].format(texts[words.computed])
    focus.is_named = focus.is_named and not part.own
    required = part.own or under + focus.placed(words.requirement)
    return _message(focus, required, told, lang, focus.placed(part.reason)), expected, actual


def _message(focus: _Focus, required: str, found: str, lang: Lang, reason: str) -> str:
    says = SAYS[lang]
    is_told = focus.is_named or focus.path is None or "[" not in focus.path
    text = required if is_told else f"{focus.path}: {required}"
    if found:
        text += ("; " if lang == "en" else "；") + says["found"].format(found)
    return says["guard"].format(reason, text) if reason else text


def _guards(rule: RuleInfo, focus: _Focus) -> tuple[tree.Node, ...]:
    return focus.guards if rule.when is None else (rule.when, *focus.guards)


def own_sentence(say: tuple[str, str] | None, is_scenario: bool, lang: Lang) -> str:
    """The author's sentence where it takes the place of what is required; what a scenario lacks is told in detail."""
    return "" if say is None or is_scenario else prose.authored(say, lang)


def _nearest(rule: RuleInfo, env: Env, lang: Lang) -> tuple[str, tree.Node]:
    """The alternative that applies and lacks the least, and what it lacks first."""
    nearest = min(rule.alternatives, key=lambda item: _lack(item, env))
    return prose.authored(nearest.words, lang), _first(nearest.checks, env) or nearest.checks[-1]


def _lack(item: AlternativeInfo, env: Env) -> int:
    """How much a call lacks of an alternative: parts, and of a table columns; one that does not apply is far."""
    far = 0 if item.when is None or evaluate(item.when, env) is True else NOT_APPLICABLE
    return far + sum(_lack_of(check, env) for check in item.checks)


def _lack_of(check: tree.Node, env: Env) -> int:
    if isinstance(check, tree.Choice):
        return len(_misfits(check, env))
    return 0 if evaluate(check, env) is True else 1


def _misfits(node: tree.Choice, env: Env) -> list[Misfit]:
    """Of a table's nearest row what it lacks: the columns whose values are not in their cells."""
    return min(node.lacking([interpret.column_value(column, env) for column in node.columns]), key=len)


def _lacking(
    rule: RuleInfo, focus: _Focus, under: str, lacking: list[Misfit], lang: Lang, terms: prose.Terms
) -> Explanation:
    says = SAYS[lang]
    *first, last = (
        focus.placed(says["must"].format(*cell_words(named(column, focus.names), cell, lang, terms)))
        for column, cell in lacking
    )
    required = says["and"].join([says["comma"].join(first), last] if first else [last])
    values = [value for column, _ in lacking for value in _in_column(column, focus, lang, terms)]
    actual = _listed_values(values, lang)
    guards = _guards(rule, focus)
    purpose = f"because {lang} {_key(focus.names)}"
    reason = _once(lambda: _because(focus, guards, lang, terms), purpose, focus.node, *guards)
    message = _message(focus, under + required, actual, lang, focus.placed(reason))
    column = named(lacking[0][0], focus.names)
    param = focus.placed(write(column.base)) if isinstance(column, tree.Attr) else rule.param
    return said(message, required, actual, param)


def cell_words(column: tree.Node, cell: frozenset[object], lang: Lang, terms: prose.Terms) -> tuple[str, str]:
    """A column in words, and what a cell of it allows."""
    quoted = column.type in _QUOTED
    if isinstance(column, tree.IsNone):
        return prose.phrase(column.operand, lang, terms), prose.listing(
            [SAYS[lang]["present" if value else "null"] for value in sorted(cell, key=str)], lang, "or"
        )
    return prose.phrase(column, lang, terms), prose.listing(
        [show(value, lang, quoted) for value in sorted(cell, key=str)], lang, "or"
    )


def because(node: tree.Node, guards: Sequence[tree.Node], lang: Lang, terms: prose.Terms) -> str:
    """The conditions under which a statement is required, without those about nothing but what it names itself."""
    said = {write(atom) for atom in atoms(node, terms)}
    guards = [guard for guard in guards if not {write(atom) for atom in atoms(guard, terms)} <= said]
    return prose.reasons(_telling(guards), lang, terms)


def _telling(guards: Sequence[tree.Node]) -> Sequence[tree.Node]:
    """Conditions of which one says which products it is not, and none where another says which it is."""
    about = [tree.on_products(guard) for guard in guards]
    outside = [on for on in about if on is not None and not on.inside]
    if not outside or (len(outside) == 1 and not any(on is not None and on.inside for on in about)):
        return guards
    others = [guard for guard, on in zip(guards, about, strict=True) if on is None or on.inside]
    return others if any(on is not None and on.inside for on in about) else [tree.outside(outside), *others]


# --- finding the part that failed


class _Focus:
    """A part of a statement, what its variables are bound to, and the conditions under which it is required.

    Attributes:
        path: the element that it is of; ``is_named`` where words name that themselves.
        names: what words say in place of its variables; ``places``: of the elements that these are.
    """

    __slots__ = ("env", "guards", "is_named", "names", "node", "param", "path", "places")

    def __init__(self, node: tree.Node, env: Env, param: str | None) -> None:
        self.node = node
        self.env = env
        self.param = param
        self.path: str | None = None
        self.is_named = False
        self.guards: tuple[tree.Node, ...] = ()
        self.names = NO_NAMES
        self.places: tuple[int, ...] = ()

    def at(self, node: tree.Node, *guards: tree.Node) -> _Focus:
        """A part of this part, under more conditions."""
        part = _Focus(node, self.env, self.param)
        part.path, part.is_named, part.names, part.places = self.path, self.is_named, self.names, self.places
        part.guards = (*self.guards, *guards)
        return part

    def element(self, node: tree.Binder, env: Env, number: int, item: object) -> _Focus:
        """What a comprehension says of one element."""
        part = _Focus(node.element, env, self.param)
        part.names = names(node, self.names, len(self.places) + 1)
        part.places = (*self.places, number)
        part.is_named = part.names.keys() >= {*node.variables}
        base = list_name(node, self.param, self.names)
        part.path = f"{node.variables[0]} = {item}" if base is None else f"{self.placed(base)}[{number}]"
        part.guards = self.guards
        return part

    def placed(self, text: str) -> str:
        """Words with the places of the elements in them."""
        return placed(text, self.places) if self.places else text


def _focus(node: tree.Node, env: Env, param: str | None = None) -> _Focus:
    """The smallest part of a violated statement that explains it by itself."""
    focus = _Focus(node, env, param)
    while True:
        inner = _step(focus)
        if inner is None:
            return focus
        focus = inner


def _step(focus: _Focus) -> _Focus | None:
    node, env = focus.node, focus.env
    match node:
        case tree.Compare():
            return None
        case tree.Logic(op="and"):
            failed = _first(node.items, env)
            return focus.at(failed) if failed is not None else None
        case tree.If():
            condition = evaluate(node.condition, env)
            if not isinstance(condition, bool):
                return None
            guard = node.condition if condition else _negated(node.condition)
            inner = node.then if condition else node.other
            return focus.at(inner) if guard is None else focus.at(inner, guard)
        case tree.Given():
            return focus.at(node.operand)
        case tree.Implies():
            return focus.at(node.then, node.condition)
        case tree.Binder(quantifier="all"):
            return _failed_element(focus, node)
    return None


def _first(items: tuple[tree.Node, ...], env: Env) -> tree.Node | None:
    values = [(item, evaluate(item, env)) for item in items]
    for item, value in values:
        if value is False:
            return item
    return next((item for item, value in values if isinstance(value, Undef)), None)


def _failed_element(focus: _Focus, node: tree.Binder) -> _Focus | None:
    source = evaluate(node.source, focus.env)
    if isinstance(source, Undef):
        return None
    undefined: _Focus | None = None
    for number, item, env in interpret.elements(node, focus.env, source):
        if node.condition is not None and evaluate(node.condition, env) is False:
            continue
        value = evaluate(node.element, env)
        if value is False:
            return focus.element(node, env, number, item)
        if isinstance(value, Undef) and undefined is None:
            undefined = focus.element(node, env, number, item)
    return undefined


def list_name(node: tree.Binder, param: str | None, known: Names) -> str | None:
    """The list that a comprehension runs through, of zipped lists the rule's own; None for a range."""
    lists = [item for item in node.sources if not isinstance(item, tree.Range)]
    own = [item for item in lists if isinstance(item, tree.Param) and item.name == param]
    return write(named([*lists, *own][-1], known)) if lists else None


# --- values


def computed(node: tree.Node) -> tree.Node | None:
    """What a comparison asks for, where it has to be computed."""
    if not isinstance(node, tree.Compare) or len(node.ops) > 1 or node.ops[0] in _MEMBERSHIP:
        return None
    right = node.operands[1]
    return right if isinstance(right, _COMPUTED) else None


_COMPUTED = (tree.Seq, tree.Length, tree.Range, tree.Zip, tree.Given, tree.Implies, tree.Call, tree.Binary, tree.If,
             tree.Index)  # fmt: skip


def _in_column(column: tree.Node, focus: _Focus, lang: Lang, terms: prose.Terms) -> Iterable[tuple[str, str]]:
    """The same of a table's column; of one that hangs on a null argument, that it is null."""
    root = tree.root(column)
    if isinstance(root, tree.Param) and focus.env.args[root.name] is None:
        return [(write(root), show(None, lang))]
    words = _words(column, terms, lang, focus.names)
    found: dict[str, str] = {}
    for name, (atom, quoted) in zip(words.names, words.reads, strict=False):
        value = evaluate(atom, focus.env)
        if not isinstance(value, Undef):
            found.setdefault(focus.placed(name), show(value, lang, quoted))
    return found.items()


def _listed_values(found: Iterable[tuple[str, str]], lang: Lang) -> str:
    """``x.shape = (2, 3), y.rank = 1``."""
    shown = [f"{name} = {value}" for name, value in found]
    return SAYS[lang]["comma"].join(shown[:MOST_VALUES])


def atom_name(atom: tree.Node, terms: prose.Terms, lang: Lang, letters: Mapping[str, str] = NO_LETTERS) -> str:
    """An atom as it is written: a derived value by its letter, its words, or with what it stands for if that is short.

    Args:
        letters: noun phrases for which the sentence before it has letters.
    """
    if isinstance(atom, tree.Let) and atom.name in terms.words:
        words = terms.phrase(atom.name, lang) or atom.name
        return letters.get(words) or (words.removeprefix("the ") if lang == "en" else words)
    text = write(terms.trees[atom.name]) if isinstance(atom, tree.Let) else ""
    return write(atom) + (f" = {text}" if 0 < len(text) <= 60 else "")


def atoms(node: tree.Node, terms: prose.Terms) -> Iterator[tree.Node]:
    """The reads of a statement, the widest that a reader knows by name: no condition that words say in full."""
    match node:
        case tree.Let() if node.type == BOOL and node.name not in terms.words:
            yield from atoms(terms.trees[node.name], terms)
        case tree.Attr() | tree.Let() | tree.Product():
            yield node
        case tree.Param() | tree.Var():
            yield node
        case tree.Binder():
            yield from atoms(node.source, terms)
        case tree.Call() if FUNCTIONS[node.function].facet == "layout":
            for arg in node.args:
                yield tree.Attr(arg, "strides", arg.type)
        case tree.Length(operand=tree.Param()):
            yield node
        case tree.Index() if isinstance(node.base, tree.Attr) and isinstance(node.base.base, (tree.Param, tree.Var)):
            yield node.base
            yield from (part for part in tree.walk(node.index) if isinstance(part, tree.Var))
        case _:
            for child in tree.children(node):
                yield from atoms(child, terms)


def show(value: object, lang: Lang, quoted: bool = False) -> str:
    """A value as people write it; long lists and texts are cut."""
    if type(value) is tuple and len(value) <= MOST_ITEMS and [*map(type, value)].count(int) == len(value):
        return str([*value])  # the same as below, by C: most lists are shapes
    if isinstance(value, str):
        shown = value if len(value) <= MOST_CHARACTERS else value[: MOST_CHARACTERS - 1] + "…"
        return f'"{shown}"' if quoted else shown
    if value is None:
        return SAYS[lang]["null"]
    if isinstance(value, Undef):
        return SAYS[lang]["undefined"]
    if isinstance(value, (tuple, list, range)):
        items = [str(item) if type(item) is int else show(item, lang, quoted) for item in value[:MOST_ITEMS]]
        if len(value) > MOST_ITEMS:
            items.append(SAYS[lang]["more"].format(len(value) - MOST_ITEMS))
        return f"[{', '.join(items)}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


# --- words that hang on the rule alone, made once


class _Words:
    """What is said of a part of a rule whatever the call.

    Attributes:
        requirement: the statement in words.
        names: of what it reads, its atoms.
        reads: expressions whose values are shown, those of the atoms first, and whether they stand in quotes.
        computed: the place among ``reads`` of what it asks for, where that has to be computed.
    """

    __slots__ = ("computed", "names", "node", "reads", "requirement")

    def __init__(self, node: tree.Node, terms: prose.Terms, lang: Lang, known: Names, own: bool = False) -> None:
        self.node = node
        self.requirement, letters = prose.lettered(named(node, known), lang, terms)
        found = list(atoms(node, terms))
        self.names = [atom_name(named(atom, known), terms, lang, NO_LETTERS if own else letters) for atom in found]
        self.reads = [(atom, atom.type in _QUOTED) for atom in found]
        asked = computed(node)
        self.computed = None if asked is None else self._place(asked, False)
        for part in _compared(node):
            if not isinstance(part, tree.Const):
                self._place(part)

    def _place(self, node: tree.Node, quoted: bool | None = None) -> int:
        """Where the value of an expression is shown; texts stand in quotes, names of the vocabulary are bare."""
        quoted = node.type in _QUOTED if quoted is None else quoted
        known = (place for place, (other, as_text) in enumerate(self.reads) if other is node and as_text == quoted)
        place = next(known, None)
        if place is None:
            place = len(self.reads)
            self.reads.append((node, quoted))
        return place

    def expected_actual(self, texts: Sequence[str], lang: Lang) -> tuple[str, str] | None:
        """What is required and what is there, given the values; None where words alone say it."""
        node, compared = self.node, _compared(self.node)
        if isinstance(node, tree.IsNone):
            null = SAYS[lang]["null"]
            return f"not {null}" if node.negated else null, self._text(node.operand, texts, lang)
        if not isinstance(node, tree.Compare) or not compared:
            return None
        if len(node.ops) == 2:
            low, middle, high = (self._text(part, texts, lang) for part in compared)
            return f"{low} {node.ops[0]} … {node.ops[1]} {high}", middle
        (op,), (left, *others) = node.ops, compared
        actual = self._text(left, texts, lang)
        if op in _MEMBERSHIP and isinstance(node.operands[1], tree.Seq):
            items = [
                prose.phrase(item, lang) if isinstance(item, tree.Const) else self._text(item, texts, lang)
                for item in others
            ]
            names = prose.listing(items, lang, "or")
            return names if op == "in" else f"not {names}", actual
        required = self._text(others[0], texts, lang)
        return required if op == "==" else f"{op} {required}", actual

    def _text(self, part: tree.Node, texts: Sequence[str], lang: Lang) -> str:
        if isinstance(part, tree.Const):
            return show(part.value, lang, part.type in _QUOTED)
        return texts[self._place(part)]


_MEMBERSHIP = ("in", "not in")


def _compared(node: tree.Node) -> Sequence[tree.Node]:
    """The expressions whose values say what is required and what is there; none where words alone say it."""
    match node:
        case tree.IsNone():
            return (node.operand,)
        case tree.Compare(ops=(op,), operands=(left, right)) if not isinstance(left, tree.Const):
            return (left, *right.items) if op in _MEMBERSHIP and isinstance(right, tree.Seq) else (left, right)
        case tree.Compare(ops=(_, _)):
            return node.operands
    return ()


_kept: dict[tuple[object, ...], tuple[tuple[object, ...], object]] = {}


def _once(make: Callable[[], T], purpose: str, *nodes: object) -> T:
    """What ``make`` gave for these very objects. Equal nodes may be written in other words: ``1`` and ``1.0``."""
    key = (purpose, *map(id, nodes))
    found = _kept.get(key)
    if found is None:
        made = make()
        if len(_kept) >= _MOST_KEPT:
            _kept.clear()
        found = _kept[key] = (nodes, made)  # with the nodes, so that their ids remain theirs
    return found[1]  # type: ignore[return-value]


class _Said:
    """What is said of a rule's part that is broken, whatever the call.

    Attributes:
        own: the author's sentence, where it takes the place of what is required.
        words: on the part.
        reason: the conditions under which it is required, with marks for places of elements; none where the author's
            sentence says them.
        usual: message, what is required and what is there, with gaps for the values: of calls in which all of these are
            defined.
    """

    __slots__ = ("own", "reason", "usual", "words")

    def __init__(self, rule: RuleInfo, focus: _Focus, lang: Lang, terms: prose.Terms) -> None:
        self.usual: Forms | None = None
        self.own = own_sentence(rule.say, bool(rule.alternatives), lang)
        self.words = _Words(focus.node, terms, lang, focus.names, bool(self.own))
        self.reason = "" if self.own else _because(focus, _guards(rule, focus), lang, terms)


def _said(rule: RuleInfo, focus: _Focus, lang: Lang, info: OperatorInfo) -> _Said:
    purpose = f"{lang} {_key(focus.names)}" if focus.names else lang
    return _once(lambda: _Said(rule, focus, lang, terms_of(info)), purpose, rule, focus.node, *focus.guards)


def terms_of(info: OperatorInfo) -> prose.Terms:
    """What sentences on a call call an operator's derived values."""
    return prose.shared(info.words, info.lets, info.dims, info.products)


def _words(node: tree.Node, terms: prose.Terms, lang: Lang, known: Names) -> _Words:
    return _once(lambda: _Words(node, terms, lang, known), f"{lang} {_key(known)}", node)


def _because(focus: _Focus, guards: Sequence[tree.Node], lang: Lang, terms: prose.Terms) -> str:
    known = focus.names
    return because(named(focus.node, known), [named(guard, known) for guard in guards], lang, terms)


def _key(known: Names) -> str:
    """What tells names apart: a part of a rule may be one of several rules, of other lists."""
    return ",".join(itertools.chain(*known.items())) if known else ""


def _negated(node: tree.Node) -> tree.Node | None:
    return _once(lambda: prose.negated(node), "negated", node)
