"""The failures that a log tells of: lines that belong together, with the operator, the codes and the messages of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from opspec.assist.explain.lines import Line
from opspec.assist.explain.operators import Operators

APART = 200  # lines between two failures, unless something else parts them
MOST = 50  #: failures of a log that are told apart; further ones are counted
MOST_MESSAGES = 12  # of a failure


@dataclass(slots=True)
class Failure:
    """A failure.

    Attributes:
        operator: the operator, or None where the log does not say; ``unknown``: a name that no spec has.
        messages: what was said, in order.
        line: where it begins; ``times``: how often the same was told.
        frame: the last place in a Python program before it.
    """

    line: int
    operator: str | None = None
    unknown: str | None = None
    product: str | None = None
    frame: str | None = None
    statuses: list[str] = field(default_factory=list)
    classes: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    last: int = 0
    times: int = 1

    @property
    def same(self) -> object:
        """What two reports of one failure have in common."""
        return self.operator, self.unknown, tuple(self.statuses), tuple(self.messages)

    def add(self, found: Line) -> None:
        """Take in what a line tells."""
        self.last = found.number
        self.product = self.product or found.product
        for values, more in ((self.statuses, found.statuses), (self.classes, found.classes)):
            values += [value for value in more if value not in values]
        if found.message and found.message not in self.messages and len(self.messages) < MOST_MESSAGES:
            self.messages.append(found.message)


def failures(found: Iterable[Line], operators: Operators) -> list[Failure]:
    """The failures of a log, each once, in the order in which they are first told."""
    kept: dict[object, Failure] = {}
    for failure in _parted(found, operators):
        if not (failure.operator or failure.unknown or failure.statuses or failure.classes or failure.messages):
            continue
        known = kept.get(failure.same)
        if known is not None:
            known.times += 1
        elif len(kept) < MOST:
            kept[failure.same] = failure
    return list(kept.values())


def _parted(found: Iterable[Line], operators: Operators) -> Iterator[Failure]:
    now: Failure | None = None
    frame: str | None = None
    for line in found:
        if line.frame is not None:
            frame = line.frame
            if now is not None and now.operator:
                yield now
                now = None
            continue
        named = next(iter(line.names), None)
        operator = None if named is None else operators.named(named)
        if operator is None and named is None:
            operator = next(filter(None, map(operators.called, line.others)), None)
        if now is not None and _another(now, line, operator or named):
            yield now
            now = None
        if now is None:
            now = Failure(line.number, frame=frame)
        if operator is not None or named is not None:
            now.operator, now.unknown = operator or now.operator, None if operator else now.unknown or named
            frame = None
        now.add(line)
    if now is not None:
        yield now


def _another(now: Failure, line: Line, name: str | None) -> bool:
    """Whether a line belongs to another failure than the one before it."""
    if line.number - now.last > APART:
        return True
    known = now.operator or now.unknown
    if name is None or known is None:
        return False
    return name != known or ("failed" in line.message and bool(now.statuses) and bool(line.statuses))
