"""Checks of a page against itself: what one place allows and another forbids."""

from __future__ import annotations

import re
from collections.abc import Iterator

from opspec.vocabulary import ctypes_, status
from opspec.workshop.audit.model import Hit
from opspec.workshop.audit.subject import Function, Subject, words
from opspec.workshop.importer import lexicon
from opspec.workshop.importer.facts import scoped_lines
from opspec.workshop.importer.page import ParamRow, Statement, sentences

_CONDITION = re.compile(r"^(?:当|若|如果)|时|场景|情况|允许|可选|可以|不为空|模式|除外|除")
_NULLABLE = re.compile(
    r"(?<!不)(?:可以|可|允许|支持)(?:传入?|设置|为|输入|传递)+(?:空指针|nullptr|NULL)|可选(?:输入|输出|参数|项)|(?<!不)(?:可|允许)不传"
)
_LISTED = re.compile(r"^[A-Za-z0-9_、,，/;；。.和或与及\s^（）()]*$")
_NAMES = r"[A-Za-z_][A-Za-z0-9_]*(?:[、,，和与或及/\s]{1,9}[A-Za-z_][A-Za-z0-9_]*)*"
_NOT_DTYPES = re.compile(r"不支持(?:数据类型)?(?:为|是)?[：:]?([A-Za-z0-9_、,，/和与或及\s]+)")
_DTYPES = re.compile(rf"^({_NAMES})?\s?的?数据类型(?:仅|只)?支持(?:为)?[：:]?([A-Za-z0-9_、,，/和与或及\s]+)[。；;]?$")
_WITH_DTYPE = ("tensor", "tensor_list", "scalar")
_EMPTY = re.compile(r"(不)?支持(?:输入|传入)?(?:为)?空(?:的)?\s*[tT]ensor")
_STRIDED = re.compile(r"(不)?支持非连续(?:的)?\s*(?:[tT]ensor)?")
_SHAPE = re.compile(
    r"^(?:输入|输出|[tT]ensor|的|其|该|，|、)*(?:[sS]hape|维度)(?:大小|形状)?(?:仅|只|必须|固定|需|要求|需要|应)*"
    r"(?:支持|为|是|=|：|:)+\s*[\[(（]([^\[\]()（）]*)[)）\]][。；;，,]?$"
)
_RANK_OVER = re.compile(rf"^({_NAMES})的?(?:[sS]hape)?的?(?:维度|维数)(?:大于|超过|超出)(\d)维?[。；;]?$")


# --- null


def optional_null(subject: Subject) -> Iterator[Hit]:
    """A param that its name, its cell or its text calls optional, in an unconditional row of 161001."""
    for function in _sections(subject):
        rows = {row.name: row for row in function.rows}
        assert function.section is not None
        for item in function.section.returns:
            if item.number != status.NULLPTR or _CONDITION.search(item.text):
                continue
            for name in dict.fromkeys(words(item.text)):
                mark = _optional_mark(rows[name]) if name in rows else ""
                if mark:
                    yield Hit(subject.line_of(item.line, name), name, mark, name, function.operator)


def _sections(subject: Subject) -> Iterator[Function]:
    return (item for item in subject.functions if item.section is not None and item.first is not None)


def _optional_mark(row: ParamRow) -> str:
    """What calls a param optional; empty when nothing does."""
    if "可选" in row.text("io"):
        return row.text("io")[:20]
    if "ptional" in row.name:
        return "Optional"
    for text in _own_lines(row):
        found = _NULLABLE.search(text)
        if found and not _CONDITION.search(text.replace(found[0], "")):
            return found[0]
    return ""


def _own_lines(row: ParamRow) -> Iterator[str]:
    """What a row says of its param on all products."""
    for column in ("about", "usage"):
        for scope, line in scoped_lines(row.cells.get(column, ())):
            if not scope:
                yield line


# --- dtypes


def note_takes_away(subject: Subject) -> Iterator[Hit]:
    """A note that excludes a dtype that no cell of its params lists."""
    for function, note in _notes(subject):
        found = _NOT_DTYPES.search(note.text)
        if found and not _CONDITION.search(note.text):
            listed = _listed(function, note.text[: found.start()])
            yield from _absent(subject, function, note, found[1], listed)


def note_goes_beyond(subject: Subject) -> Iterator[Hit]:
    """A note on what a product takes with a dtype that no cell of its params lists."""
    for function, note in _notes(subject):
        found = _DTYPES.match(note.text)
        if found and not any(map(_CONDITION.search, note.head)):
            listed = _listed(function, found[1] or "")
            yield from _absent(subject, function, note, found[2], listed)


def _absent(subject: Subject, function: Function, note: Statement, text: str, listed: set[str]) -> Iterator[Hit]:
    """The dtypes of a note that are not among those listed, together; nothing when none are."""
    absent = [name for name in lexicon.dtypes_in(text).names if name not in listed]
    if listed and absent:
        yield Hit(subject.line_of(note.line, absent[0]), ", ".join(absent), operator=function.operator)


def _notes(subject: Subject) -> Iterator[tuple[Function, Statement]]:
    for function in _sections(subject):
        assert function.section is not None
        for note in function.section.notes:
            yield function, note


def _listed(function: Function, named: str) -> set[str]:
    """The dtypes in the cells of the params that a text names, of all without; empty when a cell is no plain list."""
    rows = [
        row for row, param in function.typed_rows() if param.ctype and ctypes_.parse(param.ctype).kind in _WITH_DTYPE
    ]
    names = [word for word in words(named) if not lexicon.dtype(word)]
    chosen = [row for row in rows if row.name in names] if names else rows
    if len(chosen) < len(set(names)) or not all(_LISTED.match(row.text("dtype")) for row in chosen):
        return set()
    return {name for row in chosen for name in lexicon.dtypes_in(row.text("dtype")).names}


# --- emptiness and strides


def empty_tensor(subject: Subject) -> Iterator[Hit]:
    """A row that both takes and refuses empty tensors."""
    for function, row in _rows(subject):
        said = {
            bool(found[1]) for line in _own_lines(row) if not _CONDITION.search(line) for found in _EMPTY.finditer(line)
        }
        if len(said) == 2:
            yield Hit(subject.row_line(row), param=row.name, operator=function.operator)


def strides(subject: Subject) -> Iterator[Hit]:
    """A text on non-contiguous tensors that contradicts their column."""
    for function, row in _rows(subject):
        cell = row.text("strided")
        marked = True if cell in ("√", "✓", "支持") else False if cell in ("×", "x", "X", "不支持") else None
        for line in _own_lines(row):
            found = _STRIDED.search(line)
            if found and marked is not None and not _CONDITION.search(line) and marked == bool(found[1]):
                yield Hit(subject.row_line(row), found[0], cell, row.name, function.operator)
                break


def _rows(subject: Subject) -> Iterator[tuple[Function, ParamRow]]:
    for function in _sections(subject):
        for row, _ in function.typed_rows():
            if function.section is not None and function.section.form == "table":
                yield function, row


# --- ranks


def rank_and_shape(subject: Subject) -> Iterator[Hit]:
    """A symbolic shape in a row's text whose rank the row's cell does not list."""
    for function, row in _rows(subject):
        ranks = _ranks(row)
        for line in _own_lines(row) if ranks else ():
            for sentence in sentences(line):
                found = _SHAPE.match(sentence.removeprefix(row.name))
                if found and not _CONDITION.search(line) and re.search("[A-Za-z]", found[1]):
                    dims = [part for part in re.split("[,，]", found[1]) if part.strip()]
                    if len(dims) not in ranks and not re.search(r"\.\.|…|\*[a-z]", found[1]):
                        yield Hit(
                            subject.row_line(row), f"({found[1]})", row.text("rank")[:40], row.name, function.operator
                        )


def rank_and_return(subject: Subject) -> Iterator[Hit]:
    """A row of return codes that allows a rank that the cell does not, or forbids one that it does."""
    for function in _sections(subject):
        rows = {row.name: row for row in function.rows}
        assert function.section is not None
        for item in function.section.returns:
            found = _RANK_OVER.match(re.sub("^(?:传入的|输入|输出|参数)", "", item.text))
            for name in words(found[1]) if found else ():
                ranks = _ranks(rows[name]) if name in rows else frozenset()
                if found and ranks and max(ranks) != int(found[2]) and max(ranks) < lexicon.MOST_RANK:
                    line, cell = subject.line_of(item.line, name), rows[name].text("rank")[:40]
                    yield Hit(line, f"> {found[2]}", cell, name, function.operator)


def _ranks(row: ParamRow) -> frozenset[int]:
    """The ranks that a cell lists in numbers; empty for any other."""
    if any(scope for scope, _ in scoped_lines(row.cells.get("rank", ()))):
        return frozenset()
    read = lexicon.rank(row.text("rank"))
    result: set[int] = set()
    for part in [read] if isinstance(read, str) else read or ():
        low, _, high = part.partition("-")
        if part.startswith(">= "):
            result |= set(range(int(part[3:]), lexicon.MOST_RANK + 1))
        else:
            result |= set(range(int(low), int(high or low) + 1))
    return frozenset(result)
