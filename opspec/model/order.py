"""The order in which a first phase comes to an operator's rules: its checks step by step, then what comes behind them.

Which of these refuses a call that breaks a rule is what evidence says, else where the page says that it is checked.
"""

from __future__ import annotations

from opspec.model.definition import Definition, RuleDef
from opspec.model.enforcement import enforcement, remember
from opspec.vocabulary.literals import STAGES, STEPS


def in_order(definition: Definition) -> Definition:
    """The definition with its rules in order, each with the stage that refuses what breaks it."""
    found = [(rule, enforcement(rule, definition)) for rule in definition.rules]
    known = [(rule if rule.refused_at == each.stage else rule.but(refused_at=each.stage), each) for rule, each in found]
    ordered = definition.in_order(tuple(sorted((rule for rule, _ in known), key=_place)))
    remember(ordered, known)
    return ordered


def _place(rule: RuleDef) -> tuple[int, bool, int]:
    stage = STAGES.index(rule.seen_at) if rule.is_behind else 0
    return stage, rule.is_behind, STEPS.index(rule.step)
