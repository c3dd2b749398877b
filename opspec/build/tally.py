"""What the events of a run add up to.

The file is as trustworthy as the program that wrote it: it may be cut, huge, or hold anything at all. Lines are read
one at a time; what no event can be is counted and passed over; what is kept does not grow with the number of events.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from opspec.build.events import Call, End, Found, Start, read
from opspec.vocabulary import findings
from opspec.vocabulary.enforcement import UNCHECKED

#: Severities of events, the gravest first.
SEVERITIES = tuple(name for name in findings.severities() if name != "note")

#: Who returns what is predicted; the others return what a library does.
_PREDICTS = "simulator"

#: No event is longer: the libraries cut messages far below it.
LONGEST_LINE = 1 << 20

#: Of each kind, how many different messages are kept; the rest is counted.
MOST_MESSAGES = 10

#: How many operators and kinds are told apart: more than there are.
MOST_KINDS = 20_000


@dataclass(slots=True)
class Calls:
    """The calls of one operator."""

    source: str
    op: str
    calls: int = 0
    refused: int = 0
    #: calls that break a rule and came back with success all the same: the program is not told
    silent: int = 0
    #: of these, calls of a simulator of which it is not known, or only assumed, that a device would let them through
    unknown: int = 0
    undecided: int = 0
    #: calls whose status is not the predicted one (of the layer: the library decides)
    differing: int = 0


@dataclass(slots=True)
class Counted:
    """A broken rule of an operator, or another kind of finding: how often, and in which words."""

    source: str
    severity: str
    #: the rule's id, or the kind: "memory.leak"
    kind: str
    op: str = ""
    param: str = ""
    status: int = 0
    #: of a broken rule, what the runtime does about it: refused, unchecked, unknown or contradicted
    enforcement: str = ""
    #: no call recorded of the release shows that
    assumed: bool = False
    times: int = 0
    #: different messages, in the order in which they came, as far as they are kept
    messages: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Tally:
    """All events of a run."""

    operators: dict[tuple[str, str], Calls] = field(default_factory=dict)
    findings: dict[tuple[str, ...], Counted] = field(default_factory=dict)
    releases: dict[str, None] = field(default_factory=dict)
    products: dict[str, None] = field(default_factory=dict)
    sources: dict[str, None] = field(default_factory=dict)
    started: int = 0
    ended: int = 0
    last_call: str = ""
    #: lines that are no event
    broken: int = 0
    #: the file ends in the middle of a line
    cut: bool = False
    #: events of more kinds than are told apart
    untold: int = 0
    #: calls that were handed on to a library, by thread: those that do not come back say why
    pending: dict[tuple[str, int], Call] = field(default_factory=dict)

    @property
    def silent(self) -> bool:
        """Nothing at all was said."""
        return not (self.started or self.ended or self.operators or self.findings)

    def count(self, severity: str) -> int:
        """How often findings of a severity were made."""
        return sum(finding.times for finding in self.findings.values() if finding.severity == severity)

    def add(self, value: object) -> bool:
        """Count an event; false: it is none."""
        event = read(value)
        if event is None:
            return False
        if len(self.sources) < MOST_MESSAGES:
            self.sources.setdefault(event.source)
        match event:
            case Start():
                self._start(event)
            case Call():
                self._call(event) if event.back else self._calling(event)
            case Found():
                self._found(event)
            case End():
                self.ended += 1
        return True

    def _start(self, event: Start) -> None:
        self.started += 1
        for known, text in ((self.releases, event.release), (self.products, event.product)):
            if text and len(known) < MOST_MESSAGES:
                known.setdefault(text)

    def finish(self) -> None:
        """What is still pending never came back: what was wrong with it counts all the same."""
        for event in self.pending.values():
            self._rules(event)
        self.pending.clear()

    def _calling(self, event: Call) -> None:
        self.last_call = event.op
        if len(self.pending) < MOST_KINDS:
            self.pending[event.source, event.thread] = event

    def _call(self, event: Call) -> None:
        self.last_call = event.op
        self.pending.pop((event.source, event.thread), None)
        calls = self.operators.get((event.source, event.op))
        if calls is None and len(self.operators) < MOST_KINDS:
            calls = self.operators[event.source, event.op] = Calls(event.source, event.op)
        if calls is None:
            self.untold += 1
            return
        calls.calls += 1
        calls.refused += event.actual != 0
        silent = event.actual == 0 and bool(event.violations)
        calls.silent += silent
        calls.unknown += silent and event.source == _PREDICTS and not _is_seen_through(event)
        calls.undecided += event.undecided > 0
        calls.differing += event.actual != event.predicted
        self._rules(event)

    def _rules(self, event: Call) -> None:
        for rules, severity in ((event.violations, "error"), (event.warnings, "warning")):
            for one in rules:
                known = Counted(
                    event.source, severity, one.rule, event.op, one.param, one.status, one.enforcement, one.assumed
                )
                self._count(known, one.message)

    def _found(self, event: Found) -> None:
        severity = event.severity if event.severity in SEVERITIES else "error"
        self._count(Counted(event.source, severity, event.kind), event.message)

    def _count(self, kind: Counted, message: str) -> None:
        key = (kind.source, kind.severity, kind.op, kind.kind, kind.param, kind.enforcement, str(kind.assumed))
        known = self.findings.get(key)
        if known is None and len(self.findings) < MOST_KINDS:
            known = self.findings[key] = kind
        if known is None:
            self.untold += 1
            return
        known.times += 1
        if message in known.messages or len(known.messages) < MOST_MESSAGES:
            known.messages[message] = known.messages.get(message, 0) + 1


def _is_seen_through(event: Call) -> bool:
    """Whether calls that break these rules were seen to come through the whole first phase."""
    return all(one.enforcement == UNCHECKED and not one.assumed for one in event.violations)


def tally(file: BinaryIO) -> Tally:
    """Add up the events of a file."""
    found = Tally()
    for line, complete in _lines(file):
        if line is None:
            found.broken += 1
            continue
        try:
            event = json.loads(line.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            found.broken += complete
            found.cut = found.cut or not complete
            continue
        if not found.add(event):
            found.broken += 1
    found.finish()
    return found


def _lines(file: BinaryIO) -> Iterator[tuple[bytes | None, bool]]:
    """Lines that are not empty, and whether they end as lines do; None for one that is too long."""
    while line := file.readline(LONGEST_LINE):
        complete = line.endswith(b"\n")
        if not complete and len(line) == LONGEST_LINE:
            while (rest := file.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
                pass
            yield None, True
        elif line.strip():
            yield line, complete
