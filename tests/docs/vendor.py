"""What a page of the vendor says in its tables, read with a few lines of one's own: the witness of our pages."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class VendorPage:
    """The facts of a page: product marks, rows of the param table, return codes."""

    products: dict[str, str] = field(default_factory=dict)
    params: list[list[str]] = field(default_factory=list)
    second: list[str] = field(default_factory=list)
    returns: list[tuple[str, str]] = field(default_factory=list)


class _Tables(HTMLParser):
    """The cells of all tables."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[list[list[str]]] = []
        self._cell: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open a table, a row or a cell."""
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self._cell = []

    def handle_endtag(self, tag: str) -> None:
        """Close a cell."""
        if tag in ("td", "th") and self._cell is not None:
            self.tables[-1][-1].append(" ".join("".join(self._cell).split()))
            self._cell = None

    def handle_data(self, data: str) -> None:
        """Text of a cell."""
        if self._cell is not None:
            self._cell.append(data)


def tables(text: str) -> list[list[list[str]]]:
    """The cells of every HTML table in a text."""
    parser = _Tables()
    parser.feed(text)
    return parser.tables


def read(text: str) -> VendorPage:
    """The facts of a page in the form of release 9.1.0."""
    found = VendorPage()
    for name, mark in re.findall(r"^\|\s*<term>(.*?)</term>\s*\|\s*(\S+?)\s*\|", text, re.M):
        found.products[name] = mark
    for table in tables(text):
        head = table[0]
        if "非连续Tensor" in head:
            found.params = [[re.sub(r"（.*", "", row[0]), *row[1:]] for row in table[1:]]
        elif head[:2] == ["返回码", "错误码"]:
            found.returns = [(row[0], row[1]) for row in table[1:] if len(row) == 3]
        elif head[:3] == ["参数名", "输入/输出", "描述"]:
            found.second = [row[0] for row in table[1:]]
    return found
