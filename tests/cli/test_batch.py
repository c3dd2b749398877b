"""Many calls at once: short cuts, pieces and processes change nothing of what ``opspec check`` says."""

from __future__ import annotations

import gzip
import io
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from opspec.cli import check, jobs, options
from opspec.cli.check import OPTIONS, OUTPUTS, Asked, Checker
from opspec.cli.main import main
from opspec.cli.verdicts import LineRows, TextRows
from opspec.errors import OpspecError
from opspec.registry.registry import registry
from opspec.validator import files
from opspec.validator.batch import Judge
from opspec.validator.files import BrokenCall, Lines, read_calls
from opspec.validator.read import call
from tests.paths import REPOSITORY

OP = "aclnnGeluBackwardV2"
NAMES = ("gradOutput", "self", "gradInput")
Run = Callable[..., tuple[int, str, str]]


def legal(**more: Any) -> dict[str, Any]:
    """A legal call with other keys."""
    tensor = {"tensor": {"shape": [4, 16], "dtype": "FLOAT16", "format": "ND"}}
    return {"op": OP, "product": "910b", "args": {**dict.fromkeys(NAMES, tensor), "approximate": "none"}, **more}


def spoilt(name: str, **changes: Any) -> dict[str, Any]:
    """A call one tensor of which is different."""
    made = legal(id=f"{name}: {changes}")
    made["args"][name] = {"tensor": {**made["args"][name]["tensor"], **changes}}
    return made


CALLS = [
    legal(), legal(id="a"), legal(id="tests/gelu.cpp:12"), legal(id='"q" \\ é'), legal(id="\ud800"), legal(id=None),
    legal(id=7), legal(product="Ascend310P3"), legal(product=910), legal(product=None), legal(product="310b"),
    legal(release="8.0"), legal(release="1.0"), legal(expect="ACLNN_SUCCESS"), legal(expect=1), legal(more=1),
    legal(unknown=[]), legal(unknown=["self"]), legal(op="aclnnNone"), legal(op=5), legal(op=["x"]), legal(args=[]),
    legal(args={}), legal(args={"self": None}), spoilt("self", dtype="INT8"), spoilt("self", format="NCHW"),
    spoilt("gradInput", shape=[2, -3]), spoilt("self", shape=[1, 16]), spoilt("gradInput", values=[1.0]),
    spoilt("gradOutput", dtype="float"), spoilt("self", x=1),
]  # fmt: skip
LINES = [
    *map(json.dumps, CALLS), json.dumps(legal(id="é 张"), ensure_ascii=False),
    json.dumps(legal(), separators=(",", ":")),
    json.dumps(legal(), separators=(" , ", " : ")), " " + json.dumps(legal()) + " \r", json.dumps(legal()) + "\r", "",
    "  ", "{", "[]", "7", "{}", "[" * 5000, json.dumps(legal())[:-1], json.dumps(legal()) + "}",
    json.dumps(legal()).replace('"none"', "NaN"), json.dumps(legal()).replace("16]", "1e999]"),
    json.dumps(legal()).replace('"op"', '"op": "aclnnAdd", "op"'),
    json.dumps(legal()).replace('"dtype"', '"dtype" :"FLOAT","dtype"', 1),
    json.dumps(legal(id="a:b")).replace('"op"', '"id": "c:d", "op"'),
    json.dumps(legal(id="a:")).replace("a:", "\\u003a").replace('"shape"', '"shape": [], "shape"', 1),
]  # fmt: skip


def careful(judge: Judge, line: str) -> list[dict[str, object]] | str | None:
    """What the line comes to without the short cut: verdicts or an error; None for a blank line."""
    found = Lines("f", 1, b"").call(1, line)
    if found is None or isinstance(found, BrokenCall):
        return None if found is None else str(found.error)
    try:
        return [verdict.to_dict() for verdict, _ in judge.verdicts(call(found))]
    except OpspecError as error:
        return str(error)


#: what a text editor, a bug or a fuzzer does to a line
edits = st.lists(
    st.tuples(
        st.integers(0, 500), st.integers(0, 12),
        st.one_of(st.text('{}[]":, \\0e-naé', max_size=4),
                  st.sampled_from(['"op": 1, ', '"id": "a:b", ', '"shape": [1], ', "\\u003a", '"dtype" : "FLOAT", '])),
    ),
    max_size=3,
)  # fmt: skip


@settings(deadline=None)  # the first call of an operator loads it
@given(st.sampled_from(LINES), edits)
@example(LINES[-1], [])
def test_the_short_cut_says_what_the_careful_way_says(line: str, changes: list[tuple[int, int, str]]) -> None:
    """Or it leaves the line alone."""
    for place, length, text in changes:
        line = line[:place] + text + line[place + length :]
    judge = Judge(registry(), None, None, "en")
    found = judge.usual(line)
    if found is not None:
        assert [found.to_dict()] == careful(judge, line)
    again = judge.usual(line)
    assert (found is None) == (again is None)


def test_the_short_cut_is_taken_by_usual_lines() -> None:
    """Of calls and of lines written compactly or with Windows' ends; and never for a key that occurs twice."""
    judge = Judge(registry(), None, None, "en")
    for made in (legal(), legal(id="tests/gelu.cpp:12"), legal(expect="X", unknown=[]), spoilt("self", dtype="INT8")):
        assert judge.usual(json.dumps(made) + "\n") is not None
        assert judge.usual(json.dumps(made, separators=(",", ":")) + "\r\n") is not None
    for line in LINES[-4:]:
        assert judge.usual(line) is None


def test_rows_kept_for_legal_calls_are_those_made_anew() -> None:
    judge = Judge(registry(), None, None, "en")
    for colours in (False, True):
        lines, texts = LineRows("en", colours), TextRows("en", colours)
        for line in [*LINES, *LINES]:
            verdict = judge.usual(line)
            if verdict is not None:
                row = lines.row(verdict)
                assert json.loads(row) == verdict.to_dict()
                assert row.endswith("}\n")
                assert row[:-1].isprintable()
                assert texts.row(verdict) == TextRows("en", colours).row(verdict)


# --- pieces


def mixed() -> bytes:
    """Lines of every sort, and one that is no UTF-8."""
    lines = [line.encode("utf-8", "surrogatepass") for line in LINES]
    return b"\n".join([*lines, b'{"op": "\xff"}', *lines])


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(1, 3000), st.booleans(), st.booleans())
def test_a_file_read_in_pieces_of_any_size_holds_the_same_calls(
    monkeypatch: pytest.MonkeyPatch, size: int, ended: bool, known: bool
) -> None:
    data = (mixed() if known else b"{}\n" + mixed()) + b"\n" * ended
    kind = "jsonl" if known else None
    whole = [described(item) for item in read_calls("-", io.BytesIO(data), kind=kind)]
    assert len(whole) > len(LINES)
    with monkeypatch.context() as patch:
        patch.setattr(files, "PIECE", size)
        assert [described(item) for item in read_calls("-", io.BytesIO(data), kind=kind)] == whole


def described(item: Any) -> tuple[object, ...]:
    return item.number, item.where, repr(item.data) if hasattr(item, "data") else str(item.error)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command line: (exit status, standard output, standard error)."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")

    def command(*words: str) -> tuple[int, str, str]:
        status = main(list(words))
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return command


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of lines of every sort, read in many small pieces."""
    monkeypatch.setattr(files, "PIECE", 2000)
    monkeypatch.setattr(check, "ENOUGH", 10_000)
    path = tmp_path / "calls.jsonl"
    path.write_bytes(mixed())
    return path


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize(
    "more", [(), ("--gate", "status", "--lang", "zh"), ("--product", "all")], ids=["", "zh", "all"]
)
def test_many_processes_show_what_one_shows(run: Run, calls: Path, output: str, more: tuple[str, ...]) -> None:
    """Order, broken lines with their numbers, files that are none, and the exit status."""
    other = REPOSITORY / "examples" / "gelu_backward.jsonl"
    words = ["check", "--output", output, *more, str(calls), "/nowhere.json", str(other)]
    alone = run(*words, "--jobs", "1")
    assert alone[0] == 2
    assert f"{calls}:" in alone[2]
    assert run(*words, "--jobs", "3") == alone


def test_processes_begin_where_there_is_enough_for_them(run: Run, calls: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Less takes one process no longer than the others take to begin; what does not tell its size is begun in one."""
    begun: list[int] = []
    shared = jobs._shared

    def counted(make: Any, here: Checker, processes: int, pieces: Iterator[Any]) -> Iterator[Any]:
        begun.append(processes)
        return shared(make, here, processes, pieces)

    monkeypatch.setattr(jobs, "_shared", counted)
    packed = calls.with_suffix(".jsonl.gz")
    packed.write_bytes(gzip.compress(calls.read_bytes()))
    alone = run("check", str(calls))
    size = calls.stat().st_size
    for enough, path, expected in ((size + 1, calls, []), (size, calls, [2]), (size * 2, packed, []), (1, packed, [2])):
        monkeypatch.setattr(check, "ENOUGH", enough)
        begun.clear()
        status, out, _ = run("check", "--jobs", "2", str(path))
        assert (status, out, begun) == (alone[0], alone[1], expected)


def test_a_summary_counts_what_the_verdicts_say(run: Run, calls: Path) -> None:
    status, out, err = run("check", "--output", "jsonl", str(calls))
    verdicts = [json.loads(line) for line in out.splitlines()]
    counted_status, text, errors = run("check", "--output", "summary-json", str(calls))
    assert (counted_status, errors) == (status, err)
    counted = json.loads(text)
    assert counted["calls"] == len(verdicts)
    assert counted["legal"] == sum(verdict["legal"] for verdict in verdicts)
    silent = [verdict["violations"] for verdict in verdicts if not verdict["legal"] and verdict["code"] == 0]
    seen = [all(one["enforcement"] == "unchecked" and not one["assumed"] for one in found) for found in silent]
    assert (counted["silent"], counted["unknown"]) == (seen.count(True), seen.count(False))
    assert counted["not_judged"] == err.count("\n")
    statuses = Counter((verdict["code"], verdict["status"]) for verdict in verdicts if not verdict["legal"])
    assert {(row["code"], row["status"]): row["calls"] for row in counted["illegal"]} == statuses
    rules = Counter((v["op"], v["release"], found["rule"]) for v in verdicts for found in v["violations"])
    found = {(row["op"], row["release"], row["rule"]): row["violations"] for row in counted["rules"]}
    assert found == rules
    assert list(found.values()) == sorted(found.values(), reverse=True)
    shown = run("check", "--output", "summary", str(calls))[1].splitlines()
    numbers = [int(line.split()[-1]) for line in shown]
    illegal = counted["calls"] - counted["legal"]
    assert numbers[:3] == [counted["calls"], counted["legal"], illegal]
    parts = sum(counted[name] > 0 for name in ("silent", "unknown"))
    assert sum(numbers[3 : 3 + len(statuses) + parts]) == illegal + len(silent)
    assert [line.split()[0] for line in shown[-len(found) :]] == [
        f"{release}/{op}/{rule}" for op, release, rule in found
    ]


def asked(**values: Any) -> Asked:
    """What a command line without words asks for, but for some options."""
    defaults = {flag: row["default"] for flag, row in OPTIONS.items()}
    return Asked(defaults | {f"--{name}": value for name, value in values.items()})


def test_an_endless_file_is_read_no_further_than_it_is_judged() -> None:
    """What makes the memory flat: pieces that are read ahead are bounded, whatever the file holds."""
    taken = 0

    def endless() -> Iterator[Lines]:
        nonlocal taken
        while True:
            taken += 1
            yield Lines("f", taken, json.dumps(legal()).encode() + b"\n")

    wanted = asked(jobs=2, output="jsonl")
    parts = jobs.in_processes(partial(Checker, wanted), Checker(wanted), 2, endless())
    for shown in range(1, 40):
        assert next(parts).shown[0][0].count("\n") == 1
        assert taken <= shown + 2 * jobs.AHEAD + 1
    parts.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("count", ["1", "2"])
def test_an_interrupt_ends_all_processes(count: str, tmp_path: Path) -> None:
    """While there is more to say than anybody reads."""
    path = tmp_path / "calls.jsonl"
    path.write_text((json.dumps(legal()) + "\n") * (check.ENOUGH // len(json.dumps(legal())) + 1))
    command = [sys.executable, "-m", "opspec", "check", "--jobs", count, "--output", "jsonl", str(path)]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=REPOSITORY,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a job in the background ignores it
    )
    assert process.stdout is not None
    assert process.stdout.readline()
    os.kill(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=120)  # ends only when nobody holds its pipes any more
    assert (process.returncode, err) == (130, b"opspec: interrupted\n")


# --- the command line

words = st.lists(
    st.one_of(
        st.sampled_from([*OPTIONS, "a.json", "-", "--", "-h", "", "x y", "--nope", "--output=json", "-3", "--out"]),
        st.sampled_from(["en", "zh", "json", "jsonl", "text", "yaml", "summary", "910b", "1", "2", "0", "all", "x"]),
    ),
    max_size=7,
)


@settings(deadline=None)
@given(words)
@example(["--jobs", "0"])
@example(["a.json", "--gate", "status", "b.json"])
def test_options_read_without_argparse_mean_what_argparse_takes_them_for(given_words: list[str]) -> None:
    """Or they are left to it."""
    found = options.plain(given_words, OPTIONS)
    if found is not None:
        values = vars(check.parser().parse_args(given_words))
        assert found == ({flag: values[flag[2:]] for flag in OPTIONS}, values["files"])


@pytest.mark.parametrize("count", ["0", "-1", "two", "1.5", "100000"])
def test_a_number_of_processes_that_is_none_is_one_error(run: Run, count: str) -> None:
    status, out, err = run("check", "--jobs", count)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "number of processes from 1 to 256" in err or "expected one argument" in err
