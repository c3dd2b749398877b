"""Calls made from rules: what the same rules then call legal, for every operator of the registry."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from opspec.calls.examples.legal import legal_calls
from opspec.cli.main import main
from opspec.registry.registry import Registry, registry
from opspec.validator.api import check, resolved
from opspec.validator.arguments import arguments
from opspec.validator.judge import judge, judge_by_interpreter
from tests.committed import EVERY, SOME, defined, sample
from tests.model import building


@pytest.fixture(scope="module")
def known() -> Registry:
    return registry(())


@pytest.mark.parametrize("paths", EVERY[1:])  # the tests below take a sample
def test_every_operator_has_a_legal_call(known: Registry, paths: list[Path]) -> None:
    """Rules that contradict each other would leave none: no spec may forbid everything.

    What is made is read back as JSON: nothing in it leaves the C type of its param.
    """
    without = []
    for definition in defined(paths):
        form = known.form(definition.name, definition.spec.release)
        found = list(legal_calls(definition, form))
        assert not found or definition.supported, f"{definition.name} has a call, and no product that takes it"
        without += [definition.name] if definition.supported and not found else []
        for call in found:
            judged_again(call)
    assert without == []


@pytest.mark.parametrize("paths", SOME[1:])
def test_operators_read_their_own_calls(known: Registry, paths: list[Path]) -> None:
    """From starts as various as the seeds."""
    for definition in defined(paths):
        form = known.form(definition.name, definition.spec.release)
        for call in legal_calls(definition, form, seed=1, count=2):
            judged_again(call)


def judged_again(call: dict[str, Any]) -> None:
    """A call is legal when it is read from a file, too."""
    record = json.loads(json.dumps(call, allow_nan=False))
    verdict = check(record["op"], args=record["args"], product=record["product"], release=record["release"])
    assert (verdict.legal, verdict.warnings) == (True, ()), (call, verdict)


@pytest.mark.parametrize(
    ("ctype", "rule"),
    [
        ("uint64_t", "n < 5"),
        ("int8_t", "n % 8 == 0 and n != 0"),
        ("int32_t", "n > 2000000000"),
        ("bool", "n"),
        ("float", "n > 0.1 and n < 0.3"),
        ("double", "n < -1.0"),
        ("aclDataType", "n != FLOAT"),
        ("const aclIntArray*", "len(n) == 3 and all(i > 4 for i in n)"),
        ("const aclFloatArray*", "len(n) == 2 and n[0] > 0.1"),
        ("const aclScalar*", "n.dtype == INT8 and n.value != 1"),
        ("const aclScalarList*", "all(s.dtype == UINT8 and s.value < 1 for s in n)"),
    ],
)
def test_a_search_stays_inside_the_c_type(ctype: str, rule: str) -> None:
    """Whatever the rules leave open."""
    body = f'params:\n  - {{name: n, ctype: {ctype}}}\nrules:\n  r: "{rule}"\n'
    own, compiled = building.definition(body), building.form(body)
    for call in legal_calls(own, compiled, seed=0, count=12):
        args = json.loads(json.dumps(call["args"], allow_nan=False))
        assert judge(compiled, arguments("aclnnX", compiled.params, args), "910b", None).legal, call


def test_an_optional_input_without_elements_is_left_out() -> None:
    """Where a rule asks for no elements, a call that people write has no such input."""
    body = (
        "params:\n  - {name: x, ctype: const aclTensor*}\n"
        "  - {name: scale, ctype: const aclTensor*, optional: yes}\n"
        "  - {name: offsets, ctype: const aclTensorList*, optional: yes}\n"
        'rules:\n  no-scale: "scale.numel == 0"\n  no-offsets: "all(t.numel == 0 for t in offsets)"\n'
    )
    for call in legal_calls(building.definition(body), building.form(body), seed=0, count=12):
        assert (call["args"]["scale"], call["args"]["offsets"]) == (None, None), call


OPEN = """\
params:
  - {name: x, ctype: const aclTensor*, rank: 2}
  - {name: bias, ctype: const aclTensor*, optional: yes}
  - {name: mask, ctype: const aclTensor*, optional: yes, rank: 1}
  - {name: scale, ctype: const aclTensor*, optional: yes, rank: 1}
  - {name: offset, ctype: const aclTensor*, optional: yes, rank: 1}
  - {name: eps, ctype: float}
  - {name: alpha, ctype: double}
  - {name: seed, ctype: int64_t}
  - {name: groups, ctype: int64_t}
  - {name: mode, ctype: int64_t, enum: [0, 64, 128]}
  - {name: p, ctype: const aclScalar*}
  - {name: comm, ctype: const char*, optional: yes}
  - {name: out, ctype: aclTensor*, io: out}
  - {name: more, ctype: aclTensor*, io: out, optional: yes}
rules:
  bias-shape: "bias.shape == x.shape"
  scale-and-offset: "(scale is None) == (offset is None)"
  alpha-range: "alpha >= 0.0"
  out-shape: "out.shape == (x.shape[0] * groups, x.shape[1])"
"""
EXAMPLE = """example:
  product: 910b
  args:
    {x: "FLOAT[2, 2]", eps: 1e-05, alpha: 0.25, seed: 7, groups: 1, mode: 0, p: "FLOAT 2.0", comm: hccl_group,
     out: "FLOAT[2, 2]"}
"""
OPTIONAL = ("bias", "mask", "scale", "offset")


def made(body: str, count: int) -> list[dict[str, Any]]:
    """The arguments of calls."""
    return [call["args"] for call in legal_calls(building.definition(body), building.form(body), count=count)]


def test_the_first_call_has_nothing_that_nothing_needs() -> None:
    """Later ones show one or several of the optional inputs, and not all of them at random."""
    plain, *others = made(OPEN + EXAMPLE, 30)
    assert [plain[name] for name in OPTIONAL] == [None] * 4
    shown = [sum(args[name] is not None for name in OPTIONAL) for args in others]
    assert any(shown)
    assert all(any(args[name] is not None for args in others) for name in OPTIONAL)
    assert all((args["scale"] is None) == (args["offset"] is None) for args in others)


def test_the_first_call_is_in_the_mode_of_the_example() -> None:
    """A mode that needs a mask is for a later one."""
    body = (
        "params:\n  - {name: x, ctype: const aclTensor*}\n  - {name: mask, ctype: const aclTensor*, optional: yes}\n"
        "  - {name: mode, ctype: int64_t, enum: [0, 1]}\n"
        'rules:\n  masked: {check: "mask is not None", when: "mode == 1"}\n'
        'example:\n  product: 910b\n  args: {x: "FLOAT[2]", mode: 0}\n'
    )
    plain, *others = made(body, 12)
    assert (plain["mode"], plain["mask"]) == (0, None)
    assert {args["mode"] for args in others} == {0, 1}


def test_what_rules_leave_open_is_what_the_example_has() -> None:
    """An epsilon of 128 is legal, and no engineer writes it."""
    for args in made(OPEN + EXAMPLE, 30):
        assert (args["eps"], args["alpha"], args["comm"]) == (1e-05, 0.25, "hccl_group"), args
        assert args["seed"] in (0, 1, 7), args
        assert args["p"]["scalar"]["value"] in (0, 1, 2.0), args


def test_without_an_example_it_is_small() -> None:
    """Numbers that come from rules stay within them."""
    for args in made(OPEN, 30):
        assert 0 < args["eps"] <= 1
        assert 0 < args["alpha"] <= 1
        assert args["seed"] in (0, 1)
        assert 0 <= args["groups"] <= 16
        assert args["out"]["tensor"]["shape"][0] == args["x"]["tensor"]["shape"][0] * args["groups"]


def test_values_that_rules_list_stay_various() -> None:
    """Modes are what rules are about, even large ones."""
    assert {args["mode"] for args in made(OPEN + EXAMPLE, 30)} == {0, 64, 128}


def test_tensors_have_elements_unless_a_rule_wants_none() -> None:
    """An empty tensor is a case of its own, no example of an operator."""
    body = (
        "params:\n  - {name: x, ctype: const aclTensor*, rank: 2}\n  - {name: y, ctype: const aclTensor*}\n"
        'rules:\n  short: "x.shape[0] < 3"\n  same: "y.shape[-1] == x.shape[0]"\n'
    )
    for args in made(body, 30):
        assert all(0 not in args[name]["tensor"]["shape"] for name in ("x", "y")), args
    wanted = body + '  none: "y.numel == 0"\n'
    assert all(0 in args["y"]["tensor"]["shape"] for args in made(wanted, 5))


def test_a_call_has_an_output_where_all_are_optional() -> None:
    """A call that computes nothing is legal where the rules say so, and shows nothing."""
    body = (
        "params:\n  - {name: x, ctype: const aclTensor*}\n"
        "  - {name: gx, ctype: aclTensor*, io: out, optional: yes}\n"
        "  - {name: gw, ctype: aclTensor*, io: out, optional: yes}\n"
        'rules:\n  shape: "gx.shape == x.shape"\n'
    )
    for args in made(body, 12):
        assert args["gx"] is not None or args["gw"] is not None, args


@pytest.mark.parametrize("path", sample(40), ids=lambda path: path.stem)
def test_both_back_ends_call_them_legal(known: Registry, path: Path) -> None:
    """Whatever the seed, a call is legal, with nothing to warn of, by both, as JSON too."""
    for definition in defined([path]):
        form = known.form(definition.name, definition.spec.release)
        for call in legal_calls(definition, form, seed=1, count=3):
            record = json.loads(json.dumps(call))
            verdict = check(record["op"], args=record["args"], product=record["product"], release=record["release"])
            args = arguments(record["op"], form.params, record["args"])
            slow = judge_by_interpreter(form, args, *resolved(record["product"]))
            assert (verdict.legal, verdict.warnings) == (True, ()), (call, verdict)
            assert (slow.status, slow.legal) == (verdict.status, verdict.legal)


def test_the_command_prints_what_check_reads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A user pipes one into the other; another seed gives another call."""
    assert main(["example", "aclnnAddc*", "--release", "9.1.0", "--count", "3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(set(lines)) > len(lines) / 2
    (tmp_path / "calls.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert main(["check", str(tmp_path / "calls.jsonl")]) == 0


def test_writing_gives_examples_to_specs_without(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Only those: an example that somebody chose stays."""
    spec = (
        "operator: aclnnOwn\nrelease: 9.1.0\nproducts: {{910b: yes}}\nparams:\n"
        "  - {{name: x, ctype: const aclTensor*, dtype: [{0}], rank: 3}}\n"
    )
    folder = tmp_path / "9.1.0" / "own"
    folder.mkdir(parents=True)
    path = folder / "aclnnOwn.yaml"
    path.write_text(spec.format("INT8"), encoding="utf-8")
    assert main(["example", "aclnnOwn", "--write", "--specs", str(tmp_path)]) == 0
    written = path.read_text(encoding="utf-8")
    assert 'x: "INT8[' in written
    assert main(["example", "aclnnOwn", "--write", "--specs", str(tmp_path)]) == 0
    assert path.read_text(encoding="utf-8") == written
    assert "0 specs" in capsys.readouterr().out


def test_rules_that_contradict_each_other_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The search ends, and says for which operator it found nothing."""
    folder = tmp_path / "9.1.0" / "own"
    folder.mkdir(parents=True)
    (folder / "aclnnOwn.yaml").write_text(
        "operator: aclnnOwn\nrelease: 9.1.0\nproducts: {910b: yes}\n"
        "params:\n  - {name: n, ctype: int64_t}\n"
        'rules:\n  low: "n < 3"\n  high: "n > 5"\n',
        encoding="utf-8",
    )
    assert main(["example", "aclnnOwn", "--specs", str(tmp_path)]) == 1
    assert "aclnnOwn (9.1.0): no legal call found" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["aclnnNope"], "no operator is named"),
        (["aclnnGelu", "--count", "0"], "from 1 to"),
        (["--seed", "x"], "--seed"),
    ],
)
def test_bad_words_are_status_2(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With what was expected."""
    try:
        status = main(["example", *words])
    except SystemExit as stopped:
        status = int(stopped.code or 0)
    assert status == 2
    assert said in capsys.readouterr().err


def test_a_series_goes_through_the_dtypes_of_the_first_input() -> None:
    """After the plainest call come those that models are run in, and other tensors share what they may."""
    body = (
        "params:\n  - {name: x, ctype: const aclTensor*, dtype: [FLOAT, INT32, BFLOAT16, FLOAT16]}\n"
        "  - {name: scale, ctype: const aclTensor*, dtype: [FLOAT]}\n"
        "  - {name: out, ctype: aclTensor*, io: out, dtype: [FLOAT, INT32, BFLOAT16, FLOAT16]}\n"
        "rules:\n  out-dtype: {check: out same dtype as x}\n"
    )
    series = [args["x"]["tensor"]["dtype"] for args in made(body, 5)]
    assert set(series[1:3]) == {"FLOAT16", "BFLOAT16"}
    assert set(series[1:]) == {"FLOAT", "INT32", "BFLOAT16", "FLOAT16"}


def test_an_optional_tensor_that_no_rule_speaks_of_is_left_out() -> None:
    """What to give where a page says nothing at all, not even a format, nobody knows."""
    body = (
        "params:\n  - {name: x, ctype: const aclTensor*, rank: 2}\n"
        "  - {name: reserved, ctype: const aclTensor*, optional: yes, format: any, strided: unknown}\n"
        "  - {name: out, ctype: aclTensor*, io: out, rank: 2}\n"
        "  - {name: unwritten, ctype: aclTensor*, io: out, optional: yes, format: any, strided: unknown}\n"
    )
    for args in made(body, 20):
        assert (args["reserved"], args["unwritten"]) == (None, None)


def test_what_a_mode_does_not_write_is_left_out() -> None:
    """Its shape would be any; and so would the numbers of an array that it does not read."""
    body = (
        "params:\n  - {name: x, ctype: const aclTensor*, rank: 2}\n"
        "  - {name: prefix, ctype: const aclIntArray*, optional: yes}\n"
        "  - {name: train, ctype: bool}\n  - {name: out, ctype: aclTensor*, io: out, rank: 2}\n"
        "  - {name: rstd, ctype: aclTensor*, io: out, optional: yes, rank: 2}\n"
        "  - {name: states, ctype: aclTensorList*, io: out, optional: yes, rank: 2}\n"
        'rules:\n  out-shape: "out.shape == x.shape"\n'
        '  rstd-shape: {check: "rstd.shape == x.shape", when: "train"}\n'
        '  states-shape: {check: "all(s.shape == x.shape for s in states)", when: "train"}\n'
        '  prefix-shape: {check: "len(prefix) == x.shape[0]", when: "train"}\n'
    )
    series = list(made(body, 20))
    for args in series:
        assert args["train"] or (args["rstd"], args["states"], args["prefix"]) == (None, None, None)
    assert any(args["states"] for args in series)


def test_a_mask_asks_for_the_outputs_that_are_given() -> None:
    """All of it false would be a call that computes nothing."""
    body = (
        "params:\n  - {name: x, ctype: const aclTensor*}\n  - {name: mask, ctype: const aclBoolArray*, length: 2}\n"
        "  - {name: gradX, ctype: aclTensor*, io: out, optional: yes}\n"
        "  - {name: gradW, ctype: aclTensor*, io: out, optional: yes}\n"
        'rules:\n  x-asked: {check: "gradX is not None", when: "mask[0]"}\n'
        '  w-asked: {check: "gradW is not None", when: "mask[1]"}\n'
    )
    for args in made(body, 12):
        assert args["mask"]["bool_array"] == [args["gradX"] is not None, args["gradW"] is not None]
        assert any(args["mask"]["bool_array"])


def test_elements_come_where_another_rank_or_another_number_has_to_change_for_them() -> None:
    """A scalar has no half; no layers have no state."""
    body = (
        "params:\n  - {name: x, ctype: const aclTensor*}\n  - {name: layers, ctype: int64_t, range: '>= 0'}\n"
        "  - {name: out, ctype: aclTensor*, io: out, rank: 1}\n  - {name: state, ctype: aclTensor*, io: out, rank: 2}\n"
        'rules:\n  half: "out.numel == x.numel // 2 and x.rank <= 1"\n  layers-shape: "state.shape[0] == layers"\n'
    )
    for args in made(body, 12):
        assert 0 not in args["out"]["tensor"]["shape"] + args["state"]["tensor"]["shape"], args


def test_some_calls_are_near_the_example() -> None:
    """Its mode asks for much at once, and a search that starts elsewhere takes the easy one every time."""
    body = (
        "params:\n  - {name: x, ctype: const aclTensor*, dtype: [FLOAT, INT8], rank: 2}\n"
        "  - {name: scale, ctype: const aclTensor*, dtype: [FLOAT, UINT64], rank: [1, 2]}\n"
        "  - {name: out, ctype: aclTensor*, io: out, dtype: [FLOAT16, BFLOAT16], rank: 2}\n"
        'rules:\n  alike: "(x.dtype == INT8) == (scale.dtype == UINT64)"\n'
        '  rows: {check: "x.shape[0] == 512", when: "scale.dtype == UINT64"}\n'
        '  columns: {check: "x.shape[1] == 128", when: "scale.dtype == UINT64"}\n'
        '  groups: {check: "scale.shape == (4, 2)", when: "scale.dtype == UINT64"}\n'
        '  wide: {check: "out.dtype == BFLOAT16", when: "scale.dtype == UINT64"}\n'
        '  result: {check: "out.shape == (512, 8)", when: "scale.dtype == UINT64"}\n'
        'example:\n  product: 910b\n  args: {x: "INT8[512, 128]", scale: "UINT64[4, 2]", out: "BFLOAT16[512, 8]"}\n'
    )
    shown = [args["scale"]["tensor"]["dtype"] for args in made(body, 24)]
    assert shown.count("UINT64") > 2
    assert set(shown) == {"FLOAT", "UINT64"}


def test_a_tensor_of_another_shape_does_not_keep_the_storage_of_the_old_one() -> None:
    """The example's tensor has fewer elements than those that are made of it."""
    body = (
        "params:\n  - {name: x, ctype: const aclTensor*, rank: 2}\n"
        "  - {name: out, ctype: aclTensor*, io: out, rank: 2}\n"
        'rules:\n  out-shape: "out.shape == x.shape"\n'
        "example:\n  product: 910b\n  args:\n"
        "    x: {tensor: {shape: [2, 3], dtype: FLOAT, format: ND, storage_shape: [6]}}\n"
        '    out: "FLOAT[2, 3]"\n'
    )
    for args in made(body, 24):
        tensor = args["x"]["tensor"]
        assert tensor["shape"] == [2, 3] or "storage_shape" not in tensor


def test_only_what_is_compared_with_a_negative_number_may_be_one() -> None:
    """That a value stands in the same rule as one does not make it negative."""
    body = (
        "params:\n  - {name: x, ctype: const aclTensor*, rank: 1}\n  - {name: axis, ctype: int64_t}\n"
        "  - {name: experts, ctype: int64_t}\n"
        'rules:\n  together: "axis in (-1, 0) and experts < 2048 and x.numel > 0"\n'
    )
    calls = made(body, 30)
    assert {args["axis"] for args in calls} == {-1, 0}
    assert all(args["experts"] >= 0 for args in calls)
