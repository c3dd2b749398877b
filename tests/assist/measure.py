"""How often explaining names the rule that decides, and how often repairing undoes what was changed.

``python -m tests.assist.measure FILE [--apart] [--each N] [--write] [--show]`` measures both on calls that the whole
first phase judged, a file that is not part of this repository: each has what the runtime said of it. Of every operator
some calls, always the same; ``--apart`` takes the operators that nobody looks at who works on what is measured. Their
figures, which ``--write`` writes, are committed beside this file.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from opspec.assist.definitions import definition
from opspec.assist.explain.answer import Asked
from opspec.assist.explain.failures import failures
from opspec.assist.explain.likely import likely
from opspec.assist.explain.lines import lines
from opspec.assist.explain.operators import Operators
from opspec.assist.repair.api import fixes
from opspec.registry.registry import Registry, registry
from opspec.validator.arguments import arguments_of
from tests.assist.judged import Record, deciding, groups, is_apart, unlike, verdict_of
from tests.assist.logs import log_of

COMMITTED = Path(__file__).with_name("figures.json")
EACH = 8  # calls of an operator
LOOKED_AT = 400  # lines of an operator among which they are sought
ASKED = Asked()
#: a stage of whose refusals the runtime itself said nothing
SILENT = "kernel"
#: how a call was made that is not one change of a call which the runtime accepts
WHOLE = ("blind", "rule", "legal", "example", "base")


def explained(
    records: Iterable[Record], known: Registry, operators: Operators, counts: Counter[str], each: int
) -> Iterator[tuple[Record, str, list[str]]]:
    """Count, of refused calls whose status is foretold, those whose rule is among the first three of their logs.

    Gives back the others: the call, the rule that decides, those that are named.
    """
    for record in records:
        if record["stage"] == SILENT:
            continue
        verdict = verdict_of(record, known)
        refused = [] if verdict is None else [item.rule for item in deciding(verdict, record)]
        if not refused:
            continue
        operator, named = _named(log_of(record), known, operators)
        found = refused[0] in named and operator == record["op"]
        counts["logs"] += 1
        counts["operator"] += operator == record["op"]
        counts["first"] += found and refused[0] == named[0]
        counts["among three"] += found
        if len(refused) == 1:
            counts["logs of calls that break one refused rule"] += 1
            counts["of these among three"] += found
        if not found:
            yield record, refused[0], named
        each -= 1
        if not each:
            return


def _named(log: str, known: Registry, operators: Operators) -> tuple[str | None, list[str]]:
    """The operator of the first failure of a log that has one, and the rules that it may mean."""
    for failure in failures(lines(io.BytesIO(log.encode())), operators):
        if failure.operator is not None:
            form = known.form(failure.operator)
            return failure.operator, [item.rule.id for item, _ in likely(form, failure, ASKED).ranked]
    return None, []


def repaired(records: Iterable[Record], known: Registry, counts: Counter[str], each: int) -> Iterator[Record]:
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
    whole = {"of these among three": "logs of calls that break one refused rule"}
    totals = ("logs", "calls", *whole.values())
    total = counts["logs"] or counts["calls"]
    return {
        name: count if name in totals else round(count / (counts[whole[name]] if name in whole else total), 3)
        for name, count in counts.items()
    }


def main(words: list[str]) -> int:
    """The command."""
    asked = _parser().parse_args(words)
    known = registry()
    operators = Operators(known, None)
    told: Counter[str] = Counter()
    for _, found in groups(asked.file, lambda name: is_apart(name) is asked.apart):
        said = [line for line in found if '"said"' in line][:: max(1, len(found) // LOOKED_AT)]
        for record, rule, named in explained(unlike(said), known, operators, told, asked.each):
            if asked.show and not asked.apart:
                print(record["op"], record["product"], record["change"], "|", record["said"], "|", rule, named)
        definition.cache_clear()
    figures = {"explain": shares(told)}
    print(json.dumps(figures, indent=1))
    if asked.write:
        COMMITTED.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return 0


def _parser() -> argparse.ArgumentParser:
    target = argparse.ArgumentParser(prog="python -m tests.assist.measure")
    target.add_argument("file")
    target.add_argument("--apart", action="store_true", help="the operators that are kept apart")
    target.add_argument("--each", type=int, default=EACH, help="calls of an operator")
    target.add_argument("--show", action="store_true", help="print what is not found, never of operators kept apart")
    target.add_argument("--write", action="store_true")
    return target


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
