"""The example of a page: a legal call's arguments, and what opspec says of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from opspec.docs.saying import Sayings
from opspec.model.definition import Definition
from opspec.model.example import example_of
from opspec.registry.registry import Form
from opspec.registry.uncompiled import uncompiled
from opspec.validator.arguments import arguments
from opspec.validator.judge import judge, judge_by_interpreter
from opspec.vocabulary import products

#: what the JSON form of a tensor may say beside its shape, dtype and format
_LAYOUT = ("strides", "offset", "storage_shape", "storage_format", "values")


@dataclass(frozen=True, slots=True)
class Example:
    """A call.

    Args:
        args: param, what is passed.
        null: params for which null is.
        verdict: what opspec says of it.
    """

    product: str
    args: tuple[tuple[str, str], ...]
    null: tuple[str, ...]
    verdict: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What opspec says of an example, in no language."""

    legal: bool
    code: int
    status: str


def outcome(definition: Definition, form: Form | None = None) -> Outcome | None:
    """What opspec says of an operator's example; None where its spec has none.

    Args:
        form: its compiled form, where a registry has one; without, its rules are interpreted.
    """
    if definition.spec.example is None:
        return None
    product, given = example_of(definition)
    judged, form = (judge, form) if form is not None else (judge_by_interpreter, uncompiled(definition))
    verdict = judged(form, arguments(definition.name, form.params, given), *products.resolve(product or "910b"))
    return Outcome(verdict.legal, verdict.code, verdict.status)


def example(sayings: Sayings, found: Outcome | None) -> Example | None:
    """The example of an operator, of which opspec says what was found."""
    definition = sayings.definition
    if definition.spec.example is None or found is None:
        return None
    product, given = example_of(definition)
    names = [param.name for param in definition.params]
    args = tuple((name, _shown(given[name], sayings)) for name in names if given.get(name) is not None)
    null = tuple(name for name in names if given.get(name) is None)
    word = "verdict_legal" if found.legal else "verdict_illegal"
    verdict = sayings.words[word].format(f"{found.status} ({found.code})")
    return Example(sayings.products([product]) if product else "", args, null, verdict)


def _shown(value: Any, sayings: Sayings) -> str:
    """An argument as people write it: dtype and shape of a tensor, anything else as JSON."""
    null = sayings.words["null"]
    if value is None:
        return null
    if isinstance(value, dict) and isinstance(value.get("tensor"), dict):
        return _tensor(value["tensor"], sayings)
    if isinstance(value, dict) and isinstance(value.get("tensor_list"), list):
        items = [null if item is None else _tensor(item, sayings) for item in value["tensor_list"]]
        return f"[{'; '.join(items)}]"
    if isinstance(value, dict) and isinstance(value.get("scalar"), dict):
        scalar = value["scalar"]
        return f"{scalar.get('dtype', '')} {_json(scalar.get('value'))}"
    if isinstance(value, dict) and len(value) == 1:
        return _json(next(iter(value.values())))
    return _json(value)


def _tensor(tensor: dict[str, Any], sayings: Sayings) -> str:
    dims = ", ".join(map(str, tensor.get("shape", ())))
    parts = [f"{tensor.get('dtype', '')} [{dims}]"]
    if tensor.get("format", "ND") != "ND":
        parts.append(str(tensor["format"]))
    parts += [f"{key} = {_json(tensor[key])}" for key in _LAYOUT if key in tensor]
    return sayings.words["comma"].join(parts)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
