"""What a call's arguments are at run time: metadata only, never device data.

A null pointer is None. A tensor list, a scalar list and the arrays are tuples; integers, floats, booleans and
strings are themselves; a dtype argument is its canonical name.
"""

from __future__ import annotations

from collections.abc import Sequence

Number = int | float | bool | complex


class Tensor:
    """Metadata of an aclTensor.

    Args:
        shape: the view shape; each dim is at least 0.
        dtype: canonical dtype name (``opspec.vocabulary.dtypes.canonical``).
        format: canonical format name of the view.
        strides: in elements, one per dim; None means contiguous.
        offset: in elements, from the start of the storage.
        storage_shape: shape of the storage; None when the call does not say.
        storage_format: format of the storage; None means the view's format.
        values: the elements in row-major order when the call carries one for each, or there are none; otherwise None.

    >>> Tensor((2, 3), "FLOAT16", strides=(1, 2))
    Tensor([2, 3], FLOAT16, ND)
    >>> Tensor([2, 3], "FLOAT16") == Tensor((2, 3), "FLOAT16", "ND"), Tensor((), "INT64", values=[7]).values
    (True, (7,))
    """

    __slots__ = ("dtype", "format", "offset", "shape", "storage_format", "storage_shape", "strides", "values")

    def __init__(
        self,
        shape: Sequence[int],
        dtype: str,
        format: str = "ND",
        *,
        strides: Sequence[int] | None = None,
        offset: int = 0,
        storage_shape: Sequence[int] | None = None,
        storage_format: str | None = None,
        values: Sequence[Number] | None = None,
    ) -> None:
        self.shape = tuple(shape)
        self.dtype = dtype
        self.format = format
        self.strides = None if strides is None else tuple(strides)
        self.offset = offset
        self.storage_shape = None if storage_shape is None else tuple(storage_shape)
        self.storage_format = storage_format
        self.values = (() if 0 in self.shape else None) if values is None else tuple(values)

    def __repr__(self) -> str:
        return f"Tensor({list(self.shape)}, {self.dtype}, {self.format})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tensor):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    __hash__ = None  # type: ignore[assignment]


class Scalar:
    """An aclScalar: its dtype and, when the call carries it, its value (None otherwise).

    >>> Scalar("FLOAT", 0.5)
    Scalar(0.5, FLOAT)
    >>> Scalar("INT64").value is None
    True
    """

    __slots__ = ("dtype", "value")

    def __init__(self, dtype: str, value: Number | None = None) -> None:
        self.dtype = dtype
        self.value = value

    def __repr__(self) -> str:
        return f"Scalar({self.value!r}, {self.dtype})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scalar) and (self.dtype, self.value) == (other.dtype, other.value)

    __hash__ = None  # type: ignore[assignment]


Argument = Tensor | Scalar | tuple[object, ...] | int | float | bool | str | None
