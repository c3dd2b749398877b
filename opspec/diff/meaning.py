"""What a rule means, in a form that two specs can be compared by."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping

from opspec.language import tree
from opspec.language.interpret import Env, evaluate, outcome
from opspec.language.normal import normal
from opspec.language.outcome import VIOLATED
from opspec.language.text import write
from opspec.language.values import Scalar, Tensor
from opspec.model.definition import Definition, ParamDef, RuleDef
from opspec.vocabulary import dtypes, formats, products
from opspec.vocabulary.limits import MOST_DIMS

Meaning = tuple[str, ...]

_NAME = re.compile(r"(?<![\w.'])[A-Za-z_]\w*(?!\w)")
#: properties of a param whose allowed values can be told, one by one
FACETS = ("dtype", "format", "rank", "value")


def meaning(rule: RuleDef, definition: Definition, names: Mapping[str, str]) -> Meaning:
    """Check, condition, alternatives and the derived values that they read, as text.

    Args:
        names: param -> what the other spec calls it.
    """
    parts = [rule.check, *(check for item in rule.alternatives for check in item.checks)]
    guards = [rule.when, *(item.when for item in rule.alternatives)]
    texts = [write(part) for part in parts] + ["" if guard is None else write(guard) for guard in guards]
    lets = _lets([*parts, *(guard for guard in guards if guard is not None)], definition)
    texts += [f"{name} = {write(definition.lets[name])}" for name in lets]
    if all(name == other for name, other in names.items()):
        return tuple(texts)
    return tuple(_NAME.sub(lambda found: names.get(found[0], found[0]), text) for text in texts)


def normal_meaning(rule: RuleDef, definition: Definition, names: Mapping[str, str]) -> Meaning:
    """The same whatever order things stand in, which way relations are written, and what derived values are called."""
    named = _Named(definition, names)
    parts = [rule.check, *(check for item in rule.alternatives for check in item.checks)]
    guards = [rule.when, *(item.when for item in rule.alternatives)]
    return (*map(named.text, parts), *("" if guard is None else named.text(guard) for guard in guards))


def parts_said(
    rule: RuleDef, definition: Definition, names: Mapping[str, str], product: str
) -> tuple[str, frozenset[str]] | None:
    """Its condition on a product, empty where it has none there, and what must hold, each part alone, all in normal
    form; None where it says nothing there.
    """
    named = _Named(definition, names)
    when = None if rule.when is None else on_product(rule.when, product)
    check = on_product(rule.check, product)
    if _is(when, False) or _is(check, True):
        return None
    guard = "" if when is None or _is(when, True) else named.text(when)
    return guard, frozenset(map(named.text, _parts(check)))


def _is(node: tree.Node | None, value: bool) -> bool:
    return isinstance(node, tree.Const) and node.value is value


class _Named:
    """Trees with params as the other spec calls them, and derived values named after what they mean."""

    def __init__(self, definition: Definition, names: Mapping[str, str]) -> None:
        self._lets = definition.lets
        self._params = names
        self._found: dict[str, str] = {}

    def text(self, node: tree.Node) -> str:
        return write(normal(self._tree(node)))

    def _tree(self, node: tree.Node) -> tree.Node:
        match node:
            case tree.Let():
                return tree.Let(self._let(node.name), node.type)
            case tree.Param():
                name = self._params.get(node.name, node.name)
                return node if name == node.name else tree.Param(name, node.type, node.nullable)
        return tree.rebuilt(node, self._tree)

    def _let(self, name: str) -> str:
        if name not in self._found:
            self._found[name] = hashlib.blake2b(self.text(self._lets[name]).encode(), digest_size=8).hexdigest()
        return self._found[name]


def _lets(nodes: Iterable[tree.Node], definition: Definition) -> list[str]:
    if not definition.lets:
        return []
    found: dict[str, None] = {}
    waiting = list(nodes)
    while waiting:
        for part in tree.walk(waiting.pop(0)):
            if isinstance(part, tree.Let) and part.name not in found and part.name in definition.lets:
                found[part.name] = None
                waiting.append(definition.lets[part.name])
    return sorted(found)


def conjuncts(rule: RuleDef) -> frozenset[str]:
    """What must hold, each part alone."""
    return frozenset(map(write, _parts(rule.check)))


def _parts(node: tree.Node) -> Iterator[tree.Node]:
    if isinstance(node, tree.Logic) and node.op == "and":
        for part in tree.children(node):
            yield from _parts(part)
    elif isinstance(node, tree.Compare):
        for number, operator in enumerate(node.ops):
            yield tree.Compare((operator,), node.operands[number : number + 2], node.type)
    else:
        yield node


# --- what a single property of a param may be


def facet(rule: RuleDef, definition: Definition) -> tuple[str, str] | None:
    """(param, facet) of a rule that looks at nothing else; None of any other."""
    if rule.alternatives or rule.stage == "device":
        return None
    nodes = [rule.check] if rule.when is None else [rule.check, rule.when]
    read = {fact for node in nodes for fact in definition.facts(node) if fact[0]}
    about = [fact for fact in read if fact[1] != "presence"]
    if len(about) != 1 or about[0][1] not in FACETS or {name for name, _ in read} != {about[0][0]}:
        return None
    return about[0]


def allowed(
    rules: Iterable[RuleDef],
    definition: Definition,
    param: ParamDef,
    about: str,
    product: str,
    values: Iterable[object],
) -> tuple[object, ...] | None:
    """The values of a domain that all rules let pass on a product; None where one cannot be told alone."""
    found: list[object] = []
    rules = list(rules)
    on = products.resolve(product)  # or a member of one
    for value in values:
        argument = _argument(param, about, value)
        env = Env({param.name: argument}, definition.lets, *on)
        outcomes = {outcome(rule.when, rule.check, env) for rule in rules}
        if not outcomes <= {None, VIOLATED}:
            return None
        if outcomes <= {None}:
            found.append(value)
    return tuple(found)


def domain(rules: Iterable[RuleDef], param: ParamDef, about: str) -> tuple[object, ...] | None:
    """Values that tell apart what rules say of a facet: all there are, or those around what they name."""
    match param.kind if about == "value" else about:
        case "dtype":
            return tuple(dtypes.names())
        case "format":
            return tuple(formats.names())
        case "rank":
            return tuple(range(MOST_DIMS + 1))
        case "bool":
            return (False, True)
        case "int":
            numbers = [value for value in _named(rules) if isinstance(value, int) and not isinstance(value, bool)]
            return tuple(sorted({number + step for number in numbers for step in (-1, 0, 1)}))
        case "string":
            return tuple(sorted({value for value in _named(rules) if isinstance(value, str)}))
    return None


def _named(rules: Iterable[RuleDef]) -> Iterator[object]:
    """The constants in the rules."""
    for rule in rules:
        for node in (rule.check, rule.when):
            for part in () if node is None else tree.walk(node):
                if isinstance(part, tree.Const):
                    yield part.value


def _argument(param: ParamDef, about: str, value: object) -> object:
    """An argument of which only this is known."""
    if about == "value":
        return value
    if param.kind in ("scalar", "scalar_list"):
        one: object = Scalar(str(value), 1)
    else:
        shape = (1,) * (int(str(value)) if about == "rank" else 1)
        dtype = str(value) if about == "dtype" else "FLOAT"
        one = Tensor(shape, dtype, str(value) if about == "format" else "ND")
    return (one,) if param.kind.endswith("_list") else one


# --- what is left of a rule on a product


def on_product(node: tree.Node, product: str) -> tree.Node:
    """An expression with what its conditions on the product come to in their place, where that decides them."""
    node = tree.rebuilt(node, lambda part: on_product(part, product))
    match node:
        case tree.Compare() if {type(part) for part in tree.walk(node)} <= _OF_PRODUCT:
            value = evaluate(node, Env({}, {}, *products.resolve(product)))
            return tree.Const(value, node.type) if isinstance(value, bool) else node
        case tree.Logic():
            ends = node.op != "and"  # what decides the whole
            if any(isinstance(part, tree.Const) and part.value is ends for part in node.items):
                return tree.Const(ends, node.type)
            left = tuple(part for part in node.items if not isinstance(part, tree.Const))
            match left:
                case ():
                    return tree.Const(not ends, node.type)
                case (one,):
                    return one
            return tree.Logic(node.op, left, node.type)
        case tree.Unary(op="not", operand=tree.Const(value=bool(value))):
            return tree.Const(not value, node.type)
        case tree.If(condition=tree.Const(value=bool(value))):
            return node.then if value else node.other
        case tree.Implies(condition=tree.Const(value=bool(value))):
            return node.then if value else tree.Const(True, node.type)
    return node


_OF_PRODUCT = {tree.Compare, tree.Product, tree.Const, tree.Seq}
