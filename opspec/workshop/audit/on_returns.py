"""Checks of return codes: names against numbers, and what their rows speak of."""

from __future__ import annotations

import re
from collections.abc import Iterator

from opspec.errors import OpspecError
from opspec.vocabulary import status
from opspec.workshop.audit.model import Hit
from opspec.workshop.audit.subject import Function, Subject, fold, is_vocabulary, words
from opspec.workshop.importer.page import ReturnStatement

_CONDITION = re.compile(r"^(?:当|若|如果)|时|场景|情况|允许|可选|可以|不为空|不是空|模式|为[A-Za-z]")
_NO_PARAM = {
    "tensor", "tensors", "tensorlist", "shape", "nullptr", "null", "dtype", "device", "host", "aclnn", "api", "list",
    "scalar", "workspacesize", "executor", "opexecutor", "stream", "int32", "int64", "bool", "acl", "workspace", "true",
    "false", "none", "input", "output", "inputs", "outputs", "broadcast", "cast", "reshape", "dim", "rank", "size",
}  # fmt: skip
_NAMES = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:[、,，和与或及以者/\s]{1,9}[A-Za-z_][A-Za-z0-9_]*)*")


def number_differs(subject: Subject) -> Iterator[Hit]:
    """The name of a status beside the number of another."""
    for _, row in _rows(subject):
        number = _number(row.name)
        if number is not None and row.number not in (None, number):
            yield Hit(
                subject.line_of(row.line, str(row.number)), f"{row.name} ({row.number})", _expected(row.number, number)
            )


def _rows(subject: Subject) -> Iterator[tuple[str, ReturnStatement]]:
    for section in subject.page.sections.values():
        for row in section.returns:
            yield section.function, row


def _number(name: str | None) -> int | None:
    try:
        return status.number(name) if name else None
    except OpspecError:
        return None


def _expected(number: int | None, own: int) -> str:
    """What may be meant: the name of the number, or the number of the name."""
    return f"{own} / {_name(number)}" if _name(number) else str(own)


def unknown_status(subject: Subject) -> Iterator[Hit]:
    """A name or a number of no status."""
    for _, row in _rows(subject):
        if row.name and _number(row.name) is None and not row.name.endswith("XXX"):
            yield Hit(subject.line_of(row.line, row.name), row.name, _name(row.number))
        elif row.number is not None and not _name(row.number):
            yield Hit(subject.line_of(row.line, str(row.number)), str(row.number))


def _name(number: int | None) -> str:
    """The name of a number; empty for no status."""
    try:
        return "" if number is None else status.name(number)
    except OpspecError:
        return ""


def no_null_row(subject: Subject) -> Iterator[Hit]:
    """A first phase with pointers to check whose return codes do not have 161001."""
    for function in _with_params(subject):
        section = function.section
        assert section is not None
        stated = {row.number for row in section.returns}
        if function.two_phase and section.rows and status.NULLPTR not in stated:
            found = ", ".join(sorted(str(number) for number in stated if number))
            yield Hit(section.line, found, str(status.NULLPTR), operator=function.operator)


def null_of_no_param(subject: Subject) -> Iterator[Hit]:
    """A row of 161001 that names something that the operator does not have."""
    for function in _with_params(subject):
        assert function.section is not None
        for row in function.section.returns:
            if row.number != status.NULLPTR or _CONDITION.search(row.text) or '"' in row.text or "“" in row.text:
                continue
            for word in dict.fromkeys(words(row.text)):
                if _is_strange(function, word):
                    yield Hit(subject.line_of(row.line, word), word, _near(function, word), operator=function.operator)


def _with_params(subject: Subject) -> Iterator[Function]:
    return (item for item in subject.functions if item.first is not None and item.section is not None and item.params)


def _is_strange(function: Function, word: str) -> bool:
    declared = function.first.params if function.first else []
    names = {*function.params, *(row.name for row in function.rows), *(param.name for param in declared)}
    if word in names or sum(name.startswith(word) for name in names) > 1:  # what several names have in common
        return False
    return word.lower() not in _NO_PARAM and not is_vocabulary(word) and not word.startswith("acl")


def _near(function: Function, word: str) -> str:
    """The param that is meant, when only case, underscores or the word Optional differ."""
    bare = fold(word).replace("optional", "")
    return next((name for name in function.params if fold(name).replace("optional", "") == bare), "")


def enumeration_of_no_param(subject: Subject) -> Iterator[Hit]:
    """Another row that names something the operator does not have in one breath with params that it has."""
    for function in _with_params(subject):
        assert function.section is not None
        seen: set[str] = set()
        for row in function.section.returns:
            if row.number == status.NULLPTR or re.search(r"取值|等于|不是|不为|仅支持|场景|[\"“']", row.text):
                continue
            for found in _NAMES.findall(row.text):
                listed = words(found)
                own = [word for word in listed if word in function.params]
                for word in listed:
                    if (
                        len(own) >= 2
                        and len(own) * 2 > len(listed)
                        and len(word) > 2
                        and word not in seen
                        and _is_strange(function, word)
                    ):
                        seen.add(word)
                        yield Hit(
                            subject.line_of(row.line, word), word, _near(function, word), operator=function.operator
                        )


def name_in_text(subject: Subject) -> Iterator[Hit]:
    """A param that the text spells with other capitals or underscores than the prototype."""
    own = {param.name for prototype in subject.page.prototypes.values() for param in prototype.params}
    own |= {row.name for section in subject.page.sections.values() for row in section.rows}
    folded = {fold(name): name for function in subject.functions for name in function.params if _has_form(name)}
    seen: set[str] = set()
    for line, text in _texts(subject):
        for word in words(text):
            name = folded.get(fold(word))
            if name is not None and word not in own and word not in seen and word[0].islower():
                seen.add(word)
                yield Hit(subject.line_of(line, word), word, name, name)


def _has_form(name: str) -> bool:
    return len(name) > 4 and ("_" in name or name.lower() != name)


def _texts(subject: Subject) -> Iterator[tuple[int, str]]:
    for section in subject.page.sections.values():
        for row in section.rows:
            for column in ("about", "usage"):
                yield row.line, row.text(column)
        for statement in section.notes:
            yield statement.line, statement.text
        for item in section.returns:
            yield item.line, item.text
    for statement in subject.page.constraints:
        yield statement.line, statement.text
