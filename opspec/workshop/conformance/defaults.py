"""Measures the table of defaults: of each kind of rule, how often calls that break it alone were refused.

Counted is what the release's file of evidence says of documented rules. A table is worth what it is worth on operators
that it was not measured on: it is chosen on one half of them and tried on the other, and the other way round.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from dataclasses import replace as changed

from opspec.model.definition import Definition, RuleDef
from opspec.model.ends import NOTHING, Ends, Met
from opspec.model.enforcement import (
    FEWEST,
    Grounds,
    Table,
    added_up,
    families,
    grounds_of,
    usual,
)
from opspec.model.evidence import ends_of
from opspec.vocabulary import status
from opspec.vocabulary.enforcement import REFUSED

FEWEST_OPERATORS = 5  # that bear out that a family stands apart
CLEAR = 2 / 3  # of the calls that speak about it go one way


@dataclass(frozen=True, slots=True)
class Spoken:
    """A rule that recorded calls speak about.

    Args:
        operator: whose rule it is.
        half: 0 or 1, by the operator's name.
        ends: how far the calls came that break it alone.
    """

    operator: str
    half: int
    grounds: Grounds
    ends: Ends


@dataclass(slots=True)
class Row:
    """Rules on the same grounds, and the calls that break them alone."""

    grounds: Grounds
    rules: int = 0
    ends: Ends = NOTHING
    operators: set[str] = field(default_factory=set)

    @property
    def cost(self) -> int:
        """Calls that the default loses."""
        return _wrong(self.ends, self.ends.usual)


def spoken(definitions: Iterable[Definition]) -> Iterator[Spoken]:
    """The documented rules that calls speak about; of a generated interface its kernel says all."""
    for definition in definitions:
        half = zlib.crc32(definition.name.encode()) % 2
        for rule, ends in ends_of_rules(definition):
            yield Spoken(definition.name, half, grounds_of(rule, definition), ends)


def ends_of_rules(definition: Definition) -> Iterator[tuple[RuleDef, Ends]]:
    """The documented rules of an operator that calls speak about, and how far these came; none of a generated
    interface, of which its kernel says all."""
    for rule in definition.rules if definition.spec.generated_from is None else ():
        ends = ends_of(rule.recorded, status.number(rule.status))
        if any(ends) and is_of_page(rule):
            yield rule, ends


def is_of_page(rule: RuleDef) -> bool:
    """Whether a rule that a page states tells of others, by calls of its own release and version."""
    return rule.basis not in ("observed", "definition") and rule.stage != "device" and not rule.recorded_elsewhere


def rows(rules: Iterable[Spoken]) -> list[Row]:
    """The table, the rows with the most calls first."""
    return _counted((rule, changed(rule.grounds, folder="")) for rule in rules)


def apart(rules: Iterable[Spoken]) -> list[Row]:
    """The families in which clearly most calls met the opposite of what the table says, and on enough operators."""
    known = list(rules)
    table = _table(known)
    return [
        row
        for row in _counted((rule, rule.grounds) for rule in known)
        if len(row.operators) >= FEWEST_OPERATORS
        and sum(row.ends) >= FEWEST
        and row.cost <= (1 - CLEAR) * (sum(row.ends) if row.ends.are_refused else row.ends.behind + row.ends.through)
        and row.ends.usual[:2] != usual(row.grounds, table, {})[:2]
    ]


def _counted(rules: Iterable[tuple[Spoken, Grounds]]) -> list[Row]:
    found: dict[Grounds, Row] = {}
    for rule, grounds in rules:
        row = found.setdefault(grounds, Row(grounds))
        row.rules += 1
        row.ends = row.ends.plus(rule.ends)
        row.operators.add(rule.operator)
    return sorted(found.values(), key=lambda row: (-sum(row.ends), repr(row.grounds)))


def _table(rules: Iterable[Spoken]) -> Table:
    return added_up((rule.grounds, rule.ends) for rule in rules)


def lost(chosen: Iterable[Spoken], tried: Iterable[Spoken]) -> tuple[int, int]:
    """Calls that defaults chosen on some rules explain wrongly on others, and how many there are."""
    known = list(chosen)
    table, standing = _table(known), {row.grounds: row.ends.usual for row in apart(known)}
    wrong = total = 0
    for rule in tried:
        wrong += _wrong(rule.ends, usual(rule.grounds, table, standing))
        total += sum(rule.ends)
    return wrong, total


def _wrong(ends: Ends, met: Met) -> int:
    """Calls that a default explains wrongly: of those that only passed the checks nobody knows what comes behind."""
    if met.outcome == REFUSED and met.stage is None:
        return sum(ends) - (ends.inner if met.status else ends.refused)
    checks = ends.refused + ends.inner
    if met.outcome != REFUSED:
        return checks + ends.behind
    right = {"tiling": ends.tiling, "kernel": ends.lookup if met.status == status.INVALID else ends.kernel}
    return checks + ends.through + ends.behind - right[met.stage or ""]


def data(rules: Iterable[Spoken]) -> str:
    """The defaults as ``vocabulary/data/enforcement.json``, a row a line."""
    spoken_of = list(rules)
    known = json.dumps(dict(sorted(families().items())))
    table, standing = (",\n".join(map(_line, part)) for part in (rows(spoken_of), apart(spoken_of)))
    return f'{{\n "families": {known},\n "rows": [\n{table}\n ],\n "apart": [\n{standing}\n ]\n}}\n'


def _line(row: Row) -> str:
    own = row.grounds
    values: dict[str, str | bool | int] = {
        "kind": own.kind, "reads": own.reads, "io": own.io, "in_row": own.in_row, "stage": own.stage,
        "inferred": own.inferred, "family": own.family,
    }  # fmt: skip
    if own.folder:
        values |= {"folder": own.folder, "operators": len(row.operators)}
    return "  " + json.dumps(values | {"rules": row.rules} | row.ends._asdict())
