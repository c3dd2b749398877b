"""No input ends in a traceback, a hang or an undocumented exit status: some of every kind, all found ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.__main__ import FOUND, share
from tests.fuzz.harness import failures
from tests.fuzz.targets import TARGETS

#: how many of each kind are tried in every run; ``python -m tests.fuzz`` tries as many as one likes
COUNTS = {
    "calls": 4_000, "near": 4_000, "infer": 200, "repair": 5, "reproduce": 50, "diff": 200, "records": 400, "logs": 12,
    "programs": 4, "agents": 100, "specs": 300, "lint": 20, "pages": 40,
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # streams of the protocol's SDK
@pytest.mark.parametrize("name", TARGETS)
def test_inputs_made_by_chance(name: str) -> None:
    assert share(name, "tests", COUNTS[name]) == []


@pytest.mark.parametrize("path", sorted(FOUND.glob("*-*")), ids=lambda p: p.name)
def test_what_was_found_once(path: Path, tmp_path: Path) -> None:
    data = path.read_bytes().decode("utf-8", "surrogatepass")
    assert list(failures(TARGETS[path.name.split("-")[0]], [data], tmp_path)) == []
