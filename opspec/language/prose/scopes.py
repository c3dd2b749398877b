"""The products that a condition is about, apart from the rest of it."""

from __future__ import annotations

from opspec.language import tree
from opspec.language.prose import opposites, trees
from opspec.language.types import BOOL
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
    while isinstance(node, tree.If):
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
    cases = trees.lifted(node) if isinstance(node, tree.Compare) else None
    return node if cases is None or tree.on_products(cases.condition) is None else cases


def by_product(node: tree.If) -> tuple[list[tuple[list[str], tree.Node]], tree.Node] | None:
    """What is so on some products, one after the other, and what on those that are left."""
    cases: list[tuple[list[str], tree.Node]] = []
    rest: tree.Node = node
    while isinstance(rest, tree.If):
        on, more = scope(rest.condition)
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
    if not cases or trees.is_const(rest, True) or isinstance(rest, (tree.If, tree.Implies)):
        return None
    return cases, rest
