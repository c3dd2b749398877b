"""Parts of lists and of shapes: all dimensions but the last, those from an axis on."""

from __future__ import annotations

from opspec.language import tree
from opspec.language.prose import shapes, trees

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.language.prose.speaking import Speaker


def part(writer: Speaker, node: tree.Slice) -> str:
    """A slice of a list, or of the dims of a shape."""
    if trees.is_attribute(node.base, "shape"):
        return _dims(writer, node)
    a = writer.noun(node.base)
    part = shapes.extent(node)
    if part is not None:
        return writer.some(f"items {part[0]}", part[1], a=a)
    low, high = trees.number(node.low), trees.number(node.high)
    if low is not None and high is not None and 0 <= low < high:
        return writer.phrases["items range"].format(a=a, low=low, high=high - 1)
    return writer.code(node)


def _dims(writer: Speaker, node: tree.Slice) -> str:
    assert isinstance(node.base, tree.Attr)
    a, part = writer.noun(node.base.base), shapes.extent(node)
    if part is not None:
        return writer.some(part[0], part[1], a=a)
    low, high = trees.number(node.low), trees.number(node.high)
    if low is not None and high is not None and 0 <= low < high:
        if high == low + 1:
            return writer.phrases["dim"].format(a=a, n=low)
        return writer.phrases["range"].format(a=a, low=low, high=high - 1)
    if node.low is None and node.high is not None:
        axis = writer.along(node.high)
        if axis is not None:
            return writer.phrases["before"].format(a=a, n=axis)
    if node.high is None and isinstance(node.low, tree.Binary) and node.low.op == "+":
        axis = writer.along(node.low.left)
        if axis is not None and trees.number(node.low.right) == 1:
            return writer.phrases["after"].format(a=a, n=axis)
    if node.high is None and node.low is not None:
        return _from(writer, node, node.low, a)
    if node.low is None and node.high is not None:
        return _up_to(writer, node, node.high, a)
    return writer.code(node)


def _from(writer: Speaker, node: tree.Slice, low: tree.Node, a: str) -> str:
    """``x.shape[x.rank - n:]``: the last n."""
    assert isinstance(node.base, tree.Attr)
    rest = _from_end(low, node.base.base)
    if rest is not None and trees.is_attribute(rest, "rank"):
        return writer.phrases["as many last"].format(a=a, b=writer.noun(rest.base))
    if rest is not None:
        return writer.several("last", a=a, n=_many(writer, rest))
    n = writer.noun(low)
    return writer.phrases["from" if n.isascii() or writer.lang == "en" else "from counted"].format(a=a, n=n)


def _up_to(writer: Speaker, node: tree.Slice, high: tree.Node, a: str) -> str:
    """``x.shape[:x.rank - n]``: all but the last n."""
    assert isinstance(node.base, tree.Attr)
    rest = _from_end(high, node.base.base)
    if rest is not None and trees.is_attribute(rest, "rank"):
        return writer.phrases["but as many last"].format(a=a, b=writer.noun(rest.base))
    key = "first" if rest is None else "but_last"
    return writer.several(key, a=a, n=_many(writer, high if rest is None else rest))


def _many(writer: Speaker, node: tree.Node) -> str:
    """A number that is told before what it counts."""
    text = writer.noun(node)
    return f"({text})" if " " in text else text


def _from_end(node: tree.Node, base: tree.Node) -> tree.Node | None:
    """n of ``x.rank - n``."""
    if isinstance(node, tree.Binary) and node.op == "-" and trees.is_attribute(node.left, "rank"):
        return node.right if node.left.base == base else None
    return None
