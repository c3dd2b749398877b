"""What the rules of an operator say of the values of its attributes: which they read, and which they compare with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from opspec.language import tree
from opspec.model.definition import Definition


@dataclass
class Said:
    """What the expressions of one operator say, read once for all its calls."""

    definition: Definition

    @cached_property
    def _trees(self) -> list[tree.Node]:
        """All expressions of the operator."""
        rules = self.definition.rules
        alternatives = [item for rule in rules for item in rule.alternatives]
        roots = [node for rule in rules for node in (rule.check, rule.when)]
        roots += [node for item in alternatives for node in (item.when, *item.checks)]
        return [node for node in (*roots, *self.definition.lets.values()) if node is not None]

    @cached_property
    def read(self) -> frozenset[str]:
        """The params whose values some expression reads."""
        return frozenset(
            name for node in self._trees for name, facet in self.definition.facts(node) if facet == "value"
        )

    @cached_property
    def compared(self) -> dict[str, set[Any]]:
        """The values that params are compared with, one by one: those of modes, which examples should show."""
        found: dict[str, set[Any]] = {}
        for part in (part for node in self._trees for part in tree.walk(node)):
            for reader, values in _comparisons(part):
                counted = any(isinstance(piece, tree.Length) for piece in tree.walk(reader))
                for name, facet in self.definition.facts(reader) if values and not counted else ():
                    if facet == "value":
                        found.setdefault(name, set()).update(values)
        return found

    @cached_property
    def modes(self) -> frozenset[str]:
        """The integers that rules compare with constants for equality and read in no other way: each that none of the
        constants is, is as good as another."""
        told: set[int] = set()
        for part in (part for node in self._trees for part in tree.walk(node)):
            for reader, values in _comparisons(part):
                if values and isinstance(reader, tree.Param):
                    told.add(id(reader))
        read = [part for node in self._trees for part in tree.walk(node) if isinstance(part, tree.Param)]
        return frozenset(part.name for part in read) - {part.name for part in read if id(part) not in told}

    @cached_property
    def described(self) -> frozenset[str]:
        """The params of which some rule of this operator reads more than whether they are there."""
        rules = [rule for rule in self.definition.rules if rule.kind != "rank-limit"]
        alternatives = [item for rule in rules for item in rule.alternatives]
        roots = [rule.check for rule in rules] + [check for item in alternatives for check in item.checks]
        read = {fact for node in roots for fact in self.definition.facts(node)}
        return frozenset(name for name, facet in read if facet != "presence")

    @cached_property
    def measured(self) -> frozenset[str]:
        """The params of whose dims, not only of their number, some rule speaks."""
        found: set[str] = set()
        for root in self._trees:
            parts = [*tree.walk(root)]
            counted = {id(part.operand) for part in parts if isinstance(part, tree.Length)}
            compared = [part for part in parts if isinstance(part, tree.Compare) and "not in" in part.ops]
            counted |= {id(item) for part in compared for item in part.operands}  # that no dim is 0
            for part in parts:
                if isinstance(part, tree.Attr) and part.name in ("shape", "numel") and id(part) not in counted:
                    named = self.definition.facts(part) or self.definition.facts(root)  # of an element of a list
                    found |= {name for name, facet in named if facet == "shape"}
        return frozenset(found)

    @cached_property
    def negative(self) -> frozenset[str]:
        """The params that a rule lets be negative, as axes are."""
        found: set[str] = set()
        for node in self._trees:
            compared = [part for part in tree.walk(node) if isinstance(part, tree.Compare) and _has_negative(part)]
            parts: list[tree.Node] = [*compared] or [node]
            for part in filter(_has_negative, parts):
                found |= {name for name, facet in self.definition.facts(part) if facet == "value"}
        return frozenset(found)


def _comparisons(node: tree.Node) -> Iterator[tuple[tree.Node, set[Any]]]:
    """(what is compared, the constants that it is compared with for equality)."""
    if isinstance(node, tree.Compare):
        for op, left, right in zip(node.ops, node.operands, node.operands[1:], strict=False):
            if op in ("==", "!=", "in", "not in"):
                yield left, _constants(right)
                yield right, _constants(left)
    elif isinstance(node, tree.Choice):
        for column, cell in (item for row in node.alternatives for item in row):
            yield column, {*cell}


def _constants(node: tree.Node) -> set[Any]:
    parts = node.items if isinstance(node, tree.Seq) else (node,)
    values = {part.value for part in parts if isinstance(part, tree.Const)}
    negated = [part.operand for part in parts if isinstance(part, tree.Unary) and part.op == "-"]
    return values | {-part.value for part in negated if isinstance(part, tree.Const) and isinstance(part.value, int)}


def _has_negative(node: tree.Node) -> bool:
    return any(_is_negative(part) for part in tree.walk(node))


def _is_negative(node: tree.Node) -> bool:
    if isinstance(node, tree.Const):
        return isinstance(node.value, (int, float)) and node.value < 0
    return isinstance(node, tree.Unary) and node.op == "-"
