"""Where a call is legal that is illegal here: on another product, or as a call of another version of the operator."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from opspec.assist.repair.changes import WEIGHTS, Change
from opspec.assist.repair.search import Found
from opspec.calls.examples.call import Call, fresh
from opspec.calls.examples.legal import example
from opspec.errors import OpspecError
from opspec.model.definition import Definition
from opspec.registry.registry import Form, Registry, definition_of
from opspec.validator.api import on_all
from opspec.validator.judge import judge

_VERSION = re.compile(r"(?:V(\d+))?$")


def other_products(form: Form, call: Call, product: str | None) -> Iterator[tuple[str, Found]]:
    """The products on which the call is legal as it is, each with what changes."""
    for name, verdict in on_all(form, tuple(call.values()), "en"):
        if name != product and verdict.legal and verdict.support == "yes":
            yield name, Found(call, (Change((), "product", product, name),), WEIGHTS["product"])


def other_versions(
    known: Registry, definition: Definition, call: Call, product: str | None, member: str | None
) -> Iterator[tuple[str, Found]]:
    """The other versions of the operator by which the call is legal, each with what changes."""
    for operator in versions(known, definition.name, definition.spec.release):
        entry = known.find(operator, definition.spec.release)
        try:
            other, form = definition_of(entry), known.form(operator, entry.release)
        except OpspecError:
            continue  # a folder of one's own may hold a spec that is not sound
        new, invented = _carried(call, definition, other, form)
        dropped = [name for name, value in call.items() if name not in new and value is not None]
        if judge(form, tuple(new.values()), product, member).legal and form.case(product, member).support == "yes":
            changes = [Change((), "operator", definition.name, operator)]
            changes += [Change((name,), "without", call[name], None) for name in dropped]
            changes += [Change((name,), "given", None, new[name]) for name in invented]
            yield operator, Found(new, tuple(changes), WEIGHTS["operator"] + 0.3 * len((*invented, *dropped)))


@functools.lru_cache(maxsize=256)
def versions(known: Registry, operator: str, release: str) -> tuple[str, ...]:
    """The other versions of an operator, the newest first."""
    stem = _VERSION.sub("", operator, count=1)
    others = [name for name in known.entries(release) if name != operator and _VERSION.sub("", name, count=1) == stem]
    return tuple(sorted(others, key=_number, reverse=True))


def _number(operator: str) -> int:
    found = _VERSION.search(operator)
    return int(found[1]) if found is not None and found[1] else 1


def _carried(call: Call, given: Definition, other: Definition, form: Form) -> tuple[Call, list[str]]:
    """The arguments under the other version's names, and those that had to be invented: null, or as in its example."""
    shown = example(other, form) or {}
    kinds = {param.name: (param.kind, param.low, param.high) for param in given.params}
    new: Call = {}
    invented = []
    for param in other.params:
        if kinds.get(param.name) == (param.kind, param.low, param.high):
            new[param.name] = call[param.name]
        elif param.nullable and param.pointer:
            new[param.name] = None
        else:
            new[param.name] = shown.get(param.name, fresh(param.kind))
            invented.append(param.name)
    return new, invented
