"""The failures that a log tells of: lines that belong together, with the operator, codes and messages of each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from opspec.assist.explain.lines import Line
from opspec.assist.explain.machine import NOTHING, Machine
from opspec.assist.explain.operators import Operators
from opspec.assist.explain.processes import UNKNOWN, Process
from opspec.vocabulary import messages, status

APART = 200  # lines between two failures, unless something else parts them
MOST = 50  #: failures of a log that are told; further ones are left out
MOST_MESSAGES = 12  # of a failure; and so many classes
MOST_PROCESSES = 64  # of which a failure may go on at a time


_OPEN = (",", "，")  # a message that ends so goes on in the next line
_FORM = re.compile(r"(?<=^aclnn)Inplace|V\d{1,2}$")
_REFUSES = re.compile(
    r"\b(?:should|must|expect(?:s|ed)|not (?:implemented|supported)|cannot be|[Cc]annot find bin|null(?:ptr)?)\b"
)
_LIBRARY = re.compile(r"[/\\](?:site|dist)-packages[/\\]")  # frames of a library tell less than one's own


@dataclass(slots=True)
class Failure:
    """A failure.

    Attributes:
        operator: the operator, or None where the log does not say; ``unknown``: a name that no spec has.
        messages: what was said, in order.
        line: where it begins; ``times``: how often the same was told.
        frame: the last place in a Python program before it.
        weak: whether the operator is named by nothing but what a framework, a file or a kernel is called.
        kernels: the kernels that it names.
        machine: where it ran, as far as the log says; what is told once for all of it counts here, too.
        tiling: whether it says that tiling refused.
        process: the one that failed.
        after: whether it comes after a call that was refused, which did not cause it.
    """

    line: int
    operator: str | None = None
    unknown: str | None = None
    machine: Machine = NOTHING
    frame: str | None = None
    statuses: list[str] = field(default_factory=list)
    classes: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    kernels: list[str] = field(default_factory=list)
    tiling: bool = False
    process: Process = UNKNOWN
    weak: bool = False
    after: bool = False
    last: int = 0
    times: int = 1

    @property
    def same(self) -> object:
        """What two reports of one failure have in common."""
        return self.operator, self.unknown, tuple(self.statuses), tuple(self.messages)

    @property
    def is_refused(self) -> bool:
        """Whether a first phase refused the call."""
        refused = any(status.is_of_first_phase(status.number(code)) for code in self.statuses)
        return self.tiling or refused or messages.REFUSED in self.classes or any(map(_REFUSES.search, self.messages))

    @property
    def is_told(self) -> bool:
        """Whether it says why: a framework may say that a launch failed, and what was refused in the exception."""
        return bool(self.statuses or self.classes) or self.is_refused

    def add(self, found: Line) -> None:
        """Take in what a line tells."""
        goes_on = bool(self.messages) and self.messages[-1].endswith(_OPEN) and found.number == self.last + 1
        self.last, self.process = found.number, self.process.over(found.process)
        self.machine, self.tiling = self.machine.over(found.machine), self.tiling or found.tiling
        told = ((self.statuses, found.statuses), (self.classes, found.classes), (self.kernels, found.kernels))
        for values, more in told:
            values += [value for value in more if value not in values and len(values) < MOST_MESSAGES]
        if found.message and goes_on:
            self.messages[-1] += " " + found.message
        elif found.message and found.message not in self.messages and len(self.messages) < MOST_MESSAGES:
            self.messages.append(found.message)


def failures(found: Iterable[Line], operators: Operators) -> list[Failure]:
    """The failures of a log, each once, in the order in which they are first told."""
    kept: dict[object, Failure] = {}
    around: list[Machine] = [NOTHING]
    for failure in _parted(found, operators, around):
        if not (
            failure.operator
            or failure.unknown
            or failure.statuses
            or failure.classes
            or failure.messages
            or failure.kernels
        ):
            continue
        known = kept.get(failure.same)
        if known is not None:
            known.times += 1
            known.line = min(known.line, failure.line)
        elif len(kept) < MOST:
            kept[failure.same] = failure
    for failure in kept.values():
        failure.machine = failure.machine.over(around[0])
    return sorted(kept.values(), key=lambda failure: failure.line)


def _parted(found: Iterable[Line], operators: Operators, around: list[Machine]) -> Iterator[Failure]:
    now: list[Failure] = []  # those that may go on, one of each process; the one that was told last at the end
    frame: str | None = None
    for line in found:
        around[0] = around[0].over(line.machine)
        if line.is_empty:
            continue
        one = next((failure for failure in reversed(now) if failure.process.may_be(line.process)), None)
        if line.frame is not None:
            frame = line.frame if frame is None or not _LIBRARY.search(line.frame) else frame
            if one is not None and one.operator and not one.weak and one.messages and one.is_told:
                now.remove(one)
                yield one
            continue
        name = _Name(line, operators)
        if one is not None:
            now.remove(one)
        after = one is not None and _follows(one, line)
        if one is not None and _another(one, line, name):
            yield one
            one = None
        if one is None:
            one = Failure(line.number, after=after)
        if frame is not None:
            one.frame = frame if one.frame is None or not _LIBRARY.search(frame) else one.frame
            frame = None
        name.give(one)
        one.add(line)
        now.append(one)
        if len(now) > MOST_PROCESSES:
            yield now.pop(0)
    yield from now


class _Name:
    """The operator that a line names.

    Attributes:
        weak: by what a framework, a file or a kernel is called, which may be another version's, or a helper's.
        unknown: the name where no spec has it.
        inner: whether the message itself has the name: an interface may have called another form of its operator.
    """

    def __init__(self, line: Line, operators: Operators) -> None:
        written = next(iter(line.names), None)
        self.inner = written is not None and written in line.message and not line.statuses
        self.operator = None if written is None else operators.named(written)
        self.unknown = written if self.operator is None else None
        self.weak = written is None
        if written is None:
            self.operator = next(filter(None, map(operators.called, (*line.others, *line.kernels))), None)

    def give(self, failure: Failure) -> None:
        """Name a failure, unless it has a better name."""
        if self.inner and failure.operator is not None and _is_kin(failure.operator, self.operator):
            return
        if self.weak and (self.operator is None or failure.operator or failure.unknown):
            return
        failure.operator, failure.unknown, failure.weak = self.operator, self.unknown, self.weak


def _is_kin(one: str, other: str | None) -> bool:
    """Whether two operators are forms of one: in place, another version."""
    return other is not None and _FORM.sub("", one) == _FORM.sub("", other)


def _follows(now: Failure, line: Line) -> bool:
    """Whether a line tells of what comes after a refusal."""
    return now.is_refused and messages.follows(line.message)


def _another(now: Failure, line: Line, name: _Name) -> bool:
    """Whether a line belongs to another failure than the one before it."""
    if line.number - now.last > APART:
        return True
    if _follows(now, line):
        return True
    known, given = now.operator or now.unknown, name.operator or name.unknown
    if known is None or given is None or (name.weak and not now.weak) or (name.inner and _is_kin(known, given)):
        return False
    if now.weak and not name.weak:
        return bool(now.statuses) and given != known
    return given != known or (bool(now.statuses) and bool(line.statuses) and line.message not in ("", *now.messages))
