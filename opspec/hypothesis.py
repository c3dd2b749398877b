"""Hypothesis strategies of calls; needs the ``hypothesis`` extra.

>>> from hypothesis import given
>>> import opspec
>>> from opspec.hypothesis import calls
>>> @given(calls("aclnnAdd", product="910b"))
... def test_add(call):
...     assert opspec.check(call["op"], product=call["product"], args=call["args"]).legal

What is drawn is a call as ``opspec check`` reads it. It shrinks to one of ``opspec cases OP``, the plainest first.
"""

from __future__ import annotations

import random
from functools import lru_cache
from typing import Any

from hypothesis import strategies as st

from opspec.calls.cases.made import Case, Cases, why
from opspec.calls.cases.wander import wandered
from opspec.errors import OpspecError, unknown
from opspec.registry.registry import definition_of, registry
from opspec.validator.api import resolved

__all__ = ["calls", "illegal"]

MOST_STEPS = 6  # changes between a case and what is drawn


def calls(
    op: str, *, product: str | None = None, release: str | None = None, specs: tuple[str, ...] = ()
) -> st.SearchStrategy[dict[str, Any]]:
    """Legal calls of an operator.

    Args:
        product: of all calls, in any spelling; None: whichever the cases are for.
        release: None: the newest that has the operator.
        specs: registry folders of your own, beside the built-in one.

    Raises:
        OpspecError: there is no such operator, release or product, or no legal call was found.
    """
    known = _known(op, product, release, specs)
    legal = known.legal()
    if not legal:
        raise OpspecError(f"no legal call of {op} was found")
    return _near(known, legal)


def illegal(
    op: str, rule: str | None = None, *, product: str | None = None, release: str | None = None,
    specs: tuple[str, ...] = (),
) -> st.SearchStrategy[dict[str, Any]]:  # fmt: skip
    """Calls that break one rule and no other, which ``x-breaks`` names.

    Args:
        rule: the rule's id; None: any that a call breaks alone.
        product, release, specs: as of :func:`calls`.

    Raises:
        OpspecError: there is no such operator or rule, or no call was found that breaks the rule alone.
    """
    return _near(*_breaking(_known(op, product, release, specs), op, rule))


class _Known:
    """The cases of an operator, made when they are first asked for."""

    def __init__(self, op: str, product: str | None, release: str | None, specs: tuple[str, ...]) -> None:
        known = registry(specs)
        entry = known.find(op, release)
        owner, member = resolved(product)
        self.definition = definition_of(entry)
        self.cases = Cases(self.definition, known.form(entry.operator, entry.release), member or owner)
        self._legal: list[Case] | None = None

    def legal(self) -> list[Case]:
        """Its legal cases."""
        if self._legal is None:
            self._legal = list(self.cases.legal())
        return self._legal


@lru_cache(maxsize=64)
def _known(op: str, product: str | None, release: str | None, specs: tuple[str, ...]) -> _Known:
    return _Known(op, product, release, specs)


def _breaking(known: _Known, op: str, rule: str | None) -> tuple[_Known, list[Case]]:
    if rule is not None and known.definition.rule(rule) is None:
        raise unknown("rule", rule, [one.id for one in known.definition.rules], said=f"{op} has no rule")
    known.cases.findings.clear()
    found = [case for case in known.cases.illegal(rule) if len(case.breaks) == 1]
    if not found:
        reasons = "; ".join(f"{one.rule.id}: {why(one)}" for one in known.cases.findings)
        raise OpspecError(f"no call of {op} breaks the rule alone ({reasons})")
    return known, found


@st.composite
def _near(draw: st.DrawFn, known: _Known, cases: list[Case]) -> dict[str, Any]:
    case = draw(st.sampled_from(cases))
    steps = draw(st.integers(0, MOST_STEPS))
    chance = random.Random(draw(st.integers(0, 2**32 - 1)))
    if steps:
        case = known.cases.like(case, wandered(known.cases.isolation, case.call, case.product, steps, chance))
    return case.record()
