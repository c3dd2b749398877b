"""Rules that require the same, on one condition or another, as one rule that a page says."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence

from opspec.docs.covering import any_of
from opspec.docs.saying import Sayings
from opspec.language.normal import normal
from opspec.language.text import write
from opspec.model.definition import RuleDef
from opspec.vocabulary.enforcement import CONTRADICTED


def as_one(rules: Iterable[RuleDef], sayings: Sayings) -> list[RuleDef]:
    """The rules, those that require the same as one rule under one condition, where there is such a condition: first
    all of them, else those with one mark."""
    found: list[RuleDef] = []
    for group in _in_groups(rules, lambda rule: _requires(rule, sayings)):
        whole = _joined(group, sayings)
        parts = [] if whole else _in_groups(group, sayings.mark)
        found += whole or (one for part in parts for one in _joined(part, sayings) or part)
    return found


def _in_groups(rules: Iterable[RuleDef], key: Callable[[RuleDef], Hashable]) -> list[list[RuleDef]]:
    found: dict[Hashable, list[RuleDef]] = {}
    for rule in rules:
        found.setdefault(key(rule), []).append(rule)
    return [*found.values()]


def _requires(rule: RuleDef, sayings: Sayings) -> Hashable:
    """What rules have in common that a page may say as one: of one that is said as its author does, its id."""
    if not sayings.is_of_trees(rule):
        return rule.id
    contradicted = CONTRADICTED in sayings.enforcement(rule).anywhere
    return write(normal(sayings.parts(rule)[1])), sayings.is_observed(rule), contradicted


def _joined(rules: Sequence[RuleDef], sayings: Sayings) -> list[RuleDef]:
    """What stands for rules that require the same; nothing where none can."""
    if len(rules) == 1:
        return []
    found = any_of((sayings.parts(rule)[0] for rule in rules), sayings.definition, sayings.domains)
    return [] if found is None else [sayings.joined(rules, *found)]
