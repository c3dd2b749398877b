"""Promise: the short notation of an example says what the long one says, and a word that is none is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opspec.errors import OpspecError
from opspec.model.definition import ParamDef
from opspec.model.example import Json, argument, example_of, short
from opspec.model.load import load_file, load_text
from opspec.vocabulary import dtypes
from tests.committed import sample
from tests.model.building import definition, spec

CASES: list[tuple[str, Json, Json]] = [
    ("tensor", "FLOAT16[2, 3]", {"tensor": {"shape": [2, 3], "dtype": "FLOAT16", "format": "ND"}}),
    ("tensor", "FLOAT16[2,3]", {"tensor": {"shape": [2, 3], "dtype": "FLOAT16", "format": "ND"}}),
    ("tensor", "FLOAT8_E4M3FN[]", {"tensor": {"shape": [], "dtype": "FLOAT8_E4M3FN", "format": "ND"}}),
    ("tensor", None, None),
    ("scalar", "FLOAT 1.5", {"scalar": {"dtype": "FLOAT", "value": 1.5}}),
    ("scalar", "INT64 -7", {"scalar": {"dtype": "INT64", "value": -7}}),
    ("scalar", "BOOL true", {"scalar": {"dtype": "BOOL", "value": True}}),
    ("tensor_list", ["INT8[1]", None], {"tensor_list": [{"shape": [1], "dtype": "INT8", "format": "ND"}, None]}),
    ("tensor_list", [], {"tensor_list": []}),
    ("scalar_list", ["INT8 1"], {"scalar_list": [{"dtype": "INT8", "value": 1}]}),
    ("int_array", ["0", "-1"], {"int_array": [0, -1]}),
    ("float_array", ["1.5", "1e-05"], {"float_array": [1.5, 1e-05]}),
    ("bool_array", ["true", "false"], {"bool_array": [True, False]}),
    ("int", "5", 5),
    ("float64", "1e-05", 1e-05),
    ("bool", "true", True),
    ("string", "5", "5"),
    ("string", "true", "true"),
    ("string", None, None),
    ("tensor", {"tensor": {"shape": ["2"], "dtype": "FLOAT", "format": "NCL"}},
     {"tensor": {"shape": [2], "dtype": "FLOAT", "format": "NCL"}}),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "written", "meant"), CASES)
def test_the_short_notation(kind: str, written: Json, meant: Json) -> None:
    assert argument(written, kind) == meant


def param(kind: str) -> ParamDef:
    """A param of a kind."""
    return ParamDef("x", kind, "", "in", True, True, (), None, None)


_SHAPES = st.lists(st.integers(0, 2**40), max_size=8)
_DTYPES = st.sampled_from(dtypes.names())
_TENSORS = st.fixed_dictionaries(
    {"shape": _SHAPES, "dtype": _DTYPES, "format": st.sampled_from(["ND", "NCHW"])},
    optional={"strides": _SHAPES, "values": st.lists(st.integers(-9, 9), max_size=3)},
)
_SCALARS = st.fixed_dictionaries(
    {"dtype": _DTYPES, "value": st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)}
)
_ARGUMENTS = st.one_of(
    st.tuples(st.just("tensor"), _TENSORS),
    st.tuples(st.just("scalar"), _SCALARS),
    st.tuples(st.just("tensor_list"), st.lists(_TENSORS | st.none(), max_size=3)),
    st.tuples(st.just("scalar_list"), st.lists(_SCALARS, max_size=3)),
    st.tuples(st.just("int_array"), st.lists(st.integers(), max_size=3)),
    st.tuples(st.just("bool_array"), st.lists(st.booleans(), max_size=3)),
)


def as_text(value: Json) -> Json:
    """As a file gives it back: every scalar is text."""
    if isinstance(value, dict):
        return {key: as_text(item) for key, item in value.items()}
    if isinstance(value, list):
        return [as_text(item) for item in value]
    return value if value is None else str(value).lower() if isinstance(value, bool) else str(value)


@given(_ARGUMENTS)
def test_short_and_long_are_opposites(found: tuple[str, Json]) -> None:
    """Whatever is short says the whole: nothing is left out that is not so by default."""
    kind, body = found
    long: Json = {kind: body}
    assert argument(as_text(short(long, param(kind))), kind) == long


@pytest.mark.parametrize(
    "text", ["FLOAT", "FLOAT[", "FLOAT[1", "FLOAT[-1]", "FLOAT[1, x]", "float[1]", "[1]", "FLOAT 1", ""]
)
def test_a_tensor_that_is_none(text: str) -> None:
    with pytest.raises(OpspecError, match=r"expected a tensor such as FLOAT16\[2, 3\], found"):
        argument(text, "tensor")
    with pytest.raises(OpspecError, match="expected a tensor"):
        argument([text], "tensor_list")


@pytest.mark.parametrize("text", ["FLOAT", "1", "FLOAT[1]", "FLOAT 1 2", ""])
def test_a_scalar_that_is_none(text: str) -> None:
    with pytest.raises(OpspecError, match=r"expected a scalar such as FLOAT 1\.0, found"):
        argument(text, "scalar")


def test_a_twins_example_has_its_names() -> None:
    body = """
params:
  - {name: self, ctype: const aclTensor*}
  - {name: out, ctype: aclTensor*, io: out}
twin: {operator: aclnnInplaceX, rename: {self: selfRef, out: selfRef}}
example: {product: 910b, args: {self: "FLOAT[2]", out: "FLOAT[2]"}}
"""
    first, second = load_text(spec(body), "x.yaml").definitions
    assert list(example_of(first)[1]) == ["self", "out"]
    assert example_of(second) == ("910b", {"selfRef": example_of(first)[1]["self"]})


def test_a_spec_without_an_example_says_so() -> None:
    with pytest.raises(OpspecError, match="no example"):
        example_of(definition("params: []"))


@pytest.mark.parametrize("path", sample(40), ids=lambda path: path.stem)
def test_committed_examples_survive_being_shortened(path: Path) -> None:
    loaded = load_file(str(path))
    for one in loaded.definitions:
        args = {} if one.spec.example is None else example_of(one)[1]
        for defined in one.params:
            value = args.get(defined.name)
            assert argument(as_text(short(value, defined)), defined.kind) == value
