"""What whoever makes sentences asks of trees: literals, choices of values."""

from __future__ import annotations

from opspec.language import tree
from opspec.language.types import BOOL, list_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeGuard


def number(node: tree.Node | None) -> int | None:
    """The integer that a literal is, with its sign."""
    if isinstance(node, tree.Unary) and node.op == "-":
        inner = number(node.operand)
        return None if inner is None else -inner
    plain = isinstance(node, tree.Const) and isinstance(node.value, int) and not isinstance(node.value, bool)
    return node.value if plain else None  # type: ignore[union-attr,return-value]


def is_const(node: tree.Node, value: object) -> bool:
    """Whether a node is this literal; True is no 1."""
    return isinstance(node, tree.Const) and node.value is value


def is_any_multiple(node: tree.Node) -> bool:
    """Whether a statement is that something is a multiple of one: so is all; a case without limit says that."""
    left = node.operands[0] if isinstance(node, tree.Compare) and node.ops == ("==",) else None
    return isinstance(left, tree.Binary) and left.op == "%" and number(left.right) == 1


def is_attribute(node: tree.Node, name: str) -> TypeGuard[tree.Attr]:
    """Whether a node is this attribute of something."""
    return isinstance(node, tree.Attr) and node.name == name


def count(node: tree.Node, most: int) -> int:
    """How many nodes a tree has, as far as it matters."""
    found = 0
    for _ in tree.walk(node):
        found += 1
        if found > most:
            break
    return found


def columns(node: tree.Node) -> tuple[tree.Node, ...] | None:
    """What a table of combinations is about; None of any other node."""
    return node.columns if isinstance(node, tree.Table) else None


# --- choices of values


def one_of(node: tree.Node) -> tree.Node:
    """``x == a or x == b`` as ``x in (a, b)``; any other statement as it is."""
    if not isinstance(node, tree.Logic) or node.op != "or":
        return node
    found = [item for item in node.items if isinstance(item, tree.Compare) and item.ops == ("==",)]
    things = {id(item): item.operands[0] for item in found}
    if len(found) < len(node.items) or any(thing != found[0].operands[0] for thing in things.values()):
        return node
    values = tuple(item.operands[1] for item in found)
    listed = tree.Seq(values, (False,) * len(values), list_of(values[0].type))
    return tree.Compare(("in",), (found[0].operands[0], listed), BOOL)


def more_on(node: tree.Logic) -> tree.If | None:
    """``x in (a, b) or x == c and product == p`` as ``x in (a, b, c) if product == p else x in (a, b)``."""
    if node.op != "or" or len(node.items) != 2:
        return None
    few, rest = node.items
    if not isinstance(rest, tree.Logic) or rest.op != "and" or len(rest.items) != 2:
        return None
    where = next((item for item in rest.items if _is_inside(item)), None)
    others = next((item for item in rest.items if item is not where), None)
    a, b = choices(few), None if others is None else choices(others)
    if where is None or a is None or b is None or a[0] != b[0]:
        return None
    thing, listed = a[0], tuple(dict.fromkeys((*a[1], *b[1])))
    kind = list_of(thing.type)
    all_, some = (
        tree.Compare(("in",), (thing, tree.Seq(items, (False,) * len(items), kind)), BOOL) for items in (listed, a[1])
    )
    return tree.If(where, all_, some, BOOL)


def choice_on(node: tree.Node) -> tuple[tree.OnProducts, tree.Node, tuple[tree.Node, ...]] | None:
    """Of ``x in (a, b) and product == p`` the products, x, and a and b."""
    if not isinstance(node, tree.Logic) or node.op != "and" or len(node.items) != 2:
        return None
    where = next((item for item in node.items if tree.on_products(item) is not None), None)
    on = tree.on_products(where)
    found = choices(node.items[0] if where is node.items[1] else node.items[1])
    return None if on is None or found is None else (on, *found)


def _is_inside(node: tree.Node) -> bool:
    """Whether a condition names the products on which it holds."""
    on = tree.on_products(node)
    return on is not None and on.inside


def privacy(condition: tree.Node) -> tuple[tree.Node, bool] | None:
    """The data format that a condition says is private, or is not, and which."""
    denied = isinstance(condition, tree.Unary) and condition.op == "not"
    asked = condition.operand if isinstance(condition, tree.Unary) and denied else condition
    private = isinstance(asked, tree.Call) and asked.function == "is_private"
    return (asked.args[0], not denied) if private else None  # type: ignore[union-attr]


def choices(node: tree.Node) -> tuple[tree.Node, tuple[tree.Node, ...]] | None:
    """The thing and the constants of ``x in (a, b)`` or ``x == a``."""
    if not isinstance(node, tree.Compare) or node.ops not in (("in",), ("==",)):
        return None
    thing, right = node.operands
    items = right.items if isinstance(right, tree.Seq) and node.ops == ("in",) else (right,)
    return (thing, items) if all(isinstance(item, tree.Const) for item in items) else None
