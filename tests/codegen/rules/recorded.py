"""Recorded calls, in Python and in C: verdicts and messages."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from opspec.errors import OpspecError
from opspec.registry.registry import Registry, definition_of
from opspec.validator.api import resolved
from opspec.validator.arguments import arguments
from opspec.validator.files import BrokenCall
from tests.codegen.javascript.node import Node
from tests.codegen.rules.calls import Product
from tests.codegen.rules.differential import Comparison, Tally, messages
from tests.codegen.rules.native import Library
from tests.recorded import RECORDS, recorded


def readable(
    path: Path, registry: Registry, release: str, names: Collection[str]
) -> Iterator[tuple[str, tuple[Any, ...], Product]]:
    """Operator, arguments and product of the recorded calls of some operators, of those that can be read at all."""
    known = set(registry.entries(release)).intersection(names)
    for call in recorded(path):
        if isinstance(call, BrokenCall) or call.op not in known:
            continue
        try:
            args = arguments(call.op, registry.form(call.op, release).params, call.args)
        except OpspecError:
            continue
        yield call.op, args, resolved(call.product)


def compare_recorded(
    library: Library, path: Path, registry: Registry, release: str, names: Collection[str], node: Node | None = None
) -> Tally:
    """Compare the verdicts on the recorded calls of some operators."""
    tally = Tally()
    seen = set()
    for name, args, product in readable(path, registry, release, names):
        if node is not None and name not in seen:
            node.define(definition_of(registry.find(name, release)))
        Comparison(library, registry.form(name, release), tally, node=node).compare(args, product)
        seen.add(name)
    tally.operators = len(seen)
    return tally


def compare_messages(
    library: Library, registry: Registry, release: str, names: Collection[str]
) -> tuple[int, list[tuple[str, ...]]]:  # fmt: skip
    """How many rules the recorded calls of some operators break, and those that Python and C word differently."""
    count = 0
    different: list[tuple[str, ...]] = []
    for path in RECORDS:
        for name, args, product in readable(path, registry, release, names):
            for told in messages(library, registry.form(name, release), args, product):
                count += 1
                different += [(name, *told)] if told[1] != told[2] else []
    return count, different
