"""The example of a spec that was carried to another release: as it is where it is legal there, else another one."""

from __future__ import annotations

from typing import Any

from opspec.calls.examples.call import Call, example
from opspec.calls.examples.legal import COMMON, legal_calls
from opspec.errors import OpspecError
from opspec.model.definition import Definition
from opspec.model.example import example_of
from opspec.registry.registry import Form, form_of
from opspec.validator.judge import judge
from opspec.vocabulary import products


def legal_example(definition: Definition) -> dict[str, Any] | None:
    """Product and arguments of a call that is legal; None where the spec's own is, or no other was found.

    The spec's own arguments are kept where another product takes them.
    """
    form = form_of(definition)
    try:
        call = example(form)
    except OpspecError:  # it lacks a param that must be given here
        call = None
    if call is not None:
        product, args = example_of(definition)
        if _is_legal(form, call, product or COMMON):
            return None
        for name, support in form.support.items():
            if support == "yes" and _is_legal(form, call, name):
                return {"product": name, "args": args}
    found = next(legal_calls(definition, form), None)
    return None if found is None else {"product": found["product"], "args": found["args"]}


def _is_legal(form: Form, call: Call, product: str) -> bool:
    verdict = judge(form, tuple(call.values()), *products.resolve(product))
    return verdict.legal and verdict.support == "yes"
