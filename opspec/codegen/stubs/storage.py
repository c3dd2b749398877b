"""Host storage of an example's tensor: C type, length, and the example's values where the layout puts them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from opspec.codegen import ctext
from opspec.codegen.stubs.values import Filling, with_values
from opspec.errors import OpspecError
from opspec.language.values import Tensor
from opspec.vocabulary import dtypes, formats
from opspec.vocabulary.shapes import contiguous_strides

LISTED = 32  # elements of a storage that are written one by one, whatever they are
MOST_BYTES = 2**30  # of one tensor: static data of 2 GiB and more does not link everywhere

_C_TYPES = {
    "FLOAT": "float", "DOUBLE": "double", "FLOAT16": "uint16_t", "BFLOAT16": "uint16_t", "BOOL": "bool",
    "INT8": "int8_t", "INT16": "int16_t", "INT32": "int32_t", "INT64": "int64_t",
    "UINT8": "uint8_t", "UINT16": "uint16_t", "UINT32": "uint32_t", "UINT64": "uint64_t",
    "COMPLEX32": "uint16_t", "COMPLEX64": "float", "COMPLEX128": "double",
}  # fmt: skip
_BITS = frozenset({"FLOAT16", "BFLOAT16", "COMPLEX32"})  # dtypes whose elements C shows as bits

#: dtypes that C has no constants of -> a byte of ones
_ONES = {
    "FLOAT8_E4M3FN": "0x38", "FLOAT8_E5M2": "0x3c", "FLOAT8_E8M0": "0x7f", "HIFLOAT8": "0x08", "FLOAT4_E2M1": "0x22",
    "FLOAT4_E1M2": "0x44",
}  # fmt: skip
SAID = 8  # numbers that a comment shows
_C_BITS = {"float": 32, "double": 64, "bool": 8}
_PACKED = {"INT4": 4, "UINT1": 1}  # values of a dtype smaller than a byte, the first one in the lowest bits


@dataclass(frozen=True, slots=True)
class Storage:
    """A tensor's storage in host memory.

    Args:
        ctype: type of the C array; bytes where C has no type of the dtype's width.
        length: elements of the C array.
        literals: the first elements, as C writes them; the rest is zero, or:
        repeated: what fills the storage, again and again.
        said: the numbers that literals or repeated elements stand for, where C cannot show them.
        left_out: whether the example has values that could not be put into the storage.
    """

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    storage_shape: tuple[int, ...]
    ctype: str
    length: int
    literals: tuple[str, ...]
    repeated: tuple[str, ...]
    said: str
    left_out: bool

    @property
    def bytes(self) -> int:
        """How many bytes it takes."""
        return self.length * c_bits(self.ctype) // 8


def storage_of(tensor: Tensor, where: str, filling: Filling | None = None, *, is_given: bool = False) -> Storage:
    """The storage of a tensor.

    Args:
        filling: what its elements are, where it has no values itself.
        is_given: the tensor is somebody's: it has no storage where its elements have no size.

    Raises:
        OpspecError: elements of the dtype have no size, in a tensor of our own.
    """
    strides = tensor.strides if tensor.strides is not None else contiguous_strides(tensor.shape)
    shape = tensor.storage_shape if tensor.storage_shape is not None else _storage_shape(tensor, strides)
    width = dtypes.bits(tensor.dtype)
    if width is None and is_given:
        return Storage(tensor.shape, strides, shape, "uint8_t", 0, (), (), "", False)
    if width is None:
        raise OpspecError(f"elements of {tensor.dtype} have no size, so their storage has none", where=where)
    size = (prod(shape) * width + 7) // 8
    ctype = _C_TYPES.get(tensor.dtype, "uint8_t")
    numbers = tensor.values or ()
    literals, repeated = _literals(tensor, strides, prod(shape)), list[str]()
    if filling is not None and tensor.values is None:
        numbers = filling.items
        literals, repeated = _filled(tensor, strides, prod(shape), filling)
    said = ", ".join(f"{number:g}" for number in numbers[:SAID]) if tensor.dtype in _BITS else ""
    return Storage(
        tensor.shape, strides, shape, ctype, size * 8 // c_bits(ctype), tuple(literals or ()), tuple(repeated),
        f"{said}, ..." if said and len(numbers) > SAID else said, bool(tensor.values) and literals is None,
    )  # fmt: skip


def _filled(
    tensor: Tensor, strides: tuple[int, ...], count: int, filling: Filling
) -> tuple[list[str] | None, list[str]]:
    """The storage's elements, or some that are repeated throughout it; nothing where C cannot write them."""
    elements = prod(tensor.shape)
    if elements <= max(LISTED, len(filling.items)):
        items = (filling.items * (elements // len(filling.items) + 1))[:elements]
        listed = _literals(with_values(tensor, items), strides, count)
        if listed is not None:
            return listed, []
    if tensor.dtype in _ONES:
        return None, [_ONES[tensor.dtype]]
    if tensor.dtype in _PACKED:
        width = 8 // _PACKED[tensor.dtype]
        return None, _packed(dict(enumerate(filling.items * width)), _PACKED[tensor.dtype])
    if tensor.dtype not in _C_TYPES:
        return None, []
    return None, [text for item in filling.items for text in literal(tensor.dtype, item)]


def c_bits(ctype: str) -> int:
    """Width of a C type of storage."""
    return _C_BITS.get(ctype) or int("".join(filter(str.isdigit, ctype)))


def _storage_shape(tensor: Tensor, strides: tuple[int, ...]) -> tuple[int, ...]:
    """The smallest storage that holds the view: its own shape when it is contiguous, else one dim."""
    if tensor.offset == 0 and strides == contiguous_strides(tensor.shape):
        return tensor.shape
    if 0 in tensor.shape:
        return (0,)
    last = sum((dim - 1) * stride for dim, stride in zip(tensor.shape, strides, strict=True))
    return (tensor.offset + last + 1,)


def _literals(tensor: Tensor, strides: tuple[int, ...], count: int) -> list[str] | None:
    """The storage's elements up to the last value, or None when the values' places or encoding are not known."""
    if not tensor.values:
        return []
    layout = tensor.storage_format or tensor.format
    reordered = formats.is_private(layout) and tensor.storage_shape not in (None, tensor.shape)
    if layout != tensor.format or reordered or tensor.dtype not in {*_C_TYPES, *_PACKED}:
        return None
    elements: dict[int, Any] = {}
    for index, value in zip(product(*map(range, tensor.shape)), tensor.values, strict=True):
        elements[tensor.offset + sum(i * stride for i, stride in zip(index, strides, strict=True))] = value
    if max(elements) >= count or min(elements) < 0:
        return None
    if tensor.dtype in _PACKED:
        return _packed(elements, _PACKED[tensor.dtype])
    return [text for place in range(max(elements) + 1) for text in literal(tensor.dtype, elements.get(place, 0))]


def _packed(elements: dict[int, Any], width: int) -> list[str]:
    data = [0] * (max(elements) * width // 8 + 1)
    for place, value in elements.items():
        data[place * width // 8] |= (int(value) & (1 << width) - 1) << place * width % 8
    return [f"0x{byte:02x}" for byte in data]


def literal(dtype: str, value: Any) -> list[str]:
    """One element of a dtype as C constants: two for a complex one.

    Raises:
        OpspecError: C has no constant of the dtype.
    """
    if dtype not in _C_TYPES:
        raise OpspecError(f"a value of {dtype} has no form in C")
    ctype, kind = _C_TYPES[dtype], dtypes.kind(dtype)
    if kind == "complex":
        number = complex(*value) if isinstance(value, (list, tuple)) else complex(value)
        part = {"COMPLEX32": "FLOAT16", "COMPLEX64": "FLOAT", "COMPLEX128": "DOUBLE"}[dtype]
        return literal(part, number.real) + literal(part, number.imag)
    if kind == "bool":
        return [ctext.boolean(bool(value))]
    if kind in ("int", "uint"):
        return [_wrapped(int(value), c_bits(ctype), kind == "int")]
    return [_FLOATS[dtype](float(value))]


def _wrapped(value: int, bits: int, signed: bool) -> str:
    """An integer as the dtype holds it: modulo 2**bits, as a conversion in C would."""
    value &= (1 << bits) - 1
    if signed and value >> bits - 1:
        value -= 1 << bits
    return ctext.integer(value, bits, signed)


_FLOATS = {
    "FLOAT": lambda value: ctext.real(value, "F"),
    "DOUBLE": ctext.real,
    "FLOAT16": ctext.binary16,
    "BFLOAT16": ctext.bfloat16,
}
