"""An example as spec files have it: in its short notation, every scalar a text."""

from __future__ import annotations

from typing import Any

from opspec.model.canonical import canonical
from opspec.model.definition import Definition, ParamDef
from opspec.model.example import short
from opspec.vocabulary.binary32 import shortest
from opspec.yamltext import read_file, write


def with_example(definition: Definition, example: dict[str, Any]) -> str:
    """The text of an operator's spec file with another example, in its short notation."""
    path = definition.home or ""
    document = read_file(path)
    value: Any = document.value
    value["example"] = in_short(definition, example)
    return canonical(write(value, document.comments), path)


def in_short(definition: Definition, example: dict[str, Any]) -> dict[str, Any]:
    """Product and arguments of an example as spec files have them."""
    params = {spelling: param for param in definition.params for spelling in (param.name, *param.spellings)}
    given = ((params[name], value) for name, value in example["args"].items())
    args = {param.name: short(value, param) for param, value in given if _said(value, param)}
    texts: dict[str, Any] = _texts({**example, "args": args})
    return texts


def _said(value: Any, param: ParamDef) -> bool:
    """Whether an example has to say it: an optional argument that it leaves out is null."""
    return value is not None or not (param.nullable and param.pointer)


def _texts(value: Any) -> Any:
    """JSON values as a spec file has them: every scalar is text."""
    if isinstance(value, dict):
        return {key: _texts(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_texts(item) for item in value]
    if value is None:
        return None
    if isinstance(value, float):
        return str(shortest(value))
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)
