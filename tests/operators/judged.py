"""Figures against judged calls: how well verdicts foretell what the runtime's own first phase returned.

``python -m tests.operators.judged FILE [--sample]`` measures them and compares them with those that are committed
beside this file, which ``--write`` writes anew: a figure falls only with a reason in the changelog. A sample is every
fourth call of each operator. The calls are not part of this repository (a file of some 650,000); whoever has them names
the file. They went through the whole first phase; ``checks`` are the figures of the same calls as far as argument
checks and shape inference go, which what fails behind them passes. ``document only`` is what pages and general defaults
foretell, without what is known from recorded calls.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from dataclasses import replace as changed
from itertools import islice
from pathlib import Path

from opspec.registry.registry import Registry
from opspec.validator.files import BrokenCall
from opspec.validator.read import Call, calls
from opspec.workshop.conformance.measure import Agreement
from opspec.workshop.conformance.seen import ALL_STAGES, SUCCESS, Seen, Witness, stages_of

RELEASE = "9.1.0"
COMMITTED = Path(__file__).with_name("judged.json")
SLACK = 0.0005  # what a share may fall by without being called worse: recordings are not exact to the call
SAMPLE = 4  # of an operator's calls, every so many-th
BATCH = 1000  # calls that are judged before they are looked at in each way: what bounds the memory

#: words of figures that are better the lower they are; all others are shares of what is right
FAULTS = ("predicted to be", "illegal")
WAYS = ("whole", "whole, document only", "checks", "checks, document only")

Figures = dict[str, dict[str, float]]


@dataclass
class Measured:
    """The counts of one way of looking at the calls."""

    agreement: Agreement = field(default_factory=Agreement)
    right: Counter[str] = field(default_factory=Counter)  # by stage
    calls: Counter[str] = field(default_factory=Counter)

    def add(self, call: Seen) -> None:
        self.agreement.add(call)
        self.calls[call.stage] += 1
        self.right[call.stage] += call.agrees

    def merge(self, other: Measured) -> None:
        """Count what another one counted of other operators."""
        self.agreement.merge(other.agreement)
        self.right.update(other.right)
        self.calls.update(other.calls)

    def figures(self) -> dict[str, float]:
        """What is measured, by name."""
        whole = self.agreement
        failed = {key: count for key, count in whole.confusion.items() if key[0] != SUCCESS}
        missed = sum(count for (_, predicted), count in failed.items() if predicted == SUCCESS)
        return {
            "calls": whole.total,
            "exact": round(whole.exact, 4),
            "accepted calls predicted to be refused": round(whole.false_alarms, 4),
            "refused calls predicted to be accepted": round(missed / sum(failed.values()), 4),
            "whole calls predicted to be refused": whole.whole_refused,
            "whole calls called illegal": whole.whole_illegal,
            "operators without any difference": round(whole.without_difference / len(whole.judged), 4),
        }


def measure(file: str, every: int, part: int, parts: int) -> dict[str, Measured]:
    """The counts over every so many-th operator of a file."""
    registry = Registry(())
    witness, page = (Witness(registry, RELEASE, document_only) for document_only in (False, True))
    found = {name: Measured() for name in WAYS}
    for batch in _batches(witness.seen(_part(file, every, part, parts))):
        checks = [_checked(registry, call) for call in batch]
        ways = (batch, page.judged_again(batch), witness.judged_again(checks), page.judged_again(checks))
        for counts, seen in zip(found.values(), ways, strict=True):
            for call in seen:
                counts.add(call)
    return found


def _part(file: str, every: int, part: int, parts: int) -> Iterator[Call | BrokenCall]:
    chosen: dict[str, bool] = {}
    seen: Counter[str] = Counter()
    for call in calls(file):
        if isinstance(call, BrokenCall):
            yield call
        elif chosen.setdefault(call.op, len(chosen) % parts == part):
            if seen[call.op] % every == 0:
                yield call
            seen[call.op] += 1


def _checked(registry: Registry, call: Seen) -> Seen:
    """A call as if the first phase had ended with its checks, and with the lookup of an interface that does its own."""
    stages = stages_of(registry.form(call.op, RELEASE))
    passed = call.stage in ALL_STAGES and call.stage not in stages
    return changed(call, stages=stages, expected=SUCCESS if passed else call.expected)


def _batches(seen: Iterable[Seen]) -> Iterator[list[Seen]]:
    left = iter(seen)
    while batch := list(islice(left, BATCH)):
        yield batch


def figures(file: str, every: int = 1) -> Figures:
    """What is measured, by name; of whole first phases each stage's share, too, and of checks each family's."""
    parts = os.cpu_count() or 1
    whole = {name: Measured() for name in WAYS}
    with ProcessPoolExecutor(parts) as pool:
        for part in [pool.submit(measure, file, every, number, parts) for number in range(parts)]:
            for name, counts in part.result().items():
                whole[name].merge(counts)
    found = {name: counts.figures() for name, counts in whole.items()}
    for name in WAYS[:2]:
        found[f"{name}, by stage"] = _shares(whole[name].right, whole[name].calls)
    families = {name: entry.family for name, entry in Registry(()).entries(RELEASE).items()}
    for name in WAYS[2:]:
        right, calls = (Counter[str](), Counter[str]())
        agreement = whole[name].agreement
        for operator, judged in agreement.judged.items():
            right[families[operator]] += agreement.agreed[operator]
            calls[families[operator]] += judged
        found[f"{name}, by family"] = _shares(right, calls)
    return found


def _shares(right: Counter[str], of: Counter[str]) -> dict[str, float]:
    return {name: round(right[name] / count, 4) for name, count in sorted(of.items())}


def worse(before: Figures, now: Figures) -> Iterator[str]:
    """The figures that have fallen."""
    for name, known in before.items():
        for figure, value in known.items():
            found = now.get(name, {}).get(figure, value)
            falls = found - value if any(word in figure for word in FAULTS) else value - found
            if figure != "calls" and falls > (SLACK if abs(value) <= 1 else 0):
                yield f"{name}: {figure}: {value} before, {found} now"


def main(words: list[str]) -> int:
    """The command: 0 as good as what is committed, 1 worse."""
    options = {word for word in words if word.startswith("--")}
    (file,) = (word for word in words if word not in options)
    if "--write" in options:
        now = {"all calls": figures(file), "sample": figures(file, SAMPLE)}
        COMMITTED.write_text(json.dumps(now, indent=1) + "\n", encoding="utf-8")
        return 0
    name, every = ("sample", SAMPLE) if "--sample" in options else ("all calls", 1)
    found = figures(file, every)
    print(json.dumps(found, indent=1))
    fallen = list(worse(json.loads(COMMITTED.read_text(encoding="utf-8"))[name], found))
    print("\n".join(fallen) or "no figure has fallen")
    return 1 if fallen else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
