"""JSON Schemas of calls and verdicts are true: of whatever opspec reads, and of whatever it writes."""

from __future__ import annotations

import json
from copy import deepcopy

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from opspec import OpspecError, check
from opspec.cli.main import main
from opspec.docs import schemas
from opspec.model.example import example_of
from opspec.model.spec import Rule
from opspec.registry.registry import definition_of, registry
from opspec.validator.arguments import arguments_of
from opspec.validator.convert import FORMS, SCALAR_KEYS, TENSOR_KEYS, argument
from opspec.validator.files import RawCall
from opspec.validator.read import KEYS, RECORDED, call
from opspec.vocabulary.literals import STAGES
from tests.cli.test_batch import CALLS
from tests.committed import operators, sample

CALL = jsonschema.Draft202012Validator(schemas.call())
VERDICT = jsonschema.Draft202012Validator(schemas.verdict())


def is_call(data: object) -> bool:
    return bool(CALL.is_valid(data))


@pytest.mark.parametrize("of", ["call", "verdict"])
def test_the_command_prints_a_sound_schema(of: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", of]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == getattr(schemas, of)()
    jsonschema.Draft202012Validator.check_schema(found)
    assert main(["schema", of, "--output", "markdown"]) == 2


def test_the_schema_of_a_call_knows_every_key() -> None:
    found = schemas.call()
    assert set(found["properties"]) == {*KEYS, *RECORDED}
    assert {*FORMS} - {"float32"} <= set(found["$defs"])
    for kind, keys in (("tensor", TENSOR_KEYS), ("scalar", SCALAR_KEYS)):
        assert set(found["$defs"][kind]["anyOf"][1]["properties"]) == {*keys}


def test_the_schema_of_a_verdict_knows_every_word() -> None:
    found = schemas.verdict()["$defs"]["finding"]["properties"]
    assert set(found["stage"]["enum"]) == {*STAGES}
    assert set(Rule.model_json_schema()["properties"]["basis"]["enum"]) == {*schemas.BASES} - {"definition"}


@pytest.mark.parametrize(("release", "name"), operators(sample(40)))
def test_examples_and_their_verdicts_fit(release: str, name: str) -> None:
    """On every product: refused, unchecked and undecided findings too."""
    args = dict(example_of(definition_of(registry().find(name, release)))[1])
    assert is_call({"op": name, "release": release, "args": args})
    try:
        arguments_of(registry().form(name, release), args)
    except OpspecError:
        return  # no example, and a param that cannot be null
    odd = {"tensor": {"shape": [0] * 9, "dtype": "INT4"}}
    spoilt = {key: odd if isinstance(value, dict) and "tensor" in value else value for key, value in args.items()}
    for given_args in (args, spoilt):
        for lang in ("en", "zh"):
            for verdict in check(name, release=release, product="all", args=given_args, lang=lang).values():
                VERDICT.validate(verdict.to_dict())
            VERDICT.validate(check(name, release=release, args=given_args, lang=lang).to_dict())


@pytest.mark.parametrize("number", range(len(CALLS)))
def test_calls_that_are_read_fit(number: int) -> None:
    data = CALLS[number]
    try:
        call(RawCall(1, "f", data))
    except OpspecError:
        return
    try:
        arguments_of(registry().form(data["op"]), data["args"])
    except OpspecError:
        return
    assert is_call(data)


numbers = (
    st.integers(-3, 3) | st.floats(allow_nan=False, width=32) | st.sampled_from(["nan", "inf", "-inf", True, None])
)
dtypes = st.sampled_from(["FLOAT", "float16", "INT8", "COMPLEX64", 0, 27, "bf16"])
inner = st.fixed_dictionaries(
    {"shape": st.lists(st.integers(0, 3), max_size=3), "dtype": dtypes},
    optional={
        "format": st.sampled_from(["ND", "NCHW", 2, None]),
        "strides": st.lists(st.integers(-2, 3), max_size=3) | st.none(),
        "offset": st.integers(-1, 5) | st.none(), "storage_shape": st.lists(st.integers(0, 3), max_size=3) | st.none(),
        "storage_format": st.sampled_from(["ND", None, 1.5]),
        "range": st.lists(numbers, min_size=2, max_size=2) | st.none(),
        "values": st.recursive(numbers, lambda one: st.lists(one, max_size=3), max_leaves=6),
    },
)  # fmt: skip
scalars = st.fixed_dictionaries(
    {"dtype": dtypes}, optional={"value": numbers | st.lists(numbers, min_size=2, max_size=2)}
)
plain = st.one_of(numbers, inner, scalars, st.text(max_size=3), dtypes, st.booleans())
values = st.one_of(
    plain, st.lists(plain, max_size=3),
    st.tuples(st.sampled_from([*FORMS]), plain | st.lists(plain, max_size=3)).map(lambda pair: {pair[0]: pair[1]}),
)  # fmt: skip


@given(st.sampled_from([*FORMS]), values)
def test_arguments_that_are_read_fit(kind: str, value: object) -> None:
    """Whatever form a param takes, the schema allows."""
    try:
        argument(kind, deepcopy(value))
    except OpspecError:
        return
    assert is_call({"op": "aclnnX", "args": {"x": value}}), (kind, value)


@pytest.mark.parametrize(
    "data",
    [
        {}, [], {"op": "aclnnX"}, {"args": {}}, {"op": 5, "args": {}}, {"op": "", "args": {}}, {"op": "x", "args": []},
        {"op": "x", "args": {}, "arg": 1}, {"op": "x", "args": {"x": {"tensor": {"shape": [2]}}}},
        {"op": "x", "args": {"x": {"tensor": {"shape": [-1], "dtype": "FLOAT"}}}},
        {"op": "x", "args": {"x": {"tensor": {"shape": [1], "dtype": "FLOAT", "stride": [1]}}}},
        {"op": "x", "args": {"x": {"tenser": {}}}}, {"op": "x", "args": {"x": {"pointer": False}}},
        {"op": "x", "args": {}, "unknown": "self"}, {"op": "x", "args": {}, "product": True},
    ],
    ids=range(15),
)  # fmt: skip
def test_what_is_no_call_does_not_fit(data: object) -> None:
    assert not is_call(data)


def test_own_keys_fit() -> None:
    assert is_call({"op": "x", "args": {}, "x-any": {"a": 1}, "note": 1, "notes": []})
