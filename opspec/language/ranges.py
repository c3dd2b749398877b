"""Bounds of integer expressions, by which a back end leaves out overflow checks that cannot fail."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from opspec.language import runtime, tree

Bounds = tuple[int, int]

WIDE: Bounds = (runtime.LOW, 2**64 - 1)  # an argument may be a uint64_t; results of arithmetic are int64
RANKS: Bounds = (0, 1 << 40)
NO_VARIABLES: Mapping[str, Bounds] = {}


def range_of(node: tree.Node, variables: Mapping[str, Bounds] = NO_VARIABLES) -> Bounds:
    """Bounds of an integer expression where it is defined.

    Args:
        variables: bounds of the variables that comprehensions bind.
    """
    match node:
        case tree.Const() if isinstance(node.value, int):
            return node.value, node.value
        case tree.Attr() if node.name == "rank":
            return RANKS
        case tree.Attr() if node.name == "numel":
            return 0, runtime.HIGH
        case tree.Length():
            return RANKS
        case tree.Index() if isinstance(node.base, tree.Attr) and node.base.name == "shape":
            return 0, runtime.HIGH
        case tree.Var():
            return variables.get(node.name, WIDE)
        case tree.Binary() if node.op in _INTERVALS:
            low, high = interval(node, variables)
            return max(low, runtime.LOW), min(high, runtime.HIGH)
    return WIDE


def interval(node: tree.Binary, variables: Mapping[str, Bounds] = NO_VARIABLES) -> Bounds:
    """Bounds of an operation on integers before it is checked for overflow."""
    return combined(node.op, range_of(node.left, variables), range_of(node.right, variables))


def combined(op: str, left: Bounds, right: Bounds) -> Bounds:
    """Bounds of an operation on integers in these bounds, before it is checked for overflow."""
    return _INTERVALS[op](left, right) if op in _INTERVALS else WIDE


def fits(bounds: Bounds) -> bool:
    """Whether all of it is in int64."""
    return bounds[0] >= runtime.LOW and bounds[1] <= runtime.HIGH


def variable_bounds(node: tree.Binder, variables: Mapping[str, Bounds] = NO_VARIABLES) -> dict[str, Bounds]:
    """Bounds of the variables that a comprehension binds."""
    source = node.source
    if isinstance(source, tree.Range):
        low = 0 if source.low is None else range_of(source.low, variables)[0]
        return {node.variables[0]: (low, max(low, range_of(source.high, variables)[1]))}
    if isinstance(source, tree.Attr) and source.name == "shape":
        return {node.variables[0]: (0, runtime.HIGH)}
    return dict.fromkeys(node.variables, WIDE)


_INTERVALS: dict[str, Callable[..., Bounds]] = {
    "+": lambda a, b: (a[0] + b[0], a[1] + b[1]),
    "-": lambda a, b: (a[0] - b[1], a[1] - b[0]),
    "*": lambda a, b: (min(x * y for x in a for y in b), max(x * y for x in a for y in b)),
    "//": lambda a, b: _quotients(a, b) if b[0] > 0 else (-max(map(abs, a)), max(map(abs, a))),
    "%": lambda a, b: (min(b[0] + 1, 0), max(b[1] - 1, 0)),
    "&": lambda a, b: (0, min(x[1] for x in (a, b) if x[0] >= 0)) if max(a[0], b[0]) >= 0 else WIDE,
    "|": lambda a, b: (runtime.LOW, runtime.HIGH) if fits(a) and fits(b) else WIDE,
    "^": lambda a, b: (runtime.LOW, runtime.HIGH) if fits(a) and fits(b) else WIDE,
}


def _quotients(a: Bounds, b: Bounds) -> Bounds:
    found = [x // y for x in a for y in b]
    return min(found), max(found)
