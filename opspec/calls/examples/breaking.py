"""Calls that break one rule and no other: what shows whether a first phase looks at it."""

from __future__ import annotations

from collections.abc import Iterator

from opspec.calls.examples.aim import aims
from opspec.calls.examples.call import Call, put
from opspec.language.interpret import Env
from opspec.model.definition import Definition, RuleDef
from opspec.registry.registry import Form
from opspec.validator.judge import judge

MOST_CHANGES = 40  # of one call that are tried for a rule


def breaking(
    definition: Definition, form: Form, product: str, member: str | None, start: Call, rule: RuleDef
) -> Iterator[Call]:
    """Calls that differ from a legal one by one change, and that break the rule alone."""
    params = {param.name: param for param in definition.params}
    env = Env(start, definition.lets, product, member)
    for number, change in enumerate(aims(rule.check, False, env)):
        if number == MOST_CHANGES:
            return
        call = put(start, *change, params)
        if call is None:
            continue
        verdict = judge(form, tuple(call[name] for name in params), product, member)
        if [finding.rule for finding in (*verdict.violations, *verdict.warnings)] == [rule.id]:
            yield call
