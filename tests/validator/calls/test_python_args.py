"""Promises of opspec.validator.python_args: arrays of any library become metadata, and nothing is imported for it."""

from __future__ import annotations

import math
import subprocess
import sys
from enum import IntEnum
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from opspec.errors import OpspecError
from opspec.language.values import Scalar, Tensor
from opspec.validator.python_args import from_python, python_arguments

X = np.arange(6, dtype=np.float32).reshape(2, 3)


class Dtype:
    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text


class TorchLike:
    """What opspec uses of a torch tensor."""

    def __init__(self, shape: tuple[int, ...], dtype: str, stride: tuple[int, ...], offset: int = 0) -> None:
        self.shape, self.dtype = shape, Dtype(dtype)
        self._stride, self._offset = stride, offset

    def stride(self) -> tuple[int, ...]:
        return self._stride

    def storage_offset(self) -> int:
        return self._offset

    def tolist(self) -> Any:
        raise RuntimeError("Cannot copy out of meta tensor;\nno data!")


class WithFormat:
    shape, dtype, format = (1, 2, 3, 4), "float16", "NCHW"


class Level(IntEnum):
    ONE = 1


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (X, Tensor([2, 3], "FLOAT")),
        (X.T, Tensor([3, 2], "FLOAT", strides=[1, 3])),
        (X[:, ::2], Tensor([2, 2], "FLOAT", strides=[3, 2])),
        (X[::-1], Tensor([2, 3], "FLOAT", strides=[-3, 1])),
        (np.broadcast_to(X[:1], (4, 3)), Tensor([4, 3], "FLOAT", strides=[0, 1])),
        (X[:1].T, Tensor([3, 1], "FLOAT")),
        (np.zeros((0, 3)).T, Tensor([3, 0], "DOUBLE")),
        (np.zeros((), np.bool_), Tensor([], "BOOL")),
        (np.zeros(1, np.complex64), Tensor([1], "COMPLEX64")),
        (TorchLike((2, 3), "torch.bfloat16", (3, 1)), Tensor([2, 3], "BFLOAT16")),
        (TorchLike((2, 3), "torch.float16", (1, 2), 4), Tensor([2, 3], "FLOAT16", strides=[1, 2], offset=4)),
        (TorchLike((2,), "torch.float8_e4m3fn", (1,)), Tensor([2], "FLOAT8_E4M3FN")),
        (WithFormat(), Tensor([1, 2, 3, 4], "FLOAT16", "NCHW")),
        (Tensor([2], "float32", "nd"), Tensor([2], "FLOAT", "ND")),
        (Tensor([2], "BF16", strides=[2]), Tensor([2], "BFLOAT16", strides=[2])),
        ({"tensor": {"shape": [2], "dtype": "FLOAT"}}, Tensor([2], "FLOAT")),
        (None, None),
    ],
)
def test_arrays_become_metadata(value: object, expected: Tensor | None) -> None:
    assert from_python(value, "tensor") == expected


@pytest.mark.parametrize("name", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bool"])
def test_numpy_dtypes_keep_their_names(name: str) -> None:
    result = from_python(np.zeros(2, name), "tensor")
    assert isinstance(result, Tensor)
    assert result.dtype == name.upper()


def test_values_are_kept_only_when_asked_for() -> None:
    kept, dropped = from_python(X.T, "tensor", values=True), from_python(X.T, "tensor")
    assert isinstance(kept, Tensor)
    assert isinstance(dropped, Tensor)
    assert kept.values == (0.0, 3.0, 1.0, 4.0, 2.0, 5.0)
    assert dropped.values is None
    pair = from_python(np.array([[1 + 2j]], np.complex64), "tensor", values=True)
    assert isinstance(pair, Tensor)
    assert pair.values == (1 + 2j,)
    empty = from_python(np.array(7), "tensor", values=True)
    assert isinstance(empty, Tensor)
    assert empty.values == (7,)


def test_a_tensor_that_keeps_its_promises_passes_through() -> None:
    for tensor in (Tensor([2], "FLOAT"), Tensor([2], "FLOAT", strides=[2], values=[1.0, 2.0])):
        assert from_python(tensor, "tensor") is tensor
    scalar = Scalar("FLOAT", 1.0)
    assert from_python(scalar, "scalar") is scalar
    assert from_python(Scalar("float32", 1.0), "scalar") == scalar


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        ([X, None, X.T], "tensor_list", (Tensor([2, 3], "FLOAT"), None, Tensor([3, 2], "FLOAT", strides=[1, 3]))),
        (True, "scalar", Scalar("BOOL", True)),
        (3, "scalar", Scalar("INT64", 3)),
        (1.5, "scalar", Scalar("DOUBLE", 1.5)),
        (1j, "scalar", Scalar("COMPLEX128", 1j)),
        (np.float32(1.5), "scalar", Scalar("FLOAT", 1.5)),
        (np.float64(1.5), "scalar", Scalar("DOUBLE", 1.5)),
        (np.int8(3), "scalar", Scalar("INT8", 3)),
        (np.array(2.0), "scalar", Scalar("DOUBLE", 2.0)),
        ({"scalar": {"dtype": "FLOAT", "value": 1}}, "scalar", Scalar("FLOAT", 1)),
        (
            [1.5, np.int32(2), Scalar("BOOL")],
            "scalar_list",
            (Scalar("DOUBLE", 1.5), Scalar("INT32", 2), Scalar("BOOL")),
        ),
        ((1, np.int64(2)), "int_array", (1, 2)),
        (range(3), "int_array", (0, 1, 2)),
        (np.arange(3), "int_array", (0, 1, 2)),
        ([1, np.float32(0.5)], "float_array", (1.0, 0.5)),
        (np.array([True, False]), "bool_array", (True, False)),
        (np.int64(4), "int", 4),
        (Level.ONE, "int", 1),
        (np.float32(0.5), "float", 0.5),
        (2, "float", 2.0),
        (math.inf, "float", math.inf),
        (np.bool_(True), "bool", True),
        ("sum", "string", "sum"),
        (np.float16, "dtype", "FLOAT16"),
        (np.dtype("float32"), "dtype", "FLOAT"),
        (Dtype("torch.int8"), "dtype", "INT8"),
        ("BF16", "dtype", "BFLOAT16"),
        (1, "dtype", "FLOAT16"),
        (True, "pointer", True),
        ({"pointer": True}, "pointer", True),
    ],
)
def test_python_values_become_arguments(value: object, kind: str, expected: object) -> None:
    result = from_python(value, kind)
    assert result == expected
    assert type(result) is type(expected)


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        (3, "tensor", "op.x: an object with shape and dtype is expected, found 3"),
        (np.zeros(2, "U3"), "tensor", "op.x.dtype: "),
        (np.zeros(2, ">f4").view([("a", "i4")]), "tensor", "op.x.dtype: "),
        (Tensor([-5], "FLOAT"), "tensor", "op.x.shape[0]: a dim is at least 0"),
        (Tensor([5], "FLOT"), "tensor", "op.x.dtype: "),
        (Tensor([5], "FLOAT", strides=[1, 2]), "tensor", "op.x.strides: one stride per dim"),
        (TorchLike((2, 3), "torch.float16", (1,)), "tensor", "op.x.strides: one stride per dim"),
        (True, "dtype", 'op.x: a dtype is written {"dtype": "FLOAT"}, found true'),
        (1.0, "dtype", 'op.x: a dtype is written {"dtype": "FLOAT"}, found 1.0'),
        ([X, 3], "tensor_list", "op.x[1]: an object with shape and dtype"),
        (X, "tensor_list", "op.x: a tensor list is a list or tuple"),
        ("a", "scalar", "op.x: a number, a NumPy scalar or a Scalar is expected, found 'a'"),
        (2**70, "scalar", "op.x.value: a number of 64 bits"),
        (5, "int_array", "op.x: an int array is a sequence, found 5"),
        ([1.5], "int_array", "op.x[0]: an integer"),
        (np.zeros((2, 2), int), "int_array", "op.x[0]: an integer"),
        (True, "int", "op.x: an integer is written"),
        (None, "int", "op.x: an integer is never null"),
        (None, "dtype", "op.x: a dtype is never null"),
        (object(), "float", "op.x: a float is written"),
        (object(), "dtype", "op.x: "),
        (object(), "pointer", "op.x: a pointer is True"),
        (b"sum", "string", "op.x: a string is written"),
    ],
)
def test_wrong_values_are_refused_with_their_place(value: object, kind: str, expected: str) -> None:
    with pytest.raises(OpspecError) as caught:
        from_python(value, kind, where="op.x")
    assert str(caught.value).startswith(expected)
    assert "\n" not in str(caught.value)


def test_what_a_library_raises_becomes_one_line() -> None:
    with pytest.raises(OpspecError, match=r"^op\.x: values cannot be read: RuntimeError: .*meta tensor"):
        from_python(TorchLike((2,), "torch.int8", (1,)), "tensor", values=True, where="op.x")


def test_a_numpy_view_of_uneven_strides_is_refused() -> None:
    record = np.zeros(4, [("a", "f4"), ("b", "i2")])
    with pytest.raises(OpspecError, match=r"\.strides: strides of whole elements"):
        from_python(record["a"], "tensor")


FORMS: Any = [
    ("x", "tensor", True, True, ("self",), None, None),
    ("k", "int", False, True, (), -128, 127),
    ("bias", "tensor", True, False, (), None, None),
]


def test_a_call_in_python_is_checked_like_one_in_a_file() -> None:
    assert python_arguments("aclnnX", FORMS, {"self": X, "k": np.int8(3)}) == (Tensor([2, 3], "FLOAT"), 3, None)
    kept, _, _ = python_arguments("aclnnX", FORMS, {"x": X, "k": 3}, values=True)
    assert isinstance(kept, Tensor)
    assert kept.values == (0.0, 1.0, 2.0, 3.0, 4.0, 5.0)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"x": X}, "aclnnX.k: required, but missing; the call has 'x'"),
        ({"x": X, "k": 128}, "aclnnX.k: an integer from -128 to 127 is expected, found 128"),
        ({"x": X, "k": None}, "aclnnX.k: an integer is never null"),
        ({"x": X, "self": X, "k": 1}, "aclnnX.x: given twice, as 'x' and as 'self'"),
        ({"x": X, "k": 1, "bais": X}, "aclnnX: no param 'bais'; did you mean 'bias'?"),
        ({"x": Tensor([-5], "FLOAT"), "k": 1}, "aclnnX.x.shape[0]: a dim is at least 0"),
    ],
)
def test_a_wrong_call_in_python_is_refused_with_its_place(data: dict[str, Any], expected: str) -> None:
    with pytest.raises(OpspecError) as caught:
        python_arguments("aclnnX", FORMS, data)
    assert str(caught.value).startswith(expected)


KINDS = ["tensor", "tensor_list", "scalar", "scalar_list", "int_array", "float_array", "bool_array", "int", "float",
         "float32", "bool", "string", "dtype", "pointer"]  # fmt: skip
ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.complex_numbers() | st.text(max_size=5)
    | st.binary(max_size=3) | st.just(X) | st.just(np.float16(1)) | st.just(Tensor([1], "FLOAT", values=[2])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["tensor", "dtype"]), inner),
    max_leaves=6,
)  # fmt: skip


@given(st.sampled_from(KINDS), ANY, st.booleans())
def test_any_python_value_is_read_or_refused(kind: str, value: object, values: bool) -> None:
    message = "op.x: read"
    try:
        from_python(value, kind, values=values, where="op.x")
    except OpspecError as error:
        message = str(error)
    assert message.startswith("op.x")


def test_a_checked_call_imports_nothing_slow() -> None:
    """The command line pays for every import: reading and typing a call needs neither YAML nor typing machinery."""
    slow = ("yaml", "pydantic", "gzip", "dataclasses", "pathlib", "typing", "numpy", "difflib")
    code = (
        "import sys, io; before = set(sys.modules)\n"
        "from opspec.validator.read import calls; from opspec.validator.arguments import arguments\n"
        "import opspec.validator.python_args\n"
        """text = b'{"op": "x", "args": {"a": {"tensor": {"shape": [1], "dtype": "FLOAT"}}}}'\n"""
        "call, = calls('-', io.BytesIO(text))\n"
        "arguments('x', [('a', 'tensor', True, True, (), None, None)], call.args)\n"
        f"print(*[name for name in {slow} if name in sys.modules and name not in before])"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{code}"],
                          capture_output=True, text=True, check=True)  # fmt: skip
    assert done.stdout.split() == []
