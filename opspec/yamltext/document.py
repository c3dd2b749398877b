"""What a text becomes: a plain tree, the place of every value, and the comments."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from opspec.errors import SpecError

if TYPE_CHECKING:
    Tree: TypeAlias = dict[str, "Tree"] | list["Tree"] | str | None
else:
    Tree = object  # the recursive alias exists for the type checker only

Path: TypeAlias = tuple[str | int, ...]

# What a YAML text may not hold unescaped. Stricter than YAML 1.1 in four places: NEL, LS and PS break lines in
# YAML 1.1 and not in 1.2, a lone carriage return breaks lines in YAML and not in editors, so lines would be
# counted in two ways; a byte order mark belongs at the very start, where the reader takes it off.
UNREADABLE = re.compile("[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")


class Place(NamedTuple):
    """A position in a text; both numbers start at 1."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one untrusted text may ask of its reader."""

    size: int = 8 * 1024 * 1024  # bytes of UTF-8
    depth: int = 64  # mappings and lists inside each other
    nodes: int = 200_000  # keys, texts, mappings and lists
    scalar: int = 1024 * 1024  # characters of one text


@dataclass(frozen=True, slots=True)
class Comments:
    """Comments by the path of the node they belong to; each starts with ``#`` and is kept verbatim.

    ``before`` stand on lines of their own ahead of the node, ``trailing`` ends the node's line, ``after`` stand on
    lines of their own behind the node, indented deeper than it. ``after[()]`` is the tail of the file.
    """

    before: Mapping[Path, tuple[str, ...]] = field(default_factory=dict)
    trailing: Mapping[Path, str] = field(default_factory=dict)
    after: Mapping[Path, tuple[str, ...]] = field(default_factory=dict)

    def texts(self) -> list[str]:
        """Every comment, sorted: what must survive a round trip."""
        groups = [*self.before.values(), *self.after.values()]
        return sorted([*self.trailing.values(), *(text for group in groups for text in group)])


@dataclass(frozen=True, slots=True)
class Document:
    """One text as data.

    Args:
        name: the name that errors show, usually the file's.
        value: dict, list, str or None, nested.
        places: where the value at each path starts; ``()`` is the whole document.
        key_places: where the key of each mapping entry starts.
        comments: everything the author wrote behind ``#``.
        source: the text that was read, with plain line ends.
    """

    name: str
    value: Tree
    places: Mapping[Path, Place]
    key_places: Mapping[Path, Place]
    comments: Comments
    source: str = field(default="", repr=False)

    def caret(self, place: Place) -> str:
        """The line of a place, and a second one with a caret under it."""
        lines = self.source.split("\n", place.line)
        return caret(lines[place.line - 1], place.column) if place.line <= len(lines) else ""


class SpecTextError(SpecError):
    """A text that cannot be read; ``caret`` shows the line and points at the column."""


def locate(document: Document, path: Path, *, key: bool = False) -> Place:
    """The place of ``path``, or of the nearest ancestor that exists.

    Parts that the document does not have are stepped over, because a validator puts its own words into a path
    (pydantic names the chosen member of a union).

    Args:
        key: prefer the place of the entry's key, for errors about the key itself.
    """
    found = existing(document, path)
    if key and found in document.key_places:
        return document.key_places[found]
    return document.places[found]


def existing(document: Document, path: Path) -> Path:
    """The parts of ``path`` that the document has, those that it does not have stepped over."""
    found: Path = ()
    for part in path:
        if (*found, part) in document.places:
            found = (*found, part)
    return found


def value_at(document: Document, path: Path) -> Tree:
    """The value at the parts of ``path`` that the document has."""
    value = document.value
    for part in existing(document, path):
        if isinstance(value, dict):
            value = value[str(part)]
        elif isinstance(value, list):
            value = value[int(part)]
    return value


CARET_WIDTH = 120


def caret(line: str, column: int) -> str:
    """The window of ``line`` around ``column`` (1-based), and a second line with a caret below that column.

    Nothing for a line that shows nothing.
    """
    if not line.strip():
        return ""
    start = max(0, min(column - 1 - CARET_WIDTH // 2, len(line) - CARET_WIDTH))
    # The terminal gets neither control characters nor characters that move its cursor.
    shown = "".join(
        " " if char == "\t" else char if char.isprintable() else "\ufffd" for char in line[start : start + CARET_WIDTH]
    )
    # CJK characters fill two columns of a terminal.
    width = sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in shown[: column - 1 - start])
    return f"{shown}\n{' ' * width}^"
