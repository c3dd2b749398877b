"""The small notations inside a spec's text: intervals, counts, and symbolic shapes.

Each becomes expression text of the rule language; nothing here is evaluated.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from opspec.errors import OpspecError, shown
from opspec.language.functions import FORMS, FUNCTIONS

_COMPARATOR = re.compile(r"(<=|>=|==|!=|<|>)\s*(.+)", re.S)
_SPAN = re.compile(r"(\d+)\s*-\s*(\d+)")


class PatternError(OpspecError):
    """A notation that cannot be read."""


def interval(text: str, subject: str) -> str:
    """``[1, 65535]``, ``(0, 1]``, ``[0, n)``, ``> 0`` as a comparison of ``subject``; ``inf`` leaves an end open."""
    text = text.strip()
    found = _COMPARATOR.fullmatch(text)
    if found:
        return f"{subject} {found[1]} {_operand(found[2])}"
    if len(text) < 3 or text[0] not in "[(" or text[-1] not in "])":
        raise PatternError(f"expected a range such as '[0, 8)' or '> 0', found {shown(text)}")
    ends = _split(text[1:-1])
    if len(ends) != 2:
        raise PatternError(f"a range has two ends, found {shown(text)}")
    low = "" if ends[0] in ("-inf", "") else f"{_operand(ends[0])} {'<=' if text[0] == '[' else '<'} "
    high = "" if ends[1] in ("inf", "") else f" {'<=' if text[-1] == ']' else '<'} {_operand(ends[1])}"
    if not low and not high:
        raise PatternError(f"a range has at least one end, found {shown(text)}")
    return f"{low}{subject}{high}"


def count(text: str, subject: str) -> str:
    """``3``, ``2-8``, ``<= 20000``, ``[1, 128)`` or an expression, as a comparison of ``subject``."""
    text = text.strip()
    span = _SPAN.fullmatch(text)
    if span:
        if int(span[1]) > int(span[2]):
            raise PatternError(f"a span goes upwards, found {shown(text)}")
        return f"{span[1]} <= {subject} <= {span[2]}"
    if _COMPARATOR.fullmatch(text) or (text[:1] in "[(" and text[-1:] in "])" and len(_split(text[1:-1])) == 2):
        return interval(text, subject)
    return f"{subject} == {_operand(text)}"


def _operand(text: str) -> str:
    """An expression that may stand beside a comparison operator."""
    text = text.strip()
    return text if re.fullmatch(r"-?[A-Za-z0-9_.]+", text) else f"({text})"


def _split(text: str) -> list[str]:
    """The parts of a text between commas that stand in no bracket."""
    parts, depth, start = [], 0, 0
    for i, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    return [*parts, text[start:].strip()]


@dataclass(frozen=True, slots=True)
class ShapePattern:
    """A symbolic shape: each item's text, the position of the starred one, and which items are bare names."""

    text: str
    items: tuple[str, ...]
    star: int | None
    names: tuple[str | None, ...]

    @property
    def fixed(self) -> int:
        """Number of items that stand for exactly one dim."""
        return len(self.items) - (self.star is not None)

    def rank_check(self, subject: str) -> str:
        """The rank the pattern asks for."""
        return f"{subject}.rank {'>=' if self.star is not None else '=='} {self.fixed}"

    def position(self, i: int, subject: str) -> str:
        """The part of ``subject.shape`` that item i stands for."""
        if self.star is None or i < self.star:
            return f"{subject}.shape[{i}]"
        after = len(self.items) - 1 - i
        if i > self.star:
            return f"{subject}.shape[{-after - 1}]"
        start, stop = str(i) if i else "", str(-after) if after else ""
        return f"{subject}.shape[{start}:{stop}]" if start or stop else f"{subject}.shape"


def shape_pattern(text: str) -> ShapePattern:
    """Read ``(B, N, S, D)``, ``(*batch, m, k)``, ``(n,)``, ``()``.

    Raises:
        PatternError: not a tuple, or more than one starred item.
    """
    try:
        syntax = ast.parse(text.replace("\n", " ").strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise PatternError(f"expected a symbolic shape such as '(B, N, D)', found {shown(text)}") from None
    if not isinstance(syntax, ast.Tuple):
        raise PatternError(f"expected a symbolic shape such as '(B, N, D)' or '(N,)', found {shown(text)}")
    stars = [i for i, item in enumerate(syntax.elts) if isinstance(item, ast.Starred)]
    if len(stars) > 1:
        raise PatternError(f"a symbolic shape has at most one starred item, found {shown(text)}")
    plain = [item.value if isinstance(item, ast.Starred) else item for item in syntax.elts]
    names = tuple(item.id if isinstance(item, ast.Name) else None for item in plain)
    return ShapePattern(text, tuple(ast.unparse(item) for item in plain), stars[0] if stars else None, names)


def dims_in(pattern: ShapePattern) -> list[str]:
    """All names a pattern mentions, functions left out."""
    found: dict[str, None] = {}
    for item in pattern.items:
        syntax = ast.parse(item, mode="eval")
        for node in ast.walk(syntax):
            if isinstance(node, ast.Name) and node.id not in FUNCTIONS and node.id not in FORMS:
                found[node.id] = None
    return list(found)
