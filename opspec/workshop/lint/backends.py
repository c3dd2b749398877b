"""Check that every back end has a form for a rule."""

from __future__ import annotations

from opspec.codegen.rules.operator import inexpressible
from opspec.model.definition import Definition
from opspec.workshop.lint.subject import Fault, Found, of_each


@of_each
def in_c(_: object, definition: Definition) -> Found:
    """A rule that types may still have no form in C, such as a ``range()`` that no comprehension goes through.

    Python and JavaScript have a form for whatever types.
    """
    for rule, what in inexpressible(definition):
        yield Fault(rule.path, rule.id, f"the rule {rule.id!r} has no form in C: {what}", definition.name)
