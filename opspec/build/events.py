"""Events of the simulator and the layer, read without trust: a field that is not as it should be is empty or 0.

What each event holds, ``opspec/csrc/shared/events.schema.json`` says; here is what a report needs of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class Rule:
    """A broken rule of a call."""

    rule: str
    param: str
    status: int
    enforcement: str
    assumed: bool
    message: str


@dataclass(frozen=True, slots=True)
class Start:
    """A program begins to use a library."""

    source: str
    release: str
    product: str


@dataclass(frozen=True, slots=True)
class Call:
    """A judged call; or, not yet back, one that is about to be handed on."""

    source: str
    op: str
    thread: int
    predicted: int
    actual: int
    undecided: int
    violations: tuple[Rule, ...]
    warnings: tuple[Rule, ...]
    back: bool


@dataclass(frozen=True, slots=True)
class Found:
    """A finding beside rules."""

    source: str
    severity: str
    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class End:
    """A program has ended."""

    source: str


Event: TypeAlias = "Start | Call | Found | End"


def read(event: object) -> Event | None:
    """The event that a JSON value is; None: it is none."""
    if not isinstance(event, dict):
        return None
    source = _text(event, "source")
    match _text(event, "event"):
        case "start":
            return Start(source, _text(event, "release"), _text(event, "product"))
        case "call" | "calling" as kind:
            return _call(event, source, kind == "call")
        case "finding":
            return Found(source, _text(event, "severity"), _text(event, "kind"), _text(event, "message"))
        case "end":
            return End(source)
    return None


def _call(event: dict[str, Any], source: str, back: bool) -> Call:
    return Call(
        source,
        _text(event, "op"),
        _number(event, "thread"),
        _number(event, "predicted"),
        _number(event, "actual"),
        _number(event, "undecided"),
        _rules(event, "violations"),
        _rules(event, "warnings"),
        back,
    )


def _rules(event: dict[str, Any], name: str) -> tuple[Rule, ...]:
    found = event.get(name)
    rows = [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []
    return tuple(
        Rule(
            _text(row, "rule"),
            _text(row, "param"),
            _number(row, "status"),
            _text(row, "enforcement"),
            row.get("assumed") is True,
            _text(row, "message"),
        )
        for row in rows
    )


def _text(event: dict[str, Any], name: str) -> str:
    """A text; half a surrogate pair, which JSON can say, is none."""
    value = event.get(name)
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else ""


def _number(event: dict[str, Any], name: str) -> int:
    value = event.get(name)
    return value if isinstance(value, int) else 0
