"""A page as a flat list of blocks: headings, items, paragraphs, tables, code, formulas, each with its line.

Pages are Markdown with HTML in it, neither of them always sound: lists end in the middle of tables, tables are not
closed, blank lines stand anywhere. So blocks are told apart line by line, in one pass.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from opspec.errors import OpspecError
from opspec.workshop.importer import inline, tables
from opspec.workshop.importer.tables import Table

MOST_BYTES = 20 * 2**20
LONGEST_TEXT = 20_000  # characters that lines without an end of a sentence make
_HEADING = re.compile(r"^ {0,3}(#{1,6})\s*(?=\S)(.*?)\s*#*$")
_FENCE = re.compile(r"^\s*(?:[-*+]\s+)?(```+|~~~+)\s*([\w+#.-]*)")
_ITEM = re.compile(r"^(\s*)(?:([-*+•])\s+|([-*+•])(?=[^\s*\-])|(\d{1,2}[.、)）])\s*|([（(]\d{1,2}[)）])\s*)?(.*)$")
_TABLE = re.compile(r"<table\b", re.I)
_TABLE_END = re.compile(r"</table\s*>", re.I)
_MARKDOWN_ROW = re.compile(r"^\s*\|.*\|\s*$")
_ONLY_FOR = re.compile(r'<!--\s*npu\s*=\s*"([^"]{1,200})"\s*([\w-]*)\s*-->')
_ONLY_FOR_END = re.compile(r"<!--\s*end\s+([\w-]+)\s*-->")


@dataclass(slots=True)
class Block:
    """Something on a page.

    Args:
        kind: ``heading``, ``text``, ``table``, ``code`` or ``formula``.
        line: counted from 1.
        indent: columns before it, or a heading's level.
        marked: whether a list marker leads it.
        text: what it says; of code and formulas as it stands, otherwise without markup.
        only: product tags of the comment blocks that it stands in.
    """

    kind: str
    line: int
    text: str = ""
    indent: int = 0
    marked: bool = False
    table: Table | None = None
    only: tuple[str, ...] = ()


@dataclass(slots=True)
class _Reader:
    lines: list[str]
    at: int = 0
    blocks: list[Block] = field(default_factory=list)
    only: list[tuple[str, str]] = field(default_factory=list)
    blank: bool = True

    def add(self, kind: str, line: int, text: str = "", **more: object) -> None:
        tags = tuple(tag.strip() for _, names in self.only for tag in names.split(","))
        self.blocks.append(Block(kind, line, text, only=tags, **more))  # type: ignore[arg-type]

    def read(self) -> list[Block]:
        while self.at < len(self.lines):
            start = self.at
            for step in (self._comment, self._fence, self._heading, self._html, self._markdown, self._formula):
                if step():
                    self.blank = True
                    break
            else:
                self._text()
            if self.at == start:  # every step moves on
                self.at += 1
        return self.blocks

    @property
    def line(self) -> str:
        return self.lines[self.at]

    def _comment(self) -> bool:
        found, end = _ONLY_FOR.search(self.line), _ONLY_FOR_END.search(self.line)
        if found:
            self.only.append((found[2], found[1]))
        elif end:
            self.only = [entry for entry in self.only if entry[0] != end[1]]
        else:
            return self._plain_comment()
        self.at += 1
        return True

    def _plain_comment(self) -> bool:
        if not self.line.lstrip().startswith("<!--"):
            return False
        end = self.at
        while end < len(self.lines) and "-->" not in self.lines[end]:
            end += 1
        if end == len(self.lines):  # never closed: a stray mark, not a comment to the end of the page
            self.lines[self.at] = self.line.replace("<!--", "", 1)
            return False
        rest = self.lines[end].split("-->", 1)[1]
        self.at = end
        self.lines[self.at] = rest
        return True

    def _fence(self) -> bool:
        found = _FENCE.match(self.line)
        if not found:
            return False
        start, mark = self.at, found[1]
        end = start + 1
        while end < len(self.lines) and not self.lines[end].strip().startswith(mark):
            if _HEADING.match(self.lines[end]) and self.lines[end].startswith("## "):
                break  # a fence that is never closed ends with its section
            end += 1
        self.add("code", start + 1, "\n".join(self.lines[start + 1 : end]))
        closed = end < len(self.lines) and self.lines[end].strip().startswith(mark)
        self.at = end + 1 if closed else end
        return True

    def _heading(self) -> bool:
        found = _HEADING.match(self.line)
        if not found:
            return False
        self.add("heading", self.at + 1, inline.plain(found[2]), indent=len(found[1]))
        self.at += 1
        return True

    def _html(self) -> bool:
        found = _TABLE.search(self.line)
        if not found:
            return False
        before = self.line[: found.start()]
        if inline.plain(before).strip("-* "):
            self._add_text(before)
        start, depth, parts = self.at, 0, []
        rest = self.line[found.start() :]
        while True:
            depth += len(_TABLE.findall(rest)) - len(_TABLE_END.findall(rest))
            parts.append(rest)
            self.at += 1
            if depth <= 0 or self.at == len(self.lines) or self.line.startswith("## "):
                break
            rest = self.line
        table = tables.from_html("\n".join(parts), start + 1)
        table.closed = depth <= 0
        self.add("table", start + 1, table=table, indent=_width(before))
        return True

    def _markdown(self) -> bool:
        start = self.at
        while self.at < len(self.lines) and _MARKDOWN_ROW.match(self.line):
            self.at += 1
        if self.at == start:
            return False
        table = tables.from_markdown(self.lines[start : self.at], start + 1)
        self.add("table", start + 1, table=table, indent=_width(self.lines[start]))
        return True

    def _formula(self) -> bool:
        text = self.line.strip()
        if not text.startswith("$$"):
            return False
        start = self.at
        parts = [text[2:]]
        self.at += 1
        while "$$" not in parts[-1] and self.at < len(self.lines) and not self.line.startswith("## "):
            parts.append(self.line)
            self.at += 1
        latex = "\n".join(part.split("$$")[0].rstrip() for part in parts)
        self.add("formula", start + 1, latex.strip(), indent=_width(self.lines[start]))
        return True

    def _text(self) -> None:
        raw = self.line
        self.at += 1
        if not inline.plain(raw):
            self.blank = True
            return
        self._add_text(raw)
        self.blank = False

    def _add_text(self, raw: str) -> None:
        found = _ITEM.match(raw.rstrip())
        assert found is not None  # every part of it may be empty
        marked = any(found[i] for i in (2, 3, 4, 5))
        previous = self.blocks[-1] if self.blocks else None
        for i, text in enumerate(inline.lines(found[6])):
            if not (marked or self.blank or i) and previous is not None and _goes_on(previous):
                previous.text += text if _wide(previous.text[-1] + text[0]) else " " + text
                continue
            self.add("text", self.at, text, indent=_width(raw) + (2 if i else 0), marked=marked and not i)


def _goes_on(block: Block) -> bool:
    """Whether the next line belongs to a text: no sentence ends with this one, and it is no endless one."""
    return (
        block.kind == "text"
        and len(block.text) < LONGEST_TEXT
        and not block.text.endswith(("。", "；", ";", "：", ":"))
    )


def _wide(text: str) -> bool:
    return any(ord(character) > 0x2E80 for character in text)


def _width(line: str) -> int:
    expanded = line.expandtabs(4)
    return len(expanded) - len(expanded.lstrip())


def read(text: str, where: str) -> list[Block]:
    """The blocks of a page.

    Raises:
        OpspecError: it is larger than any page.
    """
    if len(text) > MOST_BYTES:
        raise OpspecError(
            f"expected a page of at most {MOST_BYTES // 2**20} MB, found {len(text)} characters", where=where
        )
    return _Reader(text.replace("\r\n", "\n").replace("\r", "\n").split("\n")).read()
