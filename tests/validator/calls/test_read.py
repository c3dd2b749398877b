"""Promises of opspec.validator.read: the object around the arguments is checked, and a bad one costs one call."""

from __future__ import annotations

import io
import json

import pytest

from opspec.errors import OpspecError
from opspec.validator.files import BrokenCall, RawCall
from opspec.validator.read import Call, call, calls


def raw(**data: object) -> RawCall:
    return RawCall(3, "f:3", data)


def test_all_parts_are_read() -> None:
    result = call(raw(id="a", op="aclnnX", product="910b", release="9.1.0", args={"x": 1}, expect="ACLNN_SUCCESS"))
    assert (result.id, result.op, result.product, result.release) == ("a", "aclnnX", "910b", "9.1.0")
    assert (result.args, result.expect, result.where, result.number) == ({"x": 1}, "ACLNN_SUCCESS", "f:3", 3)


def test_only_op_and_args_are_required() -> None:
    result = call(raw(op="aclnnX", args={}))
    assert (result.id, result.product, result.release, result.expect) == (None, None, None, None)


def test_a_number_stands_for_its_text() -> None:
    result = call(raw(op="aclnnX", args={}, product=910, release=8.0))
    assert (result.product, result.release) == ("910", "8.0")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"args": {}}, "f:3: op is missing: the name of an operator"),
        ({"op": "", "args": {}}, "f:3: op is the name of an operator, found ''"),
        ({"op": "aclnnX"}, "f:3: args is missing: an object of arguments by param name"),
        ({"op": "aclnnX", "args": []}, "f:3: args is an object of arguments by param name, found a list of 0"),
        ({"op": "aclnnX", "args": {}, "product": []}, "f:3: product is text, found a list of 0"),
        ({"op": "aclnnX", "args": {}, "product": True}, "f:3: product is text, found true"),
        (
            {"op": "aclnnX", "args": {}, "unknown": ["x", "y"]},
            "f:3: not known when the call was recorded: 'x', 'y'; it cannot be judged",
        ),
        ({"op": "aclnnX", "args": {}, "unknown": "x"}, "f:3: unknown is a list of params, found 'x'"),
        ({"op": "aclnnX", "args": {}, "prodcut": "910b"}, "f:3: a call has no 'prodcut'; did you mean 'product'?"),
        ({"op": "aclnnX", "args": {}, "zzz": 1}, "it has id, op, product, release, args, expect"),
    ],
)
def test_a_malformed_call_is_refused_with_its_place(data: dict[str, object], expected: str) -> None:
    with pytest.raises(OpspecError) as caught:
        call(raw(**data))
    assert expected in str(caught.value)


def test_a_malformed_call_costs_that_call() -> None:
    lines = [{"op": "aclnnX", "args": {}}, {"op": 1, "args": {}}, {"op": "aclnnY", "args": {}}]
    text = "not json\n".join(json.dumps(line) + "\n" for line in lines)
    found = list(calls("-", io.BytesIO(text.encode())))
    assert [type(item) for item in found] == [Call, BrokenCall, BrokenCall, BrokenCall, Call]
    assert [item.number for item in found] == [1, 2, 3, 4, 5]
