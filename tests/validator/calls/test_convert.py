"""Promises of opspec.validator.convert: every documented form is read, and whatever else comes is one OpspecError."""

from __future__ import annotations

import math
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opspec.errors import OpspecError
from opspec.language.values import Scalar, Tensor
from opspec.validator.arguments import arguments
from opspec.validator.convert import CONVERTERS, FORMS, argument

INT8 = (-128, 127)


def form(
    name: str,
    kind: str,
    *,
    required: bool = True,
    spellings: tuple[str, ...] = (),
    bounds: tuple[int, int] | tuple[None, None] = (None, None),
) -> Any:
    nullable = kind not in ("int", "float", "float32", "bool", "dtype")
    return (name, kind, nullable, required, spellings, *bounds)


def one(kind: str, value: object, **more: Any) -> Any:
    """The single argument ``x`` of a call of aclnnX."""
    return arguments("aclnnX", [form("x", kind, **more)], {"x": value})[0]


def refusal(kind: str, value: object, **more: Any) -> str:
    with pytest.raises(OpspecError) as caught:
        one(kind, value, **more)
    text = str(caught.value)
    assert "\n" not in text
    return text


def tensor(**body: object) -> dict[str, object]:
    return {"tensor": {"shape": [2, 3], "dtype": "FLOAT", "format": "ND", **body}}


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("tensor", tensor(), Tensor([2, 3], "FLOAT")),
        ("tensor", {"tensor": None}, None),
        ("tensor", None, None),
        ("tensor", {"shape": [], "dtype": 0}, Tensor([], "FLOAT")),
        ("tensor", tensor(format="NCHW", strides=[1, 2]), Tensor([2, 3], "FLOAT", "NCHW", strides=[1, 2])),
        ("tensor", tensor(offset=4, storage_shape=[9]), Tensor([2, 3], "FLOAT", offset=4, storage_shape=[9])),
        ("tensor", tensor(storage_format="FRACTAL_NZ"), Tensor([2, 3], "FLOAT", storage_format="FRACTAL_NZ")),
        ("tensor", tensor(strides=None, range=[-1, 1]), Tensor([2, 3], "FLOAT")),
        ("tensor", tensor(range=["-inf", True]), Tensor([2, 3], "FLOAT")),
        ("tensor_list", {"tensor_list": [tensor()["tensor"], None]}, (Tensor([2, 3], "FLOAT"), None)),
        ("tensor_list", [tensor()], (Tensor([2, 3], "FLOAT"),)),
        ("tensor_list", {"tensor_list": []}, ()),
        ("tensor_list", {"tensor_list": None}, None),
        ("scalar", {"scalar": {"dtype": "FLOAT", "value": 1.5}}, Scalar("FLOAT", 1.5)),
        ("scalar", {"scalar": {"dtype": "INT32", "value": 2.0}}, Scalar("INT32", 2)),
        ("scalar", {"scalar": {"dtype": "COMPLEX64", "value": [1, "inf"]}}, Scalar("COMPLEX64", complex(1, math.inf))),
        ("scalar", {"scalar": {"dtype": "COMPLEX64", "value": 1}}, Scalar("COMPLEX64", 1)),
        ("scalar", {"scalar": {"dtype": "BOOL", "value": True}}, Scalar("BOOL", True)),
        ("scalar", {"scalar": {"dtype": "FLOAT"}}, Scalar("FLOAT", None)),
        ("scalar", {"dtype": "FLOAT", "value": "-inf"}, Scalar("FLOAT", -math.inf)),
        ("scalar_list", {"scalar_list": [{"dtype": "FLOAT", "value": 1.0}]}, (Scalar("FLOAT", 1.0),)),
        ("int_array", {"int_array": [1, -2]}, (1, -2)),
        ("int_array", [1, 2], (1, 2)),
        ("int_array", [], ()),
        ("float_array", {"float_array": [1, 0.1]}, (1.0, struct.unpack("<f", struct.pack("<f", 0.1))[0])),
        ("float_array", ["inf"], (math.inf,)),
        ("bool_array", {"bool_array": [True, False]}, (True, False)),
        ("bool_array", [0, 1], (False, True)),
        ("int", 7, 7),
        ("int", 2**64 - 1, 2**64 - 1),
        ("float", 1, 1.0),
        ("float", 0.1, 0.1),
        ("float", "-inf", -math.inf),
        ("float32", 0.1, struct.unpack("<f", struct.pack("<f", 0.1))[0]),
        ("float32", "inf", math.inf),
        ("bool", True, True),
        ("bool", 0, False),
        ("string", "", ""),
        ("string", "张量", "张量"),
        ("string", None, None),
        ("dtype", {"dtype": "FLOAT"}, "FLOAT"),
        ("dtype", {"dtype": 0}, "FLOAT"),
        ("dtype", 100, "DT_UNDEFINED"),
        ("dtype", {"dtype": -3}, "DT_UNDEFINED"),
        ("dtype", "float32", "FLOAT"),
        ("dtype", 1, "FLOAT16"),
        ("pointer", {"pointer": True}, True),
        ("pointer", None, None),
    ],
)
def test_every_documented_form_is_read(kind: str, value: object, expected: object) -> None:
    result = one(kind, value)
    assert result == expected
    assert type(result) is type(expected)


def test_nan_is_read_where_a_number_may_stand() -> None:
    assert math.isnan(one("float", "nan"))
    assert math.isnan(one("float32", "nan"))
    assert math.isnan(one("scalar", {"scalar": {"dtype": "FLOAT", "value": "nan"}}).value)


@pytest.mark.parametrize("name", ["FLOAT", "float", "FLOAT32"])
def test_dtypes_are_canonical(name: str) -> None:
    assert one("tensor", tensor(dtype=name)).dtype == "FLOAT"


@pytest.mark.parametrize(
    ("shape", "dtype", "values", "expected"),
    [
        ([2, 2], "FLOAT", [1, 2.5, True, "nan"], (1, 2.5, True, math.nan)),
        ([2, 2], "INT32", [[1, 2], [3, 4]], (1, 2, 3, 4)),
        ([], "INT32", 5, (5,)),
        ([], "INT32", [5], (5,)),
        ([0], "INT32", [], ()),
        ([1], "UINT64", [2**64 - 1], (2**64 - 1,)),
        ([2], "COMPLEX64", [[1, 2], [3, 4]], (1 + 2j, 3 + 4j)),
        ([2, 2], "COMPLEX64", [[1, 2], [3, 4]], (1, 2, 3, 4)),
        ([1, 2], "COMPLEX64", [[[1, 2], [3, 4]]], (1 + 2j, 3 + 4j)),
        ([2], "COMPLEX64", [1, [3, 4]], (1, 3 + 4j)),
        ([2], "COMPLEX64", [1.0, 2.0], (1.0, 2.0)),
        ([], "COMPLEX64", [1.0, 2.0], (1 + 2j,)),
        ([], "COMPLEX64", [1, "inf"], (complex(1, math.inf),)),
    ],
)
def test_values_are_flat_in_row_major_order(
    shape: list[int], dtype: str, values: object, expected: tuple[object, ...]
) -> None:
    found = one("tensor", tensor(shape=shape, dtype=dtype, values=values)).values
    assert repr(found) == repr(expected)


@pytest.mark.parametrize(("shape", "values"), [([3], [1.0, 2.0]), ([2], [1, 2, 3]), ([2], [[1], [[2]], 3])])
def test_values_that_are_not_one_per_element_count_as_not_carried(shape: list[int], values: list[object]) -> None:
    assert one("tensor", tensor(shape=shape, values=values)).values is None


@pytest.mark.parametrize("said", [{}, {"values": None}, {"values": []}, {"values": [1]}])
def test_the_values_of_an_empty_tensor_are_known_whatever_a_call_says(said: dict[str, object]) -> None:
    assert one("tensor", tensor(shape=[2, 0], **said)).values == ()


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("tensor", tensor(shape=[2, -3]), "aclnnX.x.shape[1]: a dim is at least 0, found -3"),
        ("tensor", tensor(shape=[True]), "aclnnX.x.shape[0]: a dim is an integer, found true"),
        ("tensor", tensor(shape=[2**63]), f"aclnnX.x.shape[0]: a dim is an int64, found {2**63}"),
        ("tensor", tensor(shape=[0] * 1025), "aclnnX.x.shape: a shape has at most 1024 dims, found 1025"),
        ("tensor", tensor(shape=5), "aclnnX.x.shape: a shape is a list of integers, found 5"),
        ("tensor", tensor(strides=[1]), "aclnnX.x.strides: one stride per dim is expected: 2, found 1"),
        ("tensor", tensor(strides=[1, 1.0]), "aclnnX.x.strides[1]: an integer is written as a JSON number"),
        ("tensor", tensor(offset=1.5), "aclnnX.x.offset: an offset is an int64, found 1.5"),
        ("tensor", tensor(storage_shape=["a"]), "aclnnX.x.storage_shape[0]: a dim is an integer, found 'a'"),
        ("tensor", tensor(storage_format="ZZ"), "aclnnX.x.storage_format: "),
        ("tensor", tensor(shape=[0], values=["x"]), "aclnnX.x.values[0]: a number"),
        ("tensor", tensor(format=[]), "aclnnX.x.format: a format is a name or a number, found a list of 0"),
        ("tensor", tensor(dtype=True), "aclnnX.x.dtype: a dtype is a name or a number, found true"),
        ("tensor", tensor(dtype="FLOAT17"), "aclnnX.x.dtype: "),
        ("tensor", tensor(range=[1]), "aclnnX.x.range: a range is written [low, high], found a list of 1"),
        ("tensor", tensor(range=[1, "x"]), "aclnnX.x.range[1]: a number"),
        ("tensor", tensor(values=[[1, "x"]]), ".values[1]: a number"),
        ("tensor", tensor(values=7), "aclnnX.x.values: values are a list of numbers, found 7"),
        ("tensor", tensor(shape=[1], values=[2**64]), ".values[0]: a number of 64 bits is expected"),
        ("tensor", tensor(stride=[1]), "aclnnX.x: a tensor has no 'stride'; did you mean 'strides'?"),
        ("tensor", {"tensor": {"shape": []}}, "aclnnX.x: a tensor has a dtype, found only 'shape'"),
        ("tensor", {"tensor": {"shpe": [], "dtype": "FLOAT"}}, "did you mean 'shape'?"),
        ("tensor", {"tensor": {}, "values": 1}, "aclnnX.x: a tensor has no 'values'"),
        ("tensor", {"scalar": {}}, 'aclnnX.x: a tensor is written {"tensor": {'),
        ("tensor", [1], "found a list of 1"),
        ("tensor_list", [tensor(), tensor(shape=[-2])], "aclnnX.x[1].shape[0]: a dim"),
        ("tensor_list", tensor(), "aclnnX.x: a tensor list is written"),
        ("scalar", 1.0, 'aclnnX.x: a scalar is written {"scalar": {"dtype": "FLOAT", "value": 1.0}}, found 1.0'),
        ("scalar", {"scalar": {"value": 1}}, "aclnnX.x: a scalar has a dtype, found only 'value'"),
        ("scalar", {"scalar": {"dtype": "FLOAT", "valu": 1}}, "did you mean 'value'?"),
        ("scalar", {"scalar": {"dtype": "FLOAT", "value": [1, 2]}}, "aclnnX.x.value: a scalar of FLOAT holds one"),
        ("scalar", {"scalar": {"dtype": "COMPLEX64", "value": [1]}}, "aclnnX.x.value: a complex value is written"),
        ("scalar", {"scalar": {"dtype": "COMPLEX64", "value": [1, "a"]}}, "aclnnX.x.value[1]: a number"),
        ("scalar", {"scalar": {"dtype": "INT32", "value": 1.5}}, "aclnnX.x.value: a scalar of INT32 holds an integer"),
        ("scalar", {"scalar": {"dtype": "INT32", "value": "inf"}}, "aclnnX.x.value: a scalar of INT32"),
        ("scalar", {"scalar": {"dtype": "INT32", "value": 1e300}}, "aclnnX.x.value: a number of 64 bits"),
        ("scalar_list", [None], "aclnnX.x[0]: "),
        ("scalar_list", [{"scalar": None}], "aclnnX.x[0]: an element of a scalar list is never null"),
        ("int_array", [1, True], "aclnnX.x[1]: an integer is written"),
        ("int_array", [2**63], "aclnnX.x[0]: an integer from"),
        ("float_array", [1, None], "aclnnX.x[1]: a float is written"),
        ("bool_array", [2], "aclnnX.x[0]: a bool is written true or false, found 2"),
        ("int", True, "aclnnX.x: an integer is written as a JSON number without a point, found true"),
        ("int", 1.0, "aclnnX.x: an integer is written as a JSON number without a point, found 1.0"),
        ("int", "1", "found '1'"),
        ("int", 2**64, "aclnnX.x: an integer from"),
        ("int", None, "aclnnX.x: an integer is never null"),
        ("float", True, "aclnnX.x: a float is written"),
        ("float32", 1e39, "aclnnX.x: a C float cannot hold 1e+39"),
        ("bool", 2, "aclnnX.x: a bool is written true or false, found 2"),
        ("string", 1, "aclnnX.x: a string is written as a JSON string, found 1"),
        ("string", "a\0b", "aclnnX.x: a char* ends at its first NUL"),
        ("string", "\ud800", "aclnnX.x: not text"),
        ("dtype", {"dtype": None}, 'aclnnX.x: a dtype is written {"dtype": "FLOAT"}, found null'),
        ("dtype", {"type": 1}, "aclnnX.x: a dtype is written"),
        ("dtype", "NOPE", "aclnnX.x: "),
        ("pointer", True, 'aclnnX.x: a pointer is written {"pointer": true}, found true'),
        ("pointer", {"pointer": 0}, "aclnnX.x: a pointer is written"),
    ],
)
def test_a_wrong_argument_is_refused_with_its_place(kind: str, value: object, expected: str) -> None:
    text = refusal(kind, value)
    assert text.startswith("aclnnX.x")
    assert expected in text
    assert len(text) < 300


def test_an_endless_integer_does_not_reach_the_message() -> None:
    assert refusal("int", 10**6000).endswith("found an integer of 19932 bits")
    assert refusal("float", 10**6000) == "aclnnX.x: a double cannot hold an integer of 19932 bits"


def test_an_integer_stays_in_the_range_of_its_c_type() -> None:
    assert one("int", -128, bounds=INT8) == -128
    assert refusal("int", 128, bounds=INT8) == "aclnnX.x: an integer from -128 to 127 is expected, found 128"


def test_a_negative_integer_is_what_c_makes_of_it_for_an_unsigned_type() -> None:
    assert one("int", -1, bounds=(0, 2**64 - 1)) == 2**64 - 1
    assert refusal("int", -1, bounds=(1, 5)) == "aclnnX.x: an integer from 1 to 5 is expected, found -1"
    assert refusal("int", -257, bounds=(0, 255)) == "aclnnX.x: an integer from 0 to 255 is expected, found -257"


def test_arguments_come_in_param_order_and_missing_optional_ones_are_null() -> None:
    params = [form("a", "int"), form("b", "tensor", required=False), form("c", "bool")]
    assert arguments("aclnnX", params, {"c": True, "a": 1}) == (1, None, True)


def test_a_missing_required_argument_is_bad_input() -> None:
    params = [form("self", "tensor"), form("out", "tensor")]
    with pytest.raises(
        OpspecError, match=r"^aclnnX\.out: required, but missing; the call has .self.; a null pointer is"
    ):
        arguments("aclnnX", params, {"self": None})
    with pytest.raises(OpspecError, match=r"^aclnnX\.self: required, but missing; the call has no arguments"):
        arguments("aclnnX", params, {})


def test_a_misspelt_required_argument_names_the_spelling() -> None:
    with pytest.raises(OpspecError, match=r"required, but missing; .gradOuput. is no param: did you mean .gradOutput."):
        arguments("aclnnX", [form("gradOutput", "tensor")], {"gradOuput": None})


def test_an_unknown_argument_is_bad_input() -> None:
    params = [form("self", "tensor"), form("out", "tensor")]
    data: dict[str, object] = {"self": None, "out": None, "oout": 1}
    with pytest.raises(OpspecError, match=r"^aclnnX: no param 'oout'; did you mean 'out'\?; its params are self, out$"):
        arguments("aclnnX", params, data)
    with pytest.raises(OpspecError, match=r"^aclnnX: no param 'q'$"):
        arguments("aclnnX", [], {"q": 1})


def test_another_spelling_is_accepted_once() -> None:
    params = [form("x", "int", spellings=("y", "z"))]
    assert arguments("aclnnX", params, {"z": 3}) == (3,)
    with pytest.raises(OpspecError, match=r"^aclnnX\.x: given twice, as 'x' and as 'y'$"):
        arguments("aclnnX", params, {"y": 1, "x": 1})
    with pytest.raises(OpspecError, match=r"^aclnnX\.x: given twice, as 'y' and as 'z'$"):
        arguments("aclnnX", params, {"y": 1, "z": 1})


def test_args_are_an_object() -> None:
    wrong: list[Any] = [[], 1, None, "x"]
    for data in wrong:
        with pytest.raises(OpspecError, match=r"^aclnnX: args is an object, found "):
            arguments("aclnnX", [], data)


def test_every_kind_has_a_form_to_show() -> None:
    assert set(FORMS) == set(CONVERTERS)


def test_nesting_cannot_exhaust_the_stack() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert one("tensor", tensor(values=deep)).values is None
    refusal("int", deep)
    while deep:  # freed level by level
        deep = deep[0]  # type: ignore[assignment]


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-2, 3)
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["FLOAT", "COMPLEX64", "INT32", "BOOL", "ND", "nan", "inf"])
)
KEYS = st.sampled_from(
    ["tensor", "tensor_list", "scalar", "scalar_list", "int_array", "float_array", "bool_array", "dtype", "pointer",
     "shape", "format", "strides", "offset", "storage_shape", "storage_format", "values", "range", "value"]
) | st.text(max_size=4)  # fmt: skip
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=12
)
DIMS = st.lists(st.integers(-3, 4), max_size=3)
NEARLY_A_TENSOR = st.fixed_dictionaries(
    {"shape": DIMS | JSON, "dtype": st.sampled_from(["FLOAT", "COMPLEX64", 0, 99]) | JSON},
    optional=dict.fromkeys(("format", "strides", "offset", "storage_shape", "values", "range", "zz"), DIMS | JSON),
)


@given(st.sampled_from(sorted(CONVERTERS)), JSON | NEARLY_A_TENSOR | st.lists(NEARLY_A_TENSOR, max_size=2))
def test_any_value_is_read_or_refused_on_one_line(kind: str, value: object) -> None:
    message = "aclnnX.x: read"
    try:
        one(kind, value)
    except OpspecError as error:
        message = str(error)
    assert message.startswith("aclnnX.x")
    assert "\n" not in message


@given(st.sampled_from(sorted(CONVERTERS)), JSON)
def test_what_is_read_once_is_hashable_or_a_model(kind: str, value: object) -> None:
    try:
        result = argument(kind, value)
    except OpspecError:
        return
    assert result is None or isinstance(result, (Tensor, Scalar, tuple, int, float, str))
    if isinstance(result, Tensor):
        assert all(type(dim) is int and dim >= 0 for dim in result.shape)
        assert result.strides is None or len(result.strides) == len(result.shape)
        assert result.values is None or len(result.values) == math.prod(result.shape)


@given(st.dictionaries(st.sampled_from(["a", "b", "c"]) | st.text(max_size=3), JSON, max_size=4))
def test_any_object_of_args_is_read_or_refused(data: dict[str, object]) -> None:
    params = [form("a", "int"), form("b", "float", spellings=("bb",)), form("c", "scalar_list", required=False)]
    try:
        result = arguments("aclnnX", params, data)
    except OpspecError as error:
        message = str(error)
    else:
        message = f"aclnnX: {len(result)} read"
        assert len(result) == len(params)
    assert message.startswith("aclnnX")
