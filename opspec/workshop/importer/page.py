"""The typed model of a page: what stands where, before anything is concluded from it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from opspec.errors import OpspecError
from opspec.vocabulary import products
from opspec.workshop.importer import blocks, prototypes, scraped
from opspec.workshop.importer.blocks import Block
from opspec.workshop.importer.prototypes import Prototype
from opspec.workshop.importer.tables import Cell, Table

Scope = tuple[str, ...]  # product ids a statement is limited to; empty for all

_MARKS = dict.fromkeys(("√", "✓", "✔", "是", "支持"), "yes") | dict.fromkeys(
    ("×", "x", "X", "╳", "✗", "否", "不支持"), "no"
)
_COLUMNS = (
    ("name", "参数名|参数说明|参数$|参数名称"), ("io", "输入"), ("about", "描述|说明$|含义"), ("usage", "使用说明"),
    ("dtype", "数据类型"), ("format", "数据格式|格式类型"), ("rank", "维度"), ("strided", "非连续"),
)  # fmt: skip
BULLET = re.compile(
    r"^([A-Za-z_]\w*)\s*[(（]\s*((?:const\s+)?[A-Za-z_]\w*\s*(?:\*\s*)*)\s*[,，]?\s*([^()（）]*?)\s*[)）]\s*[:：]?\s*(.*)$"
)
_VALUE_TYPES = frozenset({
    "int64_t", "int32_t", "int", "int8_t", "uint64_t", "uint32_t", "bool", "double", "float", "aclDataType",
    "aclrtStream", "char", "string", "int64", "aclFormat",
})  # fmt: skip
#: headings inside a section
_PART = re.compile(r"\s*(?:参数说明|返回值|返回码)")
_PHASE = re.compile(r"aclnn\w+GetWork[sS]paceSize", re.A)
_NAME = re.compile(r"[A-Za-z_]\w*")
_OPERATOR = re.compile(r"aclnn\w+", re.A)
_LARGEST = 1 << 20  # bytes; the largest of the vendor's has 0.1 MiB
_GOES = re.compile(r"接口.{0,8}废弃")  # above all sections: a later release will not have it
_EXECUTOR = re.compile(r"^[（(]aclOpExecutor\s*\**[)）]$")  # a name cell with the type alone
_RETURN_TEXT = re.compile(
    r"(?:返回)?\s*(\d{6})\s*[(（]?\s*(ACLNN_\w+)?\s*[)）]?\s*[:：]?\s*(.*)|(ACLNN_\w+)\s*[(（]\s*(\d{6})\s*[)）]\s*[:：]?\s*(.*)"
)


def _is_name(heading: Block) -> bool:
    return re.fullmatch(r"\s*aclnn\w+\s*", heading.text, re.A) is not None


@dataclass(slots=True)
class Statement:
    """One statement: its text without markup, where it stands, and the products that it is limited to.

    Args:
        head: for a sub-item, the items above it, outermost first: they often hold its condition.
    """

    text: str
    line: int
    scope: Scope = ()
    head: tuple[str, ...] = ()


@dataclass(slots=True)
class ParamRow:
    """A row of a param table, or a bullet; cells by column name, as lines."""

    name: str
    line: int
    ctype: str | None = None
    cells: dict[str, list[str]] = field(default_factory=dict)

    def text(self, column: str) -> str:
        """A cell on one line; empty for one that says nothing."""
        joined = " ".join(self.cells.get(column, ()))
        return "" if joined in ("-", "—", "--", "/", "－", "–", "\\", "N/A", "NA", "无") else joined


@dataclass(slots=True)
class ReturnStatement:
    """A row of the table of return codes, one statement of its text."""

    name: str | None
    number: int | None
    text: str
    line: int


@dataclass(slots=True)
class Section:
    """The section of one function: its params, what follows their table, its return codes."""

    function: str
    line: int
    rows: list[ParamRow] = field(default_factory=list)
    notes: list[Statement] = field(default_factory=list)
    returns: list[ReturnStatement] = field(default_factory=list)
    form: str | None = None  # "table" or "bullets"


@dataclass(slots=True)
class Page:
    """A page.

    Args:
        document: its place in the corpus, ``repository/folder/file``.
        support: product id -> yes or no, as the table marks it.
        formulas: (line, LaTeX) of the section on the function.
        deprecated: what is to be called instead of an operator that will go; None: the page says of none that it will.
        sections: those of functions, by function name.
        constraints: the statements of that section.
        faults: (line, what) that could not be read.
    """

    document: str
    operators: list[str] = field(default_factory=list)
    deprecated: list[str] | None = None
    support: dict[str, str] = field(default_factory=dict)
    support_line: int = 0
    function: list[Statement] = field(default_factory=list)
    formulas: list[tuple[int, str]] = field(default_factory=list)
    prototypes: dict[str, Prototype] = field(default_factory=dict)
    sections: dict[str, Section] = field(default_factory=dict)
    constraints: list[Statement] = field(default_factory=list)
    faults: list[tuple[int, str]] = field(default_factory=list)


def document_of(path: Path) -> str:
    """A page's place in its corpus: the last three parts of its path."""
    return "/".join(path.parts[-3:])


def read_page(path: Path) -> Page:
    """The model of the page in a file.

    Raises:
        OpspecError: it cannot be read, or is no text.
    """
    return parse_page(scraped.restored(text_of(path)), document_of(path), str(path))


def text_of(path: Path) -> str:
    """The text of the page in a file.

    Raises:
        OpspecError: it cannot be read, is no text, or is far larger than any page.
    """
    try:
        if path.stat().st_size > _LARGEST:
            raise OpspecError(f"a page of more than {_LARGEST >> 20} MiB", where=str(path))
        return path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        raise OpspecError(f"cannot read: {error}", where=str(path)) from None


def parse_page(text: str, document: str, where: str = "") -> Page:
    """The model of a page's text."""
    return _Builder(Page(document), blocks.read(text, where or document)).build()


class _Builder:
    def __init__(self, page: Page, found: list[Block]) -> None:
        self.page = page
        self.blocks = found

    def build(self) -> Page:
        sections = self._sections()
        self._title(sections[0][1] if sections else [])
        for _, body in sections:
            for block in body:
                if block.table is not None and not block.table.closed:
                    self.page.faults.append((block.line, "a table that is not closed"))
                if block.table is not None and block.table.cut is not None:
                    self.page.faults.append((block.line, block.table.cut))
        for title, body in sections:
            self._section(title, body)
        if not self.page.operators:  # the title is damaged: the functions tell
            self.page.operators = list(dict.fromkeys(proto.operator for proto in self.page.prototypes.values()))
        return self.page

    def _sections(self) -> list[tuple[Block | None, list[Block]]]:
        """The page cut at its headings of level 2 and of its phases; the first part is what stands before.

        A heading of params or returns belongs to the function above it, whatever its level.
        """
        parts: list[tuple[Block | None, list[Block]]] = [(None, [])]
        headings = [block for block in self.blocks if block.kind == "heading"]
        phases = {block.indent for block in headings if _PHASE.fullmatch(re.sub(r"\s", "", block.text))}
        others = [block for block in headings[1:] if block.indent in phases and (block.indent == 1 or _is_name(block))]
        for block in self.blocks:
            if (block.kind == "heading" and block.indent == 2 and not _PART.match(block.text)) or block in others:
                parts.append((block, []))
            else:
                parts[-1][1].append(block)
        return parts

    def _title(self, body: list[Block]) -> None:
        title = next((block for block in body if block.kind == "heading" and block.indent == 1), None)
        if title is not None:
            self.page.operators = list(dict.fromkeys(_OPERATOR.findall(title.text)))
        if not self.page.operators:
            self.page.faults.append((title.line if title else 1, "no title names an operator"))
        goes = next((block.text for block in body if block.kind == "text" and _GOES.search(block.text)), None)
        if goes is not None:
            named = dict.fromkeys(_OPERATOR.findall(goes))
            self.page.deprecated = [name for name in named if name not in self.page.operators]

    def _section(self, title: Block | None, body: list[Block]) -> None:
        for block in body:
            if block.kind in ("code", "text"):
                for prototype in prototypes.find(block.text, block.line + (block.kind == "code")):
                    self.page.prototypes.setdefault(prototype.function, prototype)
        if title is None:
            return
        text = re.sub(r"\s", "", title.text)
        name = re.match(r"aclnn\w+", text, re.A)
        if text.startswith(("产品支持", "支持的产品")):
            self._products(title, body)
        elif text.startswith("功能"):
            self.page.function = list(statements(body))
            self.page.formulas = [(block.line, block.text) for block in body if block.kind == "formula"]
        elif name:
            function = self._function(name[0])
            self.page.sections[function] = self._function_section(function, title, body)
        elif text.startswith("约束"):
            self.page.constraints += statements(body)

    def _function(self, name: str) -> str:
        """The function of a section: of two with the name of the second phase, the first is about the first phase."""
        first = f"{name}GetWorkspaceSize"
        titles = [title.text.strip() for title, _ in self._sections() if title is not None]
        is_first = titles.count(name) == 2 and first in self.page.prototypes and first not in self.page.sections
        return first if is_first else name

    # --- products

    def _products(self, title: Block, body: list[Block]) -> None:
        self.page.support_line = title.line
        for block in body:
            if block.table is not None:
                for row in block.table.rows[1:]:
                    if len(row) >= 2:
                        self._support(row[0].text, row[-1].text, block.line)
            elif block.kind == "text" and block.marked:
                self._support(block.text, "√", block.line)

    def _support(self, spelling: str, mark: str, line: int) -> None:
        value = _MARKS.get(mark.strip())
        try:
            named = products.resolve_all(spelling.rstrip("。；;"))
        except OpspecError as error:
            self.page.faults.append((line, str(error)))
            return
        if value is None:
            self.page.faults.append((line, f"neither yes nor no: {mark[:40]!r}"))
            return
        for product, member in named:
            self.page.support[member or product] = value

    # --- functions

    def _function_section(self, function: str, title: Block, body: list[Block]) -> Section:
        section = Section(function, title.line)
        part = "params"
        pending: list[Block] = []
        for block in body:
            text = re.sub(r"\s", "", block.text)
            if (block.kind == "text" and re.match(r"^返回(值|码)[：:]?(?!\d)", text)) or (
                block.kind == "heading" and text.startswith("返回")
            ):
                part = "returns"
            elif re.match(r"^参数说明", text) and len(text) < 12 and block.kind in ("text", "heading"):
                part = "params"
            elif (
                block.table is not None
                and _is_param_table(block.table)
                and not (section.form == "table" and part == "returns")
            ):
                self._param_table(section, block)
            elif block.table is not None and _is_return_table(block.table):
                part = "returns"
                self._return_table(section, block)
            elif part == "returns":
                self._return_text(section, block)
            elif part == "params":
                pending.append(block)
        if section.form is None:
            pending = self._bullets(section, pending)
        section.notes = list(statements(pending))
        return section

    def _param_table(self, section: Section, block: Block) -> None:
        assert block.table is not None
        head = block.table.head
        columns = {column: i for i, text in enumerate(head) if (column := _column(text)) is not None}
        section.form = "table"
        last: tuple[Cell, ParamRow] | None = None
        for row in block.table.rows[1:]:
            if len(row) <= columns["name"]:
                self.page.faults.append((block.line, "a row of the param table has too few cells"))
                continue
            cell = row[columns["name"]]
            if last is not None and cell is last[0]:
                _merge(last[1], row, columns)
                continue
            if len(row) < len(head):
                self.page.faults.append(
                    (block.line, f"the row of {cell.text[:40]} has {len(row)} of {len(head)} cells")
                )
            new = [_new_row(name, cell, row, columns, block.line) for name in _names(cell.text)]
            if not new and _EXECUTOR.match(cell.text):
                continue  # every first phase has one; a row that leaves its name out leaves out nothing
            if not new:
                self.page.faults.append((block.line, f"a row names no param: {cell.text[:60]!r}"))
                continue
            section.rows += new
            last = (cell, new[-1]) if len(new) == 1 else None

    def _bullets(self, section: Section, pending: list[Block]) -> list[Block]:
        """Reads ``name(ctype, role): text`` items; returns the blocks that are none."""
        rest: list[Block] = []
        current: ParamRow | None = None
        indent = 0
        for block in pending:
            found = BULLET.match(block.text) if block.kind == "text" else None
            if found and (re.search(r"\*|\baclTensor$", found[2].strip()) or found[2].split()[-1] in _VALUE_TYPES):
                section.form = "bullets"
                current = ParamRow(found[1], block.line, " ".join(found[2].split()))
                current.cells = {"io": [found[3]], "usage": [found[4]] if found[4] else []}
                section.rows.append(current)
                indent = block.indent
            elif current is not None and block.kind == "text" and block.indent > indent:
                current.cells["usage"].append(block.text)
            else:
                if block.indent <= indent:
                    current = None
                rest.append(block)
        return rest

    def _return_table(self, section: Section, block: Block) -> None:
        assert block.table is not None
        seen: list[Cell] = []
        for row in block.table.rows:
            name, number = _status_in(" ".join(cell.text for cell in row[:2]))
            if len(row) < 2 or (name is None and number is None):
                continue
            cell = row[-1]
            if any(cell is other for other in seen):
                continue
            seen.append(cell)
            for text in _numbered(cell.lines):
                section.returns.append(ReturnStatement(name, number, text, block.line))

    def _return_text(self, section: Section, block: Block) -> None:
        if block.kind not in ("text", "code"):
            return
        name: str | None = None
        number: int | None = None
        if section.returns and block.kind == "text":
            name, number = section.returns[-1].name, section.returns[-1].number
        for i, line in enumerate(block.text.split("\n")):
            found = _RETURN_TEXT.search(line)
            rest = line.strip()
            if found:
                name = found[2] or found[4]
                number = int(found[1] or found[5])
                rest = (found[3] or found[6] or "").strip()
            if number is not None and rest:
                for text in _numbered([rest]):
                    section.returns.append(ReturnStatement(name, number, text, block.line + i))


def _is_param_table(table: Table) -> bool:
    head = table.head
    return len(head) >= 3 and bool(re.match(r"参数(名|说明)", head[0])) and "输入" in head[1]


def _is_return_table(table: Table) -> bool:
    head = table.head
    return len(head) >= 2 and (
        bool(re.match(r"返回|状态码", head[0])) or any(text.startswith("ACLNN_") for text in head)
    )


def _column(text: str) -> str | None:
    return next((column for column, pattern in _COLUMNS if re.match(pattern, text)), None)


def _names(text: str) -> list[str]:
    """The params that a name cell names: ``gradOutput（aclTensor*）`` is one, ``x1、x2`` are two."""
    bare = re.sub(r"[（(].*?([)）]|$)", "", text)
    return [found[0] for part in re.split(r"[、,，/\s]+", bare) if (found := _NAME.match(part.strip("*")))]


def _new_row(name: str, cell: Cell, row: list[Cell], columns: dict[str, int], line: int) -> ParamRow:
    typed = re.search(r"[（(]\s*((?:const\s+)?[A-Za-z_]\w*\s*(?:\*\s*)*)\s*[)）]", cell.text)
    made = ParamRow(name, line, typed[1].strip() if typed else None)
    made.cells = {column: list(row[i].lines) for column, i in columns.items() if i < len(row)}
    return made


def _merge(into: ParamRow, row: list[Cell], columns: dict[str, int]) -> None:
    """Another row of the same name cell: what it says is added, once."""
    for column, i in columns.items():
        if i < len(row):
            have = into.cells.setdefault(column, [])
            have += [line for line in row[i].lines if line not in have]


def _status_in(text: str) -> tuple[str | None, int | None]:
    name, number = re.search(r"ACLNN_\w+", text), re.search(r"\b\d{6}\b", text)
    return name[0] if name else None, int(number[0]) if number else None


def _numbered(texts: list[str]) -> Iterator[str]:
    """Statements of a cell; ``1. … 2. …`` on one line are several."""
    for text in texts:
        for part in re.split(r"(?:(?<=[。；;\s])|^)\s*(?:\d{1,2}[.、．](?!\d)|[（(]\d{1,2}[)）])\s*", text):
            if part and part.strip("-；;。 "):
                yield part.strip()


# --- statements


class _Heads:
    """The items above a place, by indentation, and the products that they limit it to."""

    def __init__(self) -> None:
        self.stack: list[tuple[int, bool, str, Scope]] = []

    def enter(self, block: Block) -> tuple[str, tuple[str, ...], Scope]:
        """Makes an item the newest; returns its text without a product head, the items above, and its products."""
        while self.stack and (
            self.stack[-1][0] > block.indent
            or (self.stack[-1][0] == block.indent and (block.marked or not self.stack[-1][1]))
        ):
            self.stack.pop()
        heads = tuple(text for _, _, text, _ in self.stack if text)
        inherited = next((own for _, _, _, own in reversed(self.stack) if own), ())
        own, rest = product_head(block.text)
        scope = own or inherited
        head = "" if own and not rest else rest
        self.stack.append((block.indent, block.marked, head, scope))
        return rest, heads, scope


def product_head(text: str) -> tuple[Scope, str]:
    """The products that lead a statement, ``A、B：…``, as ids, and what follows; none for any other text."""
    for separator in ("：", ":"):
        name, found, rest = text.partition(separator)
        if found and 3 < len(name) < 200 and re.search(r"Atlas|Ascend|Kirin|昇腾|\d{3}", name):
            try:
                named = products.resolve_all(re.sub(r"^(?:在|对于|针对)|(?:上|场景下|平台)$", "", name.strip()))
            except OpspecError:
                continue
            return tuple(member or product for product, member in named), rest.strip()
    try:
        if text.rstrip("，,。").startswith(("Atlas", "Ascend", "昇腾", "Kirin")) and len(text) < 160:
            named = products.resolve_all(text.rstrip("，,。：:"))
            return tuple(member or product for product, member in named), ""
    except OpspecError:
        pass
    return (), text


def statements(body: list[Block]) -> Iterator[Statement]:
    """The statements of a section's items, one a sentence, with what stands above each."""
    heads = _Heads()
    for block in body:
        if block.kind == "heading":
            heads.stack.clear()
        if block.kind != "text":
            continue
        rest, above, scope = heads.enter(block)
        if block.only:
            scope = tuple(tag for tag in block.only if tag in products.ids()) or scope
        for sentence in sentences(rest):
            yield Statement(sentence, block.line, scope, above)


def sentences(text: str) -> Iterator[str]:
    """A text cut after full stops and semicolons, not within brackets."""
    depth = 0
    start = 0
    for i, character in enumerate(text):
        depth = max(0, depth + (character in "（([【") - (character in "）)]】"))
        if character in "。；;" and not depth:
            if text[start:i].strip():
                yield text[start : i + 1].strip()
            start = i + 1
    if text[start:].strip():
        yield text[start:].strip()
