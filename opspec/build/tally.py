"""What the events of a run add up to. Their form is described in ``opspec/csrc/shared/events.h``.

The file is as trustworthy as the program that wrote it: it may be cut, huge, or hold anything at all. Lines are read
one at a time; what no event can be is counted and passed over; what is kept does not grow with the number of events.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, BinaryIO

#: Severities, the gravest first.
SEVERITIES = ("error", "warning", "info")

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
    unchecked: int = 0
    #: calls whose status is not the predicted one (of the layer: the library decides)
    differing: int = 0


@dataclass(slots=True)
class Finding:
    """A broken rule of an operator, or another kind of finding: how often, and in which words."""

    source: str
    severity: str
    #: the rule's id, or the kind: "memory.leak"
    kind: str
    op: str = ""
    param: str = ""
    status: int = 0
    times: int = 0
    #: different messages, in the order in which they came, as far as they are kept
    messages: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Tally:
    """All events of a run."""

    operators: dict[tuple[str, str], Calls] = field(default_factory=dict)
    findings: dict[tuple[str, ...], Finding] = field(default_factory=dict)
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
    pending: dict[tuple[str, int], dict[str, Any]] = field(default_factory=dict)

    @property
    def silent(self) -> bool:
        """Nothing at all was said."""
        return not (self.started or self.ended or self.operators or self.findings)

    def count(self, severity: str) -> int:
        """How often findings of a severity were made."""
        return sum(finding.times for finding in self.findings.values() if finding.severity == severity)

    def add(self, event: object) -> bool:
        """Count an event; false: it is none."""
        if not isinstance(event, dict):
            return False
        add = {"start": self._start, "calling": self._calling, "call": self._call}
        known = {**add, "finding": self._finding, "end": self._end}.get(_text(event, "event"))
        if known is None:
            return False
        source = _text(event, "source")
        if len(self.sources) < MOST_MESSAGES:
            self.sources.setdefault(source)
        known(source, event)
        return True

    def _start(self, _source: str, event: dict[str, Any]) -> None:
        self.started += 1
        for known, name in ((self.releases, "release"), (self.products, "product")):
            text = _text(event, name)
            if text and len(known) < MOST_MESSAGES:
                known.setdefault(text)

    def _end(self, _source: str, _event: dict[str, Any]) -> None:
        self.ended += 1

    def finish(self) -> None:
        """What is still pending never came back: what was wrong with it counts all the same."""
        for (source, _thread), event in self.pending.items():
            self._rules(source, _text(event, "op"), event)
        self.pending.clear()

    def _calling(self, source: str, event: dict[str, Any]) -> None:
        self.last_call = _text(event, "op")
        if len(self.pending) < MOST_KINDS:
            self.pending[source, _number(event, "thread")] = event

    def _call(self, source: str, event: dict[str, Any]) -> None:
        op, actual = _text(event, "op"), _number(event, "actual")
        self.last_call = op
        self.pending.pop((source, _number(event, "thread")), None)
        calls = self.operators.get((source, op))
        if calls is None and len(self.operators) < MOST_KINDS:
            calls = self.operators[source, op] = Calls(source, op)
        if calls is None:
            self.untold += 1
            return
        calls.calls += 1
        calls.refused += actual != 0
        calls.unchecked += _number(event, "unchecked") > 0
        calls.differing += actual != _number(event, "predicted")
        self._rules(source, op, event)

    def _rules(self, source: str, op: str, event: dict[str, Any]) -> None:
        for name, severity in (("violations", "error"), ("warnings", "warning")):
            for rule in _dicts(event, name):
                param, status = _text(rule, "param"), _number(rule, "status")
                kind = Finding(source, severity, _text(rule, "rule"), op, param, status)
                self._count(kind, _text(rule, "message"))

    def _finding(self, source: str, event: dict[str, Any]) -> None:
        severity = _text(event, "severity")
        kind = Finding(source, severity if severity in SEVERITIES else "error", _text(event, "kind"))
        self._count(kind, _text(event, "message"))

    def _count(self, kind: Finding, message: str) -> None:
        key = (kind.source, kind.severity, kind.op, kind.kind, kind.param)
        known = self.findings.get(key)
        if known is None and len(self.findings) < MOST_KINDS:
            known = self.findings[key] = kind
        if known is None:
            self.untold += 1
            return
        known.times += 1
        if message in known.messages or len(known.messages) < MOST_MESSAGES:
            known.messages[message] = known.messages.get(message, 0) + 1


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


def _text(event: dict[str, Any], name: str) -> str:
    """A text; half a surrogate pair, which JSON can say, is none."""
    value = event.get(name)
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else ""


def _number(event: dict[str, Any], name: str) -> int:
    value = event.get(name)
    return value if isinstance(value, int) else 0


def _dicts(event: dict[str, Any], name: str) -> list[dict[str, Any]]:
    value = event.get(name)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
