"""Examples from recorded calls: of those that are legal and break nothing, the smallest.

A spec without an example takes any recorded call that succeeds. What a program did that ran to its end stands in place
of any example that was made up, too: it shows what people call the operator with.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from opspec.calls.examples.written import with_example
from opspec.errors import OpspecError
from opspec.model.load import load_file, load_text
from opspec.registry.registry import Registry
from opspec.validator.api import resolved
from opspec.validator.arguments import arguments
from opspec.validator.files import BrokenCall
from opspec.validator.judge import judge
from opspec.validator.read import Call
from opspec.vocabulary import dtypes, status
from opspec.workshop.conformance.seen import SUCCESS

MOST_ELEMENTS = 2**20  # of all tensors together: a program with more is no example
MOST_TENSORS = 16
_LEFT_OUT = ("values", "range")  # what a test fills tensors with says nothing about the call


def examples(
    registry: Registry, calls: Iterable[Call | BrokenCall], ran: Iterable[Call | BrokenCall], release: str | None
) -> Iterator[tuple[Path, str]]:
    """(spec file, its new text) for every spec whose example a recorded call becomes.

    Args:
        calls: recorded calls, for specs that have no example.
        ran: calls of programs that ran, for these and in place of other examples.

    Raises:
        OpspecError: a record is broken, or a spec cannot be read.
    """
    programs = _smallest(registry, ran, release)
    best = {**_smallest(registry, calls, release), **programs}
    for operator, found in sorted(best.items()):
        path = Path(registry.find(operator, release).path)
        definition = load_file(str(path)).definitions[0]
        present = definition.spec.example
        if definition.name == operator and (present is None or operator in programs):
            usual = None if present is None else present.product
            product = min(found, key=lambda name: (name != usual, found[name][0]))
            text = with_example(definition, {"product": product, "args": found[product][1]})
            if text != path.read_text(encoding="utf-8"):
                load_text(text, str(path))
                yield path, text


def _smallest(
    registry: Registry, calls: Iterable[Call | BrokenCall], release: str | None
) -> dict[str, dict[str, tuple[int, dict[str, Any]]]]:
    """Of each operator and product the smallest call that can be an example: (elements, arguments)."""
    best: dict[str, dict[str, tuple[int, dict[str, Any]]]] = {}
    for call in calls:
        if isinstance(call, BrokenCall):
            raise call.error
        found = _candidate(registry, call, release)
        if found is not None and call.product is not None:
            known = best.setdefault(call.op, {})
            known[call.product] = min(known.get(call.product, found), found, key=lambda item: item[0])
    return best


def _candidate(registry: Registry, call: Call, release: str | None) -> tuple[int, dict[str, Any]] | None:
    """(elements, arguments) of a call that succeeds and that the registry calls legal."""
    if call.expect is None or status.outcome(call.expect) != SUCCESS or not call.product:
        return None
    try:
        args = _bare(call.args)
    except OpspecError:  # a dtype that has no name
        return None
    shapes = list(_shapes(args))
    elements = sum(map(math.prod, shapes))
    if elements > MOST_ELEMENTS or len(shapes) > MOST_TENSORS or any(0 in shape for shape in shapes):
        return None
    try:
        form = registry.form(call.op, release or call.release)
        verdict = judge(form, arguments(call.op, form.params, args), *resolved(call.product))
    except OpspecError:
        return None
    clean = not verdict.violations and not verdict.warnings
    return (elements, args) if clean else None


def _bare(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {key: _bare(item) for key, item in value.items() if not (key in _LEFT_OUT and "shape" in value)}
        dtype = kept.get("dtype")
        return {**kept, "dtype": dtypes.canonical(dtype)} if isinstance(dtype, str) else kept
    return [_bare(item) for item in value] if isinstance(value, list) else value


def _shapes(value: Any) -> Iterator[list[int]]:
    if isinstance(value, dict):
        if "shape" in value and "dtype" in value:
            yield value.get("storage_shape") or value["shape"]
        else:
            for item in value.values():
                yield from _shapes(item)
    elif isinstance(value, list):
        for item in value:
            yield from _shapes(item)
