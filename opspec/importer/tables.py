"""Tables of a page, HTML or Markdown, as grids: a cell that spans rows or columns stands in each of its places."""

from __future__ import annotations

import re
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser, LexborNode

from opspec.importer import inline

MOST_CELLS = 200_000  # of one table; the largest of the pages has some thousand
MOST_COLUMNS = 100
_KNOWN_TAG = re.compile(
    r"<(?!/?(?:table|colgroup|col|thead|tbody|tfoot|caption|tr|td|th|ul|ol|li|br|p|a|sup|sub|term|b|strong|em|i|code|"
    r"span|div|details|summary|font|pre|blockquote|center|img|u|del|hr|h[1-6])\b|!--)", re.I,
)  # fmt: skip
_BLOCKS = frozenset({"br", "p", "li", "ul", "ol", "div", "tr", "pre", "blockquote"})
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
        closed: whether the page ends it.
    """

    line: int
    rows: list[list[Cell]]
    closed: bool = True

    @property
    def head(self) -> list[str]:
        """The texts of the first row without spaces."""
        return [re.sub(r"\s", "", cell.text) for cell in self.rows[0]] if self.rows else []


def from_html(text: str, line: int) -> Table:
    """The grid of the first table of an HTML fragment, however broken it is."""
    closed = bool(re.search(r"</table\s*>", text, re.I))
    tree = LexborHTMLParser(_KNOWN_TAG.sub("&lt;", text))
    table = tree.css_first("table")
    rows: list[list[Cell]] = []
    pending: dict[int, tuple[Cell, int]] = {}  # column -> a cell from above, and how many rows it still spans
    cells = 0
    for row in table.css("tr") if table is not None else ():
        if cells > MOST_CELLS:
            break
        grid, pending = _row(row, pending)
        cells += len(grid)
        if grid:
            rows.append(grid)
    return Table(line, rows, closed)


def _row(row: LexborNode, above: dict[int, tuple[Cell, int]]) -> tuple[list[Cell], dict[int, tuple[Cell, int]]]:
    grid: list[Cell] = []
    below: dict[int, tuple[Cell, int]] = {}

    def inherited() -> None:
        while len(grid) in above:
            cell, left = above[len(grid)]
            if left > 1:
                below[len(grid)] = (cell, left - 1)
            grid.append(cell)

    for node in row.iter():
        if node.tag not in ("td", "th") or len(grid) >= MOST_COLUMNS:
            continue
        inherited()
        cell = Cell(_cell_lines(node))
        down, across = _span(node, "rowspan"), min(_span(node, "colspan"), MOST_COLUMNS)
        for _ in range(across):
            if down > 1:
                below[len(grid)] = (cell, down - 1)
            grid.append(cell)
    inherited()
    return grid, below


def _span(node: LexborNode, name: str) -> int:
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
    rows = []
    for text in texts[:MOST_CELLS]:
        cells = text.strip().replace("\\|", _ESCAPED_BAR).strip("|").split("|")
        if not all(re.fullmatch(r"\s*:?-{1,}:?\s*", cell) for cell in cells):
            rows.append([Cell(inline.lines(cell.replace(_ESCAPED_BAR, "|"))) for cell in cells[:MOST_COLUMNS]])
    return Table(line, rows)
