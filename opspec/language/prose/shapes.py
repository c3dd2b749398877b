"""Parts of shapes and of lists: pieces that are put together, slices by what they leave, axes by their params."""

from __future__ import annotations

from collections.abc import Callable

from opspec.language import tree
from opspec.language.prose.trees import is_attribute, number
from opspec.language.record import record
from opspec.language.types import INT


@record(frozen=True, slots=True)
class Part:
    """A piece of a shape that is put together: a dim, or dims of a tensor from ``low`` up to ``high``.

    Args:
        base: the tensor's shape; None for a single dim, which ``dim`` is.
    """

    base: tree.Node | None
    low: tree.Node | None
    high: tree.Node | None
    dim: tree.Node | None = None


def parts(node: tree.Node, named: Callable[[tree.Node], tree.Node] = lambda node: node) -> list[Part] | None:
    """The pieces of a shape; None where it is not put together of such.

    Args:
        named: what a derived value stands for.
    """
    node = named(node)
    match node:
        case tree.Seq():
            found: list[Part] = []
            for item, starred in zip(node.items, node.starred, strict=True):
                inner = parts(item, named) if starred else [Part(None, None, None, item)]
                if inner is None:
                    return None
                found += inner
            return found
        case tree.Binary(op="+") if node.left.type.name == "list":
            left, right = parts(node.left, named), parts(node.right, named)
            return None if left is None or right is None else left + right
        case tree.Slice() if is_attribute(node.base, "shape"):
            return [Part(node.base, node.low, node.high)]
        case tree.Attr(name="shape"):
            return [Part(node, None, None)]
    return None


def merged(found: list[Part], named: Callable[[tree.Node], tree.Node]) -> list[Part]:
    """Pieces with single dims of a tensor as parts of its dims, those that follow each other as one."""
    base = next((part.base for part in found if part.base is not None), None)
    result: list[Part] = []
    for part in found:
        own = part if base is None or part.base is not None else _as_part(part, base, named)
        joined = _joined(result[-1], own) if result else None
        if joined is None:
            result.append(own)
        else:
            result[-1] = joined
    return result


def _as_part(part: Part, base: tree.Node, named: Callable[[tree.Node], tree.Node]) -> Part:
    """A single dim of a tensor as a part of its dims."""
    dim = None if part.dim is None else named(part.dim)
    place = number(dim.index) if isinstance(dim, tree.Index) and dim.base == base else None
    if place is None:
        return part
    high = None if place == -1 else tree.Const(place + 1, INT)
    return Part(base, tree.Const(place, INT), high)


def _joined(first: Part, second: Part) -> Part | None:
    """Two parts of a tensor's dims that follow each other as one."""
    if first.base is None or first.base != second.base or first.high is None or second.low is None:
        return None
    end, start = number(first.high), number(second.low)
    return Part(first.base, first.low, second.high) if end is not None and end == start else None


def pieces(node: tree.Node) -> list[tuple[tree.Node, bool]]:
    """What a list is put together of: lists (True) and single items (False)."""
    if isinstance(node, tree.Binary) and node.op == "+" and node.type.name == "list":
        return pieces(node.left) + pieces(node.right)
    if isinstance(node, tree.Seq):
        return [
            piece
            for item, starred in zip(node.items, node.starred, strict=True)
            for piece in (pieces(item) if starred else [(item, False)])
        ]
    return [(node, True)]


def unrounded(node: tree.Node) -> tree.Node:
    """The element of a list as readers know it: v of ``floor(v)``, of whole numbers, and of ``axis(v, n)``."""
    if isinstance(node, tree.Call) and node.function in ("floor", "axis") and isinstance(node.args[0], tree.Var):
        return node.args[0]
    return node


def like(a: tree.Node, b: tree.Node) -> tree.Node | None:
    """The thing of which ``b`` is what ``a`` is of another: the same attribute, or dimension."""
    if isinstance(a, tree.Attr) and isinstance(b, tree.Attr):
        return b.base if a.name == b.name else None
    if not isinstance(a, tree.Index) or not isinstance(b, tree.Index) or a.index != b.index:
        return None
    return b.base.base if is_attribute(a.base, "shape") and is_attribute(b.base, "shape") else None


def of_last_two(a: tree.Node, b: tree.Node) -> tree.Node | None:
    """The thing whose last dimension and the one before it these are."""
    if not isinstance(a, tree.Index) or not isinstance(b, tree.Index) or a.base != b.base:
        return None
    ends = {number(a.index), number(b.index)} == {-1, -2}
    return a.base.base if ends and is_attribute(a.base, "shape") else None


def follows(low: tree.Node | None, high: tree.Node | None) -> bool:
    """Whether ``low`` is ``high + 1``."""
    if low is None or high is None:
        return False
    numbers = number(low), number(high)
    if None not in numbers:
        return numbers[0] == numbers[1] + 1 and numbers[0] != 0  # type: ignore[operator]
    plus = isinstance(low, tree.Binary) and low.op == "+" and number(low.right) == 1
    return plus and low.left == high  # type: ignore[union-attr]


def axis_named(node: tree.Node) -> tree.Node:
    """The param that an axis was counted from: ``dim`` of ``axis(dim, x.rank)``; the node itself where it is none."""
    if isinstance(node, tree.Call) and node.function == "axis":
        return node.args[0]
    return node


def extent(node: tree.Slice) -> tuple[str, int] | None:
    """Which items a slice leaves, from one end: the key of the words for it and a number."""
    if (node.low is None) == (node.high is None):
        return None
    found = number(node.high if node.low is None else node.low)
    if not found:
        return None
    keys = ("first", "but_last") if node.low is None else ("but_first", "last")
    return keys[found < 0], abs(found)


def only_item(node: tree.Node) -> tree.Index | None:
    """The item of a slice that leaves the first or the last alone: ``x.shape[:1]``, ``x.shape[-1:]``."""
    part = extent(node) if isinstance(node, tree.Slice) else None
    if not isinstance(node, tree.Slice) or part not in (("first", 1), ("last", 1)):
        return None
    return tree.Index(node.base, tree.Const(0 if part[0] == "first" else -1, INT), INT)


def neighbours(node: tree.Node) -> tree.Node | None:
    """The list of which ``zip(a[:-1], a[1:])`` puts each element beside the next."""
    if not isinstance(node, tree.Zip) or len(node.items) != 2:
        return None
    first, second = node.items
    if not isinstance(first, tree.Slice) or not isinstance(second, tree.Slice) or first.base != second.base:
        return None
    ends = extent(first), extent(second)
    return first.base if ends == (("but_last", 1), ("but_first", 1)) else None


def from_end(index: tree.Node) -> tree.Node | None:
    """i + 1 of ``x.shape[-1 - i]``: the dim at that place from the end."""
    if isinstance(index, tree.Binary) and index.op == "-" and number(index.left) == -1:
        return tree.Binary("+", index.right, tree.Const(1, INT), INT)
    return None


def rounded_up(node: tree.Binary) -> tree.Call | None:
    """``(x + n - 1) // n`` as ``ceil_div(x, n)``, and n times that as ``align_up(x, n)``."""
    if node.op == "*":
        for one, other in ((node.left, node.right), (node.right, node.left)):
            up = rounded_up(one) if isinstance(one, tree.Binary) and one.op == "//" else None
            if up is not None and up.args[1] == other:
                return tree.Call("align_up", up.args, INT)
    if node.op != "//" or not isinstance(node.left, tree.Binary) or node.left.op != "+":
        return None
    by, more = number(node.right), number(node.left.right)
    if by is None or more is None or by < 2 or more != by - 1:
        return None
    return tree.Call("ceil_div", (node.left.left, node.right), INT)


def suffix(part: tree.Node, whole: tree.Node) -> tuple[tree.Node, tree.Node] | None:
    """y and x of ``x.shape[x.rank - y.rank:] == y.shape``."""
    if not isinstance(part, tree.Slice) or not is_attribute(whole, "shape") or not is_attribute(part.base, "shape"):
        return None
    low = part.low
    if part.high is not None or not isinstance(low, tree.Binary) or low.op != "-":
        return None
    ranks = tree.Attr(part.base.base, "rank", INT), tree.Attr(whole.base, "rank", INT)
    return (whole.base, part.base.base) if (low.left, low.right) == ranks else None
