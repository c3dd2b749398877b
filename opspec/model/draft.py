"""A rule as a spec writes it, before its expressions are read, and what of it stays as it was written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

Path = tuple[str | int, ...]


class AlternativeText(NamedTuple):
    """An alternative of a scenario.

    Args:
        words: what sentences call it, in English and Chinese.
        parts: (name, check) pairs.
    """

    id: str
    words: tuple[str, str]
    when: str | None
    parts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleBase:
    """What is known of a rule whether its expressions have been read or not.

    Args:
        id: its name within the operator.
        kind: what the general default for enforcement goes by.
        path: where in the spec it stems from; a column of its trees counts from there.
        param: the param that a finding is about.
        sources: places of the clauses that it formalises.
        enforced: whether the runtime refuses a call that breaks it, where the author knows.
        evidence: the author's words on that, or on what an observed rule rests on.
        say: the author's own sentence, in English and in Chinese, names of params in backticks.
        fails: the author's own words for what a call does that breaks it, likewise.
        in_row: a row of return codes is about it.
    """

    id: str
    kind: str
    path: Path
    param: str | None = None
    enforced: str | None = None
    basis: str = "documented"
    evidence: tuple[str, str] | None = None
    say: tuple[str, str] | None = None
    fails: tuple[str, str] | None = None
    contradicts: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    in_row: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft(RuleBase):
    """A rule in text; what is None was not said, and :mod:`opspec.model.expand` fills it in."""

    check: str
    when: str | None = None
    step: str | None = None
    status: str | None = None
    stage: str | None = None
    alternatives: tuple[AlternativeText, ...] = ()
