"""Recorded calls: what was called, on which product, and the status that it is expected to return.

They lie in ``tests/data`` as data, so that every figure is repeatable from a clone. ``tests.jsonl.gz`` has the calls of
the vendor's own unit tests of first phases, ``samples.jsonl.gz`` those of its sample programs, all meant to run.
``judged.jsonl.gz`` has a sample of the calls that first phases themselves judged: it says how each was made, too, and
how far the first phase came. ``python -m tests.recorded FOLDER`` takes them anew from a folder of larger records:
facts, and never what a runtime said.
"""

from __future__ import annotations

import functools
import gzip
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from opspec.validator.files import BrokenCall
from opspec.validator.read import Call, calls

DATA = Path(__file__).with_name("data")

TESTS = DATA / "tests.jsonl.gz"
SAMPLES = DATA / "samples.jsonl.gz"
RECORDS = (TESTS, SAMPLES)

JUDGED = DATA / "judged.jsonl.gz"
#: operators of the sample, of several families, by hand and generated; and how many calls of each and product
SAMPLED = (
    "aclnnAdd", "aclnnArgMin", "aclnnCat", "aclnnGelu", "aclnnIsPosInf", "aclnnLayerNorm", "aclnnMatmul", "aclnnMean",
    "aclnnRelu", "aclnnRmsNorm", "aclnnScatter", "aclnnSoftmax", "aclnnSwiGlu", "aclnnTopk",
)  # fmt: skip
SAMPLE = 10

#: what of a record is a fact to test with
KEYS = ("id", "op", "product", "change", "args", "expect", "stage", "basis")


def recorded(path: Path) -> Iterator[Call | BrokenCall]:
    """The calls of one of :data:`RECORDS`, in its order."""
    return calls(str(path))


@functools.cache
def by_operator(path: Path) -> dict[str, list[Call]]:
    """Those of them that are calls, by operator."""
    found: dict[str, list[Call]] = {}
    for call in recorded(path):
        if not isinstance(call, BrokenCall):
            found.setdefault(call.op, []).append(call)
    return found


def count(path: Path) -> int:
    """How many calls a file has."""
    with gzip.open(path, "rb") as file:
        return sum(1 for _ in file)


def sample(records: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Of each operator of the sample, on each product, some calls from first to last."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for record in records:
        if record["op"] in SAMPLED:
            groups.setdefault((record["op"], record["product"]), []).append(record)
    return [call for _, group in sorted(groups.items()) for call in group[:: -(-len(group) // SAMPLE)]]


def take(source: Path, target: Path) -> None:
    """Copy the facts of records, byte for byte the same whenever it is done."""
    with gzip.open(source, "rt", encoding="utf-8") as file:
        found = map(json.loads, file)
        records = sample(found) if target == JUDGED else list(found)
    kept = [{key: record[key] for key in KEYS if key in record} for record in records]
    lines = "".join(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n" for record in kept)
    target.write_bytes(gzip.compress(lines.encode(), mtime=0))


if __name__ == "__main__":
    for known, name in ((TESTS, TESTS.name), (SAMPLES, SAMPLES.name), (JUDGED, "whole.jsonl.gz")):
        take(Path(sys.argv[1], name), known)
