"""A spec's example: one legal call, from its short notation to the form that ``opspec check`` reads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeAlias

from opspec.errors import OpspecError, shown
from opspec.model.definition import Definition, ParamDef

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"

_TENSOR = re.compile(r"([A-Z][A-Z0-9_]*)\[((?:\d+(?:, ?\d+)*)?)\]")
_SCALAR = re.compile(r"([A-Z][A-Z0-9_]*) (\S+)")


def example_of(definition: Definition) -> tuple[str | None, dict[str, Json]]:
    """Product and arguments of an operator's example, for a twin under its own names.

    ``FLOAT16[2, 3]`` is a contiguous tensor of format ND, ``FLOAT 1.0`` a scalar; lists are lists of these, or of
    numbers. Anything else stands as in a call.

    Raises:
        OpspecError: the spec has no example.
    """
    example = example_written(definition)
    if example is None:
        raise OpspecError("the spec has no example", where=definition.name)
    product, args = example
    return product, arguments_written(args, {param.name: param.kind for param in definition.params})


def example_written(definition: Definition) -> tuple[str | None, dict[str, Json]] | None:
    """Product and arguments of an operator's example in the short notation; None where it has no example."""
    example, twin = definition.spec.example, definition.spec.twin
    if example is None:
        return None
    renamed = twin.rename if twin is not None and definition.name == twin.operator else {}
    return example.product, {renamed.get(name, name): value for name, value in example.args.items()}


def arguments_written(args: Mapping[str, Json], kinds: Mapping[str, str]) -> dict[str, Json]:
    """Arguments in the short notation as JSON types them, by the kinds of the params."""
    return {name: argument(value, kinds.get(name, "")) for name, value in args.items()}


def argument(value: Json, kind: str) -> Json:
    """An argument of an example as JSON types it."""
    match kind:
        case "tensor" if isinstance(value, str):
            return {"tensor": _tensor(value)}
        case "scalar" if isinstance(value, str):
            return {"scalar": _scalar(value)}
        case "tensor_list" if isinstance(value, list):
            return {"tensor_list": [_tensor(item) if isinstance(item, str) else json_values(item) for item in value]}
        case "scalar_list" if isinstance(value, list):
            return {"scalar_list": [_scalar(item) if isinstance(item, str) else json_values(item) for item in value]}
        case "int_array" | "float_array" | "bool_array" if isinstance(value, list):
            return {kind: json_values(value)}
        case "string" if isinstance(value, str):
            return value
    return json_values(value)


def _tensor(text: str) -> Json:
    found = _TENSOR.fullmatch(text)
    if not found:
        raise OpspecError(f"expected a tensor such as FLOAT16[2, 3], found {shown(text)}")
    return {"shape": [int(dim) for dim in found[2].split(",") if dim], "dtype": found[1], "format": "ND"}


def _scalar(text: str) -> Json:
    found = _SCALAR.fullmatch(text)
    if not found:
        raise OpspecError(f"expected a scalar such as FLOAT 1.0, found {shown(text)}")
    return {"dtype": found[1], "value": _json_scalar(found[2])}


def short(value: Json, param: ParamDef) -> Json:
    """The opposite of :func:`argument`: the shortest notation."""
    if isinstance(value, dict) and set(value) == {param.kind}:
        inner = value[param.kind]
        if param.kind in ("tensor", "scalar"):
            return _short(inner, value)
        if isinstance(inner, list):
            return [_short(item, item) for item in inner] if param.kind.endswith("_list") else inner
    return value


def _short(body: Json, otherwise: Json) -> Json:
    if isinstance(body, dict) and set(body) <= {"shape", "dtype", "format"} and body.get("format", "ND") == "ND":
        dims = body.get("shape")
        if isinstance(dims, list):
            return f"{body['dtype']}[{', '.join(map(str, dims))}]"
    if isinstance(body, dict) and set(body) == {"dtype", "value"} and not isinstance(body["value"], (list, dict)):
        return f"{body['dtype']} {_word(body['value'])}"
    return otherwise


def _word(value: Json) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def json_values(value: Json) -> Json:
    """Text scalars of a file as JSON would type them: numbers and booleans where they look like one."""
    if isinstance(value, dict):
        return {key: json_values(item) for key, item in value.items()}
    if isinstance(value, list):
        return [json_values(item) for item in value]
    if isinstance(value, str):
        return _json_scalar(value)
    return value


def _json_scalar(text: str) -> Json:
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text) if not text.startswith(("i", "n", "+", "_")) and "_" not in text else text
        except ValueError:
            continue
    return text
