"""``opspec conformance``: compare verdicts with recorded calls."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from itertools import chain

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from opspec.cli import options
from opspec.files import write_file
from opspec.model.spec import STAGES
from opspec.registry.registry import Registry, registry
from opspec.validator.files import BrokenCall
from opspec.validator.read import Call, calls
from opspec.workshop.conformance.examples import examples
from opspec.workshop.conformance.measure import FIRST_STAGES, Agreement, measure
from opspec.workshop.conformance.record import amended
from opspec.workshop.conformance.witness import records as witnessed


def run(words: list[str]) -> int:
    """The command: 0 full agreement, 1 disagreements, 2 broken records."""
    target = options.parser(
        "conformance",
        "Compare verdicts with recorded calls: agreement on status, and every disagreement with its rules.",
    )
    target.add_argument("files", nargs="+", metavar="FILE", help="recorded calls: JSON lines with 'expect', also .gz")
    target.add_argument("--release", help="judge by this release (default: the newest that has the operator)")
    target.add_argument("--op", action="append", default=[], help="only this operator (may be repeated)")
    target.add_argument("--output", choices=("text", "json"), default="text")
    target.add_argument(
        "--record",
        action="store_true",
        help="write into the specs which documented rules the calls show not to be enforced, or to be, and why",
    )
    target.add_argument(
        "--examples", action="store_true", help="write into specs that have none the smallest call that succeeds"
    )
    target.add_argument(
        "--document-only", action="store_true", help="leave out what specs have learned from recorded calls"
    )
    target.add_argument(
        "--ran",
        action="store_true",
        help="the calls are of programs that ran to their end: rules of tiling and device count, too",
    )
    target.add_argument("--summary", action="store_true", help="only the totals")
    options.add_specs(target)
    asked = target.parse_args(words)
    records = chain.from_iterable(calls(path, sys.stdin) for path in asked.files)
    if asked.op:
        records = (call for call in records if getattr(call, "op", None) in asked.op)  # type: ignore[assignment]
    if asked.examples:
        found = list(examples(registry(asked.specs), records, asked.release))
        for path, text in found:
            write_file(str(path), text)
        print(f"{len(found)} specs have an example now")
        return 0
    stages = STAGES if asked.ran else FIRST_STAGES
    if asked.record:
        return _record(registry(asked.specs), records, asked.release, stages)
    result = measure(registry(asked.specs), records, asked.release, asked.document_only, stages)
    if asked.output == "json":
        print(json.dumps(result.to_dict(), ensure_ascii=False, indent=1))
    else:
        _print(result, Console(highlight=False), asked.summary)
    return 1 if result.disagreements else 0


def _record(known: Registry, records: Iterable[Call | BrokenCall], release: str | None, stages: tuple[str, ...]) -> int:
    """Amend specs by what recorded calls say of their rules."""
    found = list(amended(known, witnessed(known, records, release, stages), release))
    for path, text, _ in found:
        write_file(str(path), text)
    print(f"evidence on {sum(count for _, _, count in found)} rules of {len(found)} specs")
    return 0


def _print(result: Agreement, console: Console, summary: bool) -> None:
    if not summary:
        _print_calls(result, console)
    confusion = Table("expected", "predicted", "calls", box=None, pad_edge=False)
    for (wanted, found), count in sorted(result.confusion.items()):
        confusion.add_row(wanted, found, str(count))
    console.print(confusion)
    console.print(
        f"{result.agreed.total()} of {result.total} calls agree on the status ({result.exact:.1%}); "
        f"{result.false_alarms:.1%} of the calls expected to succeed are refused; "
        f"{result.unknown.total()} calls of {len(result.unknown)} operators are not in the registry",
        soft_wrap=True,
    )


def _print_calls(result: Agreement, console: Console) -> None:
    table = Table("operator", "agreed", "of", box=None, pad_edge=False)
    for op, count in sorted(result.judged.items()):
        table.add_row(op, str(result.agreed[op]), str(count))
    console.print(table)
    for item in result.disagreements:
        rules = ", ".join(item.rules) or "no rule"
        said = f"{item.op} {item.product or '-'}: expected {item.expected}, predicted {item.predicted}"
        console.print(f"{escape(item.id)}: {said} ({escape(rules)}) {escape(item.message)}", soft_wrap=True)
