"""Calls that nobody has seen judged: each breaks one rule of which only the general default says anything."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from opspec.calls.examples.breaking import breaking
from opspec.calls.examples.call import Call, example, to_json
from opspec.calls.examples.legal import COMMON
from opspec.model.definition import Definition, RuleDef
from opspec.model.enforcement import enforcement
from opspec.registry.registry import Form, Registry
from opspec.vocabulary import products
from opspec.workshop.conformance.seen import FIRST_STAGES

# Of null pointers the default is nearly always right: nothing is asked of them.


def questions(registry: Registry, definitions: Iterable[Definition], most: int) -> list[dict[str, Any]]:
    """Up to ``most`` calls with a ``why`` each: a rule of every operator first, then a second one, and so on."""
    asked = [list(_of(registry.form(one.name, one.spec.release), one)) for one in definitions]
    rounds = max(map(len, asked), default=0)
    turns = (found[turn] for turn in range(rounds) for found in asked if turn < len(found))
    return list(islice(turns, most))


def _of(form: Form, definition: Definition) -> Iterator[dict[str, Any]]:
    start = example(form)
    if start is None or definition.spec.generated_from is not None or definition.spec.example is None:
        return
    named = definition.spec.example.product or COMMON
    for rule in definition.rules:
        if (
            rule.kind != "null"
            and rule.stage in FIRST_STAGES
            and rule.basis != "observed"
            and enforcement(rule, definition).assumed
        ):
            call = next(breaking(definition, form, *products.resolve(named), start, rule), None)
            if call is not None:
                yield _question(definition, rule, named, call)


def _question(definition: Definition, rule: RuleDef, product: str, call: Call) -> dict[str, Any]:
    kinds = {param.name: param.kind for param in definition.params}
    taken = enforcement(rule, definition).usual
    why = f"only {rule.id} is broken: no recorded call shows whether the first phase looks at it; taken to be {taken}"
    return {
        "op": definition.name, "release": definition.spec.release, "product": product, "args": to_json(call, kinds),
        "why": why,
    }  # fmt: skip
