"""The small notations inside a spec's text: intervals, counts, and symbolic shapes, as trees of the rule language."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass

from opspec.errors import SpecError, shown
from opspec.language import build, tree
from opspec.language.types import INT

_COMPARATOR = re.compile(r"(<=|>=|==|!=|<|>)\s*(.+)", re.S)
_SPAN = re.compile(r"(\d+)\s*-\s*(\d+)")

Read = Callable[[str], tree.Node]


def interval(text: str, subject: tree.Node, read: Read) -> tree.Node:
    """``[1, 65535]``, ``(0, 1]``, ``[0, n)``, ``> 0`` as a comparison of ``subject``; ``inf`` leaves an end open.

    Args:
        read: reads the expression that stands at an end.

    Raises:
        SpecError: it is no interval.
    """
    text = text.strip()
    found = _COMPARATOR.fullmatch(text)
    if found:
        return build.compare([found[1]], [subject, read(found[2])])
    if len(text) < 3 or text[0] not in "[(" or text[-1] not in "])":
        raise SpecError(f"expected a range such as '[0, 8)' or '> 0', found {shown(text)}")
    ends = _split(text[1:-1])
    if len(ends) != 2:
        raise SpecError(f"a range has two ends, found {shown(text)}")
    ops: list[str] = []
    operands = [subject]
    if ends[0] not in ("-inf", ""):
        ops.append("<=" if text[0] == "[" else "<")
        operands.insert(0, read(ends[0]))
    if ends[1] not in ("inf", ""):
        ops.append("<=" if text[-1] == "]" else "<")
        operands.append(read(ends[1]))
    if not ops:
        raise SpecError(f"a range has at least one end, found {shown(text)}")
    return build.compare(ops, operands)


def count(text: str, subject: tree.Node, read: Read) -> tree.Node:
    """``3``, ``2-8``, ``<= 20000``, ``[1, 128)`` or an expression, as a comparison of ``subject``."""
    text = text.strip()
    span = _SPAN.fullmatch(text)
    if span:
        low, high = int(span[1]), int(span[2])
        if low > high:
            raise SpecError(f"a span goes upwards, found {shown(text)}")
        return build.compare(["<=", "<="], [build.constant(low, INT), subject, build.constant(high, INT)])
    if _COMPARATOR.fullmatch(text) or (text[:1] in "[(" and text[-1:] in "])" and len(_split(text[1:-1])) == 2):
        return interval(text, subject, read)
    return build.equal(subject, read(text))


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
    """A symbolic shape.

    Args:
        text: as an expression has it: a tuple.
        star: the position of the starred item.
        names: of each item its name, where it is a bare one.
    """

    text: str
    star: int | None
    names: tuple[str | None, ...]

    @property
    def fixed(self) -> int:
        """Number of items that stand for exactly one dim."""
        return len(self.names) - (self.star is not None)

    def rank_check(self, subject: tree.Node) -> tree.Node:
        """The rank that the pattern asks for."""
        op = ">=" if self.star is not None else "=="
        return build.compare([op], [build.attribute(subject, "rank"), build.constant(self.fixed, INT)])

    def position(self, i: int, subject: tree.Node) -> tree.Node:
        """The part of ``subject.shape`` that item i stands for."""
        shape = build.attribute(subject, "shape")
        after = len(self.names) - 1 - i
        if self.star is None or i < self.star:
            return build.index(shape, i)
        if i > self.star:
            return build.index(shape, -after - 1)
        low = build.constant(i, INT) if i else None
        high = build.constant(-after, INT) if after else None
        return shape if low is None and high is None else build.part(shape, low, high)


def shape_pattern(text: str) -> ShapePattern:
    """Read ``(B, N, S, D)``, ``(*batch, m, k)``, ``(n,)``, ``()``.

    >>> shape_pattern("(*batch, m, k * 2)")
    ShapePattern(text='(*batch, m, k * 2)', star=0, names=('batch', 'm', None))

    Raises:
        SpecError: not a tuple, or more than one starred item.
    """
    text = text.replace("\n", " ").strip()
    try:
        syntax = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise SpecError(f"expected a symbolic shape such as '(B, N, D)', found {shown(text)}") from None
    if not isinstance(syntax, ast.Tuple):
        raise SpecError(f"expected a symbolic shape such as '(B, N, D)' or '(N,)', found {shown(text)}")
    stars = [i for i, item in enumerate(syntax.elts) if isinstance(item, ast.Starred)]
    if len(stars) > 1:
        raise SpecError(f"a symbolic shape has at most one starred item, found {shown(text)}")
    plain = [item.value if isinstance(item, ast.Starred) else item for item in syntax.elts]
    names = tuple(item.id if isinstance(item, ast.Name) else None for item in plain)
    return ShapePattern(text, stars[0] if stars else None, names)
