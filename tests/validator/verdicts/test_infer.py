"""Promise: what is inferred of outputs is what legal calls have; whether the call is legal with them is said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import opspec
from opspec import OpspecError, Tensor
from opspec.cli.main import main
from opspec.docs import schemas
from opspec.model.example import example_of
from opspec.registry.registry import definition_of, registry
from opspec.validator.infer import Inference, InferredTensor, inferred
from tests.committed import operators, sample
from tests.operators.inferred import COMMITTED, explained, reasons
from tests.paths import REPOSITORY
from tests.test_published import blocks

SCHEMA = jsonschema.Draft202012Validator(schemas.inference())
PRODUCT = "910b"


def of_example(release: str, name: str) -> tuple[dict[str, Any], Inference | None]:
    """An operator's example, and what is inferred when its outputs are taken away."""
    definition = definition_of(registry().find(name, release))
    product, args = example_of(definition)
    form = registry().form(name, release)
    inputs = {key: value for key, value in args.items() if key not in form.info.outputs}
    try:
        return dict(args), inferred(form, inputs, product)
    except OpspecError:
        return dict(args), None


def tensors(value: Any) -> list[dict[str, Any]]:
    """The tensors of an argument in its JSON form."""
    return value["tensor_list"] if "tensor_list" in value else [value["tensor"]]


@pytest.mark.parametrize(("release", "name"), operators(sample(60)))
def test_what_is_determined_is_what_the_example_has(release: str, name: str) -> None:
    """The example is legal: whatever follows from its inputs by the rules is there."""
    args, found = of_example(release, name)
    for param, output in found.outputs.items() if found is not None else ():
        given = args.get(param)
        if output is None or given is None or not isinstance(given, dict):
            continue
        items = output if isinstance(output, tuple) else (output,)
        for item, own in zip(items, tensors(given), strict=True):
            for facet in item.determined:
                assert item.to_dict()[facet] == own.get(facet, "ND"), (param, facet)


@pytest.mark.parametrize(("release", "name"), operators(sample(20)))
def test_it_fits_its_schema_and_completes_the_call(release: str, name: str) -> None:
    _, found = of_example(release, name)
    if found is None:
        return
    SCHEMA.validate(json.loads(json.dumps(found.to_dict())))
    assert (found.args is None) == (found.verdict is None)
    assert found.legal == (found.verdict is not None and found.verdict.legal)


def test_shapes_and_dtypes_follow_from_the_inputs() -> None:
    x = Tensor((4, 16), "FLOAT16")
    found = opspec.infer("aclnnMaxDim", product=PRODUCT, self=x, dim=1, keepdim=False)
    assert found.legal
    assert found.outputs["out"] == InferredTensor((4,), "FLOAT16", "ND", ("shape", "dtype"))
    indices = found.outputs["indices"]
    assert isinstance(indices, InferredTensor)
    assert (indices.shape, "dtype" in indices.determined) == ((4,), False)  # INT32 or INT64
    assert not found.determined


def test_a_list_is_as_long_as_the_one_beside_it() -> None:
    x = [Tensor((4, 16), "FLOAT"), Tensor((3,), "FLOAT")]
    found = opspec.infer("aclnnForeachAddScalarV2", product=PRODUCT, x=x, scalar=opspec.Scalar("FLOAT", 1.0))
    output = found.outputs["out"]
    assert isinstance(output, tuple)
    assert [item.shape for item in output] == [(4, 16), (3,)]
    assert found.determined


def test_what_hangs_on_values_stays_open() -> None:
    found = opspec.infer("aclnnNonzero", product=PRODUCT, self=Tensor((4, 16), "FLOAT"))
    assert found.verdict is None
    assert not found.legal
    assert found.completed({}) is None


def test_an_output_that_is_there_is_kept() -> None:
    x = Tensor((4, 16), "FLOAT16")
    found = opspec.infer("aclnnMaxDim", product=PRODUCT, self=x, dim=1, keepdim=False, out=Tensor((5,), "FLOAT16"))
    assert list(found.outputs) == ["indices"]
    assert not found.legal


def test_inputs_that_do_not_go_together_are_named() -> None:
    x, y = Tensor((4, 16), "FLOAT16"), Tensor((5, 3), "FLOAT16")
    found = opspec.infer("aclnnAdd", product=PRODUCT, self=x, other=y, alpha=opspec.Scalar("FLOAT", 1.0))
    assert not found.legal


def test_a_dim_is_solved_for() -> None:
    """The rule of aclnnMoeTokenPermuteGrad gives sortedIndices as rows of out times numTopk."""
    grad, indices = Tensor((24, 8), "FLOAT16"), Tensor((24,), "INT32")
    named = {"permutedOutputGrad": grad, "sortedIndices": indices, "numTopk": 4, "paddedMode": False}
    output = opspec.infer("aclnnMoeTokenPermuteGrad", product=PRODUCT, args=named).outputs["out"]
    assert isinstance(output, InferredTensor)
    assert (output.shape, "shape" in output.determined) == ((6, 8), True)


def test_the_least_that_rules_ask_for_is_likely() -> None:
    """aclnnMoeDistributeDispatch takes any number of rows that is large enough; the least is what most calls pass."""
    args = example_of(definition_of(registry().find("aclnnMoeDistributeDispatch")))[1]
    form = registry().form("aclnnMoeDistributeDispatch")
    found = inferred(form, {key: value for key, value in args.items() if key not in form.info.outputs}, "A3")
    output = found.outputs["expandX"]
    assert isinstance(output, InferredTensor)
    assert output.shape is not None
    assert "shape" not in output.determined


def test_alternatives_are_taken_in_the_order_of_the_page() -> None:
    """aclnnCrossEntropyLoss writes its mean to [1]; the runtime takes no dims as well."""
    args = example_of(definition_of(registry().find("aclnnCrossEntropyLoss")))[1]
    form = registry().form("aclnnCrossEntropyLoss")
    found = inferred(form, {key: value for key, value in args.items() if key not in form.info.outputs}, PRODUCT)
    output = found.outputs["lossOut"]
    assert isinstance(output, InferredTensor)
    assert (output.shape, "shape" in output.determined) == ((1,), False)


def test_what_the_inputs_break_is_named_though_an_output_stays_open() -> None:
    found = opspec.infer("aclnnNonzero", product=PRODUCT, self=Tensor((1,) * 9, "FLOAT"))
    assert found.verdict is None
    assert found.against


@pytest.mark.parametrize(
    "more", [{"args": {}, "self": None}, {"product": "911"}, {"other": 1}, {"release": "0.1"}],
)  # fmt: skip
def test_bad_input_is_told(more: dict[str, Any]) -> None:
    with pytest.raises(OpspecError):
        opspec.infer("aclnnNonzero", **more)


def test_the_command_completes_calls(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What it writes as calls, check takes."""
    x = {"tensor": {"shape": [4, 16], "dtype": "FLOAT16"}}
    path = tmp_path / "calls.jsonl"
    path.write_text(
        json.dumps({"op": "aclnnMaxDim", "product": PRODUCT, "args": {"self": x, "dim": 1, "keepdim": False}})
    )
    assert main(["infer", str(path), "--output", "calls"]) == 0
    whole = tmp_path / "whole.jsonl"
    whole.write_text(capsys.readouterr().out)
    assert main(["check", str(whole)]) == 0
    capsys.readouterr()
    assert main(["infer", str(path), "--output", "jsonl"]) == 0
    SCHEMA.validate(json.loads(capsys.readouterr().out))
    path.write_text(json.dumps({"op": "aclnnNonzero", "product": PRODUCT, "args": {"self": x}}))
    assert main(["infer", str(path)]) == 1
    assert "[open]" in capsys.readouterr().out
    path.write_text("{")
    assert main(["infer", str(path)]) == 2


@pytest.mark.parametrize("page", ["docs/infer.md", "docs/zh/infer.md"])
def test_the_page_shows_what_the_command_prints(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (REPOSITORY / page).read_text(encoding="utf-8")
    command, _, shown = blocks(text, "console")[0].partition("\n")
    monkeypatch.chdir(tmp_path)
    Path("call.jsonl").write_text(blocks(text, "json")[0], encoding="utf-8")
    assert main(command.removeprefix("$ opspec ").split()) == 0
    assert capsys.readouterr().out == shown


@pytest.mark.parametrize("page", ["docs/infer.md", "docs/zh/infer.md"])
def test_the_page_states_the_committed_figures(page: str) -> None:
    figures = json.loads(COMMITTED.read_text(encoding="utf-8"))
    shapes = {name: count for name, count in figures["tests"].items() if name.startswith("outputs")}
    wrong = shapes["outputs guessed wrong"] + shapes["outputs wrong though determined"]
    parts = (shapes["outputs right"], shapes["outputs open"], wrong)
    devices = figures["devices"]
    illegal = sum(count for name, count in devices.items() if name.startswith("illegal with"))
    stated = [f"{count / sum(parts):.0%}" for count in parts] + [
        f"{devices['legal'] / (devices['legal'] + illegal):.0%}"
    ]
    text = (REPOSITORY / page).read_text(encoding="utf-8").replace(" %", "%")
    assert all(share in text for share in stated), stated
    assert all(str(count) in text for count in figures["operators"].values())


def test_every_output_that_is_not_as_the_vendor_expects_has_its_reason() -> None:
    """The figures are those of a run over all of the vendor's tests; each of its differences is explained."""
    figures = json.loads(COMMITTED.read_text(encoding="utf-8"))
    assert figures["explained"] == reasons()
    counts = {way: sum(calls for where, calls, _ in explained() if where[2] == way) for way in ("wrong", "open")}
    tests = figures["tests"]
    assert counts["wrong"] == tests["outputs guessed wrong"] + tests["outputs wrong though determined"]
    assert counts["open"] == tests["outputs open"]
    for (operator, output, _), _, kind in explained():
        assert output in registry().form(operator).info.outputs
        assert kind in ("placeholder", "inputs", "kernel", "part", "cards", "page")


def test_an_output_that_must_be_null_is_left_out() -> None:
    """aclnnAttentionUpdate writes the lse only where updateType says so."""
    definition = definition_of(registry().find("aclnnAttentionUpdate"))
    product, args = example_of(definition)
    form = registry().form("aclnnAttentionUpdate")
    found = inferred(form, {key: value for key, value in args.items() if key not in form.info.outputs}, product)
    assert found.legal
    assert {key for key in form.info.outputs if args.get(key) is not None} == {*found.outputs}
