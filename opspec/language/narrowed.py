"""Conditions as they are on one product: what they say of others is decided, and falls away."""

from __future__ import annotations

from opspec.language import build, tree
from opspec.language.types import BOOL
from opspec.vocabulary import products


def on_product(node: tree.Node, product: str) -> tree.Node:
    """A tree on a product: ``product == '910b' and a`` is ``a`` on 910b, and false on others.

    Args:
        product: an id; what is said of members of products stays as it is.
    """
    node = tree.rebuilt(node, lambda part: on_product(part, product))
    found = tree.on_products(node)
    if found is not None and found.ids and set(found.ids) <= set(products.ids()):
        return build.TRUE if found.holds(product) else build.FALSE
    match node:
        case tree.Logic():
            return _decided(node)
        case tree.Unary(op="not", operand=tree.Const(value=bool() as value)):
            return build.FALSE if value else build.TRUE
        case tree.If(condition=tree.Const(value=bool() as value)):
            return node.then if value else node.other
        case tree.Implies(condition=tree.Const(value=bool() as value)):
            return tree.Given(node.then, BOOL) if value else build.TRUE
        case tree.Given(operand=tree.Const()):
            return node.operand
    return node


def _decided(node: tree.Logic) -> tree.Node:
    """``and`` and ``or`` without what is decided."""
    decisive, idle = (build.FALSE, build.TRUE) if node.op == "and" else (build.TRUE, build.FALSE)
    if decisive in node.items:
        return decisive
    items = tuple(item for item in node.items if item != idle)
    if len(items) < 2:
        return items[0] if items else idle
    return tree.Logic(node.op, items, node.type)
