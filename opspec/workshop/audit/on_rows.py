"""Checks of param tables against prototypes: names, order, C types, directions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from opspec.errors import OpspecError
from opspec.vocabulary import ctypes_
from opspec.workshop.audit.model import Hit
from opspec.workshop.audit.subject import Function, Subject
from opspec.workshop.importer.page import ParamRow

_INPUT, _OUTPUT = re.compile("输入|入参"), re.compile("输出|出参")
_NO_DIRECTION = re.compile("属性|可选|-|—|/|^$|预留")
_WRITTEN = re.compile(r"(?:Ref|Out|OutOptional|OptionalRef)$|^out$")


def not_in_table(subject: Subject) -> Iterator[Hit]:
    """A param of the prototype that no row describes."""
    for function in _described(subject):
        for name in function.params:
            if name not in function.matched.values():
                line = subject.line_of(function.section.line if function.section else 1, "参数名", "参数说明")
                yield Hit(line, expected=name, param=name, operator=function.operator)


def _described(subject: Subject) -> Iterator[Function]:
    return (function for function in subject.functions if function.first is not None and function.rows)


def not_a_param(subject: Subject) -> Iterator[Hit]:
    """A row on something that the prototype does not have."""
    for function in _described(subject):
        for row in function.rows:
            if row.name not in function.matched:
                yield Hit(subject.row_line(row), row.name, param=row.name, operator=function.operator)


def name_differs(subject: Subject) -> Iterator[Hit]:
    """A row whose name is spelt differently from the prototype's."""
    for function in _described(subject):
        for row in function.rows:
            name = function.matched.get(row.name, row.name)
            if name != row.name:
                yield Hit(subject.row_line(row), row.name, name, name, function.operator)


def order_differs(subject: Subject) -> Iterator[Hit]:
    """Rows in another order than the prototype's: one hit for an operator, at the first row that is out of place."""
    for function in _described(subject):
        rows = {function.matched[row.name]: row for row in reversed(function.rows) if row.name in function.matched}
        listed = list(reversed(rows))
        wanted = [name for name in function.params if name in rows]
        for is_, should in zip(listed, wanted, strict=True):
            if is_ != should:
                yield Hit(subject.row_line(rows[is_]), is_, should, is_, function.operator)
                break


def row_twice(subject: Subject) -> Iterator[Hit]:
    """Two rows on one param."""
    for function in _described(subject):
        counts = Counter(row.name for row in function.rows)
        for row in {row.name: row for row in function.rows if counts[row.name] > 1}.values():
            yield Hit(subject.row_line(row), row.name, param=row.name, operator=function.operator)


def type_differs(subject: Subject) -> Iterator[Hit]:
    """A C type in a row that is another than the prototype's; const is left out of account, as rows leave it out."""
    for function, row, stated, declared in _types(subject):
        parsed = _parsed(stated)
        if (_base(stated) != _base(declared)) if parsed is None else (parsed != declared):
            yield Hit(subject.row_line(row), stated, declared, row.name, function.operator)


def type_without_pointer(subject: Subject) -> Iterator[Hit]:
    """A row that names the type but not that it is a pointer."""
    for function, row, stated, declared in _types(subject):
        if _parsed(stated) is None and _base(stated) == _base(declared):
            yield Hit(subject.row_line(row), stated, declared, row.name, function.operator)


def _types(subject: Subject) -> Iterator[tuple[Function, ParamRow, str, str]]:
    for function in _described(subject):
        for row, param in function.typed_rows():
            if (
                row.ctype
                and param.ctype
                and re.search(r"^(?:const\s+)?(?:acl|u?int|bool|double|float|char|string)", row.ctype)
            ):
                yield function, row, _plain(row.ctype), _plain(param.ctype)


def _plain(ctype: str) -> str:
    return re.sub(r"\bconst\b|\s", "", ctype)


def _base(ctype: str) -> str:
    return ctype.rstrip("*").lower()


def _parsed(ctype: str) -> str | None:
    try:
        return ctypes_.parse(ctype).text()
    except OpspecError:
        return None


# --- directions


def no_direction(subject: Subject) -> Iterator[Hit]:
    """A cell on the direction that says neither input nor output."""
    for function in _described(subject):
        for row, _ in function.typed_rows():
            text = row.text("io")
            if "io" in row.cells and not (_INPUT.search(text) or _OUTPUT.search(text) or _NO_DIRECTION.search(text)):
                yield Hit(subject.row_line(row), text[:40], param=row.name, operator=function.operator)


def written_input(subject: Subject) -> Iterator[Hit]:
    """A tensor that the first phase takes without const, named as one that is written, and marked as an input only."""
    for function, row, ctype in _tensors(subject):
        text = row.text("io")
        if (
            not ctype.startswith("const")
            and _WRITTEN.search(row.name)
            and _INPUT.search(text)
            and not _OUTPUT.search(text)
        ):
            expected = "输入/输出" if "Ref" in row.name else "输出"
            yield Hit(subject.row_line(row), text[:20], expected, row.name, function.operator)


def const_output(subject: Subject) -> Iterator[Hit]:
    """An output whose prototype promises that it is not written."""
    for function, row, ctype in _tensors(subject):
        if ctype.startswith("const") and _OUTPUT.search(row.text("io")):
            yield Hit(subject.row_line(row), ctype, ctype.removeprefix("const "), row.name, function.operator)


def _tensors(subject: Subject) -> Iterator[tuple[Function, ParamRow, str]]:
    for function in _described(subject):
        for row, param in function.typed_rows():
            if param.ctype is not None and ctypes_.parse(param.ctype).kind in ("tensor", "tensor_list"):
                yield function, row, param.ctype
