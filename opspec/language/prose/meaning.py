"""What conditions with names mean in a sentence, and how sentences of statements begin."""

from __future__ import annotations

from opspec.language import tree
from opspec.language.prose import patterns, subjects, trees
from opspec.language.types import BOOL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.language.prose.writer import Writer

_EXPANDED = 14  # nodes of a condition with a name that is said by what it stands for


def meant(writer: Writer, node: tree.Node) -> tree.Node:
    """What a condition with a name stands for, where its sentence says that."""
    if not isinstance(node, tree.Let):
        return node
    found = writer.terms.trees.get(node.name)
    return node if found is None or trees.count(found, _EXPANDED) > _EXPANDED else found


def meant_plainly(writer: Writer, node: tree.Node) -> tree.Node:
    """What a condition with a name stands for, without what goes without saying."""
    inner = meant(writer, node)
    if isinstance(inner, tree.Logic) and inner.op == "and":
        items = patterns.without_presence(inner.items)
        return items[0] if len(items) == 1 else inner
    return inner


def alternatives(writer: Writer, node: tree.Logic) -> tree.Logic:
    """Alternatives with what conditions with names among them stand for."""
    return tree.Logic("or", tuple(meant_plainly(writer, item) for item in node.items), BOOL)


def implied(writer: Writer, node: tree.Node) -> tree.Node:
    """Alternatives of which all but one are circumstances as what must be under the opposite ones."""
    if not isinstance(node, tree.Logic) or node.op != "or":
        return node
    plain = alternatives(writer, node)
    if trees.one_of(plain) is not plain or trees.more_on(plain) is not None:
        return node
    found = patterns.as_implication(plain)
    return node if found is None else tree.Implies(*found, BOOL)


def is_conditional(writer: Writer, node: tree.Node) -> bool:
    """Whether its sentence begins with a condition."""
    if isinstance(node, tree.Logic) and writer.mood == 0:
        if node.op == "or":
            return isinstance(implied(writer, node), tree.Implies)
        return any(is_conditional(writer, item) for item in node.items)
    return subjects.is_conditional(node)


def is_loose(writer: Writer, node: tree.Node) -> bool:
    """Whether a sentence that goes on behind it would be read as a part of it."""
    inner = meant(writer, node)
    if isinstance(inner, tree.Logic) and inner.op == "or":
        return trees.one_of(inner) is inner and subjects.said_of(inner.items)[1] is None
    return is_conditional(writer, inner)
