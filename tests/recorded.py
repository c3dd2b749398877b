"""Recorded calls: what was called, on which product, and the status that it is expected to return.

They lie in ``tests/data`` as data, so that every figure is repeatable from a clone. ``tests.jsonl.gz`` has the calls of
the vendor's own unit tests of first phases, ``samples.jsonl.gz`` those of its sample programs, all meant to run.
``python -m tests.recorded FOLDER`` takes them anew from a folder of larger records: arguments, a status, nothing else.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from opspec.validator.files import BrokenCall
from opspec.validator.read import Call, calls

DATA = Path(__file__).with_name("data")

TESTS = DATA / "tests.jsonl.gz"
SAMPLES = DATA / "samples.jsonl.gz"
RECORDS = (TESTS, SAMPLES)

#: what of a record is a fact to test with
KEYS = ("id", "op", "product", "args", "expect")


def recorded(path: Path) -> Iterator[Call | BrokenCall]:
    """The calls of one of :data:`RECORDS`, in its order."""
    return calls(str(path))


def count(path: Path) -> int:
    """How many calls a file has."""
    with gzip.open(path, "rb") as file:
        return sum(1 for _ in file)


def take(source: Path, target: Path) -> None:
    """Copy the facts of records, byte for byte the same whenever it is done."""
    with gzip.open(source, "rt", encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    kept = [{key: record[key] for key in KEYS if key in record} for record in records]
    lines = "".join(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n" for record in kept)
    target.write_bytes(gzip.compress(lines.encode(), mtime=0))


if __name__ == "__main__":
    for known in RECORDS:
        take(Path(sys.argv[1], known.name), known)
