"""Counts over recorded calls beside their verdicts, and where the two differ, by rule and by what was changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from opspec.workshop.conformance.seen import SUCCESS, Seen

UNCHANGED = ("base", "legal", "example")  # what records call calls that somebody made: "base of 910b" is one, too


@dataclass(slots=True)
class Difference:
    """Calls that differ for one reason.

    Args:
        reason: the operator, what happened, and the rules that it hangs on.
        calls: how many.
        changes: how they were made, and how many so.
        example: one of them.
    """

    reason: tuple[str, str, str, tuple[str, ...]]  # operator, expected, predicted, rules
    calls: int
    changes: Counter[str]
    example: Seen

    def to_dict(self) -> dict[str, object]:
        """As JSON values."""
        op, expected, predicted, rules = self.reason
        return {
            "op": op, "expected": expected, "predicted": predicted, "rules": list(rules), "calls": self.calls,
            "changes": dict(self.changes.most_common()), "example": self.example.name,
            "product": self.example.product, "message": self.example.message,
        }  # fmt: skip


@dataclass(slots=True)
class Agreement:
    """Counts over recorded calls."""

    judged: Counter[str] = field(default_factory=Counter)  # by operator
    agreed: Counter[str] = field(default_factory=Counter)
    confusion: Counter[tuple[str, str]] = field(default_factory=Counter)  # (expected, predicted)
    unknown: Counter[str] = field(default_factory=Counter)  # operators that the registry does not have
    whole: int = 0  # calls that the runtime accepts as they are, none of them made by changing another
    whole_refused: int = 0  # of those, predicted to be refused
    whole_illegal: int = 0  # of those, that break a rule, be it one that the runtime does not look at
    differences: dict[tuple[str, str, str, tuple[str, ...]], Difference] = field(default_factory=dict)

    def add(self, call: Seen) -> None:
        """Count a call."""
        self.judged[call.op] += 1
        self.confusion[call.expected, call.predicted] += 1
        if call.change.split(" of ")[0] in UNCHANGED and call.accepted:
            self.whole += 1
            self.whole_refused += not call.agrees
            self.whole_illegal += not call.legal
        if call.agrees:
            self.agreed[call.op] += 1
            return
        reason = (call.op, call.expected, call.predicted, call.refused or call.broken)
        known = self.differences.get(reason)
        if known is None:
            known = self.differences[reason] = Difference(reason, 0, Counter(), call)
        known.calls += 1
        known.changes[call.change or "as recorded"] += 1

    def merge(self, other: Agreement) -> None:
        """Count what another one counted of other operators."""
        for mine, theirs in (
            (self.judged, other.judged), (self.agreed, other.agreed), (self.unknown, other.unknown),
        ):  # fmt: skip
            mine.update(theirs)
        self.confusion.update(other.confusion)
        self.whole += other.whole
        self.whole_refused += other.whole_refused
        self.whole_illegal += other.whole_illegal
        self.differences.update(other.differences)

    @property
    def total(self) -> int:
        """Calls that were judged."""
        return self.judged.total()

    @property
    def exact(self) -> float:
        """Share of judged calls whose status was predicted exactly."""
        return self.agreed.total() / self.total if self.total else 1.0

    @property
    def false_alarms(self) -> float:
        """Share of the calls that the runtime accepted that were predicted to be refused."""
        expected = sum(count for (wanted, _), count in self.confusion.items() if wanted == SUCCESS)
        refused = sum(count for (wanted, found), count in self.confusion.items() if wanted == SUCCESS != found)
        return refused / expected if expected else 0.0

    @property
    def without_difference(self) -> int:
        """Operators that were right on all their calls."""
        return sum(self.agreed[op] == count for op, count in self.judged.items())

    def sorted(self) -> list[Difference]:
        """The differences, what most calls hang on first."""
        return sorted(self.differences.values(), key=lambda one: (-one.calls, one.reason))

    def to_dict(self) -> dict[str, object]:
        """As JSON values."""
        return {
            "judged": self.total,
            "exact": round(self.exact, 4),
            "false_alarms": round(self.false_alarms, 4),
            "whole_calls": {"calls": self.whole, "refused": self.whole_refused, "illegal": self.whole_illegal},
            "operators_without_difference": self.without_difference,
            "not_in_registry": self.unknown.total(),
            "operators": {op: [self.agreed[op], count] for op, count in sorted(self.judged.items())},
            "confusion": [[wanted, found, count] for (wanted, found), count in sorted(self.confusion.items())],
            "differences": [one.to_dict() for one in self.sorted()],
        }


def measured(calls: Iterable[Seen]) -> Agreement:
    """The counts over calls."""
    result = Agreement()
    for call in calls:
        result.add(call)
    return result
