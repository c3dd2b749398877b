"""How many rules of the registry a call breaks alone, by family; of the others, why none does.

``python -m tests.calls.cases.coverage [OP …] [--every N] [--first N] [--keep FILE] [--write]``: every N-th operator
of the newest release. With ``--keep`` what is found is kept as JSON lines, an operator at a time, and what is kept is
not measured again: a run that is cut off, or ends after ``--first`` operators, is taken up by the next;
``--first 0`` tells of what is kept alone. ``--list REASON`` prints the rules of a kind with what the search says of
them; ``--write`` keeps the figures in ``coverage.json``, which the docs state.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from opspec.calls.cases.isolate import CONTRADICTORY, IMPLIED, NOT_FOUND, SHADOWED, Isolation
from opspec.calls.cases.made import why
from opspec.registry.registry import Registry, definition_of, registry

COMMITTED = Path(__file__).with_name("coverage.json")
ISOLATED = "isolated"
KINDS = (ISOLATED, IMPLIED, SHADOWED, CONTRADICTORY, NOT_FOUND)

Counts = dict[str, int]
Row = dict[str, Any]


def of_operator(name: str) -> Row:
    """Operator, family, what was found of its rules, and what is said of those that are not isolated."""
    known: Registry = registry(())
    entry = known.find(name)
    definition = definition_of(entry)
    counts: Counter[str] = Counter()
    said: dict[str, str] = {}
    for found in Isolation(definition, known.form(name, entry.release)).all():
        counts[found.reason or ISOLATED] += 1
        if found.reason is not None:
            said[found.rule.id] = why(found)
    return {"op": name, "family": Path(entry.path).parent.name, "counts": dict(counts), "said": said}


def names(every: int) -> list[str]:
    """Every so manieth operator of the newest release."""
    known = registry(())
    return sorted(known.entries(known.releases()[-1]))[::every]


def kept(path: Path | None) -> dict[str, Row]:
    """What earlier runs have found, by operator; a line that was cut off is left out."""
    found: dict[str, Row] = {}
    lines = path.read_text(encoding="utf-8").splitlines() if path is not None and path.exists() else []
    for line in lines:
        with contextlib.suppress(json.JSONDecodeError):
            row = json.loads(line)
            found[row["op"]] = row
    return found


def measured(wanted: Iterable[str], path: Path | None, first: int) -> Iterator[Row]:
    """What is kept of these operators, then so many of the others, each kept as soon as it is there."""
    known = kept(path)
    wanted = list(wanted)
    cut = path is not None and path.exists() and not path.read_text(encoding="utf-8").endswith("\n")
    yield from (known[name] for name in wanted if name in known)
    for name in [name for name in wanted if name not in known][:first]:
        row = of_operator(name)
        if path is not None:
            with path.open("a", encoding="utf-8") as file:
                file.write("\n" * cut + json.dumps(row) + "\n")
                cut = False
        print(name, row["counts"], file=sys.stderr, flush=True)
        yield row


def summed(rows: Iterable[Row]) -> dict[str, Counts]:
    """What was found by family."""
    families: dict[str, Counter[str]] = {}
    for row in rows:
        families.setdefault(row["family"], Counter()).update({**row["counts"], "operators": 1})
    return {family: dict(sorted(counts.items())) for family, counts in sorted(families.items())}


def total(families: dict[str, Counts]) -> Counts:
    """What was found of all rules."""
    found: Counter[str] = Counter()
    for counts in families.values():
        found.update(counts)
    return {kind: found[kind] for kind in ("operators", *KINDS)}


def shares(counts: Counts) -> tuple[float, float]:
    """The share of all rules that are isolated, and of those for which it is not proved that none can be."""
    alone = counts.get(ISOLATED, 0)
    rules = sum(counts.get(kind, 0) for kind in KINDS)
    return alone / max(rules, 1), alone / max(alone + counts.get(NOT_FOUND, 0), 1)


def table(families: dict[str, Counts]) -> Iterator[str]:
    """The figures by family, as the docs have them."""
    heads = ("family", "operators", *KINDS, "of all", "of those that may be")
    yield f"| {' | '.join(heads)} |"
    yield "|" + "---|" * len(heads)
    for family, counts in (*families.items(), ("all", total(families))):
        cells = [counts.get(kind, 0) for kind in ("operators", *KINDS)]
        yield f"| {' | '.join(map(str, (family, *cells)))} | {' | '.join(f'{share:.0%}' for share in shares(counts))} |"


def main() -> None:
    """The command."""
    target = argparse.ArgumentParser(description=__doc__)
    target.add_argument("ops", nargs="*")
    target.add_argument("--every", type=int, default=1)
    target.add_argument("--first", type=int, default=sys.maxsize)
    target.add_argument("--keep", type=Path)
    target.add_argument("--list", choices=KINDS)
    target.add_argument("--write", action="store_true")
    asked = target.parse_args()
    rows = list(measured(asked.ops or names(asked.every), asked.keep, asked.first))
    for row in rows if asked.list else ():
        for rule, said in row["said"].items():
            if said.startswith(asked.list):
                print(row["op"], rule, said)
    families = summed(rows)
    print(*table(families), sep="\n")
    if asked.write:
        text = json.dumps({"of": len(names(1)), "families": families}, indent=1)
        COMMITTED.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
