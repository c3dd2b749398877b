"""Statements in fewer words: numbers computed, cases that are alike as one, conditions inside of nouns as cases."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from functools import lru_cache

from opspec.language import tree
from opspec.language.prose.trees import count, number
from opspec.language.types import BOOL, INT, INT64

_IDENTITY = {"+": 0, "-": 0, "*": 1, "//": 1}
_COMPUTED = {"+": operator.add, "-": operator.sub, "*": operator.mul}


@lru_cache(maxsize=8192)  # of a statement, in both languages and of a param that others may stand for
def folded(node: tree.Node) -> tree.Node:
    """The same statement: ``x * 1`` is ``x``, ``16 * 256`` is ``4096``, ``a if c else a`` is ``a``."""
    node = tree.rebuilt(node, folded)
    if isinstance(node, tree.If) and node.then == node.other:
        return node.then
    return _arithmetic(node) if isinstance(node, tree.Binary) and node.type == INT else node


def _arithmetic(node: tree.Binary) -> tree.Node:
    left, right = number(node.left), number(node.right)
    if right is not None and right == _IDENTITY.get(node.op):
        return node.left
    if left is not None and node.op in ("+", "*") and left == _IDENTITY[node.op]:
        return node.right
    compute = _COMPUTED.get(node.op)
    if compute is None or left is None or right is None:
        return node
    found: int = compute(left, right)
    return tree.Const(found, INT) if found in INT64 else node


# --- conditions inside of nouns

_MOST_CASES = 2  # conditions inside of the nouns of one statement that become cases of it
_MOST_LIFTED = 120  # nodes of a statement that is written once for each case


@lru_cache(maxsize=8192)
def lifted(node: tree.Node) -> tree.If | None:
    """``x[1 if c else 0] == 2`` as cases: ``x[1] == 2 if c else x[0] == 2``; None where no condition is inside."""
    conditions: list[tree.Node] = []
    for part in _nouns(node):
        if isinstance(part, tree.If) and part.condition not in conditions:
            conditions.append(part.condition)
    if not conditions or len(conditions) > _MOST_CASES or count(node, _MOST_LIFTED) > _MOST_LIFTED:
        return None
    first = conditions[0]
    then, other = (folded(_decided(node, first, value)) for value in (True, False))
    return tree.If(first, then, other, BOOL)


def _nouns(node: tree.Node) -> Iterator[tree.Node]:
    """The parts of a statement that are read where it is, not element by element, parents first."""
    for part in tree.children(node):
        yield part
        if isinstance(part, tree.Each):
            yield from _nouns(part.source)
        else:
            yield from _nouns(part)


def _decided(node: tree.Node, condition: tree.Node, value: bool) -> tree.Node:
    if isinstance(node, tree.If) and node.condition == condition:
        return _decided(node.then if value else node.other, condition, value)
    return tree.rebuilt(node, lambda part: _decided(part, condition, value))
