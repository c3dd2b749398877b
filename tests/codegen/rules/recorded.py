"""Recorded calls, in Python and in C: verdicts and messages."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

from opspec.errors import OpspecError
from opspec.registry.registry import Form, Registry
from opspec.validator.api import resolved
from opspec.validator.arguments import arguments
from opspec.validator.read import Call
from tests.codegen.javascript.node import Node
from tests.codegen.rules.calls import Product
from tests.codegen.rules.differential import Comparison, Tally, messages
from tests.codegen.rules.native import Library
from tests.recorded import by_operator


def typed(calls: Iterable[Call], form: Form) -> Iterator[tuple[tuple[Any, ...], Product]]:
    """Arguments and product of those of an operator's calls that can be read at all."""
    for call in calls:
        try:
            yield arguments(form.operator, form.params, call.args), resolved(call.product)
        except OpspecError:
            continue


def readable(
    path: Path, registry: Registry, release: str, names: Collection[str]
) -> Iterator[tuple[str, tuple[Any, ...], Product]]:
    """Operator, arguments and product of the recorded calls of some operators, of those that can be read at all."""
    for name, calls in by_operator(path).items():
        if name in names and name in registry.entries(release):
            for args, product in typed(calls, registry.form(name, release)):
                yield name, args, product


def compare_recorded(library: Library, form: Form, path: Path, tally: Tally, node: Node | None = None) -> None:
    """Compare the verdicts on an operator's recorded calls, and the sentences about the rules that they break."""
    for args, product in typed(by_operator(path).get(form.operator, ()), form):
        Comparison(library, form, tally, node=node).compare(args, product)
        for told in messages(library, form, args, product):
            tally.sentences += 1
            tally.reworded += [(form.operator, *told)] if told[1] != told[2] else []
