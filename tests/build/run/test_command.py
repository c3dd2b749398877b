"""``opspec run`` with programs that write events by themselves: what it passes on, prints, and returns."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from opspec.build.layout import MARK
from opspec.build.program import LAYER
from opspec.vocabulary import enforcement, findings
from opspec.vocabulary.literals import Enforcement
from tests.build.run.test_tally import END, START, call, finding, rule

OPSPEC = (sys.executable, "-m", "opspec", "run")


def opspec_run(*words: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """The command as a process: its output is the program's, too."""
    known = {name: value for name, value in os.environ.items() if not name.startswith("OPSPEC_")}
    known["OPSPEC_PROGRESS"] = "0"
    return subprocess.run(
        [*OPSPEC, *words], input=stdin, capture_output=True, text=True, check=False, env={**known, **environment}
    )


def program(folder: Path, *events: object, then: str = "") -> str:
    """A program that writes events and does something."""
    path = folder / "program"
    lines = "".join(json.dumps(event) + "\n" for event in events)
    path.write_text(f"#!/bin/sh\ncat >>\"$OPSPEC_EVENTS\" <<'EOF'\n{lines}EOF\n{then}\n")
    path.chmod(0o755)
    return str(path)


def sdk(folder: Path) -> Path:
    """Folders and files that look like an SDK's, and like a layer's."""
    (folder / MARK).write_text("{}")
    (folder / LAYER).write_bytes(b"")
    return folder


def test_input_and_output_are_the_programs(tmp_path: Path) -> None:
    """Standard output holds nothing else; the report follows on standard error."""
    path = program(tmp_path, START, call(), END, then="cat; echo said >&2; echo $1 $2")
    result = opspec_run(path, "--sdk", "x", stdin="typed\n")
    assert (result.returncode, result.stdout) == (0, "typed\n--sdk x\n")
    said = result.stderr.splitlines()
    assert said[0] == "said"
    assert " ".join(said[2].split()) == "operator calls refused illegal, not refused not fully decided"
    assert said[3].split() == ["aclnnAdd", "1", "0", "0", "0"]
    assert said[-1] == "opspec: 1 call of 1 operator on 9.1.0 910b, 0 refused; 0 errors, 0 warnings; exit status 0"


def test_findings_are_told_with_rule_param_message_and_count(tmp_path: Path) -> None:
    """Errors make the status 1 where the program's is 0; warnings are told when asked for."""
    broken = rule("out-shape", "out.shape must equal (4,); found [5]\x1b[31m")
    events = [START, call(violations=[broken], predicted=161002, actual=161002), call(warnings=[rule("x.rank")])]
    path = program(tmp_path, *events, finding("memory.leak", "64 bytes are left"), END)
    result = opspec_run(path)
    assert result.returncode == 1
    text = " ".join(result.stderr.split())
    assert "error 1 aclnnAdd/out-shape out.shape must equal (4,); found [5]\\x1b[31m" in text
    assert "error 1 memory.leak 64 bytes are left" in text
    assert "x.rank" not in text
    assert "2 calls of 1 operator on 9.1.0 910b, 1 refused; 2 errors, 1 warning" in text
    assert "; the program ended with 0; exit status 1" in text
    assert "warning 1 aclnnAdd/x.rank no" in " ".join(opspec_run("--severity", "warning", path).stderr.split())
    assert f"memory.leak: {findings.kind('memory.leak').en}" in text
    assert "memory.leak" not in opspec_run("--severity", "off", path).stderr


def test_json_holds_all_of_it_and_nothing_else_is_on_standard_output(tmp_path: Path) -> None:
    """For programs: the host program's own output goes to standard error."""
    broken = call(violations=[rule("out-shape", "m")], predicted=161002, actual=161002)
    path = program(tmp_path, START, broken, broken, finding("memory.leak", "64"), END, then="echo said; exit 3")
    result = opspec_run("--output", "json", path)
    report = json.loads(result.stdout)
    assert (result.returncode, result.stderr) == (3, "said\n")
    assert (report["program"], report["status"], report["exit"], report["signal"]) == ([path], 3, 3, None)
    assert (report["calls"], report["refused"], report["silent"]) == (2, 2, 0)
    assert (report["errors"], report["warnings"]) == (3, 0)
    assert (report["releases"], report["products"], report["processes"]) == (["9.1.0"], ["910b"], 1)
    assert report["operators"] == [
        {
            "source": "simulator",
            "op": "aclnnAdd",
            "calls": 2,
            "refused": 2,
            "silent": 0,
            "unknown": 0,
            "undecided": 0,
            "differing": 0,
        }
    ]
    assert report["findings"][0] == {
        "source": "simulator", "severity": "error", "kind": "out-shape", "op": "aclnnAdd", "param": "out",
        "status": 161002, "enforcement": "refused", "assumed": False, "times": 2, "messages": ["m"], "meaning": None,
    }  # fmt: skip
    assert report["findings"][1]["meaning"] == findings.kind("memory.leak").en
    chinese = json.loads(opspec_run("--output", "json", "--lang", "zh", path).stdout)
    assert chinese["findings"][1]["meaning"] == findings.kind("memory.leak").zh
    assert report["notes"] == []


def test_what_the_runtime_will_not_tell_is_an_error_of_a_call_that_succeeds(tmp_path: Path) -> None:
    """Counted apart from refusals, and marked; the report's status is 1."""
    broken = rule("x.rank", "x.rank must be 2", enforcement="unchecked")
    path = program(tmp_path, START, call(violations=[broken]), call(), END)
    result = opspec_run(path)
    assert result.returncode == 1
    text = " ".join(result.stderr.split())
    assert "x.rank must be 2 (the runtime will not tell you)" in text
    assert "2 calls of 1 operator on 9.1.0 910b, 0 refused, 1 illegal but not refused; 1 error, 0 warnings" in text
    report = json.loads(opspec_run("--output", "json", path).stdout)
    assert (report["refused"], report["silent"], report["unknown"]) == (0, 1, 0)
    assert (report["findings"][0]["enforcement"], report["findings"][0]["assumed"]) == ("unchecked", False)


@pytest.mark.parametrize(("way", "assumed"), [("unknown", False), ("unknown", True), ("unchecked", True)])
def test_where_calls_did_not_come_through_it_says_what_is_known_of_a_device(
    tmp_path: Path, way: Enforcement, assumed: bool
) -> None:
    """The simulator returns success, as predicted; that a device does so is not claimed. What a library returned is."""
    broken = rule("x.rank", "x.rank must be 2", enforcement=way, assumed=assumed)
    calls = [call(violations=[broken]), {**call(violations=[broken]), "source": "layer"}]
    path = program(tmp_path, START, *calls, END)
    text = " ".join(opspec_run(path).stderr.split())
    assert f"x.rank must be 2 ({enforcement.told(way, assumed, 'en')})" in text
    assert "2 illegal but not refused (of 1 not known whether a device refuses them)" in text
    report = json.loads(opspec_run("--output", "json", path).stdout)
    assert (report["refused"], report["silent"], report["unknown"]) == (0, 2, 1)


@pytest.mark.parametrize(
    ("then", "status", "note"),
    [
        ("exit 7", 7, "no events: the program was not linked"),
        ("kill -SEGV $$", 139, "was ended by signal 11 (SIGSEGV)"),
        ("kill -KILL $$", 137, "was ended by signal 9 (SIGKILL)"),
    ],
)
def test_the_status_is_the_programs(then: str, status: int, note: str, tmp_path: Path) -> None:
    """Also where a signal ended it, and where nothing was said."""
    result = opspec_run(program(tmp_path, then=then))
    assert result.returncode == status
    assert note in result.stderr


def test_a_program_that_dies_leaves_what_it_had_said(tmp_path: Path) -> None:
    """The last event may be cut; leaks are not known; the last call is named."""
    then = 'printf \'{"event": "ca\' >>"$OPSPEC_EVENTS"; kill -ABRT $$'
    result = opspec_run(program(tmp_path, START, call(), "no event", then=then))
    assert result.returncode == 134
    for note in (
        "signal 6 (SIGABRT), after a call of aclnnAdd",
        "1 of 1 process ended early: what it left behind is not known",
        "the last event is cut",
        "broken and were passed over: 1",
    ):
        assert note in result.stderr


def test_runtime_calls_without_an_operator_are_told(tmp_path: Path) -> None:
    """A start without a call is no missing library."""
    result = opspec_run(program(tmp_path, START, END))
    assert result.returncode == 0
    assert "opspec: the program called no operator" in result.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "name a program to run"),
        (["--"], "name a program to run"),
        (["--sdk"], "expected one argument"),
        (["--severity", "loud", "true"], "invalid choice"),
        (["--sdk", "/nowhere", "true"], "/nowhere: this is not an SDK"),
        (["--layer", "/nowhere", "true"], "/nowhere: this is not a layer"),
        (["/nowhere/program"], "/nowhere/program: cannot start: No such file or directory"),
        (["/"], "/: cannot start: Permission denied"),
    ],
)
def test_what_cannot_be_started_is_status_2(words: list[str], message: str) -> None:
    """With one line that says why."""
    result = opspec_run(*words)
    assert (result.returncode, result.stdout, len(result.stderr.splitlines())) == (2, "", 1)
    assert message in result.stderr


def test_a_program_meets_the_sdk_and_the_layer_first(tmp_path: Path) -> None:
    """Its libraries come before those of the environment, and settings arrive."""
    folder, record = sdk(tmp_path), tmp_path / "calls.jsonl"
    names = "LD_LIBRARY_PATH ASCEND_HOME_PATH LD_PRELOAD OPSPEC_SEVERITY OPSPEC_RECORD OPSPEC_OUTPUT"
    path = program(tmp_path, then=f"for name in {names}; do eval echo \\$$name; done")
    words = ["--sdk", str(folder), "--layer", str(folder), "--severity", "info", "--record", str(record), "--", path]
    result = opspec_run(*words, LD_LIBRARY_PATH="/before", ASCEND_HOME_PATH="/before")
    assert result.stdout.split("\n") == [
        f"{folder}/lib64:/before", str(folder), f"{folder}/libopspec_layer.so", "info", str(record), "none", "",
    ]  # fmt: skip


def test_what_ends_the_command_ends_the_program_and_the_report_follows(tmp_path: Path) -> None:
    """A job that is cancelled still says what it found."""
    ready = tmp_path / "ready"
    path = program(tmp_path, START, call(), then=f": >{ready}; exec sleep 60")
    with subprocess.Popen([*OPSPEC, path], stderr=subprocess.PIPE, text=True) as process:
        while not ready.exists():
            time.sleep(0.02)
        time.sleep(0.1)  # until the program has been replaced by sleep
        process.send_signal(signal.SIGTERM)
        said = process.communicate(timeout=30)[1]
    assert process.returncode == 128 + signal.SIGTERM
    assert "was ended by signal 15 (SIGTERM), after a call of aclnnAdd" in said


def test_two_sources_are_told_apart(tmp_path: Path) -> None:
    """The layer in front of the simulator: each saw the call."""
    path = program(tmp_path, START, call(), {**call(), "source": "layer", "actual": 561103}, END)
    said = opspec_run(path).stderr
    assert "aclnnAdd (simulator)" in said
    assert "aclnnAdd (layer)" in said
    assert "not as predicted" in said
