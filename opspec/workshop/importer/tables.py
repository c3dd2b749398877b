"""Tables of a page, HTML or Markdown, as grids: a cell that spans rows or columns stands in each of its places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from opspec.workshop.importer import inline

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

MOST_CELLS = 100_000  # of one table; the largest of the pages has some thousand
MOST_COLUMNS = 100
MOST_TAGS = 1_000_000  # of one table
DEEPEST = 500  # tags open at a time; parsing takes the square of it

_TAGS = (
    "table|colgroup|col|thead|tbody|tfoot|caption|tr|td|th|ul|ol|li|br|p|a|sup|sub|term|b|strong|em|i|code|"
    "span|div|details|summary|font|pre|blockquote|center|img|u|del|hr|h[1-6]"
)
#: "<" that begins none of these tags: it is the sign, as in "a<b".
_SIGN = re.compile(rf"<(?!/?(?:{_TAGS})\b|!--)", re.I)
#: Tags that have an end; those of cells, items and paragraphs may go without.
_NESTING = re.compile(
    r"<(/?)(?:table|ul|ol|a|sup|sub|term|b|strong|em|i|code|span|div|details|summary|font|pre|blockquote|center|u|del)\b",
    re.I,
)
_BLOCKS = frozenset({"br", "p", "li", "ul", "ol", "div", "tr", "pre", "blockquote"})
#: a table that only has widths of columns, with the table that they are for inside
_WIDTHS = re.compile(
    r"(<table\b[^>]{0,200}>\s*<colgroup>(?:\s*<col\b[^>]{0,200}>(?:</col>)?)*\s*</colgroup>\s*)<table\b[^>]*>", re.I
)
_DASHES = re.compile(r"\s*:?-+:?\s*")
_ESCAPED_BAR = "\ue000"


@dataclass(eq=False, slots=True)
class Cell:
    """A cell: its lines of plain text; the same object stands in every place that it spans."""

    lines: list[str]

    @property
    def text(self) -> str:
        """All of it, on one line."""
        return " ".join(self.lines)


@dataclass(slots=True)
class Table:
    """A table.

    Args:
        line: where it begins on the page, counted from 1.
        rows: its grid; rows may differ in length where the page leaves cells out.
        closed: whether the page ends it as often as it opens it.
        cut: why rows of it may be missing here, if they may.
    """

    line: int
    rows: list[list[Cell]]
    closed: bool = True
    cut: str | None = None

    @property
    def head(self) -> list[str]:
        """The texts of the first row without spaces."""
        return [re.sub(r"\s", "", cell.text) for cell in self.rows[0]] if self.rows else []


def from_html(text: str, line: int) -> Table:
    """The grid of the first table of an HTML fragment, however broken it is."""
    from selectolax.lexbor import LexborHTMLParser  # costly; only pages with HTML in them need it

    text = _WIDTHS.sub(r"\1", text)
    if text.count("<") > MOST_TAGS:
        return Table(line, [], cut=f"a table of more than {MOST_TAGS} tags")
    if depth(text) > DEEPEST:
        return Table(line, [], cut=f"a table with more than {DEEPEST} tags in each other")
    table = LexborHTMLParser(_SIGN.sub("&lt;", text)).css_first("table")
    made = Table(line, [])
    pending: dict[int, tuple[Cell, int]] = {}  # column -> a cell from above, and how many rows it still spans
    cells = 0
    for row in _rows(table) if table is not None else ():
        if cells > MOST_CELLS:
            made.cut = f"a table of more than {MOST_CELLS} cells"
            break
        grid, pending = _row(row, pending)
        cells += len(grid)
        if grid:
            made.rows.append(grid)
    return made


def depth(text: str, tags: re.Pattern[str] = _NESTING) -> int:
    """How deep tags stand in each other; group 1 of a tag that ends something is not empty."""
    deepest = depth = 0
    for tag in tags.finditer(text):
        depth = max(0, depth - 1) if tag[1] else depth + 1
        deepest = max(deepest, depth)
    return deepest


def _rows(table: LexborNode) -> Iterator[LexborNode]:
    """The rows of a table, not those of tables in its cells; the parser puts every row into a part of the table."""
    for part in table.iter():
        if part.tag in ("thead", "tbody", "tfoot"):
            yield from (row for row in part.iter() if row.tag == "tr")


def _row(row: LexborNode, above: dict[int, tuple[Cell, int]]) -> tuple[list[Cell], dict[int, tuple[Cell, int]]]:
    """A row with the cells that span it from above, and the cells that span rows below it."""
    grid: list[Cell] = []
    below: dict[int, tuple[Cell, int]] = {}

    def inherited() -> None:
        while len(grid) in above:
            cell, left = above[len(grid)]
            if left > 1:
                below[len(grid)] = (cell, left - 1)
            grid.append(cell)

    for node in row.iter():
        if node.tag not in ("td", "th"):
            continue
        inherited()
        if len(grid) >= MOST_COLUMNS:
            break
        cell = Cell(_cell_lines(node))
        down, across = _span(node, "rowspan"), min(_span(node, "colspan"), MOST_COLUMNS - len(grid))
        for _ in range(across):
            if down > 1:
                below[len(grid)] = (cell, down - 1)
            grid.append(cell)
    inherited()
    return grid, below


def _span(node: LexborNode, name: str) -> int:
    """How many rows or columns a cell spans; a number beyond belief counts as none."""
    text = (node.attributes.get(name) or "1").strip()
    return max(1, int(text)) if text.isascii() and text.isdigit() and len(text) < 6 else 1


def _cell_lines(node: LexborNode) -> list[str]:
    """The lines of a cell; a block element or a break begins a new one."""
    parts: list[str] = []
    for inner in node.traverse(include_text=True):
        tag = inner.tag
        if tag == "-text":
            text = re.sub(r"\s+", " ", inner.text_content or "")
            parent = inner.parent
            if parent is not None and parent.tag == "sup":
                text = "^" + text.strip()
            parts.append(text)
        elif tag in _BLOCKS:
            parts.append("\n")
    return [line for line in map(inline.plain, "".join(parts).split("\n")) if line]


def from_markdown(texts: list[str], line: int) -> Table:
    """The grid of a Markdown table, given its lines; the line of dashes is left out."""
    made = Table(line, [])
    cells = 0
    for text in texts:
        if cells > MOST_CELLS:
            made.cut = f"a table of more than {MOST_CELLS} cells"
            break
        row = text.strip().replace("\\|", _ESCAPED_BAR).strip("|").split("|")[:MOST_COLUMNS]
        cells += len(row)
        if not all(map(_DASHES.fullmatch, row)):
            made.rows.append([Cell(inline.lines(cell.replace(_ESCAPED_BAR, "|"))) for cell in row])
    return made
