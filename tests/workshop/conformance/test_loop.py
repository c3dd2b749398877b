"""Promise: judged calls are read as they are, compared by the stages that they reached, and recorded as evidence.

With a sample of judged calls and an operator of the test's own.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from opspec.cli.main import main
from opspec.model.evidence import read_all
from opspec.model.lines import EVIDENCE
from opspec.registry.registry import Registry
from opspec.validator.files import RawCall
from opspec.validator.read import RECORDED
from opspec.validator.read import call as call_of
from opspec.workshop.conformance.measure import measured
from opspec.workshop.conformance.seen import Witness
from tests.recorded import JUDGED, recorded

SPEC = """\
operator: aclnnX
release: 9.9
summary: {en: X, zh: X}
products: {910b: yes, A3: yes}
params: [{name: n, ctype: int64_t, range: "> 0"}, {name: m, ctype: int64_t}, {name: s, ctype: const char*}]
rules:
  n.range: {enforced: yes}
  even: {check: "n % 2 == 0", enforced: yes}
  small: {check: "m < 100", stage: tiling}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A registry with one operator."""
    monkeypatch.setenv("OPSPEC_CACHE", str(tmp_path / "cache"))
    for command in ("check", "conformance"):  # each has a process of its own: none sees what another loaded
        monkeypatch.setattr(f"opspec.cli.{command}.registry", lambda specs: Registry(tuple(specs)))
    release = tmp_path / "specs" / "9.9"
    release.mkdir(parents=True)
    (release / "aclnnX.yaml").write_text(SPEC, encoding="utf-8")
    return tmp_path


def x(n: int, m: int, expect: str, s: str | None = "", **more: Any) -> dict[str, Any]:
    """A recorded call."""
    return {"op": "aclnnX", "product": "910b", "args": {"n": n, "m": m, "s": s}, "expect": expect, **more}


def written(folder: Path, *calls: dict[str, Any], name: str = "calls.jsonl") -> str:
    """The path of a file of calls."""
    path = folder / name
    path.write_text("".join(json.dumps(one) + "\n" for one in calls), encoding="utf-8")
    return str(path)


@pytest.fixture
def conformance(folder: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, Any]]:
    """Run the command on the registry: its status, and what it prints, read where it is JSON."""

    def run(*words: str) -> tuple[int, Any]:
        status = main(["conformance", "--specs", str(folder / "specs"), *words])
        out = capsys.readouterr().out
        return status, json.loads(out) if "json" in words else out

    return run


INVALID, SUCCESS = "ACLNN_ERR_PARAM_INVALID", "ACLNN_SUCCESS"


def test_what_recorders_write_beside_a_call_is_read() -> None:
    """How it was made, how far the runtime came and what it said; of tiling tests, how the interface was made …"""
    more: dict[str, Any] = dict.fromkeys(RECORDED, "x")
    more |= {"expect_outputs": [{"shape": [2]}], "notes": ["y"], "mc2_topology": {"rank": 2}, "change": "base"}
    found = call_of(RawCall(1, "f:1", x(2, 3, SUCCESS, **more)))
    assert (found.op, found.change, found.expect) == ("aclnnX", "base", SUCCESS)


@pytest.mark.parametrize(("expect", "agrees"), [("SUCCESS", [True, False]), ("FAILED", [False, True])])
def test_a_tiling_test_says_no_status(folder: Path, expect: str, agrees: list[bool]) -> None:
    """FAILED is any failure."""
    witness = Witness(Registry((str(folder / "specs"),)), None)
    calls = (call_of(RawCall(1, "f:1", x(2, m, expect))) for m in (3, 100))
    assert [one.agrees for one in witness.seen(calls, ran=True)] == agrees


def test_stages_that_a_first_phase_did_not_reach_are_left_out(folder: Path, conformance: Any) -> None:
    """Only programs that ran came past tiling; their calls are compared by every stage."""
    beyond = written(folder, x(2, 100, SUCCESS))
    assert conformance(beyond)[0] == 0
    status, result = conformance("--output", "json", "--ran", beyond)
    assert (status, result["confusion"]) == (1, [[SUCCESS, "ACLNN_ERR_INNER_TILING_ERROR", 1]])


@pytest.mark.parametrize(
    ("stage", "expect", "agrees"),
    [
        ("", SUCCESS, True), ("weak", SUCCESS, True), ("unknown", SUCCESS, True), ("ok", SUCCESS, False),
        ("tiling", "ACLNN_ERR_INNER_TILING_ERROR", True), ("kernel", "ACLNN_ERR_INNER_NULLPTR", True),
        ("params", INVALID, False),
    ],
)  # fmt: skip
def test_a_record_says_how_far_its_first_phase_came(folder: Path, stage: str, expect: str, agrees: bool) -> None:
    """A success of which nobody knows what lies behind the checks is none of tiling; inner codes are as good as one."""
    witness = Witness(Registry((str(folder / "specs"),)), None)
    (found,) = witness.seen([call_of(RawCall(1, "f:1", x(2, 100, expect, stage=stage)))])
    assert (found.stage, found.agrees) == (stage, agrees)
    assert [again.agrees for again in witness.judged_again([found])] == [agrees]


def test_differences_are_grouped_by_rule_and_by_what_was_changed(folder: Path, conformance: Any) -> None:
    odd = [x(n, 1, SUCCESS, change=change) for n, change in ((1, "base"), (3, "n=3"), (5, "n=3"))]
    file = written(folder, *odd, x(-2, 1, SUCCESS), x(2, 1, SUCCESS, change="base"))
    _, result = conformance("--output", "json", file)
    assert [(one["rules"], one["calls"], one["changes"]) for one in result["differences"]] == [
        (["even"], 3, {"n=3": 2, "base": 1}), (["n.range"], 1, {"as recorded": 1}),
    ]  # fmt: skip
    assert (result["whole_calls"]["illegal"], result["whole_calls"]["calls"]) == (1, 2)
    assert "3  aclnnX: ACLNN_SUCCESS, predicted ACLNN_ERR_PARAM_INVALID (even)" in conformance(file)[1]


def test_what_is_recorded_changes_verdicts(folder: Path, conformance: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """Calls that passed the checks leave open what comes behind: illegal with status 0. A program that ran came
    through: the rule is unchecked, and stands. A second program contradicts it: legal."""
    file = written(folder, x(1, 1, SUCCESS, change="n=1"), x(-2, 1, INVALID), x(2, 1, SUCCESS))
    status, figures = conformance("--record", file)
    _, before, after = figures.splitlines()
    assert status == 0
    assert before.startswith("before: 2 of 3 calls agree")
    assert after.startswith("after: 3 of 3 calls agree")
    known = read_all(str(folder / "specs" / "9.9" / EVIDENCE))["aclnnX"]
    assert {rule: (one["910b"].accepted, one["910b"].refused) for rule, one in known.items()} == {
        "even": (1, 0), "n.range": (0, 1),
    }  # fmt: skip
    assert known["even"]["910b"].calls[0].startswith("n=1 ")
    assert conformance(file)[0] == 0

    def checked(gate: str) -> tuple[int, dict[str, Any]]:
        status = main(["check", "--specs", str(folder / "specs"), "--gate", gate, "--output", "jsonl", odd])
        return status, json.loads(capsys.readouterr().out)

    odd = written(folder, x(1, 1, SUCCESS), name="odd.jsonl")
    assert [checked(gate)[0] for gate in ("legal", "status")] == [1, 0]
    assert (checked("legal")[1]["legal"], checked("legal")[1]["code"]) == (False, 0)
    assert conformance("--record", file, "--ran", odd)[0] == 0
    status, verdict = checked("legal")
    assert (status, verdict["legal"], [one["enforcement"] for one in verdict["violations"]]) == (
        1,
        False,
        ["unchecked"],
    )
    more = written(folder, x(1, 1, SUCCESS), x(3, 1, SUCCESS), name="more.jsonl")
    assert conformance("--record", file, "--ran", more)[0] == 0
    status, verdict = checked("legal")
    assert (status, verdict["legal"], [one["enforcement"] for one in verdict["warnings"]]) == (
        0,
        True,
        ["contradicted"],
    )


def test_the_document_alone_knows_no_evidence(folder: Path, conformance: Any) -> None:
    """Nor what an author saw: a null pointer is refused, as most are."""
    calls = written(folder, x(2, 1, SUCCESS, s=None))
    before = conformance("--output", "json", "--document-only", calls)
    conformance("--record", calls)
    assert conformance("--output", "json", "--document-only", calls) == before
    assert before[1]["differences"]


def test_judged_calls_of_the_sample_are_all_compared() -> None:
    """Those that cannot be made into tensors too; a call that was never changed is not called illegal often."""
    witness = Witness(Registry(()), "9.1.0")
    found = measured(witness.seen(recorded(JUDGED)))
    assert not witness.unknown
    assert found.total == sum(1 for _ in recorded(JUDGED))
    assert found.exact > 0.8
    assert found.whole
