"""How far calls came that break a rule alone, and what most of them met."""

from __future__ import annotations

from operator import add
from typing import NamedTuple

from opspec.vocabulary import status
from opspec.vocabulary.enforcement import REFUSED, UNKNOWN
from opspec.vocabulary.literals import Enforcement as Outcome
from opspec.vocabulary.literals import Stage

REFUSED_WRONGLY = 2  # how much a wrong refusal weighs against a miss: it costs a user's trust
CLEARLY = 2  # how many times as many calls as others those must be that speak for another operator


class Ends(NamedTuple):
    """How far calls came that break rules alone.

    Args:
        refused: by the checks, with the status of the rule.
        inner: by the checks or shape inference, with one of 561xxx.
        lookup: by the lookup of a generated interface, which returns 161002, also behind one written by hand.
        kernel: by another kernel lookup.
        tiling: by tiling.
        through: not at all, to the end of the first phase.
        passed: not by the checks; what comes behind is not known.
    """

    refused: int = 0
    inner: int = 0
    lookup: int = 0
    kernel: int = 0
    tiling: int = 0
    through: int = 0
    passed: int = 0

    @property
    def behind(self) -> int:
        """Those that the checks let pass and what comes behind refused."""
        return self.lookup + self.kernel + self.tiling

    @property
    def are_refused(self) -> bool:
        """Whether the checks are taken to refuse them."""
        return self.refused + self.inner > REFUSED_WRONGLY * (self.behind + self.through + self.passed)

    @property
    def are_clear(self) -> bool:
        """Whether the checks clearly do one thing: refuse them or let them pass."""
        passed = self.behind + self.through + self.passed
        return self.are_refused or passed > CLEARLY * (self.refused + self.inner)

    @property
    def are_refused_behind(self) -> bool:
        """Whether kernel lookup or tiling refuses most of those that the checks let pass."""
        return self.behind > self.through

    @property
    def past_checks(self) -> Ends:
        """Those of them that the checks let pass."""
        return self._replace(refused=0, inner=0)

    @property
    def are_clear_behind(self) -> bool:
        """Whether those that the checks let pass clearly met one thing: a refusal or none."""
        fewer, more = sorted((self.behind, self.through))
        return more > CLEARLY * fewer

    def plus(self, other: Ends) -> Ends:
        """Both together."""
        return Ends._make(map(add, self, other))

    def without(self, other: Ends) -> Ends:
        """Those of them that are not the other's."""
        return Ends(*(max(mine - theirs, 0) for mine, theirs in zip(self, other, strict=True)))

    @property
    def usual(self) -> Met:
        """What most of them are taken to meet."""
        if self.are_refused:
            return Met(REFUSED, None, status.INNER_NULLPTR if self.inner > self.refused else 0)
        if not self.are_refused_behind:
            return Met(UNKNOWN)
        behind = (self.tiling, BY_TILING), (self.lookup, BY_LOOKUP), (self.kernel, _KERNEL)
        return max(behind, key=lambda one: one[0])[1]


class Met(NamedTuple):
    """What becomes of calls that break a rule: the outcome, the stage that refuses them where it is not the rule's own,
    and the number of the status, 0 for the rule's own."""

    outcome: Outcome
    stage: Stage | None = None
    status: int = 0

    @property
    def by_checks(self) -> bool:
        """Whether the checks refuse them."""
        return self.outcome == REFUSED and self.stage is None

    @property
    def words(self) -> str:
        """As the table of defaults says it: ``refused by tiling 561002``."""
        number = f" {self.status}" if self.status else ""
        return f"{self.outcome} by {self.stage}{number}" if self.stage else f"{self.outcome}{number}"


BY_TILING = Met(REFUSED, "tiling", status.TILING_ERROR)
BY_LOOKUP = Met(REFUSED, "kernel", status.INVALID)
_KERNEL = Met(REFUSED, "kernel", status.INNER_NULLPTR)

NOTHING = Ends()
