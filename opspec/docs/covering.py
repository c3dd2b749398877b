"""Rules that require the same under conditions of which one always holds: a page says what they require once."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping

from opspec.docs.saying import Sayings
from opspec.language import tree
from opspec.language.text import write
from opspec.model.definition import RuleDef

_MOST_ATOMS = 6  # conditions that are tried in every combination
#: comparisons with a number that say of a count whether it is 0, and what they say
_ZERO = {("==", 0): True, ("<=", 0): True, ("<", 1): True, ("!=", 0): False, (">", 0): False, (">=", 1): False}
_COUNTS = ("numel", "rank")
_DENIED = {"!=": "==", "not in": "in"}


def covered(rules: Iterable[RuleDef], sayings: Sayings) -> dict[str, tuple[RuleDef, ...]]:
    """Sets of rules that require the same of every call, each by the id of its first."""
    groups: dict[tuple[str, str | None, str], list[RuleDef]] = {}
    for rule in rules:
        if not rule.alternatives and rule.say is None and rule.when is not None:
            groups.setdefault((write(rule.check), rule.param, sayings.mark(rule)), []).append(rule)
    products = [name for name, value in sayings.spec.products.items() if value == "yes"]
    return {
        group[0].id: tuple(group)
        for group in groups.values()
        if len(group) > 1 and _one_holds([rule.when for rule in group if rule.when is not None], products)
    }


def _one_holds(conditions: list[tree.Node], products: list[str]) -> bool:
    """Whether on every product, whatever is so of the parts of these conditions, one of them holds."""
    atoms = sorted({name for condition in conditions for name in _atoms(condition)})
    if len(atoms) > _MOST_ATOMS:
        return False
    return all(
        any(_holds(condition, dict(zip(atoms, values, strict=True)), product) for condition in conditions)
        for product in products
        for values in itertools.product((False, True), repeat=len(atoms))
    )


def _atoms(node: tree.Node) -> set[str]:
    """The parts of a condition that are neither joined nor about the product."""
    parts = _joined(node)
    if parts is not None:
        return {name for part in parts for name in _atoms(part)}
    return set() if tree.on_products(node) is not None else {_atom(node)[0]}


def _holds(node: tree.Node, known: Mapping[str, bool], product: str) -> bool:
    parts = _joined(node)
    if parts is not None:
        found = [_holds(part, known, product) for part in parts]
        if isinstance(node, tree.Logic):
            return all(found) if node.op == "and" else any(found)
        return not found[0]
    on = tree.on_products(node)
    if on is not None:
        return on.holds(product)
    name, holds = _atom(node)
    return known[name] == holds


def _joined(node: tree.Node) -> tuple[tree.Node, ...] | None:
    """What a condition joins or denies."""
    if isinstance(node, tree.Logic):
        return node.items
    return (node.operand,) if isinstance(node, tree.Unary) and node.op == "not" else None


def _atom(node: tree.Node) -> tuple[str, bool]:
    """A name for what a condition is about, the same for its opposite, and which of the two it is."""
    if isinstance(node, tree.Compare) and len(node.ops) == 1:
        left, right = node.operands
        if isinstance(left, tree.Attr) and left.name in _COUNTS and isinstance(right, tree.Const):
            empty = _ZERO.get((node.ops[0], right.value)) if isinstance(right.value, int) else None
            if empty is not None:
                return f"{write(left)} == 0", empty
        denied = _DENIED.get(node.ops[0])
        if denied is not None:
            return f"{write(left)} {denied} {write(right)}", False
        return f"{write(left)} {node.ops[0]} {write(right)}", True
    return write(node), True
