"""Where a call is legal that is illegal here: on another product, or as a call of another version of the operator."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from opspec.assist.repair.changes import WEIGHTS, Change
from opspec.assist.repair.search import Found
from opspec.calls.examples.call import Call, example, fresh
from opspec.errors import OpspecError
from opspec.registry.registry import Form, Registry
from opspec.validator.api import on_all
from opspec.validator.judge import judge

_VERSION = re.compile(r"(?:V(\d+))?$")


def other_products(form: Form, call: Call, product: str | None) -> Iterator[tuple[str, Found]]:
    """The products on which the call is legal as it is, each with what changes."""
    for name, verdict in on_all(form, tuple(call.values()), "en"):
        if name != product and verdict.legal and verdict.support == "yes":
            yield name, Found(call, (Change((), "product", product, name),), WEIGHTS["product"])


def other_versions(
    known: Registry, given: Form, call: Call, product: str | None, member: str | None
) -> Iterator[tuple[str, Found]]:
    """The other versions of the operator by which the call is legal, each with what changes."""
    for operator in versions(known, given.operator, given.release):
        try:
            form = known.form(operator, given.release)
            new, invented = _carried(call, given, form)
        except OpspecError:
            continue  # a folder of one's own may hold a spec that is not sound
        dropped = [name for name, value in call.items() if name not in new and value is not None]
        if judge(form, tuple(new.values()), product, member).legal and form.case(product, member).support == "yes":
            changes = [Change((), "operator", given.operator, operator)]
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


def _carried(call: Call, given: Form, other: Form) -> tuple[Call, list[str]]:
    """The arguments under the other version's names, and those that had to be invented: null, or as in its example."""
    kinds = {name: (kind, low, high) for name, kind, _, _, _, low, high in given.params}
    new: Call = {}
    invented = []
    for name, kind, _, required, _, low, high in other.params:
        if kinds.get(name) == (kind, low, high):
            new[name] = call[name]
        elif not required:
            new[name] = None
        else:
            new[name] = fresh(kind)
            invented.append(name)
    if invented:
        shown = example(other) or {}
        new.update({name: shown[name] for name in invented if name in shown})
    return new, invented
