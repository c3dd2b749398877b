"""Which changes of a call would make an expression true, or false: inference from the rule's own tree.

A rule says ``out.shape == x.shape``; a call that breaks it is mended by giving ``out`` the shape of ``x``, or ``x``
that of ``out``. Each function yields such changes, likely ones first; none is promised to be enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from opspec.calls.examples.call import TRANSPOSED, Place
from opspec.language import tree
from opspec.language.functions import FUNCTIONS
from opspec.language.interpret import Env, Undef, evaluate
from opspec.language.types import INT, TENSOR
from opspec.model.definition import RuleDef
from opspec.registry.info import RuleInfo

Change = tuple[Place, Any]
Changes = Iterator[Change]

_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "in": "not in", "not in": "in"}
_MIRRORED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
_MOST_MEMBERS = 32
_DTYPES = ("FLOAT16", "FLOAT", "BFLOAT16", "INT8", "INT32", "INT64")  # those that most operators know
_MOST_ELEMENTS = 16
_STORED = 16  # a dim of a storage whose number of dims alone is known


def mending(rule: RuleDef | RuleInfo, env: Env) -> Changes:
    """The changes that may mend a rule which a call breaks: what it requires, or that it does not apply."""
    for item in rule.alternatives:
        if item.when is None or evaluate(item.when, env) is True:
            for check in item.checks:
                yield from _failing(check, env)
    yield from _failing(rule.check, env)
    if rule.when is not None:
        yield from aims(rule.when, False, env)


def _failing(check: tree.Node, env: Env) -> Changes:
    if evaluate(check, env) is not True:
        yield from aims(check, True, env)


def aims(node: tree.Node, wanted: bool, env: Env) -> Changes:
    """The changes that may make a condition what is wanted."""
    aim = tree.row_of(_CONDITIONS, node)
    if aim is not None:
        yield from aim(node, wanted, env)
    elif wanted or isinstance(node, (tree.Param, tree.Index)):
        yield from settings(node, wanted, env)


def _logic(node: tree.Logic, wanted: bool, env: Env) -> Changes:
    for item in node.items:
        if evaluate(item, env) is not wanted:
            yield from aims(item, wanted, env)


def _unary(node: tree.Unary, wanted: bool, env: Env) -> Changes:
    if node.op == "not":
        yield from aims(node.operand, not wanted, env)


def _if(node: tree.If, wanted: bool, env: Env) -> Changes:
    condition = evaluate(node.condition, env)
    yield from aims(node.then if condition is True else node.other, wanted, env)
    if isinstance(condition, bool):
        yield from aims(node.condition, not condition, env)


def _is_none(node: tree.IsNone, wanted: bool, env: Env) -> Changes:
    place = place_of(node.operand, env)
    if place is not None and place.item is None:
        yield Place(place.param, "present"), wanted is node.negated


def _let(node: tree.Let, wanted: bool, env: Env) -> Changes:
    yield from aims(env.lets[node.name], wanted, env)


def _compare(node: tree.Compare, wanted: bool, env: Env) -> Changes:
    for op, left, right in zip(node.ops, node.operands, node.operands[1:], strict=False):
        yield from _relation(op if wanted else _OPPOSITE[op], left, right, env)


def _relation(op: str, left: tree.Node, right: tree.Node, env: Env) -> Changes:
    if op in ("in", "not in"):
        members = evaluate(right, env)
        now = evaluate(left, env)
        if isinstance(members, tuple):
            for member in members[:_MOST_MEMBERS] if op == "in" else _others(now):
                yield from settings(left, member, env)
            for i in range(min(len(members), _MOST_ELEMENTS) if op == "in" and not isinstance(now, Undef) else 0):
                yield from settings(_indexed(right, i), now, env)
        return
    for one, other, relation in ((left, right, op), (right, left, _MIRRORED[op])):
        value = evaluate(other, env)
        if not isinstance(value, Undef) and value is not None:
            for target in _targets(relation, value):
                yield from settings(one, target, env)


def _targets(op: str, value: Any) -> Iterator[Any]:
    if op == "==":
        yield value
    elif op == "!=":
        yield from _others(value)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        step = {"<": -1, ">": 1}.get(op, 0)
        yield value + step
        yield value + step / 2  # only a floating-point number can be that
        if op in ("<", "<="):
            yield from (value // 2, 0)
        else:
            yield value * 2


def _others(value: Any) -> Iterator[Any]:
    """Other values of the same type."""
    match value:
        case bool():
            yield not value
        case int() | float():
            yield from (value + 1, value - 1, value * 2)
        case str():
            yield from (name for name in _DTYPES if name != value)
            yield None
        case tuple():
            for i, item in enumerate(value):
                yield from ((*value[:i], other, *value[i + 1 :]) for other in _others(item) if other is not None)
            yield (*value, 2)


def _each(node: tree.Binder, wanted: bool, env: Env) -> Changes:
    if node.quantifier == "list":
        return
    source = evaluate(node.source, env)
    if isinstance(source, Undef):
        yield from _zipped_lengths(node.source, env)
        return
    if not isinstance(source, tuple):
        return
    for i in range(min(len(source), _MOST_ELEMENTS)):
        element = tree.substituted(node.element, _bound(node, i, source))
        if evaluate(element, env) is not wanted:
            yield from aims(element, wanted, env)


def _bound(node: tree.Binder, i: int, values: tuple[Any, ...]) -> dict[str, tree.Node]:
    """What stands for the variables of the i-th element: the places that it comes from, so that they can be set."""
    if isinstance(node.source, tree.Range):
        return {node.variables[0]: _const(values[i])}
    return {name: _indexed(item, i) for name, item in zip(node.variables, node.sources, strict=False)}


def _zipped_lengths(source: tree.Node, env: Env) -> Changes:
    """Lists side by side that differ in length."""
    if isinstance(source, tree.Zip):
        values = [evaluate(item, env) for item in source.items]
        for item in source.items:
            for value in values:
                if isinstance(value, tuple):
                    yield from _set_length(item, len(value), env)


def _choice(node: tree.Choice, wanted: bool, env: Env) -> Changes:
    """The rows that lack the least come first."""
    lacking = node.lacking([evaluate(column, env) for column in node.columns])
    for row in sorted(lacking, key=len)[:_MOST_MEMBERS]:
        for column, cell in row:
            for value in sorted(cell, key=str):
                yield from settings(column, value, env)


def _given(node: tree.Given, wanted: bool, env: Env) -> Changes:
    yield from aims(node.operand, wanted, env)


def _implies(node: tree.Implies, wanted: bool, env: Env) -> Changes:
    yield from aims(node.then, True, env)
    yield from aims(node.condition, False, env)


def _call(node: tree.Call, wanted: bool, env: Env) -> Changes:
    if FUNCTIONS[node.function].facet == "layout":
        place = place_of(node.args[0], env)
        if place is not None:
            yield from ((replace(place, facet="strides"), strides) for strides in (None, TRANSPOSED))
    if node.function == "distinct" and wanted:
        yield from _without_repeats(node.args[0], env)
    yield from _set_call(node, wanted, env)


def _without_repeats(node: tree.Node, env: Env) -> Changes:
    """A list, or the one that it is made of, without elements that come to what an earlier one does."""
    base = node.source if isinstance(node, tree.Binder) and node.condition is None else node
    place, values, held = place_of(base, env), evaluate(node, env), evaluate(base, env)
    if place is None or not (isinstance(values, tuple) and isinstance(held, tuple) and len(values) == len(held)):
        return
    yield place, tuple(held[i] for i, value in enumerate(values) if value not in values[:i])


_CONDITIONS: dict[type, Callable[[Any, bool, Env], Changes]] = {
    tree.Logic: _logic, tree.Unary: _unary, tree.If: _if, tree.IsNone: _is_none, tree.Let: _let,
    tree.Compare: _compare, tree.Binder: _each, tree.Choice: _choice, tree.Given: _given, tree.Implies: _implies,
    tree.Call: _call,
}  # fmt: skip


# --- giving an expression a value


def settings(node: tree.Node, value: Any, env: Env) -> Changes:
    """The changes that may give an expression a value."""
    place = place_of(node, env)
    if value is None:
        if place is not None and place.facet == "value":
            yield Place(place.param, "present"), False
    elif place is not None:
        yield place, value
    else:
        inner = tree.row_of(_SETTINGS, node)
        if inner is not None:
            yield from inner(node, value, env)
        elif isinstance(value, bool) and tree.row_of(_CONDITIONS, node) is not None:
            yield from aims(node, value, env)


def _set_let(node: tree.Let, value: Any, env: Env) -> Changes:
    yield from settings(env.lets[node.name], value, env)


def _set_if(node: tree.If, value: Any, env: Env) -> Changes:
    holds = evaluate(node.condition, env) is True
    now, otherwise = (node.then, node.other) if holds else (node.other, node.then)
    yield from settings(now, value, env)
    if evaluate(otherwise, env) == value:
        yield from aims(node.condition, not holds, env)


def _set_binary(node: tree.Binary, value: Any, env: Env) -> Changes:
    a, b = evaluate(node.left, env), evaluate(node.right, env)
    if isinstance(value, tuple) and isinstance(a, tuple) and isinstance(b, tuple):
        yield from _set_joined(node, value, a, b, env)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return
    if _number(b):
        for wanted in _solved_left(node.op, value, b, a):
            yield from settings(node.left, wanted, env)
    if _number(a):
        for wanted in _solved_right(node.op, value, a):
            yield from settings(node.right, wanted, env)


def _set_joined(node: tree.Binary, value: tuple[Any, ...], a: tuple[Any, ...], b: tuple[Any, ...], env: Env) -> Changes:
    """One of two lists, one after the other, where the other one stays."""
    if value[: len(a)] == a:
        yield from settings(node.right, value[len(a) :], env)
    if value[max(0, len(value) - len(b)) :] == b:
        yield from settings(node.left, value[: len(value) - len(b)], env)


def _number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _solved_left(op: str, value: Any, b: Any, a: Any) -> Iterator[Any]:
    """What the left operand is where ``left op b == value``."""
    if op == "+":
        yield value - b
    elif op == "-":
        yield value + b
    elif op == "*" and b and value % b == 0:
        yield value // b
    elif op == "//" and b:
        yield value * b
    elif op == "%" and b:
        above = -(-a // b) * b + value if _number(a) else b + value
        yield above if above > 0 else b + value
        yield b + value


def _solved_right(op: str, value: Any, a: Any) -> Iterator[Any]:
    if op == "+":
        yield value - a
    elif op == "-":
        yield a - value
    elif op == "*" and a and value % a == 0:
        yield value // a
    elif op == "//" and value:
        yield a // value
    elif op == "%" and a > value:
        yield a - value
        yield 1


def _set_seq(node: tree.Seq, value: Any, env: Env) -> Changes:
    """Each element by itself; a starred one takes what the others leave."""
    if not isinstance(value, tuple):
        return
    stars = sum(node.starred)
    spare = len(value) - (len(node.items) - stars)
    if stars > 1 or spare < 0 or (not stars and spare):
        return
    at = 0
    for item, starred in zip(node.items, node.starred, strict=True):
        taken = spare if starred else 1
        part = value[at : at + taken] if starred else value[at]
        at += taken
        if evaluate(item, env) != part:
            yield from settings(item, part, env)


def _set_slice(node: tree.Slice, value: Any, env: Env) -> Changes:
    """A part of a shape: the rest of it stays."""
    whole = evaluate(node.base, env)
    low = 0 if node.low is None else evaluate(node.low, env)
    high = None if node.high is None else evaluate(node.high, env)
    if isinstance(whole, tuple) and isinstance(value, tuple) and isinstance(low, int) and not isinstance(high, Undef):
        start, stop, _ = slice(low, high).indices(len(whole))
        yield from settings(node.base, (*whole[:start], *value, *whole[max(start, stop) :]), env)


def _set_list(node: tree.Binder, value: Any, env: Env) -> Changes:
    """A list made of another one's elements, each of which may be set."""
    source = evaluate(node.source, env)
    if isinstance(value, bool):
        yield from aims(node, value, env)
    if node.condition is not None or not (isinstance(source, tuple) and isinstance(value, tuple)):
        return
    for i, item in enumerate(value[:_MOST_ELEMENTS] if len(value) == len(source) else ()):
        element = tree.substituted(node.element, _bound(node, i, source))
        if evaluate(element, env) != item:
            yield from settings(element, item, env)


def _set_call(node: tree.Call, value: Any, env: Env) -> Changes:
    args = [evaluate(arg, env) for arg in node.args]
    known = [None if isinstance(arg, Undef) else arg for arg in args]
    for place, wanted in FUNCTIONS[node.function].solve(value, known):
        yield from settings(node.args[place], wanted, env)


def _set_len(node: tree.Length, value: Any, env: Env) -> Changes:
    yield from _set_length(node.operand, value, env)


def _set_length(node: tree.Node, value: Any, env: Env) -> Changes:
    place = place_of(node, env)
    if place is not None and isinstance(value, int) and place.facet == "storage_shape":
        yield place, (_STORED,) * value
    elif place is not None and isinstance(value, int):
        yield (replace(place, facet="rank"), value) if place.facet == "shape" else (Place(place.param, "length"), value)
    elif isinstance(node, tree.Let):
        yield from _set_length(env.lets[node.name], value, env)


def _resolved(node: tree.Node, env: Env) -> tree.Node:
    """What a derived value or a choice comes to, as an expression."""
    while isinstance(node, (tree.Let, tree.If)):
        if isinstance(node, tree.Let):
            node = env.lets[node.name]
        else:
            node = node.then if evaluate(node.condition, env) is True else node.other
    return node


def _set_index(node: tree.Index, value: Any, env: Env) -> Changes:
    """An element of a list that is written out: the element itself."""
    base = _resolved(node.base, env)
    index = evaluate(node.index, env)
    if isinstance(base, tree.Seq) and isinstance(index, int) and not any(base.starred):
        if -len(base.items) <= index < len(base.items):
            yield from settings(base.items[index], value, env)
    elif isinstance(base, tree.Binder) and isinstance(index, int):
        source = evaluate(base.source, env)
        if isinstance(source, tuple) and -len(source) <= index < len(source) and base.condition is None:
            element = tree.substituted(base.element, _bound(base, index % len(source), source))
            yield from settings(element, value, env)
    elif isinstance(base, tree.Binary) and isinstance(index, int):
        yield from _set_in_joined(base, index, node, value, env)
    elif base is not node.base:
        yield from settings(tree.Index(base, node.index, node.type), value, env)


def _set_in_joined(base: tree.Binary, index: int, node: tree.Index, value: Any, env: Env) -> Changes:
    """An element of two lists, one after the other."""
    left, right = evaluate(base.left, env), evaluate(base.right, env)
    if isinstance(left, tuple) and isinstance(right, tuple):
        at = index + len(left) + len(right) if index < 0 else index
        part, at = (base.left, at) if at < len(left) else (base.right, at - len(left))
        yield from settings(tree.Index(part, _const(at), node.type), value, env)


def _set_attr(node: tree.Attr, value: Any, env: Env) -> Changes:
    if node.name == "numel" and isinstance(value, int):
        place = place_of(node.base, env)
        if place is not None:
            yield replace(place, facet="shape"), (value,)


_SETTINGS: dict[type, Callable[[Any, Any, Env], Changes]] = {
    tree.Let: _set_let, tree.If: _set_if, tree.Binary: _set_binary, tree.Seq: _set_seq, tree.Slice: _set_slice,
    tree.Length: _set_len, tree.Call: _set_call, tree.Attr: _set_attr, tree.Index: _set_index, tree.Binder: _set_list,
}  # fmt: skip


# --- places

_FACETS = ("shape", "dtype", "format", "rank", "value", "storage_shape", "storage_format")


def place_of(node: tree.Node, env: Env) -> Place | None:
    """The place that an expression reads, where it does nothing else."""
    match node:
        case tree.Param():
            return Place(node.name, "value")
        case tree.Let():
            return place_of(env.lets[node.name], env)
        case tree.Attr():
            base = place_of(node.base, env)
            if base is None or base.facet != "value" or node.name not in _FACETS:
                return None
            return replace(base, facet=node.name)
        case tree.Index():
            return _indexed_place(node, env)
    return None


def _indexed_place(node: tree.Index, env: Env) -> Place | None:
    node = _unfiltered(node, env)
    base, index = place_of(node.base, env), evaluate(node.index, env)
    if base is None or not isinstance(index, int) or isinstance(index, bool):
        return None
    if base.facet == "shape":
        return replace(base, facet="dim", index=index)
    if base.facet != "value" or base.item is not None:
        return None
    is_object = node.type == TENSOR or node.type.name == "scalar"
    return replace(base, item=index) if is_object else replace(base, facet="element", index=index)


def _unfiltered(node: tree.Index, env: Env) -> tree.Index:
    """An element of those of a list that a condition picks, as an element of the list."""
    base, index = _resolved(node.base, env), evaluate(node.index, env)
    if not (isinstance(base, tree.Binder) and isinstance(base.element, tree.Var) and base.condition is not None):
        return node
    source = evaluate(base.source, env)
    if not isinstance(source, tuple) or not isinstance(index, int):
        return node
    items = [_bound(base, i, source) for i in range(len(source))]
    picked = [i for i, item in enumerate(items) if evaluate(tree.substituted(base.condition, item), env) is True]
    if not 0 <= index < len(picked):
        return node
    element = items[picked[index]].get(base.element.name)
    return element if isinstance(element, tree.Index) else node


def _indexed(node: tree.Node, i: int) -> tree.Node:
    item = node.type.item
    assert item is not None  # only lists have elements
    return tree.Index(node, _const(i), item)


def _const(value: Any) -> tree.Const:
    return tree.Const(value, INT)
