"""Operators whose page has bullets in 8.5.0 and a table in 9.1.0: both forms yield the same facts.

Pages were revised between the releases, so that agreement is a share, not a law. What differs was looked into: new
dtypes, strides that a revision took back, ranks that bullets do not give. The floors are a little below what was
measured; a fall means that the reading of one of the forms broke.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from opspec.workshop.importer.page import Page, read_page
from opspec.workshop.importer.pipeline import import_page, pages_in
from tests.paths import SHARED, needs_shared
from tests.workshop.importer.facts_of import ABSENT, NAMES, facts, supported

EVERY = 2  # one operator of so many is compared

#: fact -> (the least share of params where both say the same, among those where both say something; the least share of
#: what tables say that bullets say, too). Measured: 99.5, 99.8, 99.3, 90.5, 98.9, 93.5, 96.8 and 100, 100, 100, 94.7,
#: 97.1, 38.8, 85.8 per cent; 87.8 before pages were read whose phases stand under headings of another level, where
#: bullets say less of strides.
FLOORS = {
    "ctype": (0.99, 1.0),
    "io": (0.98, 1.0),
    "optional": (0.98, 1.0),
    "dtype": (0.88, 0.93),
    "format": (0.98, 0.96),
    "rank": (0.92, 0.37),
    "strided": (0.95, 0.85),
}


def _operators(page: Page, form: str) -> list[str]:
    """The operators whose params a page gives in a form."""
    phases = {operator: page.sections.get(f"{operator}GetWorkspaceSize") for operator in page.operators}
    return [operator for operator, phase in phases.items() if phase is not None and phase.form == form]


def _specs(page: Page) -> dict[str, dict[str, Any]]:
    return {made.written.value["operator"]: made.written.value for made in import_page(page, "9.9.9", {}).specs}


def _pairs() -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """(spec from bullets, spec from a table) of operators that have both."""
    old, new = (
        {path.stem: path for path in pages_in([str(SHARED / "docs" / release)])} for release in ("8.5.0", "9.1.0")
    )
    shared = sorted(old.keys() & new.keys())
    for stem in shared[::EVERY]:
        page = read_page(old[stem])
        bullets = _operators(page, "bullets")
        if bullets:
            other = read_page(new[stem])
            mine, theirs = _specs(page), _specs(other)
            for operator in set(bullets) & set(_operators(other, "table")) & mine.keys() & theirs.keys():
                yield mine[operator], theirs[operator]


@pytest.fixture(scope="session")
def measured() -> dict[str, Counter[str]]:
    """Fact -> how often both forms say the same, something else, or only one of them anything."""
    found: dict[str, Counter[str]] = {name: Counter() for name in (*NAMES, "order")}
    for bullets, table in _pairs():
        names = [[param["name"] for param in spec["params"]] for spec in (bullets, table)]
        found["order"]["same" if names[0] == names[1] else "differ"] += 1
        for on in supported(bullets) & supported(table):
            mine, theirs = facts(bullets, on), facts(table, on)
            for param in mine.keys() & theirs.keys():
                for name in NAMES:
                    found[name][_verdict(mine[param][name], theirs[param][name])] += 1
    return found


def _verdict(bullet: Any, table: Any) -> str:
    if bullet == table:
        return "neither" if bullet == ABSENT else "same"
    return "only table" if bullet == ABSENT else "only bullet" if table == ABSENT else "differ"


@needs_shared
def test_there_is_enough_to_compare(measured: dict[str, Counter[str]]) -> None:
    """Some 160 operators, and with few exceptions the same params in the same order."""
    assert measured["order"].total() > 140
    assert measured["order"]["same"] / measured["order"].total() > 0.97


@needs_shared
@pytest.mark.parametrize("fact", FLOORS)
def test_bullets_and_tables_agree(fact: str, measured: dict[str, Counter[str]]) -> None:
    """In what both say, and in how much of what tables say bullets say."""
    counts = measured[fact]
    agree = counts["same"] / (counts["same"] + counts["differ"])
    said = (counts["same"] + counts["differ"]) / (counts["same"] + counts["differ"] + counts["only table"])
    print(f"{fact}: {agree:.1%} agree, {said:.1%} said; {dict(counts)}")
    assert agree >= FLOORS[fact][0]
    assert said >= FLOORS[fact][1]
