"""Operators whose rules say the same: what is found by looking at these alone is found once for all of them.

Most releases of an operator differ in nothing but their pages and what was recorded of their rules.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from dataclasses import fields
from functools import lru_cache
from operator import attrgetter

from opspec.model.definition import Definition, RuleDef
from opspec.model.enforcement import enforcement
from opspec.model.stated import stated_of
from opspec.vocabulary.enforcement import CONTRADICTED

_KEPT = 64  # operators of which some definitions are kept
_MOST = 4  # of each
#: what of a rule says nothing of calls: where it stems from, and what becomes of calls that break it
_BESIDE = frozenset({"path", "sources", "evidence", "enforced", "recorded", "recorded_elsewhere", "refused_at"})
_says = attrgetter(*(field.name for field in fields(RuleDef) if field.name not in _BESIDE))
_of_spec = attrgetter("params", "products", "kernel")
_of_operator = attrgetter("params", "lets", "let_paths", "let_words")


def alike(definition: Definition) -> Definition:
    """The first definition of an operator that has the same params, products, derived values and rules in the same
    order, of which programs contradict the same: itself where there is none."""
    return definition.once(_alike)


def _alike(definition: Definition) -> Definition:
    known = _known(definition.name)
    found = next((other for other in known if _is_same(other, definition)), None)
    if found is None:
        known.append(definition)
    return found or definition


@lru_cache(maxsize=_KEPT)
def _known(_: str) -> deque[Definition]:
    """The latest definitions of an operator that differ."""
    return deque(maxlen=_MOST)


def _is_same(one: Definition, other: Definition) -> bool:
    if len(one.rules) != len(other.rules) or _of_operator(one) != _of_operator(other):
        return False
    if _of_spec(one.spec) != _of_spec(other.spec) or stated_of(one) != stated_of(other):
        return False
    return all(map(_is_same_rule, _law(one), _law(other)))


def _is_same_rule(one: tuple[RuleDef, Hashable], other: tuple[RuleDef, Hashable]) -> bool:
    (rule, doubt), (other_rule, other_doubt) = one, other
    same = rule.check is other_rule.check and rule.id == other_rule.id and doubt == other_doubt
    return same and _says(rule) == _says(other_rule)


def _law(definition: Definition) -> list[tuple[RuleDef, Hashable]]:
    """The rules, each with what programs contradict of it."""
    return definition.once(_doubts)


def _doubts(definition: Definition) -> list[tuple[RuleDef, Hashable]]:
    found = [(rule, enforcement(rule, definition).anywhere) for rule in definition.rules]
    return [(rule, (CONTRADICTED in ways, len(ways) == 1)) for rule, ways in found]
