"""Check of the example call."""

from __future__ import annotations

from opspec.errors import OpspecError
from opspec.model.definition import Definition
from opspec.model.example import example_of
from opspec.registry.registry import form_of
from opspec.validator.arguments import arguments
from opspec.validator.judge import judge
from opspec.vocabulary import products
from opspec.workshop.lint.subject import Fault, Found, Subject


def example(subject: Subject) -> Found:
    """The example is one legal call, with nothing to warn of: pages, stubs and generated cases start from it.

    It is wanted once every clause has its rules: nobody can vouch for a call while one is open.
    """
    spec = subject.loaded.spec
    if spec.example is None:
        if spec.partial is None and not any(clause.not_yet for clause in subject.loaded.clauses):
            yield Fault(("operator",), "example", "the spec has no example; 'opspec example --write' makes one")
        return
    for definition in subject.definitions:
        try:
            yield from _judged(definition)
        except OpspecError as error:
            message = f"the example of {definition.name} cannot be judged: {error}"
            yield Fault(("example",), "example", message, definition.name)


def _judged(definition: Definition) -> Found:
    form = form_of(definition)
    product, args = example_of(definition)
    typed = arguments(definition.name, form.params, args)
    verdict = judge(form, typed, *products.resolve(product or "910b"))
    for finding in (*verdict.violations, *verdict.warnings):
        message = f"the example of {definition.name} is not clean: {finding.message} ({finding.rule})"
        yield Fault(("example",), finding.rule, message, definition.name)
