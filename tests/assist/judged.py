"""Calls that first phases judged, read for measuring: some of each operator, always the same ones.

What the runtime said of a call stands in the file that is read and never in this repository.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from opspec.errors import OpspecError
from opspec.registry.registry import Registry
from opspec.validator.api import resolved
from opspec.validator.arguments import arguments_of
from opspec.validator.judge import judge
from opspec.validator.verdict import Finding, Verdict
from opspec.vocabulary import status
from opspec.vocabulary.enforcement import REFUSED

SUCCESS = "ACLNN_SUCCESS"
Record = dict[str, Any]

APART = 4  # of so many operators one is kept apart: what is learned from the others is held against it


def number(text: str) -> int:
    """A number that hangs on a text alone, and is as good as drawn by lot."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def is_apart(operator: str) -> bool:
    """Whether an operator's calls are looked at by nobody who works on what is measured."""
    return number(operator) % APART == 0


def groups(file: str, wanted: Callable[[str], bool]) -> Iterator[tuple[str, list[str]]]:
    """The lines of each operator, of those that are wanted, in the order of the file."""
    found: dict[str, list[str]] = {}
    with gzip.open(file, "rt", encoding="utf-8") as source:
        for line in source:
            operator = line.split('"', 4)[3]
            if wanted(operator):
                found.setdefault(operator, []).append(line)
    yield from sorted(found.items())


def verdict_of(record: Record, known: Registry) -> Verdict | None:
    """The verdict on a call that an operator's page supports; None of another."""
    form = known.form(record["op"])
    product, member = resolved(record["product"])
    if form.case(product, member).support != "yes":
        return None
    try:
        return judge(form, arguments_of(form, record["args"]), product, member)
    except OpspecError:
        return None


def deciding(verdict: Verdict, record: Record) -> list[Finding]:
    """The rules for which a call is refused, the one that decides first; none where another status was foretold."""
    found, expected = verdict.status, record["expect"]
    inner = "ACLNN_ERR_INNER"  # which status of those an interface returns for what failed inside is not certain
    if found != expected and not (found.startswith(inner) and expected.startswith(inner)):
        return []
    refused = [item for item in verdict.violations if item.enforcement == REFUSED]
    return sorted(refused, key=lambda item: item.status != status.number(found))


def changed(lines: list[str]) -> Iterator[tuple[Record, Record]]:
    """Refused calls that differ from one that came through in a single argument, each with that one before it.

    A base and its changes lie together in the file, base first; the pairs come in an order that hangs on nothing but
    themselves.
    """
    pairs = sorted(_changed(lines), key=lambda pair: number(json.dumps(pair[1]["args"])))
    yield from pairs


def _changed(lines: list[str]) -> Iterator[tuple[Record, Record]]:
    bases: dict[str, Record] = {}
    for line in lines:
        record = json.loads(line)
        if record["change"] == "base":
            bases[record["product"]] = record
            continue
        base = bases.get(record["product"])
        if base is None or base["expect"] != SUCCESS or record["expect"] == SUCCESS:
            continue
        if len(differing(base["args"], record["args"])) == 1:
            yield base, record


def differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """The params whose arguments differ, what a recorder adds to them (where values lie) aside."""
    return [name for name in one if _bare(one[name]) != _bare(other.get(name))]


def _bare(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _bare(part) for key, part in value.items() if key not in ("range", "values")}
    return [_bare(part) for part in value] if isinstance(value, list) else value


def unlike(lines: list[str]) -> Iterator[Record]:
    """Calls of which something unlike was said, in an order that hangs on nothing but themselves."""
    seen: set[str] = set()
    for line in sorted(lines, key=number):
        record = json.loads(line)
        said = re.sub(r"\d+", "0", record.get("said", ""))
        if said and said not in seen:
            seen.add(said)
            yield record
