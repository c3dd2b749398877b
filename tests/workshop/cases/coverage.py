"""How many rules of the registry a call breaks alone, by family; of the others, why none does.

``python -m tests.workshop.cases.coverage [--every N] [--jobs N] [--write]``: every N-th operator of the newest release
(all: about three hours of one core); ``--write`` keeps the figures in ``coverage.json``, which the docs state.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
from collections import Counter
from pathlib import Path

from opspec.registry.registry import Registry, definition_of, registry
from opspec.workshop.cases.isolate import IMPLIED, SHADOWED, Isolation

COMMITTED = Path(__file__).with_name("coverage.json")
ISOLATED = "isolated"
NEVER_ALONE = (IMPLIED, SHADOWED)  # another rule says of every call what these say

Counts = dict[str, int]


def of_operator(name: str) -> tuple[str, str, Counts]:
    """Operator, family, and what was found of its rules."""
    known: Registry = registry(())
    entry = known.find(name)
    definition = definition_of(entry)
    counts: Counter[str] = Counter()
    for found in Isolation(definition, known.form(name, entry.release)).all():
        counts[found.reason or ISOLATED] += 1
    return name, Path(entry.path).parent.name, dict(counts)


def names(every: int) -> list[str]:
    """Every so manieth operator of the newest release."""
    known = registry(())
    return sorted(known.entries(known.releases()[-1]))[::every]


def summed(rows: list[tuple[str, str, Counts]]) -> dict[str, Counts]:
    """What was found by family."""
    families: dict[str, Counter[str]] = {}
    for _, family, counts in rows:
        families.setdefault(family, Counter()).update({**counts, "operators": 1})
    return {family: dict(sorted(counts.items())) for family, counts in sorted(families.items())}


def shares(families: dict[str, Counts]) -> tuple[float, float]:
    """The share of all rules that are isolated, and of those that another rule does not say as well."""
    total: Counter[str] = Counter()
    for counts in families.values():
        total.update(counts)
    kinds = (ISOLATED, "implied", "shadowed", "idle", "unbroken")
    rules = sum(total[kind] for kind in kinds)
    return total[ISOLATED] / rules, total[ISOLATED] / (rules - sum(total[kind] for kind in NEVER_ALONE))


def main() -> None:
    """The command."""
    target = argparse.ArgumentParser(description=__doc__)
    target.add_argument("--every", type=int, default=1)
    target.add_argument("--jobs", type=int, default=1)
    target.add_argument("--write", action="store_true")
    asked = target.parse_args()
    rows = []
    with multiprocessing.Pool(asked.jobs) as pool:
        for row in pool.imap_unordered(of_operator, names(asked.every)):
            rows.append(row)
            print(*row, file=sys.stderr, flush=True)
    families = summed(rows)
    for family, counts in families.items():
        print(family, json.dumps(counts))
    print(*(f"{share:.1%}" for share in shares(families)))
    if asked.write:
        text = json.dumps({"every": asked.every, "families": families}, indent=1)
        COMMITTED.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
