"""``opspec conformance``: compare verdicts with recorded calls, and record what they say of rules."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from rich.table import Table

from opspec.cli import options
from opspec.cli.parser import Parser
from opspec.cli.tables import console, safe
from opspec.errors import OpspecError
from opspec.files import write_file
from opspec.jsontext import written
from opspec.model.definition import Definition
from opspec.model.ends import Ends
from opspec.model.lines import NEIGHBOURS, file_of
from opspec.model.neighbours import text_of
from opspec.registry.registry import Registry, all_loaded, registry
from opspec.validator.files import BrokenCall
from opspec.validator.read import Call, calls
from opspec.workshop.conformance.defaults import Row, apart, data, lost, rows, spoken
from opspec.workshop.conformance.examples import examples
from opspec.workshop.conformance.measure import Agreement, Difference, measured
from opspec.workshop.conformance.neighbours import neighbours
from opspec.workshop.conformance.questions import questions
from opspec.workshop.conformance.record import amended
from opspec.workshop.conformance.seen import Seen, Witness

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rich.console import Console

MOST_DIFFERENCES = 40  # that the text shows; JSON has all
_MOST_CHANGES = 5  # of a difference, so many are named


def run(words: list[str]) -> int:
    """The command: 0 full agreement, 1 disagreements, 2 broken records."""
    target = _parser()
    asked = target.parse_args(words)
    known = registry(asked.specs)
    if asked.defaults:
        return _defaults(known, asked.release, asked.output == "json")
    if asked.neighbours:
        return _neighbours(known, asked.release)
    if asked.questions:
        return _questions(known, asked)
    if not asked.files and not asked.ran:
        target.error("name a file of recorded calls")
    if asked.examples:
        found = list(examples(known, _read(asked.files, asked.op), _read(asked.ran, asked.op), asked.release))
        return _examples(found)
    witness = Witness(known, asked.release, asked.document_only)
    seen = chain(witness.seen(_read(asked.files, asked.op)), witness.seen(_read(asked.ran, asked.op), ran=True))
    if asked.record:
        return _record(witness, asked, list(seen))
    result = measured(seen)
    result.unknown.update(witness.unknown)
    if not result.total and not result.unknown:
        raise OpspecError("no recorded call there")
    if asked.output == "json":
        options.print_json(result.to_dict())
    else:
        _print(result, console(), asked.summary)
    return 1 if result.differences else 0


def _parser() -> Parser:
    target = options.parser(
        "conformance",
        "Compare verdicts with recorded calls: agreement on status, and where they differ, by rule and by what was "
        "changed. Kernel lookup and tiling are left out, but of calls that say with 'stage' that they came there.",
    )
    target.add_argument("files", nargs="*", metavar="FILE", help="recorded calls: JSON lines with 'expect', also .gz")
    target.add_argument(
        "--ran", action="append", default=[], metavar="FILE",
        help="recorded calls of programs that ran to their end: rules of every stage count (may be repeated)",
    )  # fmt: skip
    target.add_argument("--release", help="judge by this release (default: the newest that has the operator)")
    target.add_argument("--op", action="append", default=[], help="only this operator (may be repeated)")
    target.add_argument("--output", choices=("text", "json"), default="text")
    target.add_argument(
        "--record", action="store_true",
        help="settle which rules the runtime enforces, and write it into the release's file of evidence: counts by "
        "product, and one call each way",
    )  # fmt: skip
    target.add_argument(
        "--examples", action="store_true",
        help="write the smallest call that succeeds into specs that have no example, and of --ran into any",
    )  # fmt: skip
    target.add_argument("--document-only", action="store_true", help="leave out what is known from recorded calls")
    target.add_argument(
        "--defaults", action="store_true",
        help="print the table of defaults, as the release's evidence has it: what it explains and loses, and what it "
        "is worth on operators that it was not measured on",
    )  # fmt: skip
    target.add_argument(
        "--neighbours", action="store_true",
        help="write what the release's evidence says of operators whose pages lie in one folder, and of families: what "
        "is taken to become of rules that no call speaks about",
    )  # fmt: skip
    target.add_argument(
        "--questions", type=int, metavar="N",
        help="print up to N calls that break one rule each of which no recorded call tells anything",
    )  # fmt: skip
    target.add_argument("--summary", action="store_true", help="only the totals")
    options.add_specs(target)
    return target


def _definitions(known: Registry, release: str | None) -> Iterator[Definition]:
    """All operators of a release, by default the newest."""
    for loaded in all_loaded(known, release or known.releases()[-1]):
        yield from loaded.definitions


def _read(files: Iterable[str], operators: list[str]) -> Iterator[Call | BrokenCall]:
    """The recorded calls of files, all or those of some operators."""
    for path in files:
        for call in options.counted(calls(path, sys.stdin), lambda _: "calls"):
            if not operators or isinstance(call, BrokenCall) or call.op in operators:
                yield call


def _examples(found: list[tuple[Path, str]]) -> int:
    for path, text in found:
        write_file(str(path), text)
    print(f"{len(found)} specs have another example now")
    return 0


def _defaults(known: Registry, release: str | None, as_json: bool) -> int:
    """The table of defaults, measured anew."""
    rules = list(spoken(_definitions(known, release)))
    if as_json:
        print(data(rules), end="")
        return 0
    table, standing = rows(rules), apart(rules)
    _print_defaults(table)
    total, cost = sum(sum(row.ends) for row in table), sum(row.cost for row in table)
    print(f"of {total} calls it loses {cost}")
    print("families that stand apart from it:")
    _print_defaults(standing)
    for half in (0, 1):
        wrong, total = lost((r for r in rules if r.half == half), (r for r in rules if r.half != half))
        print(f"chosen on one half of the operators, it loses {wrong} of {total} calls of the other")
    return 0


def _neighbours(known: Registry, release: str | None) -> int:
    """Write what is known of operators' neighbours beside the release's specs."""
    found = list(_definitions(known, release))
    path = file_of(found[0].home or "", NEIGHBOURS)
    write_file(path, text_of(neighbours(found)))
    print(f"{path}: {len(found)} operators")
    return 0


def _print_defaults(table: list[Row]) -> None:
    shown = Table(
        "kind", "reads", "param", "row", "stage", "inferred", "family", "rules", *Ends._fields, "default",
        box=None,
    )  # fmt: skip
    for row in table:
        own = row.grounds
        in_row, inferred = ("yes" if flag else "no" for flag in (own.in_row, own.inferred))
        counts = (str(row.rules), *map(str, row.ends))
        family = own.folder or own.family
        shown.add_row(own.kind, own.reads, own.io, in_row, own.stage, inferred, family, *counts, row.ends.usual.words)
    console().print(shown)


def _questions(known: Registry, asked: argparse.Namespace) -> int:
    wanted = (one for one in _definitions(known, asked.release) if not asked.op or one.name in asked.op)
    for question in questions(known, wanted, asked.questions):
        print(written(question))
    return 0


def _record(witness: Witness, asked: argparse.Namespace, seen: list[Seen]) -> int:
    """Rewrite the files of evidence; figures before and after."""
    before = measured(seen)
    found = list(amended(witness.registry, seen, asked.release))
    for path, text, _ in found:
        write_file(str(path), text)
    print(f"evidence changed on {sum(count for _, _, count in found)} rules, by {before.total} calls")
    now = Witness(Registry(tuple(asked.specs)), asked.release)  # by the files as they are now
    after = measured(now.judged_again(seen))
    for figures in (before, after):
        figures.unknown.update(witness.unknown)
    print(f"before: {_figures(before)}")
    print(f"after: {_figures(after)}")
    return 0


def _figures(result: Agreement) -> str:
    operators = len(result.judged)
    return (
        f"{result.agreed.total()} of {result.total} calls agree on the status ({result.exact:.2%}); "
        f"{result.false_alarms:.2%} of the accepted calls are predicted to be refused; "
        f"of {result.whole} whole calls {result.whole_refused} are predicted to be refused, "
        f"{result.whole_illegal} called illegal; "
        f"{result.without_difference} of {operators} operators have no difference; "
        f"{result.unknown.total()} calls of {len(result.unknown)} operators are not in the registry"
    )


def _print(result: Agreement, target: Console, summary: bool) -> None:
    if not summary:
        found = result.sorted()
        for one in found[:MOST_DIFFERENCES]:
            _print_difference(one, target)
        if len(found) > MOST_DIFFERENCES:
            target.print(f"and {len(found) - MOST_DIFFERENCES} more differences: --output json has them all")
    confusion = Table("expected", "predicted", "calls", box=None, pad_edge=False)
    for (wanted, predicted), count in sorted(result.confusion.items()):
        confusion.add_row(safe(wanted), predicted, str(count))
    target.print(confusion)
    target.print(_figures(result), soft_wrap=True)


def _print_difference(one: Difference, target: Console) -> None:
    op, expected, predicted, rules = one.reason
    named = ", ".join(rules) or "no rule"
    target.print(f"{one.calls:6}  {op}: {safe(expected)}, predicted {predicted} ({safe(named)})", soft_wrap=True)
    listed = one.changes.most_common(_MOST_CHANGES)
    changes = "; ".join(f"{change} ({count})" if count > 1 else change for change, count in listed)
    more = f"; {len(one.changes) - len(listed)} more" if len(one.changes) > len(listed) else ""
    target.print(f"        changed: {safe(changes)}{more}", soft_wrap=True)
