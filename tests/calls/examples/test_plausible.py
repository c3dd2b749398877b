"""Calls that somebody would write: what is promised of sizes, padding, windows, masks, dtypes and numbers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from math import prod
from typing import Any

import pytest

from opspec.calls.examples.legal import legal_calls
from opspec.calls.examples.roles import role, words
from opspec.model.load import load_file
from opspec.registry.registry import registry
from tests.committed import sample
from tests.model import building

SEEDS = 8


def made(body: str, count: int = SEEDS) -> list[dict[str, Any]]:
    """The arguments of calls."""
    return [call["args"] for call in legal_calls(building.definition(body), building.form(body), count=count)]


def shape(args: dict[str, Any], name: str) -> list[int]:
    """The shape of a tensor of a call."""
    found: list[int] = args[name]["tensor"]["shape"]
    return found


PADDED = """\
params:
  - {name: self, ctype: const aclTensor*, rank: 3}
  - {name: padding, ctype: const aclIntArray*, length: 2}
  - {name: out, ctype: aclTensor*, io: out, rank: 3}
rules:
  wide: "all(out.shape[i] > 0 for i in range(3))"
  out-shape: "out.shape == (self.shape[0], self.shape[1], self.shape[2] + padding[0] + padding[1])"
"""


@pytest.mark.parametrize(
    "example", ["", 'example: {args: {self: "FLOAT[2, 2, 2]", padding: [-1, 1], out: "FLOAT[2, 2, 2]"}}\n']
)
def test_padding_cuts_nothing_away(example: str) -> None:
    """Not where an example does, either; a rule that wants it gets it."""
    for args in made(PADDED + example):
        assert min(args["padding"]["int_array"]) >= 0, args
    wanted = PADDED + '  cut: "padding[0] < 0"\n'
    assert all(args["padding"]["int_array"][0] < 0 for args in made(wanted, 3))


def test_inputs_are_no_toys_and_outputs_follow() -> None:
    """Where rules leave sizes open; where one limits them, they stay within."""
    for args in made(PADDED):
        assert prod(shape(args, "self")) >= 64, args
    for args in made(PADDED + '  small: "self.shape[2] < 4"\n', 4):
        assert shape(args, "self")[2] < 4


def test_a_size_that_is_asked_for_grows_with_the_data() -> None:
    """An image that is 64 times as large as what it is resized to was resized by nobody."""
    body = (
        "params:\n  - {name: self, ctype: const aclTensor*, rank: 4}\n"
        "  - {name: outputSize, ctype: const aclIntArray*, length: 2}\n"
        "  - {name: out, ctype: aclTensor*, io: out, rank: 4}\n"
        'rules:\n  out-shape: "out.shape == (self.shape[0], self.shape[1], outputSize[0], outputSize[1])"\n'
        '  some: "all(n > 0 for n in outputSize)"\n'
        'example: {args: {self: "FLOAT[1, 1, 2, 2]", outputSize: [4, 4], out: "FLOAT[1, 1, 4, 4]"}}\n'
    )
    plain = made(body, 1)[0]
    assert shape(plain, "self")[2:] == [size // 2 for size in plain["outputSize"]["int_array"]]


def test_what_no_rule_speaks_of_stays_as_in_the_example() -> None:
    """That a vertex has four coordinates, no rule may tell."""
    body = (
        "params:\n  - {name: v, ctype: const aclTensor*, rank: 2}\n  - {name: out, ctype: aclTensor*, io: out}\n"
        'example: {args: {v: "FLOAT[3, 4]", out: "FLOAT[5]"}}\n'
    )
    assert shape(made(body, 1)[0], "v") == [3, 4]


def test_what_looks_tied_grows_together() -> None:
    """A mean over the last axis follows the others, though no rule says so."""
    body = (
        "params:\n  - {name: x, ctype: const aclTensor*, rank: 3}\n  - {name: mean, ctype: const aclTensor*}\n"
        "  - {name: out, ctype: aclTensor*, io: out}\n"
        'rules:\n  out-shape: "out.shape == x.shape"\n'
        'example: {args: {x: "FLOAT[3, 2, 4]", mean: "FLOAT[3, 2, 1]", out: "FLOAT[3, 2, 4]"}}\n'
    )
    plain = made(body, 1)[0]
    assert shape(plain, "x") != [3, 2, 4]
    assert shape(plain, "mean") == [*shape(plain, "x")[:2], 1]


def test_a_count_goes_with_the_elements() -> None:
    """Though no rule says whose elements it counts."""
    body = (
        "params:\n  - {name: x, ctype: const aclTensor*}\n  - {name: count, ctype: int64_t, range: '>= 0'}\n"
        "  - {name: out, ctype: aclTensor*, io: out}\n"
        'rules:\n  out-shape: "out.shape == x.shape"\n'
        'example: {args: {x: "FLOAT[2, 3]", count: 6, out: "FLOAT[2, 3]"}}\n'
    )
    plain = made(body, 1)[0]
    assert plain["count"] == prod(shape(plain, "x")) > 6


def test_a_window_does_not_grow_with_the_image() -> None:
    """A filter of 128 columns is no filter."""
    body = (
        "params:\n  - {name: x, ctype: const aclTensor*, rank: 4}\n"
        "  - {name: weight, ctype: const aclTensor*, rank: 4}\n"
        "  - {name: out, ctype: aclTensor*, io: out, rank: 4}\n"
        'rules:\n  channels: "weight.shape[1] == x.shape[1]"\n'
        '  out-shape: "out.shape == (x.shape[0], weight.shape[0], x.shape[2] - weight.shape[2] + 1, '
        'x.shape[3] - weight.shape[3] + 1)"\n'
        'example: {args: {x: "FLOAT[2, 2, 2, 2]", weight: "FLOAT[2, 2, 2, 2]", out: "FLOAT[2, 2, 1, 1]"}}\n'
    )
    plain = made(body, 1)[0]
    assert shape(plain, "weight")[2:] == [2, 2]
    assert min(shape(plain, "x")[2:]) > 2


def test_tensors_that_share_a_dtype_in_the_example_share_one() -> None:
    """Mixes are legal more often than somebody means them."""
    body = (
        "sets:\n  some: [FLOAT, FLOAT16, INT8, BOOL]\n"
        "params:\n  - {name: self, ctype: const aclTensor*, dtype: some}\n"
        "  - {name: other, ctype: const aclTensor*, dtype: some}\n"
        "  - {name: out, ctype: aclTensor*, io: out, dtype: some}\n"
        'example: {args: {self: "FLOAT[2]", other: "FLOAT[2]", out: "FLOAT[2]"}}\n'
    )
    series = [{args[name]["tensor"]["dtype"] for name in args} for args in made(body)]
    assert all(len(dtypes) == 1 for dtypes in series)
    assert len(set(chain(*series))) > 2


def test_a_mask_asks_for_something() -> None:
    """Where no output is given in the example, too."""
    body = (
        "params:\n  - {name: x, ctype: const aclTensor*}\n  - {name: mask, ctype: const aclBoolArray*, length: 2}\n"
        "  - {name: gradX, ctype: aclTensor*, io: out, optional: yes}\n"
        "  - {name: gradW, ctype: aclTensor*, io: out, optional: yes}\n"
        'rules:\n  x-asked: "(gradX is not None) == mask[0]"\n  w-asked: "(gradW is not None) == mask[1]"\n'
        'example: {args: {x: "FLOAT[2]", mask: [false, false]}}\n'
    )
    for args in made(body):
        assert any(args["mask"]["bool_array"]), args


def test_a_switch_is_on_where_nothing_would_be_computed() -> None:
    """Switches may be params by themselves."""
    body = (
        "params:\n  - {name: x, ctype: const aclTensor*}\n  - {name: wanted, ctype: bool}\n"
        "  - {name: gradX, ctype: aclTensor*, io: out, optional: yes}\n"
        'rules:\n  asked: "(gradX is not None) == wanted"\n  shape: "gradX.shape == x.shape"\n'
        'example: {args: {x: "FLOAT[2]", wanted: false}}\n'
    )
    for args in made(body):
        assert args["wanted"], args


def test_what_is_kept_may_be_all() -> None:
    """The share that dropout keeps is no probability of dropping."""
    body = (
        "params:\n  - {name: x, ctype: const aclTensor*}\n  - {name: keepProb, ctype: double}\n"
        'example: {args: {x: "FLOAT[2]", keepProb: 1.0}}\n'
    )
    assert {args["keepProb"] for args in made(body)} == {1.0}


def test_numbers_are_those_of_their_role() -> None:
    """An epsilon is small, a probability is below 1; what an example has that somebody chose stays."""
    body = (
        "params:\n  - {name: x, ctype: const aclTensor*}\n  - {name: layerNormEps, ctype: double}\n"
        "  - {name: prob, ctype: double}\n  - {name: beta1, ctype: float}\n"
    )
    for example in ("", 'example: {args: {x: "FLOAT[2]", layerNormEps: 1.0, prob: 1.0, beta1: 1.0}}\n'):
        for args in made(body + example):
            assert (args["layerNormEps"], args["prob"], args["beta1"]) == (1e-05, 0.5, 0.9), args
    chosen = 'example: {args: {x: "FLOAT[2]", layerNormEps: 0.2, prob: 0.3, beta1: 0.8}}\n'
    assert all((args["layerNormEps"], args["prob"], args["beta1"]) == (0.2, 0.3, 0.8) for args in made(body + chosen))


@pytest.mark.parametrize("path", sample(60), ids=lambda path: path.stem)
def test_calls_of_the_registry_are_what_somebody_would_write(path: Any) -> None:
    """Of each spec: padding cuts nothing away, masks ask for something, numbers are those of their role."""
    for definition in load_file(str(path)).definitions:
        form = registry(()).form(definition.name, definition.spec.release)
        for call in legal_calls(definition, form, seed=0, count=2):
            assert list(unlikely(call["args"])) == [], call


def unlikely(args: dict[str, Any]) -> Iterator[str]:
    """What nobody writes in a call."""
    for name, value in args.items():
        if isinstance(value, dict) and "int_array" in value and words(name) & {"pad", "pads", "padding"}:
            yield from (f"{name} cuts" for number in value["int_array"] if number < 0)
        if isinstance(value, dict) and "bool_array" in value and value["bool_array"] and not any(value["bool_array"]):
            yield f"{name} asks for nothing"
        wanted = role(name)
        if wanted is not None and value == 1.0 and isinstance(value, float) and not wanted.fits(value):
            yield f"{name} is 1.0"
