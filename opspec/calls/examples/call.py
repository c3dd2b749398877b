"""A call in the making: arguments by param name, places in them, and writing to a place.

A call is a plain dict of arguments as ``opspec.validator.convert`` gives them; it is never changed in place.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from opspec.language.runtime import transposed_last2
from opspec.language.values import Scalar, Tensor
from opspec.model.definition import ParamDef
from opspec.model.example import arguments_written
from opspec.registry.info import ParamInfo
from opspec.registry.registry import Form
from opspec.validator.arguments import arguments_of
from opspec.vocabulary import dtypes, formats, shapes
from opspec.vocabulary.binary32 import shortest
from opspec.vocabulary.limits import MOST_DIMS

Call = dict[str, Any]
Param: TypeAlias = ParamDef | ParamInfo  # of a definition, or of its compiled form

MOST_DIM = 2**31 - 1
MOST_ELEMENTS = 64  # of an array or a list
TRANSPOSED = "transposed"  # strides of a tensor whose last two axes are swapped


@dataclass(frozen=True, slots=True)
class Place:
    """Something of a call that can be set.

    Args:
        item: element of a tensor list or scalar list; None for the param itself.
        facet: ``value``, ``present``, ``length``, ``element``, ``dtype``, ``format``, ``shape``, ``rank``, ``dim``,
            ``storage_shape``, ``storage_format``, ``strides``.
        index: of an element of an array, or of a dim, negative ones from the end.
    """

    param: str
    facet: str
    item: int | None = None
    index: int = 0


def first(params: tuple[Param, ...]) -> Call:
    """Where a search starts: every pointer that may be null is null, everything else as plain as can be."""
    return {param.name: None if param.nullable and param.pointer else fresh(param.kind) for param in params}


def example(form: Form) -> Call | None:
    """The arguments of the spec's example; None where it has none."""
    if form.info.example is None:
        return None
    kinds = {name: kind for name, kind, *_ in form.params}
    values = arguments_of(form, arguments_written(form.info.example[1], kinds))
    return dict(zip(kinds, values, strict=True))


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


def put(call: Call, place: Place, value: Any, params: Mapping[str, Param]) -> Call | None:
    """The call with another value at a place; None where that makes no sense, or leaves the C type."""
    old = call[place.param]
    kind = params[place.param].kind
    if place.facet == "present":
        new = fresh(kind) if value else None
    elif place.item is not None or kind.endswith("_list"):
        new = _in_list(old, place, value, kind)
    else:
        new = _written(fresh(kind) if old is None else old, place, value, kind)
    new = held(params[place.param], new)
    return None if new is _NONSENSE else {**call, place.param: new}


def held(param: Param, value: Any) -> Any:
    """What the C type of a param holds of a value: a float is rounded to it, what is outside makes no sense."""
    match param.kind, value:
        case _, None:
            return None if param.pointer else _NONSENSE
        case "int", int():
            low, high = _INT64[0] if param.low is None else param.low, _INT64[1] if param.high is None else param.high
            return value if low <= value <= high else _NONSENSE
        case "float" | "float32", float():
            return _real(value, param.kind == "float32")
        case "int_array", tuple():
            return value if all(_INT64[0] <= item <= _INT64[1] for item in value) else _NONSENSE
        case "float_array", tuple():
            items = tuple(_real(item, True) for item in value)
            return _NONSENSE if _NONSENSE in items else items
        case "dtype", _:
            return value if value in dtypes.names() else _NONSENSE
        case "scalar", Scalar():
            return value if _scalar_holds(value) else _NONSENSE
        case "scalar_list", tuple():
            return value if all(map(_scalar_holds, value)) else _NONSENSE
    return value


_INT64 = (-(2**63), 2**63 - 1)


def _scalar_holds(scalar: Scalar) -> bool:
    """Whether the dtype of a scalar has its value."""
    value, held = scalar.value, _integers(scalar.dtype)
    if not isinstance(value, (int, float)) or not math.isfinite(value):
        return False
    return held is None or (value == int(value) and int(value) in held)


def _integers(dtype: str) -> range | None:
    """The values of a dtype of integers; None for another one."""
    kind, bits = dtypes.kind(dtype), dtypes.bits(dtype)
    if kind not in ("int", "uint") or bits is None:
        return None
    return range(2**bits) if kind == "uint" else range(-(2 ** (bits - 1)), 2 ** (bits - 1))


def _fitting(value: Any, dtype: str) -> Any:
    """What a dtype has of a value: a scalar whose dtype becomes one of integers has no 1.2 any more."""
    held = _integers(dtype)
    if held is None or not isinstance(value, (int, float)) or not math.isfinite(value):
        return value
    return int(value) if int(value) in held else 1


def _real(value: float, single: bool) -> Any:
    """A finite number as a double or a float holds it."""
    try:
        number: float = struct.unpack("<f", struct.pack("<f", value))[0] if single else value
    except OverflowError:
        return _NONSENSE
    return number if math.isfinite(number) else _NONSENSE


_NONSENSE = object()


def _in_list(old: Any, place: Place, value: Any, kind: str) -> Any:
    items = list(fresh(kind) if old is None else old)
    if place.facet == "length":
        return _of_length(items, value, items[0] if items else fresh(kind)[0])
    at = place.item or 0
    if not 0 <= at < len(items):
        return _NONSENSE
    element = items[at] if items[at] is not None else fresh(kind)[0]
    new = _written(element, place, value, kind)
    return _NONSENSE if new is _NONSENSE else (*items[:at], new, *items[at + 1 :])


def _of_length(items: list[Any], length: Any, filler: Any) -> Any:
    if not isinstance(length, int) or not 0 <= length <= MOST_ELEMENTS:
        return _NONSENSE
    return (*items[:length], *[filler] * (length - len(items)))


def _written(old: Any, place: Place, value: Any, kind: str) -> Any:
    if isinstance(old, Tensor):
        return _tensor(old, place, value)
    if isinstance(old, Scalar):
        if place.facet == "dtype":
            return Scalar(value, _fitting(old.value, value)) if value in dtypes.names() else _NONSENSE
        return Scalar(old.dtype, value) if isinstance(value, (bool, int, float)) else _NONSENSE
    if isinstance(old, tuple):
        return _array(old, place, value, type(_PLAINEST[kind.removesuffix("_array")]))
    if isinstance(old, str) and place.facet == "length":
        letters = _of_length(list(old), value, "a")
        return letters if letters is _NONSENSE else "".join(letters)
    if isinstance(old, bool) != isinstance(value, bool) or isinstance(old, str) != isinstance(value, str):
        return _NONSENSE
    if isinstance(old, float):
        return float(value) if isinstance(value, (int, float)) else _NONSENSE
    return _NONSENSE if isinstance(value, float) else value


def _array(old: tuple[Any, ...], place: Place, value: Any, element: type) -> Any:
    if place.facet == "length":
        new = _of_length(list(old), value, old[-1] if old else element(1))
    elif place.facet == "element":
        at = place.index + len(old) if place.index < 0 else place.index
        if not 0 <= at < MOST_ELEMENTS:
            return _NONSENSE
        filled = [*old, *[old[-1] if old else element(1)] * (at + 1 - len(old))]
        new = (*filled[:at], value, *filled[at + 1 :])
    else:
        new = value
    if not isinstance(new, tuple) or len(new) > MOST_ELEMENTS:
        return _NONSENSE
    if element is float:
        return tuple(map(float, new)) if all(type(item) in (int, float) for item in new) else _NONSENSE
    return new if all(type(item) is element for item in new) else _NONSENSE


def _tensor(old: Tensor, place: Place, value: Any) -> Any:
    facets = {name: getattr(old, name) for name in ("shape", "dtype", "format", "storage_shape", "storage_format")}
    match place.facet:
        case "dtype" if value in dtypes.names():
            facets["dtype"] = value
        case "format" | "storage_format" if value in formats.names():
            facets[place.facet] = value
        case "shape" | "storage_shape" if _is_shape(value):
            facets[place.facet] = value
        case "rank" if isinstance(value, int) and 0 <= value <= MOST_DIMS:
            facets["shape"] = (*[2] * (value - len(old.shape)), *old.shape[max(0, len(old.shape) - value) :])
        case "dim" if _is_shape(_with_dim(old.shape, place.index, value)):
            facets["shape"] = _with_dim(old.shape, place.index, value)
        case "strides":
            pass
        case _:
            return _NONSENSE
    if place.facet in ("shape", "rank", "dim") and not formats.is_private(old.format):
        facets["storage_shape"] = None  # that of the old shape
    shape, dtype, format_ = facets.pop("shape"), facets.pop("dtype"), facets.pop("format")
    if place.facet in ("dtype", "format", "storage_format"):  # the elements stay where they are
        return Tensor(
            shape, dtype, format_, strides=old.strides, offset=old.offset, values=old.values, **facets
        )  # fmt: skip
    transposed = value == TRANSPOSED if place.facet == "strides" else transposed_last2(old)
    return Tensor(shape, dtype, format_, strides=_swapped(shape) if transposed else None, **facets)


def _swapped(shape: tuple[int, ...]) -> tuple[int, ...] | None:
    """The strides of a tensor whose last two axes are swapped; None for one that has no two."""
    if len(shape) < 2:
        return None
    *rest, inner, outer = shapes.contiguous_strides((*shape[:-2], shape[-1], shape[-2]))
    return (*rest, outer, inner)


def _is_shape(value: Any) -> bool:
    return (
        isinstance(value, tuple)
        and len(value) <= MOST_DIMS
        and all(type(dim) is int and 0 <= dim <= MOST_DIM for dim in value)
    )


def _with_dim(shape: tuple[int, ...], index: int, value: Any) -> tuple[Any, ...]:
    needed = index + 1 if index >= 0 else -index
    filled = (*[2] * (needed - len(shape)), *shape)
    at = index + len(filled) if index < 0 else index
    return (*filled[:at], value, *filled[at + 1 :])


def items(value: Any) -> tuple[Any, ...]:
    """The elements of a list or an array; of anything else, itself."""
    return value if isinstance(value, tuple) else (value,)


def tensors(call: Call) -> Iterator[Tensor]:
    """All tensors of a call, those of lists too."""
    for value in call.values():
        yield from (item for item in items(value) if isinstance(item, Tensor))


def elements(call: Call) -> int:
    """How many elements all tensors of a call have together."""
    return sum(math.prod(item.shape) for item in tensors(call))


def places(call: Call, name: str, facet: str) -> Iterator[tuple[Place, Any]]:
    """A facet of an argument, or of each element of a list, with what has it."""
    listed = isinstance(call[name], tuple)
    for at, item in enumerate(items(call[name])):
        yield Place(name, facet, at if listed else None), item


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
            return {kind: list(map(_number, value))}
        case "dtype" | "pointer":
            return {kind: value}
        case "float32":
            return _number(shortest(value))
        case _:
            return _number(value)


def _body(value: Tensor | Scalar) -> dict[str, Any]:
    if isinstance(value, Scalar):
        return {"dtype": value.dtype, "value": _number(value.value)}
    body: dict[str, Any] = {"shape": list(value.shape), "dtype": value.dtype, "format": value.format}
    if value.strides is not None:
        body["strides"] = list(value.strides)
    if value.offset:
        body["offset"] = value.offset
    if value.storage_shape is not None:
        body["storage_shape"] = list(value.storage_shape)
    if value.storage_format is not None:
        body["storage_format"] = value.storage_format
    if value.values:
        body["values"] = list(map(_number, value.values))
    return body


def _number(value: Any) -> Any:
    """A number as JSON has it: what is not finite is its name, a complex one a pair."""
    if isinstance(value, complex):
        return [_number(value.real), _number(value.imag)]
    return repr(value) if isinstance(value, float) and not math.isfinite(value) else value
