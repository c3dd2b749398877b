"""Statements of generated Python under conditions and in loops, each condition written once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from opspec.language import tree


@dataclass(slots=True)
class Block:
    """Statements under one condition, or for each element of a list.

    Attributes:
        required: statements, with the bounds of the variables in them, that have not been written yet.
        known: expression -> the local that holds its value.
        holds: headers of conditions that hold once the lines have been executed.
        mask: what to report where the condition does not hold.
    """

    outer: Block | None = None
    present: frozenset[str] = frozenset()
    variables: frozenset[str] = frozenset()
    level: int = 0
    loops: int = 0
    required: list[tuple[tree.Node, dict[str, tuple[int, int]]]] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    holds: set[str] = field(default_factory=set)
    known: dict[int, str] = field(default_factory=dict)
    inner: dict[str, Block] = field(default_factory=dict)
    mask: int = 0

    def local(self, key: int) -> str | None:
        """The local that holds an expression here."""
        block: Block | None = self
        while block is not None:
            if key in block.known:
                return block.known[key]
            block = block.outer
        return None

    def under(self, header: str, present: Iterable[str] = (), variables: Iterable[str] = ()) -> Block:
        """The block below ``if …:`` or ``for …:``; there is one for each header."""
        if header not in self.inner:
            self.inner[header] = Block(
                self, self.present.union(present), self.variables.union(variables), self.level + 1,
                self.loops + bool(tuple(variables)),
            )  # fmt: skip
        return self.inner[header]

    def render(self) -> Iterator[str]:
        """The statements; the conditions come last, as locals of this block may occur in them."""
        yield from self.lines
        for header, block in self.inner.items():
            body = list(block.render())
            if header in self.holds:
                yield from body
                continue
            if body or block.mask:
                yield header
                yield from (f" {line}" for line in body or ["pass"])
            if block.mask:
                yield from ("else:", f" u |= {block.mask}")
