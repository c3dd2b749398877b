"""Figures against judged calls: how well verdicts foretell what the runtime's own first phase returned.

``python -m tests.operators.judged FILE [--write]`` measures them with and without what is known from recorded calls,
and compares them with those that are committed beside this file: a figure falls only with a reason in the changelog.
The calls are not part of this repository (a file of some 400,000); whoever has them names the file.
"""

from __future__ import annotations

import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from opspec.registry.registry import Registry
from opspec.validator.files import BrokenCall
from opspec.validator.read import Call, calls
from opspec.workshop.conformance.measure import Agreement, measured
from opspec.workshop.conformance.seen import Witness

RELEASE = "9.1.0"
COMMITTED = Path(__file__).with_name("judged.json")
SLACK = 0.0005  # what a share may fall by without being called worse: recordings are not exact to the call

Figures = dict[str, dict[str, float]]


def measure(file: str, document_only: bool, part: int, parts: int) -> Agreement:
    """The counts over every so many-th operator of a file."""
    registry = Registry(())

    def mine() -> Iterator[Call | BrokenCall]:
        chosen: dict[str, bool] = {}
        for call in calls(file):
            if isinstance(call, BrokenCall) or chosen.setdefault(call.op, len(chosen) % parts == part):
                yield call

    return measured(Witness(registry, RELEASE, document_only).seen(mine()))


def figures(file: str) -> Figures:
    """What is measured, by name; of the document-only run each family's share, too."""
    found: Figures = {}
    families = {name: entry.family for name, entry in Registry(()).entries(RELEASE).items()}
    parts = os.cpu_count() or 1
    with ProcessPoolExecutor(parts) as pool:
        for document_only in (False, True):
            results = [pool.submit(measure, file, document_only, part, parts) for part in range(parts)]
            whole = Agreement()
            for result in results:
                whole.merge(result.result())
            found["document only" if document_only else "all"] = {
                "calls": whole.total,
                "exact": round(whole.exact, 4),
                "accepted calls predicted to be refused": round(whole.false_alarms, 4),
                "whole calls predicted to be refused": whole.whole_refused,
                "whole calls called illegal": whole.whole_illegal,
                "operators without any difference": round(whole.without_difference / len(whole.judged), 4),
            }
            if document_only:
                found["document only, by family"] = _by_family(whole, families)
    return found


def _by_family(whole: Agreement, families: dict[str, str]) -> dict[str, float]:
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for operator, judged in whole.judged.items():
        counts[families[operator]][0] += whole.agreed[operator]
        counts[families[operator]][1] += judged
    return {family: round(agreed / judged, 4) for family, (agreed, judged) in sorted(counts.items())}


def worse(before: Figures, now: Figures) -> Iterator[str]:
    """The figures that have fallen."""
    for name, known in before.items():
        for figure, value in known.items():
            found = now.get(name, {}).get(figure, value)
            falls = value - found if figure == "exact" or "without" in figure or "family" in name else found - value
            if figure != "calls" and falls > (SLACK if abs(value) <= 1 else 0):
                yield f"{name}: {figure}: {value} before, {found} now"


def main(words: list[str]) -> int:
    """The command: 0 as good as what is committed, 1 worse."""
    now = figures(words[0])
    print(json.dumps(now, indent=1))
    if "--write" in words:
        COMMITTED.write_text(json.dumps(now, indent=1) + "\n", encoding="utf-8")
        return 0
    fallen = list(worse(json.loads(COMMITTED.read_text(encoding="utf-8")), now))
    print("\n".join(fallen) or "no figure has fallen")
    return 1 if fallen else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
