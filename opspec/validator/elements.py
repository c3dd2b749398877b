"""What messages call the elements that a comprehension's variables stand for: ``x1[1]``, ``x.shape[2]``.

The words of a rule are made before it is known which element fails: in them a mark stands for its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from opspec.language import tree
from opspec.language.text import write

Names = Mapping[str, str]  # variable -> what is said in its place

NO_NAMES: Names = {}
DEEPEST = 3  #: comprehensions in one another whose elements have names
NEXT = 16  #: what the mark of a list that is read from its second element on has more


def names(node: tree.Binder, outer: Names, depth: int) -> Names:
    """The names of a comprehension's variables and of those outside; a variable without one is called as it is.

    Args:
        depth: how many comprehensions it is in, at least 1 with itself.
    """
    found = {variable: name for variable, name in outer.items() if variable not in node.variables}
    if depth <= DEEPEST and len(node.sources) == len(node.variables):
        for variable, source in zip(node.variables, node.sources, strict=True):
            name = _name(source, outer, depth)
            if name is not None:
                found[variable] = name
    return found


def _name(source: tree.Node, outer: Names, depth: int) -> str | None:
    """What an element of an argument, or of something that is read of a tensor, is called."""
    mark = depth
    if isinstance(source, tree.Slice):
        first = 0 if source.low is None else source.low.value if isinstance(source.low, tree.Const) else None
        if first not in (0, 1):
            return None
        mark, source = depth + NEXT * int(first), source.base
    root = source.base if isinstance(source, tree.Attr) else source
    if isinstance(root, tree.Param) or (isinstance(root, tree.Var) and root.name in outer):
        return f"{write(named(source, outer))}[{chr(mark)}]"
    return None


def named(node: tree.Node, known: Names) -> tree.Node:
    """A part of a rule with names in place of variables."""
    if not known:
        return node
    if isinstance(node, tree.Var):
        return tree.Var(known.get(node.name, node.name), node.type, node.column)
    inner = known
    if isinstance(node, tree.Binder):
        inner = {variable: name for variable, name in known.items() if variable not in node.variables}
    return tree.rebuilt_in_scope(node, lambda part: named(part, known), lambda part: named(part, inner))


def placed(text: str, places: Sequence[int]) -> str:
    """Words with the places of the elements that fail in them, that of the outermost list first."""
    for depth, place in enumerate(places[:DEEPEST], 1):
        text = text.replace(chr(depth), str(place)).replace(chr(depth + NEXT), str(place + 1))
    return text
