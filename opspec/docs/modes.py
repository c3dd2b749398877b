"""Tables of what a mode asks for: where many rules hang on one attribute, what each of its values means for tensors
stands in a row, as ``quantMode`` 2: ``scaleOptional`` null, ``expandedScaleOut`` FLOAT8_E8M0 [N, ceil(H / 64), 2].
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from opspec.docs.saying import Sayings, capital
from opspec.docs.shapes.cases import axes
from opspec.docs.shortening import lettered
from opspec.language import prose, tree
from opspec.language.prose.terms import shared
from opspec.language.prose.trees import number
from opspec.language.types import BOOL
from opspec.model.definition import Definition, ParamDef, RuleDef
from opspec.model.stated import stated_of
from opspec.vocabulary import products

FEWEST_RULES = 4  # of an attribute that has a table
FEWEST_PARAMS = 2  # that its rules are about
MOST_PARAMS = 5  # beside each other in a table
_RANK_OF_TYPES = 2  # where data types stand in a cell: behind null and given, before shapes


@dataclass(frozen=True, slots=True)
class Modes:
    """A table of what the values of an attribute ask for, or what the alternatives of a rule do.

    Args:
        by: the attribute, or the alternatives.
        head: of its first column.
        title: when it counts.
        params: the heads of its other columns.
        rows: values or alternatives, and a cell per param.
        rules: what it says.
    """

    by: str
    head: str
    title: str
    params: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    rules: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Part:
    """What a rule asks for under some values of an attribute.

    Args:
        rest: what else it hangs on.
        facts: what it says of the param.
    """

    rule: RuleDef
    values: frozenset[str]
    param: str
    rest: tuple[tree.Node, ...]
    facts: tuple[tree.Node, ...]


def modes(sayings: Sayings, rules: Iterable[RuleDef]) -> tuple[Modes, ...]:
    """The tables for some rules, a rule in one of them: of attributes that most rules hang on first."""
    left = {rule.id: rule for rule in rules}
    found = [table for rule in left.values() if (table := _of_alternatives(rule, sayings)) is not None]
    for table in found:
        for name in table.rules:
            del left[name]
    attributes = [param for param in sayings.definition.params if param.kind not in ("tensor", "tensor_list")]
    while True:
        parts = [
            [part for rule in left.values() if (part := _part(rule, one, sayings)) is not None] for one in attributes
        ]
        best = max(parts, key=len, default=[])
        if len(best) < FEWEST_RULES or not FEWEST_PARAMS <= len({part.param for part in best}) <= MOST_PARAMS:
            return tuple(found)
        found.append(_table(attributes[parts.index(best)], best, sayings))
        for name in found[-1].rules:
            del left[name]


def _part(rule: RuleDef, attribute: ParamDef, sayings: Sayings) -> _Part | None:
    """What a rule says of a tensor under values of an attribute; None of one that says anything else."""
    when, check = sayings.parts(rule)
    if when is None or rule.say is not None or rule.alternatives or rule.basis == "observed":
        return None
    every = _values(attribute, sayings.definition)
    conditions = list(_joined(when))
    own = [(condition, _allowed(condition, attribute, every)) for condition in conditions]
    mine = [values for _, values in own if values is not None]
    rest = tuple(condition for condition, values in own if values is None)
    read = {name for condition in rest for name, _ in sayings.definition.facts(condition)}
    if len(mine) != 1 or not mine[0] or attribute.name in read:
        return None
    facts = tuple(_joined(check))
    params = {_about(fact) for fact in facts}
    if len(params) != 1 or None in params:
        return None
    param = params.pop() or ""
    given = tuple(condition for condition in rest if not _is_given(condition, param))
    return _Part(rule, mine[0], param, given, facts)


def _values(attribute: ParamDef, definition: Definition) -> tuple[str, ...]:
    """The values that an attribute may have, where the spec lists them."""
    if attribute.kind == "bool":
        return ("true", "false")
    return tuple(map(str, stated_of(definition)[attribute.name][0].enum or ()))


def _joined(node: tree.Node) -> Iterator[tree.Node]:
    """What holds together, without that a tensor is given, which goes without saying of its shape."""
    while isinstance(node, tree.Given):
        node = node.operand
    if isinstance(node, tree.Logic) and node.op == "and":
        for item in node.items:
            yield from _joined(item)
    else:
        yield node


def _allowed(node: tree.Node, attribute: ParamDef, every: tuple[str, ...]) -> frozenset[str] | None:
    """The values of an attribute that a condition leaves; None of one on anything else."""
    match node:
        case tree.Param(name=attribute.name) if node.type == BOOL:
            return frozenset({"true"})
        case tree.Unary(op="not", operand=tree.Param(name=attribute.name)):
            return frozenset({"false"})
        case tree.Compare(
            ops=("==" | "!=" as op,), operands=(tree.Param(name=attribute.name), tree.Const(value=value))
        ):
            named = {str(value)}
        case tree.Compare(
            ops=("in" | "not in" as op,), operands=(tree.Param(name=attribute.name), tree.Seq(items=items))
        ):
            named = {str(item.value) for item in items if isinstance(item, tree.Const)}
            if len(named) < len(items):
                return None
        case _:
            return None
    return frozenset(named if op in ("==", "in") else set(every) - named) or None


def _about(fact: tree.Node) -> str | None:
    """The tensor that a statement is about: its shape, its data type, or whether it is given."""
    match fact:
        case tree.IsNone(operand=tree.Param(name=name)):
            return name
        case tree.Compare(
            ops=("==" | "in",), operands=(tree.Attr(name="shape" | "dtype" | "rank", base=tree.Param(name=name)), right)
        ) if not any(isinstance(part, tree.If) for part in tree.walk(right)):
            return name
    return None


def _is_given(condition: tree.Node, param: str) -> bool:
    """Whether a condition is that the tensor is there, of which a statement on its shape or data type goes without."""
    match condition:
        case tree.IsNone(operand=tree.Param(name=name), negated=True):
            return name == param
        case tree.Compare(ops=(">",), operands=(tree.Attr(name="numel", base=tree.Param(name=name)), _)):
            return name == param
    return False


def _table(attribute: ParamDef, parts: list[_Part], sayings: Sayings) -> Modes:
    order = [param.name for param in sayings.definition.params]
    params = tuple(sorted({part.param for part in parts}, key=order.index))
    named = {value for part in parts for value in part.values}
    values = [value for value in _values(attribute, sayings.definition) if value in named]
    values += sorted(named - set(values))
    rows: dict[tuple[str, ...], list[str]] = {}
    for value in values:
        cells = tuple(_cell([p for p in parts if p.param == name and value in p.values], sayings) for name in params)
        rows.setdefault(cells, []).append(value)
    shown = tuple((sayings.listed(name or '""' for name in names), cells) for cells, names in rows.items())
    title = sayings.words["by_mode"].format(attribute.name)
    return Modes(attribute.name, attribute.name, title, params, shown, frozenset(part.rule.id for part in parts))


def _of_alternatives(rule: RuleDef, sayings: Sayings) -> Modes | None:
    """The table of a rule whose alternatives ask for shapes, data types or presence of tensors, and nothing else."""
    facts = [[fact for check in item.checks for fact in _joined(check)] for item in rule.alternatives]
    about = [_about(fact) for group in facts for fact in group]
    params = tuple(name for name in dict.fromkeys(about) if name is not None)
    if rule.say is not None or not about or None in about or len(params) > MOST_PARAMS:
        return None
    rows: list[tuple[str, tuple[str, ...]]] = []
    for item, group in zip(rule.alternatives, facts, strict=True):
        terms = _in_layout(item.id, sayings)
        cells = (
            _facts([(fact, "") for fact in group if _about(fact) == name], sayings, terms) or "-" for name in params
        )
        called = sayings.called(item)
        where = "" if item.when is None else sayings.words["note"].format(sayings.condition(item.when))
        rows.append((f"{called}{where}", tuple(cells)))
    mark = sayings.mark(rule)
    title = sayings.words["any_row"]
    title = capital(title if rule.when is None else sayings.under(rule.when, title))
    names = sayings.listed(map(sayings.called, rule.alternatives))
    title = f"{title}{' ' * bool(mark)}{mark}{sayings.words['colon'].rstrip()}"
    return Modes(names, sayings.words["alternatives"], title, params, tuple(rows), frozenset({rule.id}))


def _in_layout(name: str, sayings: Sayings) -> prose.Terms:
    """The terms with what a layout calls the dims that derived values are."""
    terms = lettered(sayings.terms)
    letters = axes(name)
    named: dict[str, tuple[str, str]] = {}
    for known, node in sayings.definition.lets.items():
        match node:
            case tree.Index(base=tree.Attr(name="shape"), index=index) if (place := number(index)) is not None:
                if -len(letters) <= place < len(letters):
                    named[known] = (letters[place], letters[place])
    return shared({**terms.words, **named}, terms.trees, terms.dims, terms.products)


def _cell(parts: list[_Part], sayings: Sayings) -> str:
    """What is asked of a param: whether it is given, its data type, its shape, each with what else it hangs on."""
    found: dict[tuple[tree.Node, ...], list[tuple[tree.Node, str]]] = {}
    for part in parts:
        found.setdefault(part.rest, []).extend((fact, sayings.mark(part.rule)) for fact in part.facts)
    by_text: dict[str, list[tuple[tree.Node, ...]]] = {}
    for rest, facts in found.items():
        by_text.setdefault(_facts(facts, sayings), []).append(rest)
    lines = [_condition(rest, sayings) + text for text, every in by_text.items() for rest in _anywhere(every, sayings)]
    return sayings.words["semicolon"].join(lines) or "-"


def _anywhere(every: list[tuple[tree.Node, ...]], sayings: Sayings) -> list[tuple[tree.Node, ...]]:
    """Conditions of what is so under each; none where one of them holds on every product."""
    on = [tree.on_products(rest[0]) for rest in every if len(rest) == 1]
    somewhere = (any(one is not None and one.holds(name) for one in on) for name in sayings.definition.supported)
    return [()] if len(every) > 1 and all(somewhere) else every


def _condition(rest: tuple[tree.Node, ...], sayings: Sayings) -> str:
    """What else a cell's statement hangs on: products by name."""
    on = [found for node in rest if (found := tree.on_products(node)) is not None and found.inside]
    others = [node for node in rest if tree.on_products(node) not in on]
    where = sayings.listed(products.in_text([name for found in on for name in found.ids], sayings.lang)) if on else ""
    texts = [prose.condition(node, sayings.lang, lettered(sayings.terms)) for node in others]
    if texts:
        start = sayings.words["if_colon"].format(prose.listing(texts, sayings.lang, "and"))
        return f"{where}{sayings.words['comma']}{start}" if where else start
    return f"{where}{sayings.words['colon']}" if where else ""


def _facts(facts: list[tuple[tree.Node, str]], sayings: Sayings, terms: prose.Terms | None = None) -> str:
    """Statements about a tensor, each with its mark; of null no more is said, of data types the fewest."""
    if not facts:
        return ""
    terms = terms or lettered(sayings.terms)
    facts = sorted(facts, key=lambda pair: (_rank(pair[0]), len(pair[1])))
    if _rank(facts[0][0]) == 0:
        facts = facts[:1]
    kept: dict[frozenset[tree.Node], tuple[tree.Node, str]] = {}
    for fact, mark in facts:
        kept.setdefault(_choices(fact), (fact, mark))
    types = [allowed for allowed, (fact, _) in kept.items() if _rank(fact) == _RANK_OF_TYPES]
    wider = [one for one in types if any(other < one for other in types)]
    return sayings.words["comma"].join(
        f"{_fact(fact, sayings, terms)} {mark}".rstrip()
        for allowed, (fact, mark) in kept.items()
        if allowed not in wider
    )


def _choices(fact: tree.Node) -> frozenset[tree.Node]:
    """What a statement lets a tensor have; the statement itself of one that says it is given."""
    if isinstance(fact, tree.Compare):
        right = fact.operands[1]
        return frozenset(right.items if isinstance(right, tree.Seq) and fact.ops == ("in",) else (right,))
    return frozenset({fact})


def _rank(fact: tree.Node) -> int:
    """Where a statement stands in its cell."""
    match fact:
        case tree.IsNone(negated=negated):
            return 1 if negated else 0
        case tree.Compare(operands=(tree.Attr(name="dtype"), _)):
            return _RANK_OF_TYPES
    return 3


def _fact(fact: tree.Node, sayings: Sayings, terms: prose.Terms) -> str:
    """A statement about a tensor in a cell of its own."""
    match fact:
        case tree.IsNone(negated=negated):
            return sayings.words["given" if negated else "null"]
        case tree.Compare(operands=(tree.Attr(name=name), right)):
            several = isinstance(right, tree.Seq) and fact.ops == ("in",)
            items = right.items if isinstance(right, tree.Seq) and several else (right,)
            texts = [prose.phrase(item, sayings.lang, terms) for item in items]
            if name == "rank":
                told = prose.listing(texts, sayings.lang, "or")
                return sayings.words["dims_one"] if texts == ["1"] else sayings.words["dims"].format(told)
            if name == "shape":
                texts = [text if text[0] == "[" or "shape" in text else f"[{text}]" for text in texts]
            return prose.listing(texts, sayings.lang, "or")
    raise AssertionError(fact)
