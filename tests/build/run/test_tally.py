"""What events add up to, whatever the file holds: the program that wrote it may have been killed, or be hostile."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from opspec.build.tally import LONGEST_LINE, MOST_MESSAGES, Tally, tally

START = {"event": "start", "source": "simulator", "pid": 7, "program": "app", "release": "9.1.0", "product": "910b"}
END = {"event": "end", "source": "simulator", "calls": 1, "refused": 0, "findings": 0}


def call(op: str = "aclnnAdd", predicted: int = 0, actual: int = 0, **more: Any) -> dict[str, Any]:
    """A judged call."""
    return {"event": "call", "source": "simulator", "op": op, "thread": 1, "predicted": predicted, "actual": actual,
            "violations": [], "warnings": [], "undecided": 0, **more}  # fmt: skip


def rule(
    name: str, message: str = "no", param: str = "out", enforcement: str = "refused", assumed: bool = False
) -> dict[str, Any]:
    """A broken rule."""
    return {"rule": name, "param": param, "status": 161002, "enforcement": enforcement, "assumed": assumed,
            "message": message}  # fmt: skip


def finding(kind: str, message: str, severity: str = "error") -> dict[str, Any]:
    """Another finding."""
    return {"event": "finding", "source": "simulator", "severity": severity, "kind": kind, "message": message,
            "thread": 1}  # fmt: skip


def read(*events: object) -> Tally:
    """The sum of events."""
    return tally(io.BytesIO("".join(json.dumps(event) + "\n" for event in events).encode()))


def test_calls_are_counted_per_operator() -> None:
    """Calls, refusals, calls that could not be checked whole, and calls that came otherwise than predicted."""
    found = read(
        START, call(), call(actual=161002, predicted=161002), call(undecided=3), call("aclnnMul", actual=1), END
    )
    add, mul = found.operators.values()
    assert (add.op, add.calls, add.refused, add.undecided, add.differing) == ("aclnnAdd", 3, 1, 1, 0)
    assert (mul.op, mul.calls, mul.refused, mul.undecided, mul.differing) == ("aclnnMul", 1, 1, 0, 1)
    assert (found.started, found.ended, list(found.releases), list(found.products)) == (1, 1, ["9.1.0"], ["910b"])


def test_findings_of_one_rule_are_one_with_a_count() -> None:
    """Messages that differ are listed, as far as they are few; params and severities are told apart."""
    events = [call(violations=[rule("out-shape", f"is {i % 40}")]) for i in range(100)]
    found = read(*events, call(warnings=[rule("out-shape")], violations=[rule("out-shape", param="x")]))
    first, second, third = found.findings.values()
    assert (first.op, first.kind, first.param, first.status, first.times) == (
        "aclnnAdd", "out-shape", "out", 161002, 100,
    )  # fmt: skip
    assert list(first.messages) == [f"is {i}" for i in range(MOST_MESSAGES)]
    assert {second.severity, third.severity} == {"error", "warning"}
    assert (found.count("error"), found.count("warning")) == (101, 1)


def test_what_is_illegal_and_not_refused_is_counted_apart() -> None:
    """So is a rule that is refused in one call and, after an early success, unchecked in another."""
    untold = call(violations=[rule("x.rank", enforcement="unchecked")])
    found = read(START, untold, untold, call(predicted=161002, actual=161002, violations=[rule("x.rank")]), call(), END)
    (add,) = found.operators.values()
    assert (add.calls, add.refused, add.silent, add.differing) == (4, 1, 2, 0)
    assert [(one.enforcement, one.times) for one in found.findings.values()] == [("unchecked", 2), ("refused", 1)]
    assert found.count("error") == 3


def test_a_call_that_did_not_come_back_says_what_was_wrong() -> None:
    """The layer tells it before it hands the call on; when the call comes back it counts once."""
    calling = {**call(predicted=161002, violations=[rule("out-shape")]), "event": "calling", "actual": None}
    back = call(predicted=161002, violations=[rule("out-shape")])
    found = read(calling, back, {**calling, "op": "aclnnMul"})
    assert [(one.op, one.times) for one in found.findings.values()] == [("aclnnAdd", 1), ("aclnnMul", 1)]
    assert (found.last_call, found.broken, len(found.operators)) == ("aclnnMul", 0, 1)


def test_findings_of_other_kinds() -> None:
    """By kind and severity; a severity of no name is taken for the gravest."""
    found = read(finding("memory.leak", "a"), finding("memory.leak", "b"), finding("stream.x", "c", "odd"))
    assert [(item.kind, item.times, list(item.messages)) for item in found.findings.values()] == [
        ("memory.leak", 2, ["a", "b"]),
        ("stream.x", 1, ["c"]),
    ]
    assert found.count("error") == 3


@pytest.mark.parametrize(
    "line",
    [b"", b"x", b"{", b"[]", b"1", b"null", b'"call"', b"{}", b'{"event": 1}', b'{"event": "other"}', b"\xff\xfe\x00",
     b"[" * 100_000, b'{"event": ' + b"9" * 5000 + b"}", b"a" * (LONGEST_LINE + 5)],
)  # fmt: skip
def test_lines_that_are_no_event_are_counted_and_passed_over(line: bytes) -> None:
    """Before and after them events count."""
    good = json.dumps(call()).encode()
    found = tally(io.BytesIO(good + b"\n" + line + b"\n" + good + b"\n"))
    assert found.operators["simulator", "aclnnAdd"].calls == 2
    assert found.broken == bool(line)


@pytest.mark.parametrize(
    "event",
    [
        {"event": "call"},
        call(op=1, actual="0", violations=7, warnings={"a": 1}),  # type: ignore[arg-type]
        call(violations=[1, None, {"rule": [], "message": 5}]),
        {"event": "finding", "severity": [], "kind": {}, "message": None},
        {"event": "start", "release": 9, "product": [1]},
        {"event": "end", "calls": "many"},
    ],
)
def test_fields_of_other_types_are_taken_as_missing(event: dict[str, Any]) -> None:
    """No event of a known kind stops the report."""
    assert read(event).broken == 0


def test_a_cut_last_line_is_told_and_a_whole_one_without_line_end_counts() -> None:
    """A program that is killed while it writes leaves half an event."""
    good = json.dumps(call()).encode()
    found = tally(io.BytesIO(good + b"\n" + good[:40]))
    assert (found.cut, found.broken, found.operators["simulator", "aclnnAdd"].calls) == (True, 0, 1)
    found = tally(io.BytesIO(good))
    assert (found.cut, found.operators["simulator", "aclnnAdd"].calls) == (False, 1)


def test_texts_are_fit_to_print() -> None:
    """Broken UTF-8 and half surrogate pairs come out as something that can be written."""
    found = tally(io.BytesIO(b'{"event": "finding", "kind": "a\xff", "message": "\\ud800"}\n'))
    (item,) = found.findings.values()
    assert (item.kind, list(item.messages)) == ("a\ufffd", ["?"])


def test_what_is_kept_does_not_grow_with_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Operators and kinds beyond a limit are counted together."""
    monkeypatch.setattr("opspec.build.tally.MOST_KINDS", 3)
    found = read(*(call(f"aclnn{i}") for i in range(5)), *(finding(str(i), "") for i in range(7)))
    assert (len(found.operators), len(found.findings), found.untold) == (3, 3, 6)
