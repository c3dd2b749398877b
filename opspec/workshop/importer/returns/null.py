"""Rows of null pointers: 161001, and those of other codes that speak of null."""

from __future__ import annotations

import re
from collections.abc import Iterable

from opspec.language.text import spelled
from opspec.workshop.importer import guards
from opspec.workshop.importer.draft import Draft, ParamDraft, RuleDraft
from opspec.workshop.importer.mentions import params_in

NULL_POINTER = 161001
#: axes and shapes that are empty have no elements; an argument that is not null is no reason to refuse
_NULL = re.compile(r"(?<![不非]为)(?:空指针|nullptr)|(?<![维度Ⓢ])为空$|NULL")
_CONDITIONAL = re.compile(r"^(?:当|如果⟦|若)|时[,，]|场景")


def speaks_of_null(text: str) -> bool:
    """Whether a row is about null pointers, whatever its code."""
    return bool(_NULL.search(text))


def read(draft: Draft, text: str) -> list[str]:
    """The ids of the rules that a row is about; params that it names are noted as not optional."""
    if _CONDITIONAL.search(text):
        return _conditional(draft, text)
    named = params_in(draft, text)
    for param in named:
        if param.is_pointer:
            param.properties.setdefault("null-row", True)
    pool = named or _pointers(draft.params.values())
    return [f"{param.name}.null" for param in pool]


def _pointers(params: Iterable[ParamDraft]) -> list[ParamDraft]:
    return [param for param in params if param.is_pointer]


def _conditional(draft: Draft, text: str) -> list[str]:
    """A null pointer that is an error under a condition: the param is optional otherwise."""
    cut = guards.split(text)
    condition = guards.condition(draft, cut[0]) if cut else None
    params = _pointers(params_in(draft, cut[1])) if cut else []
    if condition is None:
        for param in params or _pointers(params_in(draft, text)):
            param.properties.setdefault("optional", "yes")
        return []
    if cut is None or not params or re.search("不[是为]空|没有", cut[1]):
        return []
    ids = []
    for param in params:
        param.properties.setdefault("optional", "yes")
        rule = RuleDraft(f"{param.name}.needed", f"{spelled(param.name)} is not None", param.name, condition)
        ids.append(draft.add(rule))
    return ids
