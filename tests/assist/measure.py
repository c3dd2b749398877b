"""How often explaining names the rule that decides, and how often repairing finds a legal call.

``python -m tests.assist.measure FILE [--write]`` measures both on judged calls, which say what the runtime said of each
(a file of some 400,000 that is not part of this repository): of every third operator a few calls, always the
same. The figures are committed beside this file.
"""

from __future__ import annotations

import gzip
import json
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from opspec.assist.definitions import definition
from opspec.assist.explain.clues import clues
from opspec.assist.explain.ranking import candidates
from opspec.assist.repair.api import fixes
from opspec.calls.examples.call import example
from opspec.errors import OpspecError
from opspec.registry.registry import Registry, registry
from opspec.validator.api import resolved
from opspec.validator.arguments import arguments_of
from opspec.validator.judge import judge
from opspec.validator.verdict import Verdict
from opspec.vocabulary import status
from opspec.vocabulary.enforcement import REFUSED

COMMITTED = Path(__file__).with_name("figures.json")
EVERY = 3  # so many-th operator is looked at
EACH = 4  # calls of an operator
SHOWN = 3  # rules that a person reads
GENERATED = "kernel table"  # of such a call the runtime itself said nothing
#: how a call was made that is not one change of a call which the runtime accepts
WHOLE = ("blind", "rule", "legal", "example", "base")

Record = dict[str, Any]


def judged(file: str) -> Iterator[tuple[str, list[Record]]]:
    """The operators of a file of judged calls and some of the illegal calls of each."""
    lines: dict[str, list[str]] = {}
    with gzip.open(file, "rt", encoding="utf-8") as source:
        for line in source:
            lines.setdefault(line.split('"', 4)[3], []).append(line)
    for operator, found in sorted(lines.items())[::EVERY]:
        order = random.Random(operator).sample(found, len(found))
        yield operator, [json.loads(line) for line in order[: EACH * 12]]


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


def explained(records: Iterable[Record], known: Registry, counts: Counter[str]) -> None:
    """Count, of refused calls whose rules and status are foretold, those whose rule is among the first."""
    left = EACH
    for record in records:
        if not left or "said" not in record or record["depth"] == GENERATED:
            continue
        verdict = verdict_of(record, known)
        refused = [] if verdict is None else [item.rule for item in verdict.violations if item.enforcement == REFUSED]
        if verdict is None or not refused or verdict.status != record["expect"]:
            continue
        left -= 1
        code, owner = status.number(record["expect"]), resolved(record["product"])[0]
        form = known.form(record["op"])
        usual = example(form)
        named = candidates(form, clues(record["said"]), owner, code, SHOWN, usual=usual)
        ids = [item.rule.id for item in named]
        counts["calls"] += 1
        counts["first"] += refused[0] == next(iter(ids), None)
        counts["among three"] += refused[0] in ids
        counts["any that is broken among three"] += bool({*refused} & {*ids})
        if len(refused) == 1:
            counts["calls that break one refused rule"] += 1
            counts["of these among three"] += refused[0] in ids


def repaired(records: Iterable[Record], known: Registry, counts: Counter[str], each: int = EACH) -> Iterator[Record]:
    """Count, of illegal calls that one change made, those that are repaired; the others are given back."""
    for record in records:
        if not each or record["change"].startswith(WHOLE):
            continue
        verdict = verdict_of(record, known)
        if verdict is None or verdict.legal:
            continue
        each -= 1
        form = known.form(record["op"])
        found = fixes(known, form.operator, form.release, arguments_of(form, record["args"]), record["product"])
        counts["calls"] += 1
        counts["repaired"] += bool(found)
        counts["repaired on the same product by the same operator"] += any(
            (fix.op, fix.product) == (form.operator, verdict.product) for fix in found
        )
        counts["repaired by one change"] += any(len(fix.changes) == 1 for fix in found)
        if not found:
            yield record


def shares(counts: Counter[str]) -> dict[str, float]:
    """Counts as shares of all calls."""
    one = "calls that break one refused rule"
    base = {"of these among three": counts[one]}
    return {
        name: number if name in ("calls", one) else round(number / base.get(name, counts["calls"]), 3)
        for name, number in counts.items()
    }


def main(words: list[str]) -> int:
    """The command."""
    known = registry()
    told: Counter[str] = Counter()
    mended: Counter[str] = Counter()
    for operator, records in judged(words[0]):
        explained(records, known, told)
        for record in repaired(records, known, mended):
            print("not repaired:", operator, record["product"], record["change"])
        definition.cache_clear()
    figures = {"explain": shares(told), "repair": shares(mended)}
    print(json.dumps(figures, indent=1))
    if "--write" in words:
        COMMITTED.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
