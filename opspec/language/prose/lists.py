"""Elements of lists: every element of x, those that a condition leaves, the products of two lists' elements."""

from __future__ import annotations

from opspec.language import tree
from opspec.language.prose import shapes, trees
from opspec.language.prose.bound import Bound
from opspec.language.types import TENSOR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.language.prose.speaking import Speaker


def mapped(writer: Speaker, node: tree.Each) -> str:
    """``[f(t) for t in x]``: f of every tensor of x."""
    if isinstance(node.source, tree.Zip):
        return _products(writer, node) or writer.code(node)
    if len(node.variables) != 1:
        return writer.code(node)
    element = shapes.unrounded(node.element)
    if node.condition is not None:
        as_it_is = element == tree.Var(node.variables[0], element.type)
        return _left(writer, node, "left") if as_it_is else writer.code(node)
    if isinstance(element, tree.Var):
        as_it_is = isinstance(node.element, tree.Call) and node.element.function == "axis"
        return writer.noun(node.source) if as_it_is else writer.elements(node.source)
    key = "all" if isinstance(element, (tree.Attr, tree.Index)) else "every"
    bound = {**writer.bound, node.variables[0]: Bound(each(writer, node.source, key), key, node.source)}
    return writer.with_bound(bound).noun(element)


def all_of(writer: Speaker, node: tree.Slice) -> str:
    """What a slice leaves, to stand behind "one of"."""
    part = shapes.extent(node)
    if part is None or not part[0].startswith("but") or not trees.is_attribute(node.base, "shape"):
        return writer.noun(node)
    return writer.some(f"dims {part[0]}", part[1], a=writer.base(node.base))


def counted(writer: Speaker, node: tree.Node) -> str | None:
    """``sum([1 for v in x if v > 2])``, ``len([v for v in x if v > 2])``: how many elements a condition leaves."""
    if isinstance(node, tree.Length):
        listed: tree.Node | None = node.operand
    else:
        listed = node.args[0] if isinstance(node, tree.Call) and node.function == "sum" else None
    if not isinstance(listed, tree.Each) or listed.condition is None or len(listed.variables) != 1:
        return None
    if trees.number(listed.element) != 1 and not (
        isinstance(node, tree.Length) and isinstance(listed.element, tree.Var)
    ):
        return None
    return _left(writer, listed, "number left")


def _left(writer: Speaker, node: tree.Each, key: str) -> str:
    """The elements of a list of which a condition holds."""
    assert node.condition is not None
    says = writer.predicate(node.condition, node.variables[0])
    if says is None or not isinstance(node.source, (tree.Param, tree.Let, tree.Attr, tree.Slice)):
        return writer.code(node)
    text, kind = _all_of(writer, node.source)
    return writer.phrases[f"{key} {kind}"].format(a=text, c=says)


def _all_of(writer: Speaker, node: tree.Node) -> tuple[str, str]:
    """What elements are taken of, and what they are called."""
    if trees.is_attribute(node, "values"):
        return writer.noun(node.base), "value"
    if trees.is_attribute(node, "shape"):
        return writer.noun(node.base), "dim"
    if isinstance(node, tree.Slice) and trees.is_attribute(node.base, "shape"):
        return writer.noun(node), "one"
    return writer.noun(node), "element"


def _products(writer: Speaker, node: tree.Each) -> str | None:
    """``[a * b for a, b in zip(x, y)]``: the products of the corresponding elements of x and y."""
    element = node.element
    if not isinstance(node.source, tree.Zip) or node.condition is not None or len(node.source.items) != 2:
        return None
    if not isinstance(element, tree.Binary) or element.op != "*":
        return None
    sides = (element.left, element.right)
    if not all(isinstance(side, tree.Var) for side in sides) or {
        side.name for side in sides if isinstance(side, tree.Var)
    } != set(node.variables):
        return None
    return writer.phrases["products"].format(a=writer.listing(list(map(writer.noun, node.source.items)), "and"))


def each(writer: Speaker, node: tree.Node, key: str) -> str:
    """``every element of x``."""
    if trees.is_attribute(node, "values"):
        return writer.phrases[f"{key} value"].format(a=writer.noun(node.base))
    if trees.is_attribute(node, "shape"):
        return writer.phrases[f"{key} dim"].format(a=writer.noun(node.base))
    if isinstance(node, tree.Seq) and not any(node.starred):
        return _of_each(writer, key, writer.listing(list(map(writer.noun, node.items)), "and"))
    part = shapes.extent(node) if isinstance(node, tree.Slice) else None
    if isinstance(node, tree.Slice) and part is not None:
        return _each_of_part(writer, node, part, key)
    if isinstance(node, tree.Slice) and trees.is_attribute(node.base, "shape"):
        return _of_each(writer, key, writer.noun(node))
    of_tensors = node.type.name == "list" and node.type.item == TENSOR
    if key in ("every", "some", "least") and writer.is_several(node) and not of_tensors:
        return _of_each(writer, key, writer.noun(node))
    return writer.phrases[f"{key} {'tensor' if of_tensors else 'element'}"].format(a=writer.noun(node))


def none_of(writer: Speaker, node: tree.Node) -> str | None:
    """``no dimension of x but the last``, ``none of the last two dimensions of x``; None of other lists."""
    if trees.is_attribute(node, "shape"):
        return writer.phrases["no dim"].format(a=writer.base(node))
    part = shapes.extent(node) if isinstance(node, tree.Slice) and trees.is_attribute(node.base, "shape") else None
    if part is None or not isinstance(node, tree.Slice):
        return None
    if part[0].startswith("but"):
        return writer.some(f"no dim {part[0]}", part[1], a=writer.base(node.base))
    return (
        writer.phrases["neither of" if part[1] == 2 else "none of"].format(a=writer.noun(node)) if part[1] > 1 else None
    )


def corresponding(writer: Speaker, node: tree.Node) -> str:
    """The element of a list at the place of that of another."""
    if trees.is_attribute(node, "values"):
        return writer.phrases["corresponding value"].format(a=writer.noun(node.base))
    if trees.is_attribute(node, "shape"):
        return writer.phrases["corresponding dim"].format(a=writer.noun(node.base))
    if isinstance(node, tree.Slice) and trees.is_attribute(node.base, "shape"):
        return writer.phrases["corresponding one"].format(a=writer.noun(node))
    base = node.base if isinstance(node, tree.Slice) else node
    kind = "of several" if writer.is_several(base) else "element"
    return writer.phrases[f"corresponding {kind}"].format(a=writer.noun(base))


def _each_of_part(writer: Speaker, node: tree.Slice, part: tuple[str, int], key: str) -> str:
    """``every dimension of x but the last``, ``each of the first two dimensions of x``."""
    end, number = part
    of_shape = trees.is_attribute(node.base, "shape")
    a = writer.base(node.base) if of_shape else writer.noun(node.base)
    if end.startswith("but") and (writer.lang == "en" or not of_shape):
        return writer.some(f"{key} {'dim' if of_shape else 'item'} {end}", number, a=a)
    text = writer.noun(node)
    return text if number == 1 and not of_shape else _of_each(writer, key, text)


def _of_each(writer: Speaker, key: str, a: str) -> str:
    return writer.phrases["each of" if key == "every" else "some of"].format(a=a)


def elements(writer: Speaker, node: tree.Node) -> str:
    """All elements of a list; a tensor's values are theirs."""
    filtered = isinstance(node, tree.Each) and node.condition is not None
    if filtered or trees.is_attribute(node, "values"):
        return writer.noun(node)
    return writer.phrases["elements"].format(a=writer.noun(node))
