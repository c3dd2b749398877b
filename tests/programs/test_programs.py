"""Host programs that never heard of opspec compile, link and run against an SDK, and end as they say of themselves.

What is expected of a program stands in the comment at its top: ``links`` (the link line of which generation), ``soc``
(a SoC other than the SDK's own), ``built`` (compiler and standard, where they are not the usual ones), ``exit``
or ``signal`` (0 where neither is named), ``calls`` per operator and how many were refused, every ``error`` and
``warning`` (a rule as OPERATOR/RULE, or a kind of finding) with its number where that is not 1, and what it ``says``.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.codegen.stubs.compilers import ran

HERE = Path(__file__).resolve().parent
PROGRAMS = sorted([*HERE.glob("*.cpp"), *HERE.glob("*.c")], key=lambda path: path.stem)

#: What programs are linked with, by the release that their authors wrote them for.
LINKS = {
    "old": ("-lascendcl", "-lnnopbase", "-lopapi"),
    "new": (
        "-lopapi_math", "-lopapi_nn", "-lopapi_cv", "-lopapi_transformer", "-lacl_rt", "-lnnopbase", "-lhccl",
        "-lhccl_fwk", "-lc_sec", "-lpthread",
    ),
    "none": ("-ldl",),
}  # fmt: skip

COMPILERS = {".cpp": ("g++", "-std=c++17"), ".c": ("gcc", "-std=c11")}


@dataclass(frozen=True)
class Expected:
    """What the comment at the top of a program says."""

    links: str
    soc: str
    built: tuple[str, ...]
    exit: int
    signal: str | None
    calls: dict[str, int]
    refused: int
    silent: int
    errors: dict[str, int]
    warnings: dict[str, int]
    says: tuple[str, ...]

    @classmethod
    def of(cls, path: Path) -> Expected:
        """The comment of a file."""
        said = re.findall(r"^ \* (\w+): (.*)$", path.read_text(encoding="ascii").split("*/")[0], re.M)
        known = dict(said)
        called = dict(_counted(item) for item in known["calls"].split(", ") if item != "none")
        return cls(
            known["links"], known.get("soc", ""), tuple(known.get("built", "").split()),
            int(known.get("exit", 0)), known.get("signal"),
            {name: number for name, number in called.items() if name.startswith("aclnn")},
            called.get("refused", 0), called.get("silent", 0),
            dict(_counted(text) for name, text in said if name == "error"),
            dict(_counted(text) for name, text in said if name == "warning"),
            tuple(text for name, text in said if name == "says"),
        )  # fmt: skip


def _counted(item: str) -> tuple[str, int]:
    name, _, number = item.partition(" ")
    return name, int(number or 1)


def compiled(source: Path, sdk: Path, folder: Path) -> Path:
    """The program of a source file, which does not know where its libraries will be."""
    target = folder / source.stem
    expected = Expected.of(source)
    links, built = LINKS[expected.links], expected.built or COMPILERS[source.suffix]
    if shutil.which(built[0]) is None:
        pytest.skip(f"no {built[0]} here")
    ran(
        *built, "-Wall", "-Wextra", "-Werror", f"-I{sdk / 'include'}",
        f"-I{sdk / 'include' / 'aclnnop'}", str(source), f"-L{sdk / 'lib64'}", *links, "-o", str(target),
    )  # fmt: skip
    return target


def report(*words: str | Path, **environment: str) -> tuple[int, dict[str, Any], str]:
    """Exit status, report and the program's own output of a run under ``opspec run``."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("OPSPEC_")}
    clean["OPSPEC_PROGRESS"] = "0"
    result = subprocess.run(
        [sys.executable, "-m", "opspec", "run", "--output", "json", "--severity", "warning", *map(str, words)],
        capture_output=True, text=True, check=False, env={**clean, **environment}, timeout=120,
    )  # fmt: skip
    return result.returncode, json.loads(result.stdout), result.stderr


def found_by(told: dict[str, Any], severity: str) -> dict[str, int]:
    """Findings of a severity: a rule as OPERATOR/RULE, or a kind, and how often."""
    counts: Counter[str] = Counter()
    for finding in told["findings"]:
        if finding["severity"] == severity:
            counts["/".join(filter(None, (finding["op"], finding["kind"])))] += finding["times"]
    return dict(counts)


@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.stem)
def test_a_program_comes_to_what_it_expects(source: Path, small_sdk: Path, tmp_path: Path) -> None:
    """Its exit status, its calls, and each error that it makes on purpose; nothing else is found."""
    expected = Expected.of(source)
    environment = {"OPSPEC_SOC_NAME": expected.soc} if expected.soc else {}
    record = tmp_path / "calls.jsonl"
    words = ("--sdk", small_sdk, "--record", record, compiled(source, small_sdk, tmp_path))
    status, told, said = report(*words, **environment)
    assert (told["exit"], told["signal"]) == (None if expected.signal else expected.exit, expected.signal), said
    assert {row["op"]: row["calls"] for row in told["operators"]} == expected.calls, said
    assert found_by(told, "error") == expected.errors, said
    assert found_by(told, "warning") == expected.warnings, said
    assert (told["refused"], told["silent"]) == (expected.refused, expected.silent)
    assert told["notes"] == ([] if expected.calls else ["the program called no operator"]) or expected.signal
    assert told["processes"] == (2 if source.stem == "forks" else 1)
    for text in expected.says:
        assert text in said
    if not expected.signal:
        assert status == (expected.exit or int(bool(expected.errors)))
    recorded_calls_are_judged_the_same(record, told)


def recorded_calls_are_judged_the_same(record: Path, told: dict[str, Any]) -> None:
    """``opspec check`` reads what was recorded, and finds what the simulator found."""
    if not told["calls"]:
        return
    found = checked(record)
    assert len(found) == sum(row["calls"] for row in told["operators"] if not row["op"].endswith("SizeAndFormat"))
    assert sum(verdict["code"] != 0 for verdict in found) == told["refused"]
    assert sum(not verdict["legal"] for verdict in found) == told["refused"] + told["silent"]
    rules = Counter(f"{verdict['op']}/{rule['rule']}" for verdict in found for rule in verdict["violations"])
    assert rules == {name: number for name, number in found_by(told, "error").items() if name.startswith("aclnn")}


def checked(record: Path) -> list[dict[str, Any]]:
    """The verdicts of ``opspec check``."""
    command = [sys.executable, "-m", "opspec", "check", "--output", "jsonl", str(record)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode in (0, 1), result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_there_are_programs_of_every_kind() -> None:
    """The set keeps its breadth: programs enough, both link lines, all standards of C and C++, right and wrong ones."""
    expected = [Expected.of(path) for path in PROGRAMS]
    assert len(PROGRAMS) >= 60
    assert {item.built[0] for item in expected if item.built} >= {"g++", "clang++", "clang"}
    assert {item.built[1] for item in expected if item.built} >= {"-std=c++11", "-std=c++14", "-std=c++20"}
    assert {item.soc[:10] for item in expected} >= {"Ascend310P", "Ascend910A", "Ascend950P", "Ascend910_"}
    assert {item.links for item in expected} == set(LINKS)
    assert {path.suffix for path in PROGRAMS} == set(COMPILERS)
    assert sum(bool(item.errors) for item in expected) >= 9
    assert sum(not item.errors and not item.signal for item in expected) >= 9
