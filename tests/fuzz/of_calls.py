"""Calls that nearly are calls, given to each command that reads calls."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from tests.fuzz import mutate
from tests.fuzz.harness import Ended, ended
from tests.paths import REPOSITORY

#: of so many operators one is tried: a form that is compiled costs as much as ten thousand checks
OPERATORS = 8


@lru_cache(maxsize=1)
def recorded() -> list[mutate.Json]:
    """Recorded calls of some operators."""
    with gzip.open(REPOSITORY / "tests" / "data" / "tests.jsonl.gz", "rt", encoding="utf-8") as file:
        found = [json.loads(line) for line in file]
    chosen = set(sorted({call["op"] for call in found})[::OPERATORS])
    return [call for call in found if call["op"] in chosen]


def call(chance: random.Random) -> str:
    """A line that nearly is a call."""
    made = mutate.tree(chance, chance.choice(recorded())) if chance.random() < 0.98 else chance.choice(mutate.ODD)
    line = json.dumps(made, ensure_ascii=chance.random() < 0.5)
    return mutate.text(chance, line, most=2) if chance.random() < 0.1 else line


def near(chance: random.Random) -> str:
    """A line that is a call, with sizes, names and values that others have: what it breaks are rules."""
    made = mutate.values(chance, chance.choice(recorded()))
    if chance.random() < 0.1:
        made["said"] = "\x1b[31m" if chance.random() < 0.1 else "EZ9999: dim 0 of self is 3"
    return json.dumps(made)


def _file(inputs: Sequence[str], folder: Path) -> str:
    path = folder / "calls.jsonl"
    path.write_bytes("\n".join(inputs).encode("utf-8", "surrogatepass"))
    return str(path)


def _objects(done: Ended) -> list[mutate.Json]:
    return [json.loads(line) for line in done.out.split("\n") if line]


def check(inputs: Sequence[str], folder: Path) -> None:
    """A line that is no call is bad input, an illegal call a finding."""
    done = ended(["check", _file(inputs, folder), "--output", "jsonl"])
    illegal = any(verdict.get("legal") is False for verdict in _objects(done))
    done.expect(2 if done.refused else 1 if illegal else 0)


def repair(inputs: Sequence[str], folder: Path) -> None:
    """An illegal call without a fix is a finding, and what is called a fix is legal."""
    done = ended(["repair", _file(inputs, folder), "--output", "jsonl"])
    left = any(not (found["legal"] or found["fixes"]) for found in _objects(done))
    done.expect(2 if done.refused else 1 if left else 0)
    fixes = [json.dumps(fix["call"]) for found in _objects(done) for fix in found["fixes"]]
    if fixes:
        ended(["check", _file(fixes, folder), "--output", "jsonl"]).expect(0)


def reproduce(inputs: Sequence[str], folder: Path) -> None:
    """A program, or what is wrong with the call."""
    done = ended(["reproduce", _file(inputs, folder), "--out", str(folder / "programs")])
    done.expect(2 if done.refused else 0)


def diff(inputs: Sequence[str], folder: Path) -> None:
    """A call that breaks is a finding."""
    done = ended(["diff", "8.5.0", "9.1.0", "--calls", _file(inputs, folder), "--output", "json"])
    broken = bool(done.out) and json.loads(done.out)["counts"]["breaks"] > 0
    done.expect(2 if done.refused else 1 if broken else 0)


def conformance(inputs: Sequence[str], folder: Path) -> None:
    """Recorded calls against verdicts: any documented status."""
    ended(["conformance", _file(inputs, folder), "--output", "json"])


def infer(inputs: Sequence[str], folder: Path) -> None:
    """An output that is open, or an illegal call, is a finding."""
    done = ended(["infer", _file(inputs, folder), "--output", "jsonl"])
    if done.refused:
        done.expect(2)
