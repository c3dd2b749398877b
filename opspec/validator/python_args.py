"""Python values to typed arguments: NumPy arrays, torch tensors and their like, by their shape and dtype alone.

No array library is imported. Whatever a call's file can say (``{"tensor": {…}}`` …) is accepted here too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from keyword import iskeyword

from opspec.errors import ArgumentError, OpspecError, of_argument, shown
from opspec.language.values import Argument, Scalar, Tensor
from opspec.later import typing
from opspec.registry.registry import Form, ParamForm
from opspec.validator import arguments, convert
from opspec.validator.convert import INT64_MAX, MAX_RANK, USUAL_DTYPES, USUAL_FORMATS

#: Names of array libraries that are not the vendor's with another case.
DTYPES = {
    "half": "FLOAT16",
    "bool_": "BOOL",
    "float8_e4m3": "FLOAT8_E4M3FN",
    "float8_e8m0fnu": "FLOAT8_E8M0",
    "float4_e2m1fn": "FLOAT4_E2M1",
    "float4_e2m1fn_x2": "FLOAT4_E2M1",
}

#: What torch_npu creates for a Python number: ``at::Scalar`` keeps a float as double and a complex as complex<double>,
#: and its aclScalar gets the dtype of that. An operator that wants FLOAT is given ``Scalar("FLOAT", x)``.
SCALARS = {bool: "BOOL", int: "INT64", float: "DOUBLE", complex: "COMPLEX128"}


#: What ``opspec.check``, ``infer`` and ``repair`` take beside a call's arguments; a test compares it with them.
OPTIONS = frozenset({"args", "lang", "most", "product", "release", "specs", "values"})


def by_name(params: Sequence[ParamForm]) -> Sequence[ParamForm]:
    """The params as a Python call names them.

    One that has the name of an option, or of a keyword of Python, is written with an underscore behind it, as rules
    write the latter: ``values_=…``, ``from_=…``.
    """
    taken = {form[0] for form in params}
    return [
        (name, kind, nullable, required, (*spellings, f"{name}_"), low, high)
        if (name in OPTIONS or iskeyword(name)) and f"{name}_" not in taken
        else (name, kind, nullable, required, spellings, low, high)
        for name, kind, nullable, required, spellings, low, high in params
    ]


def python_arguments(
    op: str, params: Sequence[ParamForm], data: Mapping[str, typing.Any], *, values: bool = False
) -> tuple[Argument, ...]:
    """The typed arguments of a call in param order, from Python values by param name.

    Args:
        op, params: as for :func:`opspec.validator.arguments.arguments`, which checks names, nulls and ranges.
        data: values as :func:`from_python` takes them.
        values: keep the elements of arrays.

    Raises:
        ArgumentError: an argument is missing, unknown, given twice or does not fit its param.
    """

    def read(kind: str, value: object, low: int | None, high: int | None) -> Argument:
        return from_python(value, kind, values=values, low=low, high=high)

    return arguments.arguments(op, by_name(params), data, read=read)


def python_reader(form: Form) -> Callable[[Mapping[str, typing.Any]], tuple[Argument, ...]]:
    """What does :func:`python_arguments` for an operator's compiled form, without the elements of arrays."""
    if form.python_reader is None:
        form.python_reader = arguments.reader(form.operator, by_name(form.params), _converter, metadata)
    return form.python_reader


def metadata(kind: str, value: object, low: int | None, high: int | None) -> Argument:
    return from_python(value, kind, low=low, high=high)


def _converter(kind: str, low: int | None, high: int | None) -> Callable[[typing.Any], Argument]:
    """What types a value of a kind: at once if it is the kind's own Python type, by :func:`from_python` if not."""

    def any_(value: typing.Any) -> Argument:
        return from_python(value, kind, low=low, high=high)

    if kind == "tensor":
        return _sound_or(any_)
    if kind not in _OWN:
        return any_
    own, typed = _OWN[kind]
    return lambda value: typed(value) if type(value) is own else any_(value)


def from_python(
    value: typing.Any,
    kind: str,
    *,
    values: bool = False,
    where: str = "",
    low: int | None = None,
    high: int | None = None,
) -> Argument:
    """The typed argument that a Python value stands for; None is a null pointer.

    Args:
        value: an opspec ``Tensor`` or ``Scalar``, an array or tensor of any library, a number, a sequence of these as
            the kind asks, or the JSON form.
        kind: kind of the param, see ``opspec.validator.convert.FORMS``.
        values: keep the elements of arrays, which copies them; otherwise metadata only.
        where: ``operator.param``, for messages.
        low, high: range of an integer's C type.

    Raises:
        ArgumentError: the value does not fit the kind.
    """
    try:
        if isinstance(value, dict):
            return convert.argument(kind, value, low, high)
        if value is None:
            if kind in _VALUES:
                raise ArgumentError(f"{convert.FORMS[kind][0]} is never null")
            return None
        if kind == "tensor":
            return _tensor(value, values)
        if kind == "tensor_list":
            return _each(value, kind, lambda item: None if item is None else _tensor(item, values))
        if kind == "scalar":
            return _scalar(value)
        if kind == "scalar_list":
            return _each(value, kind, _scalar)
        if kind in _ARRAYS:
            return convert.argument(kind, [_number(item) for item in _sequence(value, kind)])
        if kind == "dtype":
            return convert.dtype_argument(_dtype(value))
        if kind == "pointer":
            if value is True:
                return True
            raise ArgumentError(f"a pointer is True, or None for null; found {convert.found(value)}")
        return convert.argument(kind, _number(value), low, high)
    except OpspecError as error:
        raise of_argument(error, where + error.where) from None


_VALUES = frozenset({"int", "float", "float32", "bool", "dtype"})
_ARRAYS = frozenset({"int_array", "float_array", "bool_array"})


def _tensor(value: typing.Any, values: bool) -> Tensor:
    if type(value) is Tensor:
        return _checked(value)
    if isinstance(value, dict):
        result = convert.tensor(value)
        if result is None:
            raise ArgumentError("a tensor is None, found a wrapped null")
        return result
    if not (hasattr(value, "shape") and hasattr(value, "dtype")):
        raise ArgumentError(f"an object with shape and dtype is expected, found {convert.found(value)}")
    shape = _shape(value)
    dtype = convert.dtype(_dtype(value.dtype))
    layout = getattr(value, "format", None)
    strides = _strides(value, len(shape))
    return Tensor(
        shape,
        dtype,
        "ND" if layout is None or callable(layout) else convert.format_(layout),
        strides=None if strides is None or _is_contiguous(shape, strides) else strides,
        offset=_offset(value),
        values=convert.elements(_foreign(value.tolist, "values"), dtype, shape) if values else None,
    )


def _checked(tensor: Tensor) -> Tensor:
    """A Tensor made by hand, with the same promises as one that was read; itself if it keeps them."""
    if _sound(tensor) is tensor:
        return tensor
    dtype, layout = convert.dtype(tensor.dtype), convert.format_(tensor.format)
    shape = convert.dims(tensor.shape)
    if dtype == tensor.dtype and layout == tensor.format and not _has_details(tensor):
        return tensor
    body = {"shape": shape, "dtype": dtype, "format": layout, "offset": tensor.offset}
    body.update(strides=tensor.strides, storage_shape=tensor.storage_shape, storage_format=tensor.storage_format)
    result = convert.tensor({**body, "values": tensor.values})
    return tensor if result == tensor else result  # type: ignore[return-value]


def _sound_or(otherwise: Callable[[typing.Any], Argument]) -> Callable[[typing.Any], Argument]:
    """What reads a Tensor made by hand: itself if it keeps all promises and has nothing but shape, dtype and format.

    It stands for most arguments of most calls, so it calls nothing: each call costs a twentieth of a check.
    """

    def read(value: typing.Any) -> Argument:
        if type(value) is not Tensor:
            return otherwise(value)
        shape, name, view = value.shape, value.dtype, value.format
        if type(shape) is not tuple or len(shape) > MAX_RANK or not type(name) is type(view) is str:
            return otherwise(value)
        for dim in shape:
            if type(dim) is not int or not 0 <= dim <= INT64_MAX:
                return otherwise(value)
        if (
            name in _DTYPES
            and view in _FORMATS
            and value.strides is None
            and value.offset == 0
            and value.storage_shape is None
            and value.storage_format is None
            and not value.values
        ):
            return value
        return otherwise(value)

    return read


_sound = _sound_or(lambda value: None)

#: canonical names
_DTYPES = frozenset(name for name, canonical in USUAL_DTYPES.items() if name == canonical)
_FORMATS = frozenset(name for name, canonical in USUAL_FORMATS.items() if name == canonical)


def _has_details(tensor: Tensor) -> bool:
    return (
        tensor.strides is not None
        or tensor.offset != 0
        or tensor.storage_shape is not None
        or tensor.storage_format is not None
        or bool(tensor.values)
    )


def _shape(value: typing.Any) -> tuple[int, ...]:
    """A torch.Size, a TensorShape, a tuple of NumPy integers … as integers."""
    try:
        shape = tuple(int(dim) for dim in value.shape)
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError(f"a shape of known dims is expected, found {shown(value.shape)}", where=".shape") from None
    return convert.dims(shape)


def _dtype(value: typing.Any) -> object:
    """The vendor's spelling of a NumPy, torch, jax … dtype; a name, a number and what is none pass through."""
    if isinstance(value, (int, float)) or value is None:
        return value
    if isinstance(value, type):
        name = value.__name__  # numpy.float16, float
        name = {"int": "int64", "float": "double"}.get(name, name)
    elif type(value) is str:
        name = value
    else:
        name = getattr(value, "name", None) or str(value)
        if not isinstance(name, str):
            name = str(value)
    name = name.rpartition(".")[2]  # torch.float16
    return DTYPES.get(name, name)


def _strides(value: typing.Any, rank: int) -> tuple[int, ...] | None:
    """In elements: torch counts so, NumPy counts bytes."""
    try:
        if callable(getattr(value, "stride", None)):
            strides = tuple(int(step) for step in value.stride())
        else:
            steps, size = getattr(value, "strides", None), getattr(value, "itemsize", None)
            if steps is None or callable(steps) or not size:
                return None
            strides = tuple(int(step) // int(size) for step in steps)
            if any(int(step) % int(size) for step in steps):
                raise ArgumentError(f"strides of whole elements are expected, found {shown(steps)} bytes")
    except OpspecError as error:
        raise of_argument(error, ".strides") from None
    except Exception as error:  # foreign code: sparse tensors, for one, have no strides
        raise ArgumentError(f"cannot be read: {type(error).__name__}: {shown(str(error))}", where=".strides") from None
    if len(strides) != rank:
        raise ArgumentError(f"one stride per dim is expected: {rank}, found {len(strides)}", where=".strides")
    return convert.int64s(strides, ".strides")


def _is_contiguous(shape: Sequence[int], strides: Sequence[int]) -> bool:
    """Row-major without gaps; the stride of a dim of one element, and any of an empty tensor, mean nothing."""
    expected = 1
    for dim, stride in zip(reversed(shape), reversed(strides), strict=True):
        if dim == 0:
            return True
        if dim != 1 and stride != expected:
            return 0 in shape
        expected *= dim
    return True


def _offset(value: typing.Any) -> int:
    """torch's storage offset; NumPy arrays know no storage but their own."""
    offset = getattr(value, "storage_offset", None)
    return int(_foreign(offset, "offset")) if callable(offset) else 0


def _scalar(value: typing.Any) -> Scalar:
    if type(value) is Scalar:
        name = convert.dtype(value.dtype)
        number = None if value.value is None else convert.scalar_value(value.value, name)
        return value if name == value.dtype and number is value.value else Scalar(name, number)
    if isinstance(value, dict):
        result = convert.scalar(value)
        if result is None:
            raise ArgumentError("a scalar is None, found a wrapped null")
        return result
    name = SCALARS.get(type(value), "")
    if not name:
        if not _is_number_object(value):
            raise ArgumentError(f"a number, a NumPy scalar or a Scalar is expected, found {convert.found(value)}")
        name = convert.dtype(_dtype(value.dtype))
        value = _foreign(value.item, "value")
    return Scalar(name, convert.scalar_value(value, name))


def _number(value: typing.Any) -> typing.Any:
    """A NumPy scalar, a tensor without dims … as a Python number; anything else unchanged."""
    if type(value) in SCALARS or isinstance(value, str):
        return value
    if _is_number_object(value):
        return _foreign(value.item, "value")
    if isinstance(value, int):  # an IntEnum
        return int(value)
    return value


def _is_number_object(value: typing.Any) -> bool:
    return hasattr(value, "dtype") and callable(getattr(value, "item", None)) and getattr(value, "shape", None) == ()


def _sequence(value: typing.Any, kind: str) -> Sequence[typing.Any]:
    if isinstance(value, (list, tuple, range)):
        return value
    if hasattr(value, "tolist") and hasattr(value, "shape"):
        value = _foreign(value.tolist, "values")
        if isinstance(value, list):
            return value
    raise ArgumentError(f"{convert.FORMS[kind][0]} is a sequence, found {convert.found(value)}")


def _each(value: typing.Any, kind: str, convert_item: Callable[[typing.Any], Argument]) -> tuple[Argument, ...]:
    if not isinstance(value, (list, tuple)):
        raise ArgumentError(f"{convert.FORMS[kind][0]} is a list or tuple, found {convert.found(value)}")
    result: list[Argument] = []
    try:
        for item in value:
            result.append(convert_item(item))
    except OpspecError as error:
        raise of_argument(error, f"[{len(result)}]{error.where}") from None
    return tuple(result)


def _foreign(method: typing.Any, what: str) -> typing.Any:
    """The result of another library's method: whatever it raises is about the value (a meta tensor has no data)."""
    try:
        return method()
    except Exception as error:
        raise ArgumentError(f"{what} cannot be read: {type(error).__name__}: {shown(str(error))}") from None


#: kind -> the Python type that is the kind's own, and what types a value of it
_OWN: dict[str, tuple[type, Callable[[typing.Any], Argument]]] = {
    "scalar": (Scalar, _scalar),
    "float": (float, convert.real),
    "float32": (float, convert.binary32),
    "bool": (bool, convert.boolean),
    "string": (str, convert.string),
}
