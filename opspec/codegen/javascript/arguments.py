"""Typed arguments as JSON that JavaScript reads: an integer that a number cannot hold is a text of its digits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from opspec.codegen.javascript.jstext import MAX_SAFE
from opspec.language.values import Scalar, Tensor


def packed(value: Any, kind: str) -> Any:
    """An argument as ``opspec/web/rules/arguments.js`` reads it.

    >>> packed((1, 2**60), "int_array")
    [1, '1152921504606846976']
    """
    if value is None:
        return None
    match kind:
        case "tensor":
            return _tensor(value)
        case "scalar":
            return _scalar(value)
        case "tensor_list":
            return [None if item is None else _tensor(item) for item in value]
        case "scalar_list":
            return [*map(_scalar, value)]
        case "int_array":
            return _integers(value)
        case "int":
            return _integer(value)
        case "float" | "float32":
            return _number(value)
        case "float_array":
            return [*map(_number, value)]
        case "bool_array":
            return [*value]
    return value


def _tensor(value: Tensor) -> dict[str, Any]:
    found: dict[str, Any] = {"shape": _integers(value.shape), "dtype": value.dtype, "format": value.format}
    if value.strides is not None:
        found["strides"] = _integers(value.strides)
    if value.offset:
        found["offset"] = _integer(value.offset)
    if value.storage_shape is not None:
        found["storage_shape"] = _integers(value.storage_shape)
    if value.storage_format is not None:
        found["storage_format"] = value.storage_format
    if value.values:
        found["values"] = [*map(_number, value.values)]
    return found


def _scalar(value: Scalar) -> dict[str, Any]:
    return {"dtype": value.dtype} if value.value is None else {"dtype": value.dtype, "value": _number(value.value)}


def _integers(values: Sequence[int]) -> list[int | str]:
    return [*map(_integer, values)]


def _integer(value: int) -> int | str:
    return value if -MAX_SAFE <= value <= MAX_SAFE else str(value)


def _number(value: float | complex) -> object:
    """A value of a tensor or a scalar, where a text names what is not finite."""
    if isinstance(value, complex):
        return {"real": repr(value.real), "imaginary": repr(value.imag)}
    if isinstance(value, int):
        return value if -MAX_SAFE <= value <= MAX_SAFE else {"integer": str(value)}
    return value if value - value == 0 else str(value)
