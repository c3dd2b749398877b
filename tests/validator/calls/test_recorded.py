"""Promise: every recorded call is read, whatever its test meant to provoke."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from opspec.language.values import Scalar, Tensor
from opspec.validator.arguments import arguments
from opspec.validator.convert import ImpossibleTensor
from opspec.validator.files import RawCall
from opspec.validator.read import Call
from tests.recorded import RECORDS, count, recorded

WRAPPERS = {"tensor", "tensor_list", "scalar", "scalar_list", "int_array", "float_array", "bool_array", "dtype"}


def guessed(value: object) -> str:
    """The kind of param that a value's own form speaks of."""
    if value is None:
        return "tensor"
    if isinstance(value, dict):
        (kind,) = map(str, value)
        assert kind in WRAPPERS
        return kind
    return {bool: "bool", int: "int", float: "float", str: "string"}[type(value)]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: str(path.name))
def test_every_recorded_call_is_read(path: Path) -> None:
    """Calls with a negative dim are bad input, and recorded ones expect a refusal."""
    seen = Counter[str]()
    for call in recorded(path):
        assert isinstance(call, Call), call.error
        params = [(key, guessed(value), True, True, (), None, None) for key, value in call.args.items()]
        try:
            typed = arguments(call.op, params, call.args)
        except ImpossibleTensor:
            assert call.expect == "ACLNN_ERR_PARAM_INVALID"
            seen["impossible"] += 1
            continue
        for value, argument in zip(call.args.values(), typed, strict=True):
            seen[type(argument).__name__] += 1
            if isinstance(value, dict) and "tensor" in value:
                assert isinstance(argument, Tensor)
                assert list(argument.shape) == value["tensor"]["shape"]
            if isinstance(value, dict) and "scalar" in value:
                assert isinstance(argument, Scalar)
        seen["calls"] += 1
    assert seen["calls"] + seen["impossible"] == count(path)
    assert set(seen) >= {"Tensor", "Scalar", "tuple", "int", "float", "bool", "str", "NoneType"}


def test_a_raw_call_is_what_a_line_says() -> None:
    assert RawCall(1, "f:1", {"op": "x"}).data == {"op": "x"}
