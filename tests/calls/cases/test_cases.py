"""Promise: legal cases are legal, a case of a rule breaks that rule, and what is written is read back as it was."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import opspec
from opspec.calls.cases import kit
from opspec.calls.cases.isolate import CONTRADICTORY, IMPLIED, SHADOWED
from opspec.calls.cases.made import Cases, why
from opspec.cli.main import main
from opspec.errors import OpspecError
from opspec.hypothesis import calls, illegal
from opspec.registry.registry import definition_of, registry
from tests.build.sdk.small import flags
from tests.calls.cases import coverage
from tests.calls.cases.coverage import COMMITTED, of_operator, shares, summed, total
from tests.model import building
from tests.paths import REPOSITORY

HOST = Path(__file__).with_name("host")
OPERATORS = ("aclnnMaxDim", "aclnnSwiGluQuantV2")
#: all small enough for a test, of as many families
SAMPLE = (
    "aclnnAbs", "aclnnAddLora", "aclnnAdvanceStepV2", "aclnnBitwiseXorScalar", "aclnnForeachZeroInplace", "aclnnGlu",
    "aclnnGatherV2", "aclnnMaxDim",
)  # fmt: skip
WITH_LISTS = ("aclnnForeachAddScalarV2", "aclnnApplyTopKTopP")


def made(op: str, seed: int = 0) -> list[dict[str, Any]]:
    """The cases of an operator, as they are printed."""
    entry = registry().find(op)
    cases = Cases(definition_of(entry), registry().form(op, entry.release), seed=seed)
    return [json.loads(json.dumps(case.record())) for case in (*cases.legal(), *cases.illegal())]


@pytest.mark.parametrize("op", OPERATORS)
def test_cases_are_what_they_say(op: str) -> None:
    """Judged by what judges users' calls: status, and the rules that are broken."""
    found = made(op)
    assert len({case["id"] for case in found}) == len(found)
    for case in found:
        verdict = opspec.check(op, product=case["product"], release=case["release"], args=case["args"])
        broken = [one.rule for one in (*verdict.violations, *verdict.warnings) if one.rule != "product.unknown"]
        assert (case["expect"], case["x-breaks"]) == (verdict.status, broken), case
        assert ("/legal-" in case["id"]) == (broken == []), case
    alone = [case for case in found if len(case["x-breaks"]) == 1]
    assert all(case["id"].endswith(f"/breaks-{case['x-breaks'][0]}") for case in alone)


def test_conformance_finds_no_difference(tmp_path: Path) -> None:
    """Of cases that kernel lookup or tiling refuses either: a case says so."""
    found = made("aclnnMaxDim")
    assert any(case.get("stage") == "kernel" for case in found)
    path = tmp_path / "cases.jsonl"
    path.write_text("".join(f"{json.dumps(case)}\n" for case in found), encoding="utf-8")
    assert main(["conformance", str(path)]) == 0


def test_legal_cases_are_spread() -> None:
    """Over dtypes, ranks, empties, strides and attributes."""
    legal = [case["args"] for case in made("aclnnMaxDim") if not case["x-breaks"]]
    tensors = [args["self"]["tensor"] for args in legal]
    assert {len(one["shape"]) for one in tensors} >= {*range(1, 9)}
    assert {one["dtype"] for one in tensors} >= {"FLOAT", "FLOAT16", "BFLOAT16", "INT64", "BOOL"}
    assert any(0 in one["shape"] for one in tensors)
    assert any("strides" in one for one in tensors)
    assert {args["keepdim"] for args in legal} == {False, True}


def test_the_same_seed_makes_the_same_cases() -> None:
    """In another process, too: nothing hangs on the order of sets."""
    command = [sys.executable, "-m", "opspec", "cases", "aclnnMaxDim", "--seed", "3"]
    environment = {**os.environ, "PYTHONHASHSEED": "1", "PYTHONPATH": str(REPOSITORY)}
    printed = subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout
    assert list(map(json.loads, printed.splitlines())) == made("aclnnMaxDim", 3)


def test_why_no_call_breaks_a_rule_alone() -> None:
    """Implied by another rule, contradictory where a condition breaks one, implied by none where all calls keep it."""
    body = (
        "params:\n  - {name: x, ctype: const aclTensor*, dtype: [FLOAT, FLOAT16]}\n  - {name: n, ctype: int64_t}\n"
        "rules:\n  narrow: x.dtype == FLOAT\n  few: n < 5\n  fewer: n < 3\n"
        "  never: {check: n == 1, when: n > 7}\n  always: n >= 0 or n < 0\n"
    )
    definition = building.definition(body)
    cases = Cases(definition, building.form(body), "910b")
    found = {case.breaks for case in cases.illegal()}
    assert {("x.null",), ("narrow",), ("fewer",)} <= found
    reasons = {one.rule.id: (one.reason, one.by) for one in cases.findings}
    assert reasons["x.dtype"] == (IMPLIED, ("narrow",))
    assert reasons["few"] == (IMPLIED, ("fewer",))
    assert reasons["never"] == (CONTRADICTORY, ("few",))
    assert reasons["always"] == (IMPLIED, ())
    said = {one.rule.id: why(one) for one in cases.findings}
    assert said["few"] == "implied: what breaks it breaks fewer, too"
    assert said["never"] == "contradictory: what it applies to breaks few"
    assert said["always"] == "implied: whatever a call says keeps it"


def test_a_derived_value_may_read_one_that_comes_behind_it() -> None:
    """As where a spec says an inherited one anew by one of its own: it keeps its place."""
    body = (
        "params: [{name: n, ctype: int64_t}, {name: m, ctype: int64_t}]\n"
        'let: {inherited: "own + 1", own: n * 2}\n'
        "rules:\n  below: m < inherited\n  positive: {check: inherited // own > 0, when: m > 1}\n"
    )
    cases = Cases(building.definition(body), building.form(body), "910b")
    assert {"below", "positive"} <= {rule for case in cases.illegal() for rule in case.breaks}


def test_what_a_lookup_reports_is_shadowed() -> None:
    """A generated interface refuses a format by its table, which says why."""
    definition = definition_of(registry().find("aclnnSwiGluQuantV2"))
    cases = Cases(definition, registry().form("aclnnSwiGluQuantV2"))
    assert list(cases.illegal("x.private-format")) == []
    assert (cases.findings[0].reason, cases.findings[0].by) == (SHADOWED, ("kernel.combination",))


# --- the table of the test kit


@pytest.mark.parametrize("op", [*OPERATORS, *WITH_LISTS])
def test_a_table_is_read_as_it_was_written(op: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cases", op, "--only", "legal"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert main(["cases", op, "--only", "legal", "--output", "csv"]) == 0
    table = capsys.readouterr().out
    path = tmp_path / "cases.csv"
    path.write_text(table, encoding="utf-8")
    assert main(["cases", "--read", str(path)]) == 0
    back = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    for case, again in zip(map(json.loads, lines), back, strict=True):
        assert {key: again[key] for key in case if key in again and key != "x-breaks"} == {
            key: case[key] for key in case if key != "x-breaks"
        }


GIVEN = {
    "api_name": "aclnnMaxDim", "tensor_view_shapes": "((4, 2), (2,), (2,))",
    "tensor_dtypes": "['float', 'float', 'int32']", "attributes": "{'dim': 0, 'keepdim': False}",
}  # fmt: skip


def table(**cells: str | None) -> str:
    """A table of one row, of whatever text: Python 3.10's own writer refuses NUL."""
    row = {name: value for name, value in {**GIVEN, **cells}.items() if value is not None}
    return "".join(
        ",".join('"' + cell.replace('"', '""') + '"' for cell in line) + "\r\n" for line in (row, row.values())
    )


def test_a_table_of_the_columns_that_matter_is_enough() -> None:
    """Formats, strides and storages are optional, as are names; columns of the kit's own are not looked at."""
    (call,) = kit.calls(table(precision="0.001"), registry().form, "x.csv")
    verdict = opspec.check(call["op"], product="910b", args=call["args"])
    assert verdict.legal, verdict


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ({"tensor_dtypes": None}, "no column tensor_dtypes"),
        ({"api_name": "aclnnMaxDimm"}, "aclnnMaxDim"),
        ({"api_name": " "}, "api_name is empty"),
        ({"tensor_view_shapes": "((4, 2),)"}, "expected 3 entries, for self, out, indices"),
        ({"tensor_view_shapes": "__import__('os')"}, "a Python literal is expected"),
        ({"tensor_view_shapes": "7"}, "a tuple with an entry a tensor"),
        ({"tensor_view_shapes": "(" * 5000}, "too long or too deep"),
        ({"tensor_view_shapes": "-" * 100_000 + "1"}, "literal"),
        ({"attributes": "[1]"}, "a dict of values by param name"),
        ({"attributes": "{[]: 1}"}, "literal"),
    ],
)
def test_a_wrong_table_is_told(cells: dict[str, str | None], said: str) -> None:
    with pytest.raises(OpspecError, match=r"x\.csv") as caught:
        list(kit.calls(table(**cells), registry().form, "x.csv"))
    assert said in str(caught.value)


@given(st.text(max_size=200))
@settings(max_examples=200)
def test_any_cell_is_a_call_or_told(text: str) -> None:
    """Whatever stands there."""
    for column in ("tensor_view_shapes", "attributes", "api_name"):
        with contextlib.suppress(OpspecError):
            list(kit.calls(table(**{column: text}), registry().form, "x.csv"))


# --- GoogleTest


def test_generated_tests_pass_on_the_simulator(
    small_sdk: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They compile without a warning, and every status is the predicted one."""
    for op in ("aclnnSplitTensor", "aclnnReduceSum"):
        assert main(["cases", op, "--product", "910b", "--output", "gtest"]) == 0
        source = tmp_path / f"{op}.cpp"
        source.write_text(capsys.readouterr().out, encoding="utf-8")
        program = tmp_path / op
        libraries = ("-lopapi_math", "-lopapi_nn", "-lascendcl", "-lnnopbase")
        command = ["c++", "-std=c++17", "-Wall", "-Wextra", "-Werror", f"-I{HOST}", *flags(small_sdk), str(source)]
        subprocess.run([*command, *libraries, "-o", str(program)], check=True)
        ran = subprocess.run([str(program)], capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stdout
        assert " tests, 0 failed" in ran.stdout


# --- Hypothesis


@given(calls("aclnnMaxDim", product="910b"))
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_drawn_calls_are_legal(call: dict[str, Any]) -> None:
    verdict = opspec.check(call["op"], product=call["product"], args=call["args"])
    assert (verdict.legal, call["expect"]) == (True, verdict.status)


@given(illegal("aclnnMaxDim", "indices.dtype"))
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_drawn_illegal_calls_break_the_rule_alone(call: dict[str, Any]) -> None:
    verdict = opspec.check(call["op"], product=call["product"], args=call["args"])
    assert [one.rule for one in verdict.violations] == ["indices.dtype"] == call["x-breaks"]
    assert call["expect"] == verdict.status


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("aclnnMaxDimm", None), "aclnnMaxDim"),
        (("aclnnMaxDim", "nope"), "no rule 'nope'"),
        (("aclnnLgamma", "self.rank"), "implied"),
    ],
)
def test_a_strategy_says_what_is_wrong(words: tuple[str, str | None], said: str) -> None:
    with pytest.raises(OpspecError, match=said):
        illegal(*words)


# --- the command and its page


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "an operator is expected"),
        (["aclnnNope"], "aclnnNope"),
        (["aclnnGelu", "--rule", "x"], "has no rule 'x'"),
        (["aclnnGelu", "--read", "x.csv"], "--read takes no operator"),
        (["--read", "nowhere.csv"], "cannot read the file"),
        (["aclnnGelu", "--output", "xml"], "--output"),
    ],
)
def test_bad_words_are_status_2(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cases", *words]) == 2
    assert said in capsys.readouterr().err


PAGES = ("docs/cases.md", "docs/zh/cases.md")


def blocks(page: str, language: str) -> list[str]:
    """The code of a page in a language."""
    parts = (REPOSITORY / page).read_text(encoding="utf-8").split("```")[1::2]
    return [part.removeprefix(f"{language}\n") for part in parts if part.startswith(f"{language}\n")]


@pytest.mark.parametrize("page", PAGES)
def test_the_page_shows_what_the_command_prints(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cases.csv").write_text(blocks(page, "csv")[0], encoding="utf-8")
    for block in blocks(page, "console"):
        command, _, shown = block.partition("\n")
        assert main(command.removeprefix("$ opspec ").split()) in (0, 1)
        assert capsys.readouterr().out == shown


@pytest.mark.parametrize("page", PAGES)
def test_the_page_s_python_runs(page: str) -> None:
    for code in blocks(page, "python"):
        names: dict[str, Any] = {}
        exec(code, names)  # noqa: S102 - of our own page
        for name, test in names.items():
            if name.startswith("test_"):
                test()


@pytest.mark.parametrize("page", PAGES)
def test_the_page_states_the_committed_figures(page: str) -> None:
    families = json.loads(COMMITTED.read_text(encoding="utf-8"))["families"]
    text = (REPOSITORY / page).read_text(encoding="utf-8")
    assert all(line in text.splitlines() for line in list(coverage.table(families))[1:])
    counts = total(families)
    assert str(counts["operators"]) in text
    assert all(f"{share:.0%}" in text.replace(" %", "%") for share in shares(counts))


def test_a_rule_that_products_share_out_is_broken_where_it_can_be() -> None:
    """BFLOAT16 is refused on the oldest product alone."""
    op = "aclnnInplaceXLogYTensor"
    (case,) = Cases(definition_of(registry().find(op)), registry().form(op)).illegal("self-dtypes")
    assert case.breaks == ("self-dtypes",)


def test_every_rule_is_counted_once() -> None:
    """What the committed figures are made of."""
    definition = definition_of(registry().find("aclnnRelu"))
    row = of_operator("aclnnRelu")
    assert (row["op"], row["family"], sum(row["counts"].values())) == (
        "aclnnRelu", "activation", len(definition.rules),
    )  # fmt: skip
    assert len(row["said"]) == len(definition.rules) - row["counts"]["isolated"]


def test_what_is_measured_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that was cut off, in the midst of a line too, is taken up where it ended."""
    asked: list[str] = []

    def found(name: str) -> coverage.Row:
        asked.append(name)
        return {"op": name, "family": "f", "counts": {"isolated": 1}, "said": {}}

    monkeypatch.setattr(coverage, "of_operator", found)
    path = tmp_path / "kept.jsonl"
    assert len(list(coverage.measured(["a", "b", "c"], path, 2))) == 2
    path.write_text(path.read_text(encoding="utf-8") + '{"op": "c', encoding="utf-8")
    again = list(coverage.measured(["a", "b", "c"], path, 9))
    assert ([row["op"] for row in again], asked) == (["a", "b", "c"], ["a", "b", "c"])


@pytest.mark.slow
def test_nine_rules_of_ten_that_may_be_are_broken_alone() -> None:
    """On a sample throughout the registry; what may not be is proved."""
    counts = total(summed(map(of_operator, SAMPLE)))
    assert shares(counts)[1] >= 0.9, counts
