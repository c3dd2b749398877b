"""A figure of the benchmarks beside its target."""

from __future__ import annotations

import os
from dataclasses import dataclass

MARGIN = 3.0  # other work on a machine, and machines that differ
#: of the turns that what is compared takes: CI looks for what is beyond the margin alone, which fewer tell
SHARE = 3 if os.environ.get("CI") else 1


@dataclass(frozen=True, slots=True)
class Figure:
    """What was measured.

    Args:
        cost: for people: how long it takes.
        value: the ratio, or what is added.
        target: what it may come to at most; None where nothing is promised.
        least: the target is what it must come to at least.
    """

    what: str
    cost: str
    value: float
    unit: str
    target: float | None
    least: bool = False

    def beyond(self) -> bool:
        """Whether it misses its target by more than the margin."""
        if self.target is None:
            return False
        return self.value * MARGIN < self.target if self.least else self.value > self.target * MARGIN

    def __str__(self) -> str:
        target = "" if self.target is None else f"at {'least' if self.least else 'most'} {_number(self.target)}"
        return f"{self.what:<66} {self.cost:>9}  {_number(self.value):>6} {self.unit:<2} {target}".rstrip()


def _number(value: float) -> str:
    return f"{value:.1f}" if value < 20 else f"{value:.0f}"


def head() -> str:
    """The line above figures."""
    return f"{'':<66} {'cost':>9}  {'ratio':>6}    target"
