"""What a stub says of a param, from the spec's words: what it is for, what its values mean, when it may be null."""

from __future__ import annotations

from opspec.model.definition import Definition, ParamDef
from opspec.model.spec import Param


def spec_params(definition: Definition) -> dict[str, Param]:
    """Param -> as the spec has it, for a twin under its own names."""
    twin = definition.spec.twin
    renamed = twin.rename if twin is not None and definition.name == twin.operator else {}
    found: dict[str, Param] = {}
    for param in definition.spec.params:
        found.setdefault(renamed.get(param.name, param.name), param)
    return found


def meaning(param: ParamDef, written: Param | None) -> str:
    """``output: gradient of self``; empty where the spec has no word on an input."""
    about = written.about.text("en") if written is not None and written.about is not None else ""
    direction = {"in": "", "out": "output", "inout": "input and output"}[param.io]
    parts = [": ".join(filter(None, (direction, about)))]
    if written is not None and isinstance(written.enum, dict):
        parts += [f"{value}: {words.text('en')}" for value, words in written.enum.items()]
    if param.nullable and param.pointer and "null" not in about:
        parts.append("may be NULL")
    return "; ".join(filter(None, parts))
