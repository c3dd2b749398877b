"""Promise: what an operator's reader gives, in value and in error, is what :func:`arguments` gives.

The reader is a short cut for the usual call. It is held against the plain function on calls that hypothesis makes of
legal ones by spelling, leaving out, adding and spoiling, from JSON and from Python.
"""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from opspec.errors import OpspecError
from opspec.language.values import Scalar, Tensor
from opspec.registry.registry import Registry
from opspec.validator.arguments import arguments, arguments_of
from opspec.validator.convert import FORMS
from opspec.validator.python_args import python_arguments, python_reader
from opspec.validator.read import Call, calls
from tests.paths import SHARED, needs_shared

KINDS = tuple(FORMS)
NEVER_NULL = ("int", "float", "float32", "bool", "dtype")


class Stub:
    """As much of a compiled form as reading arguments needs."""

    def __init__(self, params: tuple[Any, ...]) -> None:
        self.operator = "aclnnX"
        self.params = params
        self.reader = self.python_reader = None


def outcome(read: Any, data: Any) -> object:
    """The typed arguments with their types, or the error."""
    try:
        found = read(data)
    except OpspecError as error:
        return type(error), error.message, error.where
    return [(type(one), repr(one), detailed(one)) for one in found]


def detailed(value: object) -> object:
    """All of a tensor or a list of them: a tensor's ``repr`` is short."""
    if isinstance(value, Tensor):
        return [repr(getattr(value, name)) for name in Tensor.__slots__]
    return [detailed(item) for item in value] if isinstance(value, tuple) else repr(value)


# --- calls

numbers = st.one_of(
    st.integers(-3, 9), st.sampled_from([2**31, 2**63 - 1, 2**63, -(2**63), 2**64, 1.5, math.inf, True, False, "nan"])
)
dims = st.one_of(st.integers(0, 9), st.sampled_from([-1, True, 2.0, 2**63, "2", None]))
dtype_names = st.sampled_from(
    ["FLOAT", "float16", "torch.bfloat16", " int8 ", "FLOAT17", "BOOL", 0, 1, True, 999, None]
)
formats = st.sampled_from(["ND", "NCHW", "nd", "ACL_FORMAT_ND", "NCHV", 2, True, None, ["ND"]])
shapes = st.one_of(st.lists(dims, max_size=4), st.lists(st.integers(0, 5), max_size=4), st.just((2, 3)), dims)
bodies = st.fixed_dictionaries(
    {"shape": shapes, "dtype": dtype_names, "format": formats},
    optional={"strides": st.lists(dims, max_size=3), "offset": dims, "values": st.lists(numbers, max_size=4)},
)
usual_bodies = st.fixed_dictionaries(
    {"shape": st.lists(st.integers(0, 5), max_size=4), "dtype": st.just("FLOAT16"), "format": st.just("ND")}
)
scalars = st.fixed_dictionaries({"dtype": dtype_names}, optional={"value": numbers, "values": numbers})
anything = st.recursive(
    st.one_of(st.none(), numbers, st.text(max_size=3)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(KINDS), inner, max_size=2)),
    max_leaves=6,
)


def wrapped(kind: str, inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(inner.map(lambda value: {kind: value}), inner)


VALUES: dict[str, st.SearchStrategy[Any]] = {
    "tensor": wrapped("tensor", st.one_of(usual_bodies, bodies, st.none())),
    "tensor_list": wrapped("tensor_list", st.lists(st.one_of(usual_bodies, bodies, st.none()), max_size=2)),
    "scalar": wrapped("scalar", st.one_of(scalars, st.none())),
    "scalar_list": wrapped("scalar_list", st.lists(scalars, max_size=2)),
    "int_array": wrapped("int_array", st.lists(dims, max_size=3)),
    "float_array": wrapped("float_array", st.lists(numbers, max_size=3)),
    "bool_array": wrapped("bool_array", st.lists(st.one_of(st.booleans(), numbers), max_size=3)),
    "dtype": wrapped("dtype", dtype_names),
    "string": st.one_of(st.text(max_size=4), st.sampled_from(["a\0b", "\ud800"])),
    "pointer": st.sampled_from([{"pointer": True}, {"pointer": None}, {"pointer": 1}, True]),
}


@st.composite
def called(draw: Any) -> tuple[Stub, dict[str, Any]]:
    """Params of any kinds, and arguments of which most fit."""
    kinds = draw(st.lists(st.sampled_from(KINDS), max_size=4))
    params, data = [], {}
    for number, kind in enumerate(kinds):
        spelling = draw(st.sampled_from([(), (f"old{number}",)]))
        bounds = draw(st.sampled_from([(None, None), (0, 8), (-128, 127)])) if kind == "int" else (None, None)
        params.append((f"p{number}", kind, kind not in NEVER_NULL, draw(st.booleans()), spelling, *bounds))
        names = draw(st.sampled_from([(f"p{number}",)] * 12 + [(), spelling, (f"p{number}", *spelling)]))
        for name in names:
            data[name] = draw(st.one_of(*[VALUES.get(kind, numbers)] * 4, anything))
    if draw(st.integers(0, 9)) == 0:
        data["stranger"] = 1
    return Stub(tuple(params)), data


@given(called())
@example((Stub((("x", "tensor", True, True, (), None, None),)), {"x": {"tensor": {"shape": [True], "dtype": "FLOAT", "format": "ND"}}}))  # fmt: skip # noqa: E501
@example((Stub((("x", "scalar", True, True, (), None, None),)), {"x": {"scalar": {"dtype": "INT32", "value": 2.0}}}))
def test_from_json_the_reader_gives_what_the_plain_function_gives(call: tuple[Any, dict[str, Any]]) -> None:
    form, data = call
    plain = outcome(lambda given: arguments(form.operator, form.params, given), data)
    assert outcome(lambda given: arguments_of(form, given), data) == plain
    assert outcome(lambda given: arguments_of(form, given), data) == plain  # by the reader made before


objects = st.one_of(
    st.builds(Tensor, st.lists(st.integers(0, 4), max_size=3), st.sampled_from(["FLOAT", "float", "X"]),
              st.sampled_from(["ND", "nd", "NCHW", "?"]), strides=st.none() | st.just([1]),
              offset=st.sampled_from([0, 0, 0, 2]), values=st.none() | st.just([1.0])),
    st.builds(Tensor, st.lists(dims, max_size=3), st.just("FLOAT")),
    st.builds(Scalar, st.sampled_from(["FLOAT", "INT8", "X"]), numbers),
    st.lists(st.builds(Tensor, st.just((2,)), st.just("FLOAT")), max_size=2),
    numbers, st.text(max_size=2), st.none(), anything,
)  # fmt: skip


@given(called(), st.data())
def test_from_python_the_reader_gives_what_the_plain_function_gives(call: tuple[Any, Any], data: Any) -> None:
    form, named = call
    mixed = {name: data.draw(st.one_of(objects, st.just(value))) for name, value in named.items()}
    plain = outcome(lambda given: python_arguments(form.operator, form.params, given), mixed)
    assert outcome(python_reader(form), mixed) == plain


@needs_shared
@pytest.mark.parametrize("name", ["tests", "samples"])
def test_recorded_calls_are_read_the_same_either_way(name: str) -> None:
    """Of every operator the first recorded calls: what is written by hand and by recorders, not by hypothesis."""
    known, count = Registry(), 0
    seen: dict[str, int] = {}
    for call in calls(str(SHARED / "cases" / f"{name}.jsonl.gz")):
        if not isinstance(call, Call) or seen.get(call.op, 0) == 3:
            continue
        try:
            form = known.form(call.op)
        except OpspecError:
            continue
        seen[call.op] = seen.get(call.op, 0) + 1
        count += 1
        plain = outcome(lambda given, form=form: arguments(form.operator, form.params, given), call.args)
        assert outcome(lambda given, form=form: arguments_of(form, given), call.args) == plain
    assert count > len(seen)
