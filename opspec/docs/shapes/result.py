"""Shapes in letters, as pages show them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from opspec.language import tree

_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape: of each item its text, dims in any number with a star."""

    items: tuple[str, ...]

    def __str__(self) -> str:
        return f"[{', '.join(self.items)}]"

    @property
    def is_open(self) -> bool:
        """Whether it says nothing of any dim but that it is there."""
        return set(self.items) <= {OPEN, ALONE}

    @property
    def stars(self) -> set[str]:
        """The letters of its dims in any number."""
        return {word for item in self.items if item.startswith("*") for word in _WORD.findall(item)}

    def is_counted(self, known: set[str]) -> bool:
        """Whether it says how many dims there are, where it is known for some letters how many they stand for."""
        return OPEN not in self.items and all(
            not known.isdisjoint(_WORD.findall(item)) for item in self.items if item.startswith("*")
        )


#: in texts that are not done: a place for the letter of a dim (d) or of dims in any number (s), by number
OPEN_PLACE = re.compile("\x00([ds])(\\d+)\x00")
OPEN = "..."  #: any number of dims of which nothing else is said
ALONE = "_"  #: one such dim


@dataclass(frozen=True, slots=True)
class Letter:
    """What a letter stands for, and its formula where that can be written with letters."""

    node: tree.Node
    formula: str


@dataclass(frozen=True, slots=True)
class Shapes:
    """What a page shows.

    Args:
        of: param -> its shapes, of which it has one; none of what no rule relates and whose dims are not counted.
        letters: what letters stand for that are no dims to be seen.
        named: letters that the spec, a data format or products of matrices give dims.
        told: rule -> the param whose shape says all that it says.
        is_usual: whether they are those of the usual case: of tensors with elements and dims.
        free: letters that neither the spec nor a layout gives.
        layouts: param with several shapes -> the layouts that each is for.
    """

    of: Mapping[str, tuple[Shape, ...]]
    letters: Mapping[str, Letter]
    named: frozenset[str]
    told: Mapping[str, str]
    is_usual: bool
    free: frozenset[str] = frozenset()
    layouts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
