"""The table of sentence patterns: a statement in normal form yields rules.

A row serves many pages: it knows a wording, and makes the rules that the wording means from the params that the
statement names. Rows are tried in order, and a statement must match whole.
"""

from __future__ import annotations

import re

from opspec.workshop.importer import guards
from opspec.workshop.importer.draft import Draft, RuleDraft
from opspec.workshop.importer.normal import Normaliser
from opspec.workshop.importer.page import Scope
from opspec.workshop.importer.patterns import attributes, dims, equality, lengths, promotion
from opspec.workshop.importer.patterns.row import Pattern, look_up

TABLE: tuple[Pattern, ...] = (*equality.ROWS, *promotion.ROWS, *dims.ROWS, *lengths.ROWS, *attributes.ROWS)

_MOST_CONDITIONS = 2  # of one statement, one after the other
_MOST_PARTS = 4  # requirements of one statement, with commas between
_OPENS = re.compile(r"(?:当|如果|若)⟦|⟦\w+⟧[=＝]")
#: x可选,mode为2时…: what a param may be is said before when it must be given
_OPTIONAL = re.compile(r"(?<=⟧)(?:可选|选填)(?:参数|输入)?,(?=⟦)")
#: 与x的shape一致，为(N, C): letters after an equality repeat what it says
_SHAPE_AGAIN = re.compile(r"(?<=＝),Ⓢ?为?[\[(][^\[\]()]{0,80}[\])]$")
_PART = re.compile(r",(?:且|并且|同时|并)?|且(?=[ⓉⒻⓈⓇ⟦])")


def apply(draft: Draft, normaliser: Normaliser, text: str, own: str | None, scope: Scope = ()) -> list[RuleDraft]:
    """The rules that a statement yields; none when no pattern knows it.

    Args:
        own: the param that the statement is about when it names none itself.
        scope: the products that it is limited to.
    """
    return in_normal_form(draft, normaliser.normal(text, own), own, scope)


def in_normal_form(draft: Draft, normal: str, own: str | None, scope: Scope = ()) -> list[RuleDraft]:
    """The same for a statement in normal form."""
    guard = guards.products(scope) if scope else None
    rest = _OPTIONAL.sub("", normal, 1)
    if own is not None and rest.startswith(f"⟦{own}⟧") and _OPENS.match(rest, len(own) + 2):
        rest = rest[len(own) + 2 :]  # the condition names its own subject
    rest = _SHAPE_AGAIN.sub("", rest)
    for _ in range(_MOST_CONDITIONS + 1):
        whole = look_up(TABLE, draft, rest, conditional=guard is not None)
        if whole:
            return [_guarded(rule, guard) for rule in whole]
        cut = guards.split(rest)
        condition = guards.condition(draft, cut[0]) if cut else None
        if cut is None or condition is None:
            return _joined(draft, rest, guard)
        guard = condition if guard is None else f"{guard} and {condition}"
        rest = cut[1] if cut[1].startswith("⟦") or own is None else f"⟦{own}⟧{cut[1]}"
    return []


def _joined(draft: Draft, text: str, guard: str | None) -> list[RuleDraft]:
    """Several requirements with commas between: each must be known, or nothing is concluded."""
    parts = [part for part in _PART.split(text, _MOST_PARTS) if part]
    if not 1 < len(parts) <= _MOST_PARTS:
        return []
    subject = re.match(r"⟦\w+⟧", text)
    made: list[RuleDraft] = []
    for part in parts:
        whole = part if part.startswith("⟦") or subject is None else subject[0] + part
        rules = look_up(TABLE, draft, whole, conditional=guard is not None)
        if not rules:
            return []
        made += rules
    return [_guarded(rule, guard) for rule in made]


def _guarded(rule: RuleDraft, guard: str | None) -> RuleDraft:
    if guard is not None:
        rule.when = guard if rule.when is None else f"{guard} and {rule.when}"
    return rule
