"""Arguments of a PyTorch call as opspec's values, with what torch_npu makes of a tensor's layout."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import torch

from opspec.language.types import OF_KIND, Type
from opspec.language.values import Argument, Scalar, Tensor
from opspec.validator.python_args import from_python
from opspec.vocabulary import dtypes, formats

#: what torch_npu says of a tensor whose data lie in rows, by rank; ND otherwise
BY_RANK = {3: "NCL", 4: "NCHW", 5: "NCDHW"}

#: types of schemas -> kinds of arguments; what is not here has no counterpart on a device
KINDS = {
    "Tensor": "tensor",
    "List[Tensor]": "tensor_list",
    "List[Optional[Tensor]]": "tensor_list",
    "int": "int",
    "SymInt": "int",
    "float": "float",
    "bool": "bool",
    "str": "string",
    "number": "scalar",
    "ScalarType": "dtype",
    "List[int]": "int_array",
    "List[SymInt]": "int_array",
    "List[float]": "float_array",
    "List[number]": "scalar_list",
    "List[bool]": "bool_array",
}

_SYMBOLS = (torch.SymInt, torch.SymFloat, torch.SymBool)  # sizes that a tracer does not know

#: rows and columns of a block of FRACTAL_NZ: as many rows, and columns of so many bytes
NZ_ROWS, NZ_BYTES = 16, 32


def kind_of(argument: Any) -> tuple[str, bool] | None:
    """Kind of a schema's argument and whether it may be absent; None where it has no counterpart."""
    name = str(argument.real_type)
    inner = name.removeprefix("Optional[").removesuffix("]") if name.startswith("Optional[") else name
    kind = KINDS.get(inner)
    return None if kind is None else (kind, inner != name)


def type_of(kind: str) -> Type:
    """The type of expressions that read an argument of a kind."""
    return OF_KIND[kind]


class Layouts:
    """Private formats of the tensors of a run, by storage: views of a tensor have the format of its storage."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, str]] = {}  # with the storage, so that no other takes its place

    def set(self, tensor: torch.Tensor, name: str) -> None:
        """Remember the format that a tensor was cast to."""
        storage = tensor.untyped_storage()
        self._known[storage._cdata] = (storage, name)

    def seen(self, value: Any) -> Hashable:
        """All that a verdict can hang on of a value of a call, alike for values that are judged alike; None: unknown.

        A number is told from others that equal it: ``1``, ``1.0`` and ``True`` are of different kinds.
        """
        kind = type(value)
        if isinstance(value, torch.Tensor):
            if value.layout is not torch.strided or any(type(dim) is not int for dim in value.shape):
                return None
            private = self._private(value)
            return (value.shape, value.stride(), value.storage_offset(), value.dtype, private, value.device.type)
        if kind in (tuple, list):
            parts = tuple(map(self.seen, value))
            return None if None in parts else (kind, parts)
        if kind is dict:
            parts = tuple(map(self.seen, value.values()))
            return None if None in parts else (tuple(value), parts)
        return None if kind in _SYMBOLS or not isinstance(value, Hashable) else (kind, value)

    def value(self, value: Any, kind: str) -> Argument:
        """A value of a call as one of a kind.

        torch_npu makes a DOUBLE of every Python float, which many pages do not list; no model can change that, and
        nothing promotes to something else by it, so that it is given as FLOAT.
        """
        if kind == "tensor":
            return self._tensor(value)
        if kind == "tensor_list":
            return tuple(None if item is None else self._tensor(item) for item in value)
        if kind == "scalar_list":
            return tuple(self.value(item, "scalar") for item in value)
        if kind == "scalar" and type(value) is float:
            return Scalar("FLOAT", value)
        return from_python(value, kind)

    def _tensor(self, value: Any) -> Argument:
        found = from_python(value, "tensor")
        if not isinstance(value, torch.Tensor) or not isinstance(found, Tensor):
            return found
        private = self._private(value)
        if private is None:
            return in_rows(found)
        found.format = found.storage_format = private
        found.storage_shape = storage_shape(found)
        return found

    def _private(self, value: torch.Tensor) -> str | None:
        if not self._known:
            return None
        try:
            storage = value.untyped_storage()
        except (NotImplementedError, RuntimeError):  # a tensor of tensors has none
            return None
        known = self._known.get(storage._cdata)
        return None if known is None else known[1]


def in_rows(tensor: Tensor) -> Tensor:
    """A tensor with the format that torch_npu gives one of its rank."""
    tensor.format = BY_RANK.get(len(tensor.shape), "ND")
    return tensor


def without_ranks(value: Any) -> Any:
    """The same arguments with ND for tensors whose format only tells their rank."""
    if isinstance(value, dict):
        return {name: without_ranks(item) for name, item in value.items()}
    if isinstance(value, tuple):
        return tuple(map(without_ranks, value))
    if isinstance(value, Tensor) and value.format in BY_RANK.values():
        return Tensor(value.shape, value.dtype, strides=value.strides, offset=value.offset)
    return value


def with_dims(value: Any) -> Any:
    """The same arguments with one dim of one element for tensors that have none."""
    if isinstance(value, dict):
        return {name: with_dims(item) for name, item in value.items()}
    if isinstance(value, tuple):
        return tuple(map(with_dims, value))
    if isinstance(value, Tensor) and not value.shape:
        return Tensor((1,), value.dtype, offset=value.offset)
    return value


def storage_shape(tensor: Tensor) -> tuple[int, ...] | None:
    """The dims of a tensor in FRACTAL_NZ, None for other formats: blocks of the last two dims, column by column."""
    if tensor.format != "FRACTAL_NZ" or len(tensor.shape) < 2:
        return None
    *batch, rows, columns = tensor.shape
    if tensor.strides is not None and tensor.strides[-1] != 1:  # a transposed view: as it lies
        rows, columns = columns, rows
    width = NZ_BYTES * 8 // (dtypes.bits(tensor.dtype) or 8)
    return (*batch, -(-columns // width), -(-rows // NZ_ROWS), NZ_ROWS, width)


def format_name(number: int) -> str:
    """The name of a format that torch_npu gives by its number."""
    return formats.from_number(number)


def torch_dtype(name: str) -> torch.dtype:
    """PyTorch's dtype of the vendor's name."""
    found = getattr(torch, TORCH_NAMES.get(name, name.lower()))
    assert isinstance(found, torch.dtype)
    return found


TORCH_NAMES = {"FLOAT": "float32", "DOUBLE": "float64"}
