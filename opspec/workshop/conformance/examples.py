"""Examples for specs that have none: of the recorded calls that succeed, the smallest that is called legal."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from opspec.errors import OpspecError
from opspec.model.canonical import canonical
from opspec.model.definition import Definition
from opspec.model.example import short
from opspec.model.load import load_file, load_text
from opspec.registry.registry import Registry
from opspec.validator.api import resolved
from opspec.validator.arguments import arguments
from opspec.validator.files import BrokenCall
from opspec.validator.judge import judge
from opspec.validator.read import Call
from opspec.vocabulary import status
from opspec.workshop.conformance.seen import SUCCESS
from opspec.yamltext import read_file, write

MOST_ELEMENTS = 2**20  # of all tensors together: a program with more is no example
MOST_TENSORS = 16
_LEFT_OUT = ("values", "range")  # what a test fills tensors with says nothing about the call


def examples(registry: Registry, calls: Iterable[Call | BrokenCall], release: str | None) -> Iterator[tuple[Path, str]]:
    """(spec file, its new text) for every spec without an example that a recorded call can be the example of.

    Raises:
        OpspecError: a record is broken, or a spec cannot be read.
    """
    best: dict[str, tuple[int, str, dict[str, Any]]] = {}
    for call in calls:
        if isinstance(call, BrokenCall):
            raise call.error
        found = _candidate(registry, call, release)
        if found is not None and (call.op not in best or found[0] < best[call.op][0]):
            best[call.op] = found
    for operator, (_, product, args) in sorted(best.items()):
        path = Path(registry.find(operator, release).path)
        definition = load_file(str(path)).definitions[0]
        if definition.spec.example is None and definition.name == operator:
            text = with_example(definition, {"product": product, "args": args})
            load_text(text, str(path))
            yield path, text


def _candidate(registry: Registry, call: Call, release: str | None) -> tuple[int, str, dict[str, Any]] | None:
    """(elements, product, arguments) of a call that succeeds and that the registry calls legal."""
    if call.expect is None or call.expect == "REJECT" or status.canonical(call.expect) != SUCCESS or not call.product:
        return None
    args = _bare(call.args)
    shapes = list(_shapes(args))
    elements = sum(map(math.prod, shapes))
    if elements > MOST_ELEMENTS or len(shapes) > MOST_TENSORS or any(0 in shape for shape in shapes):
        return None
    try:
        form = registry.form(call.op, release or call.release)
        verdict = judge(form, arguments(call.op, form.params, args), *resolved(call.product))
    except OpspecError:
        return None
    return (elements, call.product, args) if verdict.legal else None


def _bare(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _bare(item) for key, item in value.items() if not (key in _LEFT_OUT and "shape" in value)}
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


def with_example(definition: Definition, example: dict[str, Any]) -> str:
    """The text of an operator's spec file with another example, in its short notation."""
    path = definition.home or ""
    document = read_file(path)
    params = {param.name: param for param in definition.params}
    args = {name: short(value, params[name]) if name in params else value for name, value in example["args"].items()}
    value: Any = document.value
    value["example"] = _texts({**example, "args": args})
    return canonical(write(value, document.comments), path)


def _texts(value: Any) -> Any:
    """JSON values as a spec file has them: every scalar is text."""
    if isinstance(value, dict):
        return {key: _texts(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_texts(item) for item in value]
    if value is None:
        return None
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)
