"""Small specs for tests: a head that every spec needs, and what the test is about."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import replace

from opspec.language.text import write
from opspec.model.definition import Definition
from opspec.model.evidence import Witnesses
from opspec.model.expand import recorded
from opspec.model.load import load_text
from opspec.model.names import Names
from opspec.model.order import in_order
from opspec.registry.compile import compile_operator
from opspec.registry.registry import Form

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.model.evidence import Evidence

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
    found = definition(body).rules
    return {
        rule.id: (None if rule.when is None else write(rule.when), write(rule.check))
        for rule in found
        if rule.id != "product"
    }


def form(body: str, number: int = 0, evidence: Evidence | None = None, recorded_elsewhere: bool = False) -> Form:
    """The compiled form of the spec's first operator, or its twin, with what machines recorded of its rules."""
    namespace: dict[str, object] = {}
    found = load_text(spec(body), "x.yaml").definitions[number]
    calls = Witnesses(elsewhere=evidence or {}) if recorded_elsewhere else Witnesses(own=evidence or {})
    known = replace(found, rules=recorded(found.rules, calls))
    source = compile_operator(in_order(known)).source
    exec(compile(source, "<x>", "exec"), namespace)  # noqa: S102 - generated from typed trees
    return Form(namespace)


def written_in(body: str) -> Callable[[str], str]:
    """How an expression over the params of this spec is written back."""
    defined = definition(body)
    names = Names(defined.params, defined.lets, {})
    return lambda text: write(names.typed(text, ()))
