"""Promise: a program that owns its objects runs without a finding; mistakes and objects that are left are told."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.build.sdk.small import LIBRARIES, flags

SOURCE = Path(__file__).with_name("objects.cpp")


@pytest.fixture(scope="module")
def program(small_sdk: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, under a sanitizer that tells delete[] from free."""
    if shutil.which("g++") is None:
        pytest.skip("g++ is not installed")
    built = tmp_path_factory.mktemp("objects") / "program"
    words = ("-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsanitize=address", *flags(small_sdk), str(SOURCE))
    subprocess.run(["g++", *words, "-o", str(built), *LIBRARIES], check=True)
    return built


def told(program: Path, *words: str) -> tuple[list[str], list[dict[str, str]]]:
    """What the program prints, and its findings."""
    events = program.with_suffix(".jsonl")
    events.unlink(missing_ok=True)
    known = {**os.environ, "OPSPEC_EVENTS": str(events), "OPSPEC_OUTPUT": "none"}
    done = subprocess.run([program, *words], env=known, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in events.read_text().splitlines()]
    return done.stdout.splitlines(), [one for one in found if one["event"] == "finding"]


def test_right(program: Path) -> None:
    printed, findings = told(program)
    assert printed == ["add 0", "add 0", "cast 0: format 29, dims 1 1 16 8"]
    assert [one["kind"] for one in findings] == ["numerics.none"]


def test_wrong(program: Path) -> None:
    printed, findings = told(program, "wrong")
    assert printed == ["add 161002", "add 0", "cast 0: format 29, dims 1 1 16 8"]
    kinds = [(one["severity"], one["kind"]) for one in findings]
    assert kinds == [
        ("info", "numerics.none"), ("error", "object.double-destroy"), ("warning", "object.leak"),
    ]  # fmt: skip
    assert "1 aclTensor was never destroyed" in findings[-1]["message"]
