"""Measures the table of defaults: of each kind of rule, how often calls that break it alone were refused.

Counted is what the release's file of evidence says of documented rules. A table is worth what it is worth on operators
that it was not measured on: it is chosen on one half of them and tried on the other, and the other way round.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from opspec.model.definition import Definition
from opspec.model.enforcement import Grounds, added_up, are_refused, families, grounds_of
from opspec.model.evidence import together


@dataclass(frozen=True, slots=True)
class Spoken:
    """A rule that recorded calls speak about.

    Args:
        half: 0 or 1, by the operator's name.
        refused, accepted: calls that break it alone.
    """

    half: int
    grounds: Grounds
    refused: int
    accepted: int


@dataclass(slots=True)
class Row:
    """Rules on the same grounds, and the calls that break them alone."""

    grounds: Grounds
    rules: int = 0
    refused: int = 0
    accepted: int = 0

    @property
    def gain(self) -> int:
        """Calls that the default explains."""
        return max(self.refused, self.accepted)

    @property
    def cost(self) -> int:
        """Calls that it loses."""
        return min(self.refused, self.accepted)


def spoken(definitions: Iterable[Definition]) -> Iterator[Spoken]:
    """The documented rules that calls speak about; of a generated interface its kernel says all."""
    for definition in definitions:
        half = zlib.crc32(definition.name.encode()) % 2
        for rule in definition.rules:
            recorded = together(rule.recorded.values())
            asked = rule.basis != "observed" and rule.stage not in ("kernel", "tiling", "device")
            if asked and recorded.refused + recorded.accepted and definition.spec.generated_from is None:
                yield Spoken(half, grounds_of(rule, definition), recorded.refused, recorded.accepted)


def rows(rules: Iterable[Spoken]) -> list[Row]:
    """The table, the rows with the most calls first."""
    found: dict[Grounds, Row] = {}
    for rule in rules:
        row = found.setdefault(rule.grounds, Row(rule.grounds))
        row.rules += 1
        row.refused += rule.refused
        row.accepted += rule.accepted
    return sorted(found.values(), key=lambda row: (-row.refused - row.accepted, repr(row.grounds)))


def lost(chosen: Iterable[Spoken], tried: Iterable[Spoken]) -> tuple[int, int]:
    """Calls that a table chosen on some rules explains wrongly on others, and how many there are."""
    table = added_up((rule.grounds, rule.refused, rule.accepted) for rule in chosen)
    wrong = total = 0
    for rule in tried:
        wrong += rule.accepted if are_refused(rule.grounds, table) else rule.refused
        total += rule.refused + rule.accepted
    return wrong, total


def data(table: Iterable[Row]) -> str:
    """The table as ``vocabulary/data/enforcement.json``, a row a line."""
    lines = []
    for row in table:
        own = row.grounds
        values = {
            "kind": own.kind, "reads": own.reads, "io": own.io, "in_row": own.in_row, "stage": own.stage,
            "inferred": own.inferred, "family": own.family,
            "rules": row.rules, "refused": row.refused, "accepted": row.accepted,
        }  # fmt: skip
        lines.append("  " + json.dumps(values))
    known = json.dumps(dict(sorted(families().items())))
    return f'{{\n "families": {known},\n "rows": [\n' + ",\n".join(lines) + "\n ]\n}\n"
