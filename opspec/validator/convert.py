"""JSON values to typed values: the one place that knows how an argument is written.

A call is judged thousands of times a second, so a legal call pays for no message: functions raise with a place
relative to their argument (``.shape[1]``), and :mod:`opspec.validator.arguments` puts operator and param in front.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from opspec.errors import ArgumentError, OpspecError, did_you_mean, of_argument, shown
from opspec.language.values import Scalar, Tensor
from opspec.vocabulary import dtypes, formats

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    from opspec.language.values import Argument, Number

    T = TypeVar("T")

INT64_MIN, INT64_MAX, UINT64_MAX = -(2**63), 2**63 - 1, 2**64 - 1
MAX_RANK = 1024
SHORT_LIST = 12  #: a message lists names only when there are at most so many

#: kind -> (what it is, how it is written)
FORMS = {
    "tensor": ("a tensor", '{"tensor": {"shape": [2, 3], "dtype": "FLOAT", "format": "ND"}}'),
    "tensor_list": ("a tensor list", '{"tensor_list": [{"shape": [2, 3], "dtype": "FLOAT", "format": "ND"}]}'),
    "scalar": ("a scalar", '{"scalar": {"dtype": "FLOAT", "value": 1.0}}'),
    "scalar_list": ("a scalar list", '{"scalar_list": [{"dtype": "FLOAT", "value": 1.0}]}'),
    "int_array": ("an int array", '{"int_array": [1, 2]}'),
    "float_array": ("a float array", '{"float_array": [1.0, 2.0]}'),
    "bool_array": ("a bool array", '{"bool_array": [true, false]}'),
    "int": ("an integer", "as a JSON number without a point"),
    "float": ("a float", 'as a JSON number or as "nan", "inf" or "-inf"'),
    "float32": ("a float", 'as a JSON number or as "nan", "inf" or "-inf"'),
    "bool": ("a bool", "true or false"),
    "string": ("a string", "as a JSON string"),
    "dtype": ("a dtype", '{"dtype": "FLOAT"}'),
    "pointer": ("a pointer", '{"pointer": true}'),
}
TENSOR_KEYS = (
    "shape", "dtype", "format", "strides", "offset", "storage_shape", "storage_format", "values", "range",
)  # fmt: skip
SCALAR_KEYS = ("dtype", "value")
NON_FINITE = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}

#: Spellings that need no thought -> canonical name. Numbers are none: true would be taken for 1.
USUAL_DTYPES = {**dtypes.aliases(), **{name: name for name in dtypes.names()}}
USUAL_FORMATS = {**formats.aliases(), **{name: name for name in formats.names()}}

_INT = {int}
_BOOL = {bool}
_FLOAT_BOOL = {float, bool}


class ImpossibleTensor(ArgumentError):
    """A tensor that no runtime creates: a dim is negative."""


def argument(kind: str, value: object, low: int | None = None, high: int | None = None) -> Argument:
    """One typed argument; None stays None. Places in errors are relative to the argument."""
    if value is None:
        return None
    return integer(value, low, high) if kind == "int" else CONVERTERS[kind](value)


def tensor(value: object) -> Tensor | None:
    """``{"tensor": {...}}``, or the inner object alone; ``{"tensor": null}`` is None."""
    try:  # the usual one: nothing but shape, dtype and format in known spellings
        if type(value) is dict:
            inner = value["tensor"] if len(value) == 1 else value  # as lists have it
            if type(inner) is dict and len(inner) == 3:
                shape, name, view = inner["shape"], USUAL_DTYPES[inner["dtype"]], USUAL_FORMATS[inner["format"]]
                if type(shape) is list and len(shape) <= MAX_RANK:
                    for dim in shape:
                        if type(dim) is not int or not 0 <= dim <= INT64_MAX:
                            break
                    else:
                        return Tensor(shape, name, view)
    except (KeyError, TypeError):
        pass
    body = _body(value, "tensor", "shape")
    return None if body is None else _tensor(body)


def tensor_list(value: object) -> tuple[Tensor | None, ...] | None:
    """``{"tensor_list": [...]}`` or the bare list; an element may be null."""
    items = _items(value, "tensor_list")
    return None if items is None else tuple(_each(items, _element))


def scalar(value: object) -> Scalar | None:
    """``{"scalar": {...}}``, or the inner object alone. A bare number has no dtype and is refused."""
    try:  # the usual one: a known spelling and one number that needs no thought
        if type(value) is dict:
            inner = value["scalar"] if len(value) == 1 else value
            if type(inner) is dict and len(inner) == 2:
                name, number = USUAL_DTYPES[inner["dtype"]], inner["value"]
                if type(number) is int and INT64_MIN <= number <= INT64_MAX:
                    return Scalar(name, number)
                if type(number) is bool or (type(number) is float and "INT" not in name):
                    return Scalar(name, number)
    except (KeyError, TypeError):
        pass
    body = _body(value, "scalar", "value")
    return None if body is None else _scalar(body)


def scalar_list(value: object) -> tuple[Scalar, ...] | None:
    """``{"scalar_list": [...]}`` or the bare list."""
    items = _items(value, "scalar_list")
    return None if items is None else tuple(_each(items, _scalar_element))


def int_array(value: object) -> tuple[int, ...] | None:
    """``{"int_array": [...]}`` or the bare list, of int64."""
    items = _items(value, "int_array")
    return None if items is None else int64s(items, "")


def float_array(value: object) -> tuple[float, ...] | None:
    """``{"float_array": [...]}`` or the bare list; an aclFloatArray holds binary32."""
    items = _items(value, "float_array")
    return None if items is None else tuple(_each(items, binary32))


def bool_array(value: object) -> tuple[bool, ...] | None:
    """``{"bool_array": [...]}`` or the bare list, of booleans or 0 and 1."""
    items = _items(value, "bool_array")
    if items is None:
        return None
    return tuple(items) if {*map(type, items)} <= _BOOL else tuple(_each(items, boolean))  # type: ignore[arg-type]


def integer(value: object, low: int | None = None, high: int | None = None) -> int:
    """An integer of a C type with the range ``low`` to ``high``, by default any of 64 bits; for an unsigned type
    C makes one that it holds of a negative one."""
    if type(value) is not int:
        raise _malformed("int", value)
    held = value + high + 1 if value < 0 and low == 0 and high is not None else value
    if not (INT64_MIN if low is None else low) <= held <= (UINT64_MAX if high is None else high):
        low, high = INT64_MIN if low is None else low, UINT64_MAX if high is None else high
        raise ArgumentError(f"an integer from {low} to {high} is expected, found {found(value)}")
    return held


def real(value: object) -> float:
    """A C double."""
    if type(value) is float:
        return value
    if type(value) is int:
        try:
            return float(value)
        except OverflowError:
            raise ArgumentError(f"a double cannot hold {found(value)}") from None
    if type(value) is str and value in NON_FINITE:
        return NON_FINITE[value]
    raise _malformed("float", value)


def binary32(value: object) -> float:
    """A C float: rounded to binary32 as the compiler would."""
    from struct import pack, unpack  # imported late: many operators have no float

    number = real(value)
    try:
        return unpack("<f", pack("<f", number))[0]  # type: ignore[no-any-return]
    except OverflowError:
        raise ArgumentError(f"a C float cannot hold {number}") from None


def boolean(value: object) -> bool:
    """true or false; 0 and 1 as in C."""
    if type(value) is bool:
        return value
    if type(value) is int and value in (0, 1):
        return value == 1
    raise _malformed("bool", value)


def string(value: object) -> str:
    """What a ``char*`` can point to: text without a NUL."""
    if type(value) is not str:
        raise _malformed("string", value)
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise ArgumentError(f"not text: half of a surrogate pair in {shown(value)}") from None
    if "\0" in value:
        raise ArgumentError(f"a char* ends at its first NUL character, found {shown(value)}")
    return value


def dtype_argument(value: object) -> str:
    """``{"dtype": "FLOAT"}``, ``{"dtype": 0}``, or name or number alone.

    A C program can pass any number of an enum's 32 bits. One that no dtype has is DT_UNDEFINED, which no rule takes
    for a dtype either: such a call is judged, not refused as unreadable.
    """
    if isinstance(value, dict):
        if len(value) != 1 or "dtype" not in value:
            raise _malformed("dtype", value)
        value = value["dtype"]
    if type(value) is not str and type(value) is not int:
        raise _malformed("dtype", value)
    if type(value) is int and -(2**31) <= value < 2**31:
        try:
            return dtypes.from_number(value)
        except OpspecError:
            return "DT_UNDEFINED"
    return dtype(value, "")


def pointer(value: object) -> bool | None:
    """``{"pointer": true}``: some address that is not null."""
    if isinstance(value, dict) and len(value) == 1 and "pointer" in value:
        if value["pointer"] is True:
            return True
        if value["pointer"] is None:
            return None
    raise _malformed("pointer", value)


#: kind -> converter of every form that is not null; ``int`` also takes a range, see :func:`integer`.
CONVERTERS: dict[str, Callable[[object], Argument]] = {
    "tensor": tensor,
    "tensor_list": tensor_list,
    "scalar": scalar,
    "scalar_list": scalar_list,
    "int_array": int_array,
    "float_array": float_array,
    "bool_array": bool_array,
    "int": integer,
    "float": real,
    "float32": binary32,
    "bool": boolean,
    "string": string,
    "dtype": dtype_argument,
    "pointer": pointer,
}


# --- parts of arguments, shared with opspec.validator.python_args ---------------------------------------------------


def dtype(value: object, place: str = ".dtype") -> str:
    """Canonical name of a dtype given by name or by aclDataType number."""
    try:
        if type(value) is str:
            return dtypes.canonical(value)
        if type(value) is int:
            return dtypes.from_number(value)
    except OpspecError as error:
        raise of_argument(error, place) from None
    raise ArgumentError(f"a dtype is a name or a number, found {found(value)}", where=place)


def format_(value: object, place: str = ".format") -> str:
    """Canonical name of a format given by name or by aclFormat number."""
    try:
        if type(value) is str:
            return formats.canonical(value)
        if type(value) is int:
            return formats.from_number(value)
    except OpspecError as error:
        raise of_argument(error, place) from None
    raise ArgumentError(f"a format is a name or a number, found {found(value)}", where=place)


def dims(shape: object, place: str = ".shape") -> tuple[int, ...]:
    """A shape: integers from 0.

    Raises:
        ImpossibleTensor: a dim is negative; recorded tests pass -1, and the runtime refuses it.
    """
    if not isinstance(shape, (list, tuple)):
        raise ArgumentError(f"a shape is a list of integers, found {found(shape)}", where=place)
    if len(shape) > MAX_RANK:
        raise ArgumentError(f"a shape has at most {MAX_RANK} dims, found {len(shape)}", where=place)
    for dim in shape:
        if type(dim) is not int or not 0 <= dim <= INT64_MAX:
            raise _bad_dim(shape, place)
    return tuple(shape)


def int64s(items: Sequence[object], place: str) -> tuple[int, ...]:
    """A sequence of int64."""
    for item in items:
        if type(item) is not int or not INT64_MIN <= item <= INT64_MAX:
            break
    else:
        return tuple(items)  # type: ignore[arg-type]
    try:
        return tuple(_each(items, _int64))
    except OpspecError as error:
        raise of_argument(error, place + error.where) from None


def elements(value: object, dtype: str, shape: tuple[int, ...]) -> tuple[Number, ...] | None:
    """A tensor's values in row-major order, or None when they are not as many as the shape has elements.

    Recorded tests fill storage with fewer or more values than the view has elements, and mean the call to be legal:
    such values say nothing about the view, so they count as not carried.
    """
    if not isinstance(value, (list, tuple)):
        if shape:
            raise ArgumentError(f"values are a list of numbers, found {found(value)}", where=".values")
        value = [value]
    count = 1
    for dim in shape:
        count *= dim
    is_complex = dtype.startswith("COMPLEX")
    types = {*map(type, value)}
    flat: list[Number] = []
    if types <= _FLOAT_BOOL or (types <= _INT and min(value) >= INT64_MIN and max(value) <= UINT64_MAX):
        flat = value  # type: ignore[assignment]
    else:
        if is_complex:
            flat = [*_flat(value, pairs=True)]
        if not is_complex or len(flat) != count:
            flat = [*_flat(value, pairs=False)]
    if is_complex and not shape and len(flat) == 2:
        flat = [*_flat([value], pairs=True)]  # [re, im] of a tensor without dims
    return tuple(flat) if len(flat) == count else None


def found(value: object) -> str:
    """What stands where something else was expected, in JSON's words: short however large ``value`` is."""
    if value is None or value is True or value is False:
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, dict):
        return "an object with " + key_names(value) if value else "an empty object"
    if isinstance(value, (list, tuple)):
        return f"a list of {len(value)}"
    return shown(value) if isinstance(value, (str, bytes, int, float, complex)) else f"a {type(value).__name__}"


# --- tensors and scalars ----------------------------------------------------------------------------------------


def _tensor(body: dict[str, object]) -> Tensor:
    """The inner object of a tensor."""
    try:
        shape, name = dims(body["shape"]), dtype(body["dtype"])
    except KeyError as error:
        _known_keys(body, TENSOR_KEYS, "a tensor")
        raise ArgumentError(f"a tensor has a {error.args[0]}, found only {key_names(body)}") from None
    view = body.get("format")
    if view is None:
        return _full_tensor(body, shape, name, "ND")
    view = format_(view)
    if len(body) == 3:
        return Tensor(shape, name, view)
    return _full_tensor(body, shape, name, view)


def _full_tensor(body: dict[str, object], shape: tuple[int, ...], name: str, view: str) -> Tensor:
    """A tensor that says more than shape, dtype and format; null stands for a key that is not there."""
    _known_keys(body, TENSOR_KEYS, "a tensor")
    get = body.get
    strides, offset, storage_format = get("strides"), get("offset"), get("storage_format")
    if strides is not None:
        strides = _strides(strides, len(shape))
    if offset is None:
        offset = 0
    elif type(offset) is not int or not INT64_MIN <= offset <= INT64_MAX:
        raise ArgumentError(f"an offset is an int64, found {found(offset)}", where=".offset")
    storage_shape, values = get("storage_shape"), get("values")
    if get("range") is not None:
        _range(body["range"])
    return Tensor(
        shape,
        name,
        view,
        strides=strides,
        offset=offset,
        storage_shape=None if storage_shape is None else dims(storage_shape, ".storage_shape"),
        storage_format=None if storage_format is None else format_(storage_format, ".storage_format"),
        values=None if values is None else elements(values, name, shape),
    )


def _strides(value: object, rank: int) -> tuple[int, ...]:
    if not isinstance(value, (list, tuple)):
        raise ArgumentError(f"strides are a list of integers, found {found(value)}", where=".strides")
    if len(value) != rank:
        raise ArgumentError(f"one stride per dim is expected: {rank}, found {len(value)}", where=".strides")
    return int64s(value, ".strides")


def _range(value: object) -> None:
    """``[lo, hi]`` says which values a test would fill in; it leaves them unknown, so nothing of it is kept."""
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise ArgumentError(f"a range is written [low, high], found {found(value)}", where=".range")
    for index, item in enumerate(value):
        _number(item, f".range[{index}]")


def _scalar(body: dict[str, object]) -> Scalar:
    """The inner object of a scalar."""
    value = body.get("value")
    if "dtype" not in body or len(body) != 1 + ("value" in body):
        _known_keys(body, SCALAR_KEYS, "a scalar")
        raise ArgumentError(f"a scalar has a dtype, found only {key_names(body)}")
    name = dtype(body["dtype"])
    return Scalar(name, None if value is None else scalar_value(value, name))


def scalar_value(value: object, dtype: str) -> Number:
    """The value of a scalar: a number that its dtype can hold, ``[re, im]`` if that is complex."""
    if isinstance(value, (list, tuple, complex)):
        if not dtype.startswith("COMPLEX"):
            raise ArgumentError(f"a scalar of {dtype} holds one number, found {found(value)}", where=".value")
        if isinstance(value, complex):
            return value
        if len(value) != 2:
            raise ArgumentError(f"a complex value is written [re, im], found {found(value)}", where=".value")
        return _complex(value, ".value")
    number = _number(value, ".value")
    if type(number) is float and dtype.startswith(("INT", "UINT")):
        if not number.is_integer():
            raise ArgumentError(f"a scalar of {dtype} holds an integer, found {number}", where=".value")
        return _number(int(number), ".value")
    return number


def _int64(value: object) -> int:
    return integer(value, INT64_MIN, INT64_MAX)


def _element(value: object) -> Tensor | None:
    return None if value is None else tensor(value)


def _scalar_element(value: object) -> Scalar:
    result = scalar(value)
    if result is None:
        raise ArgumentError("an element of a scalar list is never null")
    return result


def _number(value: object, place: str) -> int | float | bool:
    if type(value) is float or type(value) is bool:
        return value
    if type(value) is int and INT64_MIN <= value <= UINT64_MAX:
        return value
    if type(value) is str and value in NON_FINITE:
        return NON_FINITE[value]
    expected = "a number of 64 bits" if type(value) is int else 'a number, "nan", "inf" or "-inf"'
    raise ArgumentError(f"{expected} is expected, found {found(value)}", where=place)


def _complex(pair: Sequence[object], place: str) -> complex:
    return complex(*(float(_number(part, f"{place}[{index}]")) for index, part in enumerate(pair)))


def _flat(value: Sequence[object], *, pairs: bool) -> Iterator[Number]:
    """Numbers of nested lists in row-major order; with ``pairs`` an inner ``[re, im]`` is one number.

    A loop instead of recursion: nesting comes from the call and may be deep.
    """
    count = 0
    stack = [iter(value)]
    while stack:
        for item in stack[-1]:
            if isinstance(item, (list, tuple)):
                if not (pairs and len(item) == 2 and not any(isinstance(part, (list, tuple)) for part in item)):
                    stack.append(iter(item))
                    break
                yield _complex(item, f".values[{count}]")
            elif isinstance(item, complex):
                yield item
            else:
                yield _number(item, f".values[{count}]")
            count += 1
        else:
            stack.pop()


# --- shapes of JSON ---------------------------------------------------------------------------------------------


def _body(value: object, kind: str, mark: str) -> dict[str, object] | None:
    """The inner object of ``{kind: {...}}``; an object with a dtype and the key ``mark`` is taken as the inner one."""
    if not isinstance(value, dict):
        raise _malformed(kind, value)
    if kind in value:
        if len(value) != 1:
            _known_keys(value, (kind,), FORMS[kind][0])
        value = value[kind]
        if value is not None and not isinstance(value, dict):
            raise _malformed(kind, value)
        return value
    if "dtype" in value and mark in value:
        return value
    raise _malformed(kind, value)


def _items(value: object, kind: str) -> Sequence[object] | None:
    """The list of ``{kind: [...]}``, or the bare list."""
    if isinstance(value, dict) and len(value) == 1 and kind in value:
        value = value[kind]
        if value is None:
            return None
    if not isinstance(value, (list, tuple)):
        raise _malformed(kind, value)
    return value


def _each(items: Sequence[object], convert: Callable[[object], T]) -> list[T]:
    result: list[T] = []
    try:
        for item in items:
            result.append(convert(item))
    except OpspecError as error:
        raise of_argument(error, f"[{len(result)}]{error.where}") from None
    return result


# --- errors -----------------------------------------------------------------------------------------------------


def _malformed(kind: str, value: object) -> ArgumentError:
    what, form = FORMS[kind]
    return ArgumentError(f"{what} is written {form}, found {found(value)}")


def _bad_dim(shape: Sequence[object], place: str) -> ArgumentError:
    for index, dim in enumerate(shape):
        if type(dim) is not int:
            return ArgumentError(f"a dim is an integer, found {found(dim)}", where=f"{place}[{index}]")
        if dim < 0:
            return ImpossibleTensor(f"a dim is at least 0, found {found(dim)}", where=f"{place}[{index}]")
        if dim > INT64_MAX:
            return ArgumentError(f"a dim is an int64, found {found(dim)}", where=f"{place}[{index}]")
    raise AssertionError("every dim is good")


def _known_keys(body: Mapping[str, object], keys: tuple[str, ...], what: str) -> None:
    for key in body:
        if key not in keys:
            word = key if isinstance(key, str) else str(found(key))
            raise ArgumentError(
                f"{what} has no {shown(key)}{did_you_mean(word, keys) or '; it has ' + ', '.join(keys)}"
            )


def key_names(keys: Iterable[object]) -> str:
    """The first few keys of an object, quoted."""
    first: list[str] = []
    for key in keys:
        if len(first) == SHORT_LIST:
            first.append("…")
            break
        first.append(shown(key) if isinstance(key, str) else found(key))
    return ", ".join(first)
