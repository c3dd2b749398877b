"""A call in the making: arguments by param name, places in them, and writing to a place.

A call is a plain dict of arguments as ``opspec.calls.convert`` gives them; it is never changed in place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from opspec.calls.model import Scalar, Tensor
from opspec.spec.definition import ParamDef

Call = dict[str, Any]

MOST_DIM = 2**31 - 1
MOST_ELEMENTS = 64  # of an array or a list
MOST_RANK = 8


@dataclass(frozen=True, slots=True)
class Place:
    """Something of a call that can be set.

    Args:
        item: element of a tensor list or scalar list; None for the param itself.
        facet: ``value``, ``present``, ``length``, ``element``, ``dtype``, ``format``, ``shape``, ``rank``, ``dim``,
            ``strides``.
        index: of an element of an array, or of a dim, negative ones from the end.
    """

    param: str
    facet: str
    item: int | None = None
    index: int = 0


def first(params: tuple[ParamDef, ...]) -> Call:
    """Where a search starts: every pointer that may be null is null, everything else as plain as can be."""
    return {param.name: None if param.nullable and param.pointer else fresh(param.kind) for param in params}


def fresh(kind: str) -> Any:
    """The plainest argument of a kind."""
    match kind:
        case "tensor":
            return Tensor((2, 2), "FLOAT")
        case "tensor_list":
            return (Tensor((2, 2), "FLOAT"),)
        case "scalar":
            return Scalar("FLOAT", 1.0)
        case "scalar_list":
            return (Scalar("FLOAT", 1.0),)
        case "int_array" | "float_array" | "bool_array":
            return (_PLAINEST[kind.removesuffix("_array")],)
        case _:
            return _PLAINEST.get(kind)


_PLAINEST: dict[str, Any] = {
    "int": 1,
    "float": 1.0,
    "float32": 1.0,
    "bool": False,
    "string": "",
    "dtype": "FLOAT",
    "pointer": True,
}


def put(call: Call, place: Place, value: Any, kinds: Mapping[str, str]) -> Call | None:
    """The call with another value at a place; None where that makes no sense."""
    old = call[place.param]
    kind = kinds[place.param]
    if place.facet == "present":
        new = fresh(kind) if value else None
    elif place.item is not None or kind.endswith("_list"):
        new = _in_list(old, place, value, kind)
    else:
        new = _written(fresh(kind) if old is None else old, place, value)
    return None if new is _NONSENSE else {**call, place.param: new}


_NONSENSE = object()


def _in_list(old: Any, place: Place, value: Any, kind: str) -> Any:
    items = list(fresh(kind) if old is None else old)
    if place.facet == "length":
        return _of_length(items, value, items[0] if items else fresh(kind)[0])
    at = place.item or 0
    if not 0 <= at < len(items):
        return _NONSENSE
    element = items[at] if items[at] is not None else fresh(kind)[0]
    new = _written(element, place, value)
    return _NONSENSE if new is _NONSENSE else (*items[:at], new, *items[at + 1 :])


def _of_length(items: list[Any], length: Any, filler: Any) -> Any:
    if not isinstance(length, int) or not 0 <= length <= MOST_ELEMENTS:
        return _NONSENSE
    return (*items[:length], *[filler] * (length - len(items)))


def _written(old: Any, place: Place, value: Any) -> Any:
    if isinstance(old, Tensor):
        return _tensor(old, place, value)
    if isinstance(old, Scalar):
        return Scalar(value, old.value) if place.facet == "dtype" else Scalar(old.dtype, value)
    if isinstance(old, tuple):
        return _array(old, place, value)
    if isinstance(old, str) and place.facet == "length":
        letters = _of_length(list(old), value, "a")
        return letters if letters is _NONSENSE else "".join(letters)
    if isinstance(old, bool) != isinstance(value, bool) or isinstance(old, str) != isinstance(value, str):
        return _NONSENSE
    if isinstance(old, float):
        return float(value) if isinstance(value, (int, float)) else _NONSENSE
    return _NONSENSE if isinstance(value, float) else value


def _array(old: tuple[Any, ...], place: Place, value: Any) -> Any:
    if place.facet == "length":
        return _of_length(list(old), value, old[-1] if old else 1)
    if place.facet == "element":
        at = place.index + len(old) if place.index < 0 else place.index
        if not 0 <= at < MOST_ELEMENTS:
            return _NONSENSE
        filled = [*old, *[old[-1] if old else 1] * (at + 1 - len(old))]
        return (*filled[:at], value, *filled[at + 1 :])
    return tuple(value) if isinstance(value, tuple) and len(value) <= MOST_ELEMENTS else _NONSENSE


def _tensor(old: Tensor, place: Place, value: Any) -> Any:
    shape, dtype, format_ = old.shape, old.dtype, old.format
    match place.facet:
        case "dtype":
            dtype = value
        case "format":
            format_ = value
        case "shape":
            shape = value
        case "rank" if isinstance(value, int) and 0 <= value <= MOST_RANK:
            shape = (*[2] * (value - len(shape)), *shape[max(0, len(shape) - value) :])
        case "dim":
            shape = _with_dim(shape, place.index, value)
        case "strides":
            pass
        case _:
            return _NONSENSE
    if not isinstance(shape, tuple) or len(shape) > MOST_RANK or not isinstance(dtype, str):
        return _NONSENSE
    if not isinstance(format_, str):
        return _NONSENSE
    if not all(isinstance(dim, int) and 0 <= dim <= MOST_DIM for dim in shape):
        return _NONSENSE
    return Tensor(shape, dtype, format_)


def _with_dim(shape: tuple[int, ...], index: int, value: Any) -> tuple[Any, ...]:
    needed = index + 1 if index >= 0 else -index
    filled = (*[2] * (needed - len(shape)), *shape)
    at = index + len(filled) if index < 0 else index
    return (*filled[:at], value, *filled[at + 1 :])


def to_json(call: Call, kinds: Mapping[str, str]) -> dict[str, Any]:
    """The arguments as records of calls hold them."""
    return {name: _json(value, kinds[name]) for name, value in call.items()}


def _json(value: Any, kind: str) -> Any:
    if value is None:
        return None
    match kind:
        case "tensor":
            return {"tensor": _body(value)}
        case "scalar":
            return {"scalar": _body(value)}
        case "tensor_list" | "scalar_list":
            return {kind: [None if item is None else _body(item) for item in value]}
        case "int_array" | "float_array" | "bool_array":
            return {kind: list(value)}
        case "dtype" | "pointer":
            return {kind: value}
        case _:
            return value


def _body(value: Tensor | Scalar) -> dict[str, Any]:
    if isinstance(value, Scalar):
        return {"dtype": value.dtype, "value": value.value}
    return {"shape": list(value.shape), "dtype": value.dtype, "format": value.format}
