"""Pictures of a page, as SVG: what a shape, a layout or a table of indices means, where the spec has it.

Each is drawn for the params of the operator and the values that its spec lists, in the colour of the text around it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from opspec.docs import glossary
from opspec.docs.saying import Sayings
from opspec.docs.shapes import opening
from opspec.model.spec import Param

CELL = 22  # height of a cell, and width of a small one
WIDE = 54  # width of a cell with a name in it
LETTER = 6.8  # width of a character, at most
PAIR = 30  # width of a cell with two names of one letter
GAP = 40  # between pictures that stand side by side
LABEL = 76  # width of what stands before a row


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture.

    Args:
        title: what it shows, also for those who do not see it.
        svg: markup.
    """

    title: str
    svg: str


def figures(sayings: Sayings) -> tuple[Figure, ...]:
    """The pictures of an operator."""
    found = (draw(sayings) for draw in (_broadcast, _layouts, _blocks, _groups))
    return tuple(figure for figure in found if figure is not None)


class _Drawing:
    """Collects cells and texts, and keeps how large they are."""

    def __init__(self) -> None:
        self.cells: list[str] = []
        self.texts: list[str] = []
        self.width = self.height = 0.0

    def cell(
        self, x: float, y: float, width: float = CELL, text: str = "", *, shade: float = 0, faint: bool = False
    ) -> None:
        """A box with a text; a faint one is not there in memory."""
        look = f' fill-opacity="{shade:g}"' * bool(shade) + ' stroke-dasharray="3 2" stroke-opacity=".5"' * faint
        self.cells.append(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{CELL}"{look}/>')
        if text:
            self.text(x + width / 2, y + 15, text)
        self._reach(x + width, y + CELL)

    def text(self, x: float, y: float, text: str, *, ends: bool = False) -> None:
        """A text, its middle at x, or its end."""
        look = ' text-anchor="end"' * ends
        self.texts.append(f'<text x="{x:g}" y="{y:g}"{look}>{escape(text)}</text>')
        self._reach(x if ends else x + LETTER / 2 * len(text), y + 4)

    def _reach(self, x: float, y: float) -> None:
        self.width, self.height = max(self.width, x), max(self.height, y)

    def figure(self, title: str) -> Figure:
        """The picture, with its title."""
        width, height = self.width + 2, self.height + 2
        return Figure(
            title,
            f'<svg role="img" viewBox="-1 -1 {width:g} {height:g}" width="{width:g}" height="{height:g}" '
            f'fill="currentColor"><title>{escape(title)}</title>'
            f'<g stroke="currentColor" fill-opacity="0">{"".join(self.cells)}</g>'
            f'<g font-size="11" text-anchor="middle">{"".join(self.texts)}</g></svg>',
        )


def _broadcast(sayings: Sayings) -> Figure | None:
    """Two inputs whose shapes are broadcast against each other alone, and what comes out."""
    of = {name: str(found[0]) for name, found in opening(sayings.definition).of.items() if len(found) == 1}
    out = next((name for name, shape in of.items() if re.fullmatch(r"\[\*broadcast\((\w), (\w)\)\]", shape)), None)
    if out is None:
        return None
    letters = re.findall(r"\w(?=[,)])", of[out].removeprefix("[*broadcast"))
    names = [next((name for name, shape in of.items() if shape == f"[*{letter}]"), "") for letter in letters]
    if not all(names):
        return None
    drawing = _Drawing()
    x = 0.0
    for place, (name, shape) in enumerate(((names[0], (2, 1)), (names[1], (1, 3)), (out, (2, 3)))):
        drawing.text(x + 1.5 * PAIR, 12, f"{name} [{shape[0]}, {shape[1]}]")
        for row, column in itertools.product(range(2), range(3)):
            real = row < shape[0] and column < shape[1]
            text = (str(row + 1), "abc"[column], f"{row + 1}, {'abc'[column]}")[place]
            drawing.cell(x + column * PAIR, 20 + row * CELL, PAIR, text, shade=0.12 * real, faint=not real)
        x += 3 * PAIR + GAP
        if place < 2:
            drawing.text(x - GAP / 2, 20 + CELL + 4, ",→"[place])
    return drawing.figure(sayings.words["figure_broadcast"])


_AXES = re.compile(r"(?=[BSNT]{2,3}[DH])[BSNT]+[DH]|[BS]{2}H")
_BATCH, _HEADS = (2, 1), 2  # tokens of each sequence, heads


def _layouts(sayings: Sayings) -> Figure | None:
    """In which order memory has tokens and heads, for each layout that a param names."""
    for param in sayings.spec.params:
        known = [str(value) for value in param.enum or () if _AXES.fullmatch(str(value))]
        if known:
            return _strips(sayings, param.name, known)
    return None


def _strips(sayings: Sayings, name: str, layouts: Sequence[str]) -> Figure:
    drawing = _Drawing()
    drawing.text(LABEL - 8, 12, name, ends=True)
    for row, layout in enumerate(layouts):
        y = 20 + row * (CELL + 6)
        drawing.text(LABEL - 8, y + 15, layout, ends=True)
        for place, (batch, token, head) in enumerate(_order(layout)):
            width = WIDE * (_HEADS if head is None else 1)
            text = f"b{batch} s{token}" + ("" if head is None else f" n{head}")
            drawing.cell(LABEL + place * width, y, width, text, shade=0.18 * batch, faint=token >= _BATCH[batch])
    return drawing.figure(sayings.words["figure_layouts"])


def _order(layout: str) -> Iterator[tuple[int, int, int | None]]:
    """(sequence, token, head) as memory has them; None for all heads of a token."""
    longest = max(_BATCH)
    packed = [(batch, token) for batch, count in enumerate(_BATCH) for token in range(count)]
    values: dict[str, Sequence[Any]] = {
        "B": range(len(_BATCH)), "S": range(longest), "N": range(_HEADS), "T": packed, "H": (None,), "D": (0,),
    }  # fmt: skip
    for one in itertools.product(*(values[axis] for axis in layout)):
        at = dict(zip(layout, one, strict=True))
        batch, token = at["T"] if "T" in at else (at["B"], at["S"])
        yield batch, token, None if "H" in at else at["N"]


def _blocks(sayings: Sayings) -> Figure | None:
    """How a block table leads from the tokens of a sequence to the blocks of a cache."""
    param = _of_term(sayings, "block-table")
    if param is None:
        return None
    drawing = _Drawing()
    drawing.text(LABEL + CELL, 12, param.name)
    table = ((3, 0), (1, None))
    for row, blocks in enumerate(table):
        y = 20 + row * CELL
        drawing.text(LABEL - 8, y + 15, f"b{row}", ends=True)
        for column, block in enumerate(blocks):
            drawing.cell(
                LABEL + column * CELL,
                y,
                text="" if block is None else str(block),
                shade=0.18 * row * (block is not None),
                faint=block is None,
            )
    size = next((one.name for one in sayings.spec.params if one.name.lower() == "blocksize"), "")
    x = LABEL + 4 * CELL
    drawing.text(x + 2 * WIDE * 1.4, 12, sayings.words["figure_cache"].format(size or "blockSize"))
    owner = {block: (row, place) for row, blocks in enumerate(table) for place, block in enumerate(blocks)}
    for block in range(4):
        row, place = owner.get(block, (0, -1))
        text = "" if place < 0 else f"b{row} #{place}"
        drawing.cell(x + block * WIDE * 1.4, 20 + CELL / 2, WIDE * 1.4, text, shade=0.18 * row, faint=place < 0)
        drawing.text(x + (block + 0.5) * WIDE * 1.4, 20 + 2.5 * CELL, str(block))
    return drawing.figure(sayings.words["figure_blocks"].format(param.name))


def _groups(sayings: Sayings) -> Figure | None:
    """How groups of rows meet their own matrices."""
    param = _of_term(sayings, "group-list")
    names = {one.name for one in sayings.definition.params if one.kind in ("tensor", "tensor_list")}
    rows, weight = (
        next((one for one in ("x", "x1") if one in names), ""),
        next((one for one in ("weight", "x2") if one in names), ""),
    )
    out = next((one.name for one in sayings.spec.params if one.io == "out"), "")
    modes = next((one.enum for one in sayings.spec.params if one.name == "groupType"), None)
    if param is None or not rows or not weight or not out or (modes is not None and "0" not in map(str, modes)):
        return None
    drawing = _Drawing()
    counts = (2, 1, 3)
    y, ends = 20.0, 0
    for name, x in ((rows, LABEL + 44), (weight, LABEL + 2.75 * WIDE + 12), (out, LABEL + 4 * WIDE + 56)):
        drawing.text(x, 12, name)
    for group, count in enumerate(counts):
        ends += count
        drawing.text(LABEL - 8, y + 11 * count + 4, f"{count} ({ends})", ends=True)
        for row in range(count):
            drawing.cell(LABEL, y + row * CELL, 2 * WIDE - 20, shade=0.15 * group)
            drawing.cell(LABEL + 4 * WIDE + 12, y + row * CELL, 2 * WIDE - 20, shade=0.15 * group)
        middle = y + (count - 1) * CELL / 2
        drawing.cell(LABEL + 2 * WIDE + 12, middle, 1.5 * WIDE, f"{weight}[{group}]", shade=0.15 * group)
        drawing.text(LABEL + 2 * WIDE - 4, middle + 15, "×")
        drawing.text(LABEL + 3.5 * WIDE + 28, middle + 15, "=")
        y += count * CELL + 4
    return drawing.figure(sayings.words["figure_groups"].format(param.name))


def _of_term(sayings: Sayings, term: str) -> Param | None:
    """The param that a term of the glossary is about."""
    names = next(one.params for one in glossary.data().terms if one.id == term)
    return next((one for one in sayings.spec.params if one.name in names), None)
