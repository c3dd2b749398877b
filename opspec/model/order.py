"""The order in which a first phase comes to an operator's rules: its checks step by step, then what comes behind them.

Which of these refuses a call that breaks a rule is what evidence says, else where the page says that it is checked.
"""

from __future__ import annotations

from dataclasses import replace

from opspec.model.definition import Definition, RuleDef
from opspec.model.enforcement import enforcement
from opspec.vocabulary.literals import STAGES, STEPS


def in_order(definition: Definition) -> Definition:
    """The definition with its rules in order, each with the stage that refuses what breaks it."""
    rules = [replace(rule, refused_at=enforcement(rule, definition).stage) for rule in definition.rules]
    return replace(definition, rules=tuple(sorted(rules, key=_place)))


def _place(rule: RuleDef) -> tuple[int, int]:
    return (STAGES.index(rule.seen_at) if rule.is_behind else 0), STEPS.index(rule.step)
