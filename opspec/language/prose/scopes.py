"""The products that a condition is about, apart from the rest of it."""

from __future__ import annotations

from opspec.language import tree
from opspec.language.prose import folding, opposites, trees
from opspec.language.types import BOOL, PRODUCT, list_of
from opspec.vocabulary import products


def scope(when: tree.Node) -> tuple[tree.OnProducts | None, tree.Node | None]:
    """The products that a condition is about, and the rest of it."""
    on = tree.on_products(when)
    if on is not None:
        return on, None
    if isinstance(when, tree.Unary) and when.op == "not":
        opposite = tree.on_products(opposites.negated(when.operand))
        if opposite is not None:
            return opposite, None
    if isinstance(when, tree.Logic) and when.op == "and":
        for number, item in enumerate(when.items):
            on = tree.on_products(item)
            if on is not None:
                rest = when.items[:number] + when.items[number + 1 :]
                return on, rest[0] if len(rest) == 1 else tree.Logic("and", rest, BOOL)
    return None, when


def _settled(node: tree.Node, names: list[str]) -> tree.Node:
    """What is so on some products, without what is so on others."""
    while isinstance(node := _by_product(node), tree.If):
        on, more = scope(node.condition)
        if on is None or more is not None:
            return node
        here, there = (node.then, node.other) if on.inside else (node.other, node.then)
        if set(names) <= set(on.ids):
            node = here
        elif {products.owner(name) for name in names}.isdisjoint(map(products.owner, on.ids)):
            node = there
        else:
            return node
    return node


def _by_product(node: tree.Node) -> tree.Node:
    """A comparison whose values differ by product as one for each of them."""
    cases = folding.lifted(node) if isinstance(node, tree.Compare) else None
    return node if cases is None or tree.on_products(cases.condition) is None else cases


def _is_by_product(node: tree.Node) -> bool:
    """Whether what is so otherwise differs by product."""
    return isinstance(node, tree.If) and scope(node.condition)[0] is not None


def _nested(node: tree.If, on: tree.OnProducts, more: tree.Node) -> tree.If:
    """``a if product == p and c else b`` as ``(a if c else b) if product == p else b``."""
    listed = tree.Seq(on.named, (False,) * len(on.named), list_of(PRODUCT))
    where = tree.Compare(("in" if on.inside else "not in",), (tree.Product(PRODUCT), listed), BOOL)
    here = tree.If(more, node.then, _settled(node.other, on.ids) if on.inside else node.other, BOOL)
    return tree.If(where, here, node.other, BOOL)


def by_product(node: tree.If, named: bool) -> tuple[list[tuple[list[str], tree.Node]], tree.Node] | None:
    """What is so on some products, one after the other, and what on those that are left.

    Args:
        named: whether these have names, so that what is otherwise so on some and on these may be told of each.
    """
    cases: list[tuple[list[str], tree.Node]] = []
    rest: tree.Node = node
    while isinstance(rest, tree.If):
        on, more = scope(rest.condition)
        if on is not None and more is not None and (named or cases or _is_by_product(rest.other)):
            rest, more = _nested(rest, on, more), None
        if on is None or more is not None:
            break
        seen = [name for before, _ in cases for name in before]
        names = [name for name in on.ids if name not in seen]
        here, there = (rest.then, rest.other) if on.inside else (rest.other, rest.then)
        if not names:
            rest = there
            continue
        here = _settled(here, names)
        if isinstance(here, tree.Implies) or trees.is_const(here, True):
            return None
        if {products.owner(name) for name in seen} & {products.owner(name) for name in names}:
            return None  # what is left of these is none of their names
        cases.append((names, here))
        rest = _by_product(there)
    if not cases or trees.is_const(rest, True) or isinstance(rest, tree.Implies):
        return None
    return cases, rest
