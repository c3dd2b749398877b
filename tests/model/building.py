"""Small specs for tests: a head that every spec needs, and what the test is about."""

from __future__ import annotations

import textwrap

from opspec.model.definition import Definition
from opspec.model.load import load_text
from opspec.registry.compile import compile_operator
from opspec.registry.registry import Form

HEAD = """\
operator: aclnnX
release: 9.9
summary: {en: X, zh: X}
products: {910b: yes, A3: yes, 310p: no}
"""


def spec(body: str, head: str = HEAD) -> str:
    """The text of a spec with this body."""
    return head + textwrap.dedent(body)


def definition(body: str) -> Definition:
    """The definition of the spec's operator."""
    return load_text(spec(body), "x.yaml").definitions[0]


def rules(body: str) -> dict[str, tuple[str | None, str]]:
    """Rule id -> (guard, check), the product rule left out."""
    return {rule.id: (rule.when, rule.check) for rule in definition(body).rules if rule.id != "product"}


def form(body: str, number: int = 0) -> Form:
    """The compiled form of the spec's first operator, or its twin."""
    namespace: dict[str, object] = {}
    source = compile_operator(load_text(spec(body), "x.yaml").definitions[number])
    exec(compile(source, "<x>", "exec"), namespace)  # noqa: S102 - generated from typed trees
    return Form(namespace)
