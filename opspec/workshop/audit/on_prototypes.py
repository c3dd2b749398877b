"""Checks of prototypes: of their C, their names, and of the params that every phase has."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from opspec.workshop.audit.model import Hit
from opspec.workshop.audit.subject import Function, Subject
from opspec.workshop.importer.prototypes import CParam, Prototype

_CALL = re.compile(r"^[\s\-*`]*(aclnn\w{1,120})\s*\(")
_TYPE = re.compile(r"\bacl\w+\s*$")
_C = r"(?:acl[A-Z]\w*|u?int\d{0,2}(?:_t)?|bool|double|float|char)"
_TWO_TYPES = re.compile(rf"\b{_C}[\s*]+(?!acl)\w+\s+(?:const\s+)?{_C}[\s*]+\w+")
_SECOND = ("workspace", "workspaceSize", "executor", "stream")


def no_return_type(subject: Subject) -> Iterator[Hit]:
    """A prototype in a code block that begins with the function's name."""
    for block in subject.blocks:
        above = ""
        for i, text in enumerate(block.text.split("\n") if block.kind == "code" else ()):
            found = _CALL.match(text)
            if found and _is_own(subject, found[1]) and not _TYPE.search(above):
                yield Hit(block.line + 1 + i, found[1], "aclnnStatus", operator=_operator(found[1]))
            above = text


def _is_own(subject: Subject, function: str) -> bool:
    return _operator(function) in {item.operator for item in subject.functions}


def _operator(function: str) -> str:
    return function.removesuffix("GetWorkspaceSize")


def missing(subject: Subject) -> Iterator[Hit]:
    """An operator of the title without a prototype of its first phase."""
    printed = {hit.found for hit in no_return_type(subject)}
    for function in subject.functions:
        name = f"{function.operator}GetWorkspaceSize"
        if subject.is_whole and function.first is None and name not in printed:
            yield Hit(function.second.line if function.second else 1, expected=name, operator=function.operator)


def second_missing(subject: Subject) -> Iterator[Hit]:
    """A first phase without a second."""
    printed = {hit.found for hit in no_return_type(subject)}
    for function in subject.functions:
        if function.two_phase and function.first and function.second is None and function.operator not in printed:
            yield Hit(function.first.line, expected=function.operator, operator=function.operator)


def foreign(subject: Subject) -> Iterator[Hit]:
    """A prototype of an operator that the title does not name."""
    own = [function.operator for function in subject.functions]
    for prototype in subject.page.prototypes.values():
        if not any(prototype.function.startswith(name) for name in own):
            yield Hit(prototype.line, prototype.function, " ".join(own), operator=own[0] if own else "")


def invalid_param(subject: Subject) -> Iterator[Hit]:
    """A param that is no valid C of the known types."""
    for prototype, param in _params(subject):
        if param.ctype is None and "aclrtStream" not in param.text and not _TWO_TYPES.search(param.text):
            yield _hit(subject, prototype, param)


def missing_comma(subject: Subject) -> Iterator[Hit]:
    """Two params without a comma between them."""
    for prototype, param in _params(subject):
        if param.ctype is None and _TWO_TYPES.search(param.text):
            yield _hit(subject, prototype, param)


def _params(subject: Subject) -> Iterator[tuple[Prototype, CParam]]:
    for prototype in subject.page.prototypes.values():
        for param in prototype.params:
            yield prototype, param


def _hit(subject: Subject, prototype: Prototype, param: CParam, expected: str = "") -> Hit:
    line = subject.line_of(prototype.line, param.name)
    return Hit(line, param.text[:80], expected, param.name, prototype.operator)


def param_twice(subject: Subject) -> Iterator[Hit]:
    """Two params of one name."""
    for prototype in subject.page.prototypes.values():
        counts = Counter(param.name for param in prototype.params)
        for name in (name for name, count in counts.items() if count > 1):
            yield Hit(prototype.line, name, param=name, operator=prototype.operator)


def first_tail(subject: Subject) -> Iterator[Hit]:
    """A first phase that does not end with ``uint64_t* workspaceSize, aclOpExecutor** executor``."""
    for function in subject.functions:
        if function.first is None or not function.two_phase:
            continue
        tail = function.first.params[-2:]
        wanted = (("workspaceSize", "uint64_t*"), ("executor", "aclOpExecutor**"))
        for param, (name, ctype) in zip(tail, wanted, strict=False):
            if (param.name, param.ctype) != (name, ctype) and param.ctype is not None:
                yield _hit(subject, function.first, param, f"{ctype} {name}")


def second_params(subject: Subject) -> Iterator[Hit]:
    """A second phase whose params are not the four that all have, in their order."""
    for function in subject.functions:
        yield from _second(subject, function)


def _second(subject: Subject, function: Function) -> Iterator[Hit]:
    second = function.second
    if second is None:
        return
    if len(second.params) != len(_SECOND):
        yield Hit(second.line, str(len(second.params)), str(len(_SECOND)), operator=function.operator)
        return
    for param, name in zip(second.params, _SECOND, strict=True):
        if param.name != name:
            yield Hit(subject.line_of(second.line, param.name), param.name, name, param.name, function.operator)
