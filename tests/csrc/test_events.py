"""Events: what is told, where, how often; lines stay whole; broken settings are said and do no harm."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from opspec.registry.registry import definition_of, registry
from opspec.vocabulary import enforcement, findings
from opspec.vocabulary.literals import Enforcement
from tests.committed import operators, sample
from tests.csrc.build import HERE, RULES, SHARED, build
from tests.events import read_events

SOURCES = [
    SHARED / "events.c",
    SHARED / "line.c",
    SHARED / "mute.c",
    RULES / "opspec_text.c",
    HERE / "events_driver.c",
    HERE / "say_stub.c",
]


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("events") / "events", SOURCES, "-fsanitize=address,undefined")


def run(driver: Path, *words: str, **settings: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OPSPEC_")}
    environment |= {f"OPSPEC_{name.upper()}": value for name, value in settings.items()}
    done = subprocess.run(
        [str(driver), *words], capture_output=True, text=True, errors="replace", env=environment, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done


def lines(path: Path) -> list[dict[str, Any]]:
    """The calls that were recorded."""
    return [json.loads(line) for line in path.read_text().splitlines()]


DTYPE = 'opspec layer: error: aclnnFirst/self.dtype: rule 1 says "no" (161002 ACLNN_ERR_PARAM_INVALID)\n'


def test_violations_are_told_on_standard_error_and_legal_calls_are_not(driver: Path) -> None:
    assert run(driver, "legal", "warning", "differs", "doubt").stderr == ""
    assert run(driver, "dtype").stderr == DTYPE
    assert run(driver, "dtype").stdout == ""


@pytest.mark.parametrize(
    ("severity", "told"),
    [
        ("off", []),
        ("error", ["error: aclnnSecond/out-shape"]),
        ("warning", ["error: aclnnSecond/out-shape", "warning: aclnnSecond/self.layout"]),
        (
            "info",
            [
                "error: aclnnSecond/out-shape",
                "warning: aclnnSecond/self.layout",
                "info: aclnnSecond/self.null: not decided",
            ],
        ),
    ],
)
def test_severity(driver: Path, severity: str, told: list[str]) -> None:
    found = run(driver, "legal", "both", severity=severity).stderr.splitlines()
    assert len(found) == len(told)
    assert all(line.startswith(f"opspec layer: {start}") for line, start in zip(found, told, strict=True))


def test_a_doubt_about_the_product_and_another_status_are_warnings(driver: Path) -> None:
    found = run(driver, "doubt", "differs", severity="warning").stderr
    assert "aclnnFirst/product.unknown" in found
    assert "aclnnFirst/status.differs: the library returned 361001, the rules say 0" in found


def test_output_goes_to_a_file_that_is_appended_to(driver: Path, tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    for _ in range(2):
        assert run(driver, "dtype", output=str(path)).stderr == ""
    assert path.read_text() == DTYPE * 2
    assert run(driver, "dtype", output="none").stderr == ""


@pytest.mark.parametrize(
    ("patterns", "told"),
    [
        ("self.dtype", {"aclnnSecond/out-shape"}),
        ("self.*", {"aclnnSecond/out-shape"}),
        ("*.dtype, out-shape", set()),
        ("*", set()),
        ("aclnnFirst/*", {"aclnnSecond/out-shape"}),
        ("9.1.0/aclnnFirst/self.dtype", {"aclnnSecond/out-shape"}),
        ("aclnnSec*/*shape", {"aclnnFirst/self.dtype"}),
        ("*dtyp*", {"aclnnSecond/out-shape"}),
        ("aclnnSecond/self.dtype,dtype,,self", {"aclnnFirst/self.dtype", "aclnnSecond/out-shape"}),
    ],
)
def test_mute(driver: Path, tmp_path: Path, patterns: str, told: set[str]) -> None:
    path = tmp_path / "events"
    found = run(driver, "dtype", "both", mute=patterns, events=str(path)).stderr
    assert {name for name in ("aclnnFirst/self.dtype", "aclnnSecond/out-shape") if name in found} == told
    rules = {
        f"{one['op']}/{r['rule']}" for one in read_events(path) if one["event"] == "call" for r in one["violations"]
    }
    assert rules == told
    assert [one["refused"] for one in read_events(path) if one["event"] == "end"] == [2]  # muting does not hide that


def test_other_findings_are_muted_by_their_kind(driver: Path) -> None:
    told = 'opspec simulator: warning: stream.leak: 12 bytes of "x"?�\n'  # one line, whatever it quotes
    assert run(driver, "leak", severity="warning").stderr == told
    assert run(driver, "leak", severity="warning", mute="stream.*").stderr == ""
    assert run(driver, "leak").stderr == ""


def test_a_misspelt_kind_is_told_once_with_the_nearest(driver: Path, tmp_path: Path) -> None:
    """Under the mute setting it would do nothing, silently."""
    path = tmp_path / "events"
    found = run(driver, "legal", "dtype", "fork", mute="stream.leek,memory.leak,self.rank", events=str(path)).stderr
    told = "OPSPEC_MUTE: stream.leek is no kind of finding; did you mean stream.leak?"
    assert found == f"opspec layer: error: setting.invalid: {told}\n{DTYPE}" + DTYPE.replace("First", "Second")
    assert [one["message"] for one in read_events(path) if one["event"] == "finding"] == [told]
    assert run(driver, "dtype", mute="stream.leek,setting.invalid").stderr == DTYPE


def test_no_rule_is_taken_for_a_misspelt_kind(driver: Path) -> None:
    """Rules and kinds are muted by one setting: the ids of all operators' rules raise no doubt."""
    known = registry()
    definitions = [definition_of(known.find(name, release)) for release, name in operators(sample(60))]
    ids = sorted({rule.id for definition in definitions for rule in definition.rules})
    for start in range(0, len(ids), 1000):
        assert run(driver, "legal", mute=",".join(ids[start : start + 1000])).stderr == ""


@pytest.mark.parametrize("name", findings.kinds())
def test_every_kind_can_be_muted(driver: Path, name: str) -> None:
    assert run(driver, "legal", mute=name).stderr == ""


def test_a_finding_is_told_a_number_of_times_and_counted_on(driver: Path, tmp_path: Path) -> None:
    path = tmp_path / "events"
    found = run(driver, *["dtype"] * 12, "both", events=str(path), repeat="3").stderr.splitlines()
    assert [line for line in found if "self.dtype:" in line] == [
        DTYPE.strip(), DTYPE.strip(), DTYPE.strip() + " (told 3 times; not again)",
        "opspec layer: aclnnFirst/self.dtype: 12 times in all",
    ]  # fmt: skip
    assert read_events(path)[-1]["findings"]["aclnnFirst/self.dtype"] == 12
    assert len([line for line in run(driver, *["dtype"] * 12).stderr.splitlines() if "says" in line]) == 10
    assert len(run(driver, *["dtype"] * 12, repeat="0").stderr.splitlines()) == 12


def test_events_are_lines_of_json(driver: Path, tmp_path: Path) -> None:
    path = tmp_path / "events"
    run(driver, "legal", "both", "leak", "differs", events=str(path))
    start, legal, both, leak, differs, end = read_events(path)
    assert (start["event"], start["source"], start["release"], start["product"]) == ("start", "layer", "9.1.0", "910b")
    assert start["program"].endswith("/events")
    assert start["pid"] > 0
    assert (legal["op"], legal["predicted"], legal["actual"]) == ("aclnnFirst", 0, 0)
    assert (legal["violations"], legal["warnings"], legal["undecided"]) == ([], [], 0)
    finding = {"rule": "out-shape", "param": None, "status": 161002, "enforcement": "refused",
               "assumed": False, "message": 'rule 2 says "no"'}  # fmt: skip
    assert both["violations"] == [finding]
    assert [(one["rule"], one["enforcement"]) for one in both["warnings"]] == [("self.layout", "contradicted")]
    assert both["undecided"] == 1
    assert leak["message"] == '12 bytes of "x"\n�'
    assert (leak["kind"], leak["severity"], leak["thread"]) == ("stream.leak", "warning", both["thread"])
    assert (differs["predicted"], differs["actual"]) == (0, 361001)
    assert (end["calls"], end["refused"]) == (3, 2)


def test_a_fault_of_opspec_is_told_as_one(driver: Path, tmp_path: Path) -> None:
    """A call that was not judged is neither legal nor broken; the layer hands it on all the same."""
    path = tmp_path / "events"
    done = run(driver, "fault", severity="warning", events=str(path))
    told = "aclnnFirst/self.dtype: opspec itself failed, the call is not judged: it broke"
    assert done.stderr == f"opspec layer: error: internal.error: {told}\n"
    assert done.stdout == "aclnnFirst/self.dtype: opspec itself failed: it broke\n"
    (finding,) = (one for one in read_events(path) if one["event"] == "finding")
    assert (finding["kind"], finding["message"]) == ("internal.error", told)
    (call,) = (one for one in read_events(path) if one["event"] == "call")
    assert (call["predicted"], call["actual"], call["violations"]) == (-1, 0, [])


def test_what_is_wrong_is_told_before_a_library_is_called(driver: Path, tmp_path: Path) -> None:
    path = tmp_path / "events"
    found = run(driver, "calling", severity="warning", events=str(path), record=str(tmp_path / "calls")).stderr
    differs = "opspec layer: warning: aclnnFirst/status.differs: the library returned 0, the rules say 161002"
    assert found.startswith(DTYPE + differs)
    calling, call = read_events(path)[1:3]
    assert (calling["event"], calling["predicted"], calling["actual"]) == ("calling", 161002, None)
    assert (call["event"], call["actual"]) == ("call", 0)
    assert calling["violations"] == call["violations"] != []
    assert len(lines(tmp_path / "calls")) == 1
    assert read_events(path)[-1]["findings"]["aclnnFirst/self.dtype"] == 1


def test_calls_are_recorded(driver: Path, tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    run(driver, "legal", "both", record=str(path), output="none")
    found = lines(path)
    assert [one["op"] for one in found] == ["aclnnFirst", "aclnnSecond"]
    assert [one["expect"] for one in found] == ["ACLNN_SUCCESS", "ACLNN_ERR_PARAM_INVALID"]


@pytest.mark.parametrize(
    ("word", "rule", "found", "assumed"),
    [
        ("untold", 'self.format: rule 4 says "no"', "unchecked", False),
        ("untold-assumed", 'self.layout: rule 3 says "no"', "unchecked", True),
        ("unknown", 'self.rank: rule 5 says "no"', "unknown", False),
        ("unknown-assumed", 'out.rank: rule 6 says "no"', "unknown", True),
    ],
)
def test_a_broken_rule_that_is_not_refused_is_an_error_that_says_what_is_known(
    driver: Path, tmp_path: Path, word: str, rule: str, found: Enforcement, assumed: bool
) -> None:
    """The call comes back with success: only where calls show that it comes through is the program not told, and line
    and event say which it is, in the words of the vocabulary."""
    path = tmp_path / "events"
    said = enforcement.told(found, assumed, "en")
    assert run(driver, word, events=str(path)).stderr == f"opspec layer: error: aclnnFirst/{rule} ({found}: {said})\n"
    call, end = read_events(path)[1:]
    assert (call["predicted"], call["actual"]) == (0, 0)
    (one,) = call["violations"]
    assert (rule.startswith(one["rule"]), one["enforcement"], one["assumed"]) == (True, found, assumed)
    assert (end["calls"], end["refused"]) == (1, 0)


def test_the_message_is_of_the_first_refusal_and_cut_to_its_buffer(driver: Path) -> None:
    """Empty where the first phase refuses nothing, as a runtime that returns success says nothing."""
    found = run(driver, "message", severity="off", mute="*").stdout
    assert found == '[aclnnFirst/self.dtype: rule 1 says "no" (161002 ACLNN_ERR_PARAM][][]\n'


def test_long_texts_are_whole(driver: Path, tmp_path: Path) -> None:
    path = tmp_path / "events"
    assert len(run(driver, "long", events=str(path)).stderr) > 100_000
    assert read_events(path)[1]["message"] == "x" * 100_000


def test_lines_of_threads_and_processes_do_not_mix(driver: Path, tmp_path: Path) -> None:
    path, output = tmp_path / "events", tmp_path / "output"
    environment = os.environ | {"OPSPEC_EVENTS": str(path), "OPSPEC_OUTPUT": str(output), "OPSPEC_REPEAT": "0"}
    running = [subprocess.Popen([str(driver), "threads"], env=environment) for _ in range(2)]
    assert [one.wait(120) for one in running] == [0, 0]
    found = read_events(path)
    assert sum(one["event"] == "call" for one in found) == 2 * 4 * 500
    assert [one["findings"]["handle.destroyed"] for one in found if one["event"] == "end"] == [2000, 2000]
    assert all(line.startswith("opspec layer: error: ") for line in output.read_text().splitlines())


def test_a_forked_child_has_its_own_start_and_counts(driver: Path, tmp_path: Path) -> None:
    path = tmp_path / "events"
    run(driver, "dtype", "legal", "fork", "legal", events=str(path))
    found = read_events(path)
    starts, ends = ([one for one in found if one["event"] == kind] for kind in ("start", "end"))
    assert len({one["pid"] for one in starts}) == 2
    assert sorted((one["calls"], one["refused"]) for one in ends) == [(1, 1), (3, 1)]


def test_an_end_that_is_told_again_tells_what_came_after(driver: Path, tmp_path: Path) -> None:
    path = tmp_path / "events"
    run(driver, "dtype", "end", "end", "dtype", "dtype", events=str(path))
    assert [one["calls"] for one in read_events(path) if one["event"] == "end"] == [1, 2]


def test_files_of_the_program_are_not_written_to(driver: Path, tmp_path: Path) -> None:
    """A program may close all descriptors, and then get the same numbers for files of its own."""
    events, record, own = (tmp_path / name for name in ("events", "record", "own"))
    run(driver, "dtype", str(own), "dtype", events=str(events), record=str(record), output=str(tmp_path / "output"))
    assert own.read_text() == ""
    assert len(lines(record)) == 1


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"severity": "loud"}, "opspec: OPSPEC_SEVERITY: loud is none of off, error, warning, info; taken as error"),
        ({"repeat": "-1"}, "opspec: OPSPEC_REPEAT: -1 is no number; taken as 10"),
        ({"repeat": "99999999999999999999"}, "opspec: OPSPEC_REPEAT: 99999999999999999999 is no number; taken as 10"),
        ({"output": "/none/x"}, "opspec: OPSPEC_OUTPUT: cannot write /none/x: No such file or directory"),
        ({"events": "/none/x"}, "opspec: OPSPEC_EVENTS: cannot write /none/x: No such file or directory"),
        ({"record": "/"}, "opspec: OPSPEC_RECORD: cannot write /: Is a directory"),
        ({"mute": "a*b"}, "opspec: OPSPEC_MUTE: a*b: a * can stand at an end only; nothing is muted by it"),
    ],
)
def test_broken_settings_are_said_once_and_the_default_is_taken(
    driver: Path, settings: dict[str, str], complaint: str
) -> None:
    assert run(driver, "dtype", "legal", **settings).stderr == f"{complaint}\n{DTYPE}"


@pytest.mark.parametrize("setting", ["events", "record"])
def test_a_full_disk_is_said_once(driver: Path, setting: str) -> None:
    """A record with gaps must not pass for all calls."""
    complaint = f"opspec: OPSPEC_{setting.upper()}: lines are lost: No space left on device\n"
    told = run(driver, "dtype", "dtype", "dtype", **{setting: "/dev/full"}).stderr
    assert (told.count(complaint), told.count(DTYPE)) == (1, 3)


def test_empty_settings_are_none(driver: Path) -> None:
    nothing = dict.fromkeys(("output", "events", "severity", "mute", "repeat", "record"), "")
    assert run(driver, "dtype", **nothing).stderr == DTYPE


def test_threads_do_not_race(tmp_path: Path) -> None:
    raced = build(tmp_path / "raced", SOURCES, "-fsanitize=thread")
    environment = os.environ | {"OPSPEC_EVENTS": str(tmp_path / "events"), "OPSPEC_SEVERITY": "info"}
    done = subprocess.run([str(raced), "threads"], capture_output=True, text=True, env=environment, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.mark.skipif(shutil.which("clang") is None, reason="no clang")
def test_clang_has_no_warnings_either(tmp_path: Path) -> None:
    build(tmp_path / "events", SOURCES, cc="clang")
