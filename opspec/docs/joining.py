"""Rules that require the same, on one condition or another, as one rule that a page says."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence

from opspec.docs.covering import any_of
from opspec.docs.saying import Sayings
from opspec.language import tree
from opspec.language.normal import normal
from opspec.language.text import write
from opspec.model.definition import RuleDef
from opspec.vocabulary.enforcement import CONTRADICTED

Required = tuple[str, bool, bool]  #: the normal form of what a rule requires; whether it was observed; contradicted


def as_one(rules: Iterable[RuleDef], sayings: Sayings) -> list[RuleDef]:
    """The rules, those that require the same as one rule under one condition, where there is such a condition: first
    all of them, else those with one mark.

    What was observed goes without saying where a page requires the same whenever it counts.
    """
    found: list[RuleDef] = []
    asked = [(rule, _requires(rule, sayings)) for rule in rules]
    for group in _in_groups(_news(asked, sayings)):
        whole = _joined(group, sayings)
        parts = [] if whole else _in_groups((rule, sayings.mark(rule)) for rule in group)
        found += whole or (one for part in parts for one in _joined(part, sayings) or part)
    return found


def _news(asked: Sequence[tuple[RuleDef, Required]], sayings: Sayings) -> Iterator[tuple[RuleDef, Required]]:
    """The rules without those that were observed and of which another, that a page has, says all."""
    for rule, required in asked:
        what, observed, _ = required
        others = [other for other, its in asked if its == (what, False, False)] if observed else []
        if not any(_is_within(rule, other, sayings) for other in others):
            yield rule, required


def _is_within(rule: RuleDef, other: RuleDef, sayings: Sayings) -> bool:
    """Whether a rule counts only where another one does."""
    when, wider = sayings.parts(rule)[0], sayings.parts(other)[0]
    found = (None,) if wider is None else any_of((when, wider), sayings.definition, sayings.domains)
    return found is not None and _text(found[0]) == _text(wider)


def _text(condition: tree.Node | None) -> str:
    return "" if condition is None else write(normal(condition))


def _in_groups(rules: Iterable[tuple[RuleDef, Hashable]]) -> list[list[RuleDef]]:
    """Rules by what each is given with."""
    found: dict[Hashable, list[RuleDef]] = {}
    for rule, key in rules:
        found.setdefault(key, []).append(rule)
    return [*found.values()]


def _requires(rule: RuleDef, sayings: Sayings) -> Required:
    """What rules have in common that a page may say as one: of one that is said as its author does, its id."""
    contradicted = CONTRADICTED in sayings.enforcement(rule).anywhere
    what = write(normal(sayings.parts(rule)[1])) if sayings.is_of_trees(rule) else f"rule {rule.id}"
    return what, sayings.is_observed(rule), contradicted


def _joined(rules: Sequence[RuleDef], sayings: Sayings) -> list[RuleDef]:
    """What stands for rules that require the same; nothing where none can."""
    if len(rules) == 1:
        return []
    found = any_of((sayings.parts(rule)[0] for rule in rules), sayings.definition, sayings.domains)
    return [] if found is None else [sayings.joined(rules, *found)]
