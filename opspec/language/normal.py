"""One form for expressions that mean the same: what is symmetrical in one order, each relation in one direction.

``a == b`` and ``b == a``, ``x > 0`` and ``1 <= x``, ``not (a and b)`` and ``not b or not a`` have the same normal form.
The form has the value of the expression in every call, undefined ones with their cause included. It is for comparing
rules, not for reading.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TypeVar

from opspec.language import runtime, tree
from opspec.language.functions import FUNCTIONS
from opspec.language.record import replace
from opspec.language.text import write
from opspec.language.types import BOOL, INT, NUMBERS, PRODUCT, list_of, pair_of

_COMMUTATIVE = frozenset({"+", "*", "&", "|", "^"})
_TURNED = {">": "<", ">=": "<="}
_DENIED = {"==": "!=", "!=": "==", "in": "not in", "not in": "in"}
_KEPT = 4096  # expressions of which the form is kept
_DENIED_INT = {"<": "<=", "<=": "<"}  # of integers, with the sides changed: floating-point numbers may be NaN

Names = Mapping[str, str]
N = TypeVar("N", bound="tree.Node")


@lru_cache(maxsize=_KEPT)  # releases of an operator are compared, and pages ask for each rule several times
def normal(node: tree.Node) -> tree.Node:
    """The normal form of an expression."""
    return _normal(node, {})


def key(check: tree.Node, when: tree.Node | None = None) -> tuple[str, str]:
    """The same for two rules that require the same under the same condition."""
    return write(normal(check)), "" if when is None else write(normal(when))


def _with(node: N, **changes: object) -> N:
    """The node with other parts."""
    result: N = replace(node, **changes)
    return result


def _normal(node: tree.Node, names: Names) -> tree.Node:
    match node:
        case tree.Binder():
            return _bound(node, names)
        case tree.Var():
            return _with(node, name=names.get(node.name, node.name))
    node = tree.rebuilt(node, lambda part: _normal(part, names))
    match node:
        case tree.Compare():
            return _compare(node)
        case tree.Logic():
            return _logic(node.op, node.items)
        case tree.Unary(op="not"):
            return _denied(node)
        case tree.Binary() if node.op in _COMMUTATIVE and node.type in NUMBERS:  # lists are joined with a plus, too
            left, right = _ordered((node.left, node.right))
            return _with(node, left=left, right=right)
        case tree.Call() if FUNCTIONS[node.function].symmetrical and len(node.args) > 1:
            return _with(node, args=_ordered(node.args))
        case tree.Length(operand=tree.Attr(base=base, name="shape")):
            return tree.Attr(base, "rank", INT)
    return node


def _ordered(nodes: Iterable[tree.Node]) -> tuple[tree.Node, ...]:
    """In one order, constants last."""
    return tuple(sorted(nodes, key=lambda node: (isinstance(node, tree.Const), write(node))))


# --- relations


def _compare(node: tree.Compare) -> tree.Node:
    """A chain is the conjunction of its neighbouring comparisons."""
    pairs = zip(node.ops, node.operands, node.operands[1:], strict=False)
    return _logic("and", [_relation(op, left, right) for op, left, right in pairs])


def _relation(op: str, left: tree.Node, right: tree.Node) -> tree.Node:
    if op in _TURNED:
        op, left, right = _TURNED[op], right, left
    if op in ("==", "!="):
        left, right = _ordered((left, right))
    if op in ("in", "not in") and isinstance(right, tree.Seq) and not any(right.starred):
        return _membership(op, left, right)
    if op == "<":
        op, left, right = _closed(left, right)
    return tree.Compare((op,), (left, right), BOOL)


def _membership(op: str, left: tree.Node, members: tree.Seq) -> tree.Node:
    """Membership in a list that is written out: each member once, in one order; a single one is an equality."""
    if not all(isinstance(item, tree.Const) for item in members.items) or not members.items:
        return tree.Compare((op,), (left, members), BOOL)
    items = _ordered(dict.fromkeys(members.items))
    if len(items) == 1 and left.type != PRODUCT:
        return _relation("==" if op == "in" else "!=", left, items[0])
    if len(items) == 1 and isinstance(left, tree.Product):
        return _relation("==" if op == "in" else "!=", left, items[0])
    ends = _ends(items) if op == "in" and left.type == INT else None
    if ends is not None:
        return _logic("and", [_relation("<=", ends[0], left), _relation("<=", left, ends[1])])
    return tree.Compare((op,), (left, _with(members, items=items, starred=(False,) * len(items))), BOOL)


def _ends(items: tuple[tree.Node, ...]) -> tuple[tree.Node, tree.Node] | None:
    """The first and the last of integers that follow one another."""
    found = {item.value: item for item in items if isinstance(item, tree.Const) and type(item.value) is int}
    numbers = sorted(found)
    if len(numbers) < len(items) or numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        return None
    return found[numbers[0]], found[numbers[-1]]


def _closed(left: tree.Node, right: tree.Node) -> tuple[str, tree.Node, tree.Node]:
    """``a < b`` between integers, one of them a constant, with the limit included."""
    if left.type == right.type == INT:
        if isinstance(right, tree.Const) and isinstance(right.value, int) and right.value > runtime.LOW:
            return "<=", left, _with(right, value=right.value - 1)
        if isinstance(left, tree.Const) and isinstance(left.value, int) and left.value < runtime.HIGH:
            return "<=", _with(left, value=left.value + 1), right
    return "<", left, right


# --- logic


def _logic(op: str, items: Iterable[tree.Node]) -> tree.Node:
    flat: list[tree.Node] = []
    for item in items:
        flat += item.items if isinstance(item, tree.Logic) and item.op == op else (item,)
    ordered = _ordered(dict.fromkeys(flat))
    return ordered[0] if len(ordered) == 1 else tree.Logic(op, ordered, BOOL)


def _denied(node: tree.Unary) -> tree.Node:
    """The denial of an expression in normal form, moved inwards."""
    inner = node.operand
    match inner:
        case tree.Unary(op="not"):
            return inner.operand
        case tree.IsNone():
            return _with(inner, negated=not inner.negated)
        case tree.Const() if isinstance(inner.value, bool):
            return _with(inner, value=not inner.value)
        case tree.Logic():
            return _logic(
                "or" if inner.op == "and" else "and", [_denied(tree.Unary("not", item, BOOL)) for item in inner.items]
            )
        case tree.Compare(ops=(op,)):
            left, right = inner.operands
            if op in _DENIED:
                return _relation(_DENIED[op], left, right)
            if op in _DENIED_INT and left.type == right.type == INT:
                return _relation(_DENIED_INT[op], right, left)
    return node


# --- comprehensions


def _bound(node: tree.Binder, names: Names) -> tree.Node:
    """Variables are named after their depth, lists side by side come in one order."""
    source, variables = _side_by_side(_normal(node.source, names), node.variables)
    new = list(_fresh(names, len(variables)))
    inner = {**names, **dict(zip(variables, new, strict=True))}
    said = tree.rebuilt_in_scope(node, lambda part: part, lambda part: _normal(part, inner))
    return _with(said, source=source, variables=tuple(new))


def _fresh(names: Names, count: int) -> Iterator[str]:
    """Names that no expression can write."""
    taken = len(set(names.values()))
    yield from (f"@{taken + i}" for i in range(count))


def _side_by_side(source: tree.Node, variables: tuple[str, ...]) -> tuple[tree.Node, tuple[str, ...]]:
    if not isinstance(source, tree.Zip) or len(source.items) != len(variables):
        return source, variables
    pairs = sorted(zip(source.items, variables, strict=True), key=lambda pair: write(pair[0]))
    items = tuple(item for item, _ in pairs)
    members = [item.type.item for item in items]
    kind = list_of(pair_of(*(item for item in members if item is not None)))
    return _with(source, items=items, type=kind), tuple(name for _, name in pairs)
