"""A rule as a spec has it, before what it leaves out is filled in, and what of it stays as it was."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

from opspec.language import tree
from opspec.vocabulary.literals import Basis, Kind, Stage, Status, Step, Support

Path = tuple[str | int, ...]
R = TypeVar("R", bound="RuleBase")


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way of satisfying a scenario: where ``when`` holds, all parts hold together.

    Args:
        words: what sentences call it, in English and Chinese.
        parts: (name, check) pairs.
    """

    id: str
    words: tuple[str, str]
    when: tree.Node | None
    parts: tuple[tuple[str, tree.Node], ...]

    @property
    def checks(self) -> tuple[tree.Node, ...]:
        """What holds together."""
        return tuple(check for _, check in self.parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleBase:
    """What is known of a rule from the start.

    Args:
        id: its name within the operator.
        kind: what the general default for enforcement goes by.
        path: where in the spec it stems from; a column of its trees counts from there.
        check: what must hold.
        when: the condition under which it must.
        param: the param that a finding is about.
        sources: places of the clauses that it formalises.
        enforced: whether the runtime refuses a call that breaks it, where the author knows.
        evidence: the author's words on that, or on what an observed rule rests on.
        say: the author's own sentence, in English and in Chinese, names of params in backticks.
        fails: the author's own words for what a call does that breaks it, likewise.
        in_row: a row of return codes is about it.
        alternatives: of a scenario.
    """

    id: str
    kind: Kind
    path: Path
    check: tree.Node
    when: tree.Node | None = None
    param: str | None = None
    enforced: Support | None = None
    basis: Basis = "documented"
    evidence: tuple[str, str] | None = None
    say: tuple[str, str] | None = None
    fails: tuple[str, str] | None = None
    contradicts: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    in_row: bool = False
    alternatives: tuple[Alternative, ...] = ()

    def but(self: R, **changes: Any) -> R:
        """The rule with other values: ``dataclasses.replace`` in a quarter of its time, of which a spec asks often."""
        kind: Any = type(self)
        values, puts = _copying(kind)
        made: R = object.__new__(kind)
        for put, value in zip(puts, values(self), strict=True):
            put(made, value)
        for name, value in changes.items():
            object.__setattr__(made, name, value)
        return made


@cache
def _copying(kind: Any) -> tuple[Any, tuple[Any, ...]]:
    """What gives the values of a rule of some kind, and what each of them is put into another one with."""
    names = [field.name for field in fields(kind)]
    return attrgetter(*names), tuple(getattr(kind, name).__set__ for name in names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft(RuleBase):
    """A rule of which some may not be said: what is None :mod:`opspec.model.expand` fills in."""

    step: Step | None = None
    status: Status | None = None
    stage: Stage | None = None
