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
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from opspec.assist.definitions import definition
from opspec.assist.explain.answer import Asked
from opspec.assist.explain.failures import failures
from opspec.assist.explain.likely import likely
from opspec.assist.explain.lines import lines
from opspec.assist.explain.operators import Operators
from opspec.assist.repair.api import Fix, fixes
from opspec.calls.examples.call import to_json
from opspec.registry.registry import Form, Registry, registry
from opspec.validator.arguments import arguments_of
from tests.assist.judged import Record, changed, deciding, differing, groups, is_apart, unlike, verdict_of
from tests.assist.logs import log_of

COMMITTED = Path(__file__).with_name("figures.json")
EACH = 8  # calls of an operator
LOOKED_AT = 400  # lines of an operator among which they are sought
ASKED = Asked()
#: a stage of whose refusals the runtime itself said nothing
SILENT = "kernel"


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


def repaired(pairs: Iterable[tuple[Record, Record]], known: Registry, counts: Counter[str], each: int) -> Iterator[
    tuple[Record, Record, str]
]:  # fmt: skip
    """Count, of calls of which one argument was changed, those that the first proposal changes nowhere else.

    Gives back the others: the call that came through, the refused one, what is proposed.
    """
    seen: set[object] = set()
    for base, record in pairs:
        form = known.form(record["op"])
        before, verdict = verdict_of(base, known), verdict_of(record, known)
        if before is None or not before.legal or verdict is None or not deciding(verdict, record):
            continue
        name = differing(base["args"], record["args"])[0]
        what = name, deciding(verdict, record)[0].rule
        if what in seen:
            continue
        seen.add(what)
        found = fixes(known, form.operator, form.release, arguments_of(form, record["args"]), record["product"])
        counts["calls"] += 1
        counts["repaired"] += bool(found)
        told = [
            _changes_of(fix) if (fix.op, fix.product) == (form.operator, verdict.product) else set() for fix in found
        ]
        undone = bool(told) and told[0] == {name}
        counts["first changes that argument alone"] += undone
        counts["one of three changes that argument alone"] += {name} in told
        counts["first is the call before"] += undone and _is(found[0].args, base, form)
        if {name} not in told or all(other == {name} or len(other) > 1 for other in told):
            counts["calls that tell which argument it was"] += 1
            counts["of these first changes that argument alone"] += undone
        if not undone:
            yield base, record, "; or ".join(map(str, found))
        each -= 1
        if not each:
            return


def _changes_of(fix: Fix) -> set[str]:
    """The arguments that a fix changes."""
    return {path.partition("[")[0] for change in fix.changes for path in change.paths}


def _is(args: Mapping[str, object], base: Record, form: Form) -> bool:
    """Whether arguments are those of a recorded call."""
    kinds = {name: kind for name, kind, *_ in form.params}
    one, other = (
        to_json(dict(zip(kinds, arguments_of(form, given), strict=True)), kinds) for given in (args, base["args"])
    )
    return not differing(one, other)


def shares(counts: Counter[str]) -> dict[str, float]:
    """Counts as shares of all calls."""
    whole = {
        "of these among three": "logs of calls that break one refused rule",
        "of these first changes that argument alone": "calls that tell which argument it was",
    }
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
    mended: Counter[str] = Counter()
    for _, found in groups(asked.file, lambda name: is_apart(name) is asked.apart):
        if asked.what != "explain":
            for _, record, first in repaired(changed(found), known, mended, asked.each):
                if asked.show and not asked.apart:
                    print("R", record["op"], record["product"], record["change"], "|", record["said"][:160], "|", first)
        if asked.what == "repair":
            continue
        said = [line for line in found if '"said"' in line][:: max(1, len(found) // LOOKED_AT)]
        for record, rule, named in explained(unlike(said), known, operators, told, asked.each):
            if asked.show and not asked.apart:
                print(record["op"], record["product"], record["change"], "|", record["said"], "|", rule, named)
        definition.cache_clear()
    figures = {"explain": shares(told), "repair": shares(mended)}
    print(json.dumps(figures, indent=1))
    if asked.write:
        COMMITTED.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return 0


def _parser() -> argparse.ArgumentParser:
    target = argparse.ArgumentParser(prog="python -m tests.assist.measure")
    target.add_argument("file")
    target.add_argument("--what", choices=("explain", "repair"))
    target.add_argument("--apart", action="store_true", help="the operators that are kept apart")
    target.add_argument("--each", type=int, default=EACH, help="calls of an operator")
    target.add_argument("--show", action="store_true", help="print what is not found, never of operators kept apart")
    target.add_argument("--write", action="store_true")
    return target


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
