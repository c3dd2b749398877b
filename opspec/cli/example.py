"""``opspec example``: legal calls of operators, made from their rules."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import Any

from opspec.calls.examples.legal import legal_calls
from opspec.calls.examples.written import with_example
from opspec.cli import options
from opspec.cli.list import add_filters, none_legal, selected
from opspec.files import write_file
from opspec.jsontext import written
from opspec.model.ledger import clauses
from opspec.registry.folders import Entry
from opspec.registry.registry import Registry, definition_of, registry
from opspec.validator.api import resolved

MOST_CALLS = 1_000_000  # of each operator


def run(words: list[str]) -> int:
    """The command: 0, or 1 when an operator has no legal call that could be found."""
    asked = _parser().parse_args(words)
    known = registry(asked.specs)
    entries = selected(known, asked)
    missing = done = 0
    with options.progress(len(entries)) as advance:
        for entry in entries:
            advance(entry.operator)
            if asked.write:
                outcome = _write(known, entry)
                done += outcome is True
            else:
                outcome = _print(known, entry, asked)
            if outcome is False:
                missing += 1
                print(none_legal(entry), file=sys.stderr)
    if asked.write:
        print(f"{done} specs have an example now")
    return 1 if missing else 0


def _parser() -> argparse.ArgumentParser:
    target = options.parser(
        "example",
        "Print legal calls of operators, made from their rules: one JSON object a line, as opspec check reads it.",
        "The search starts from the plainest call and mends what the rules find wrong; it may fail where rules are "
        "many, and always does where they contradict each other.",
    )
    target.add_argument("pattern", nargs="?", default="*", help="operators, with * and ? (default: all)")
    add_filters(target)
    target.add_argument("--seed", type=int, default=0, help="where the search begins (default: 0)")
    target.add_argument(
        "--count", type=options.up_to(MOST_CALLS), default=1, help="calls of each operator, with one seed after another"
    )
    target.add_argument(
        "--write", action="store_true", help="write one into the specs that have none, where no clause waits"
    )
    options.add_specs(target)
    return target


def _print(known: Registry, entry: Entry, asked: argparse.Namespace) -> bool:
    product, member = resolved(asked.product)
    found = _calls(known, entry, member or product, asked.seed, asked.count)
    any_found = False
    for call in found:
        any_found = True
        print(written(call))
    return any_found


def _write(known: Registry, entry: Entry) -> bool | None:
    """None for a spec that has an example, or clauses that wait, or that is another operator's."""
    definition = definition_of(entry)
    spec = definition.spec
    if (
        spec.example is not None
        or spec.operator != definition.name
        or any(clause.not_yet for clause in clauses(definition.home, definition.places))
    ):
        return None
    for call in _calls(known, entry, None, 0, 1):
        text = with_example(definition, {"product": call["product"], "args": call["args"]})
        write_file(entry.path, text)
        return True
    return False


def _calls(known: Registry, entry: Entry, product: str | None, seed: int, count: int) -> Iterator[dict[str, Any]]:
    form = known.form(entry.operator, entry.release)
    return legal_calls(definition_of(entry), form, product, seed, count)
