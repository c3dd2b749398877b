"""What ``tests/codegen/stubs/all_run.py`` finds wrong with a run: it is no use if it finds nothing."""

from __future__ import annotations

import io
from typing import Any

import pytest

from tests.codegen.stubs.all_run import Run, _records, faults

CALL = {"event": "call", "violations": []}
END = {"event": "end"}


def finding(kind: str, message: str = "m", severity: str = "error") -> dict[str, Any]:
    """A finding."""
    return {"event": "finding", "severity": severity, "kind": kind, "message": message}


def injected(function: str) -> dict[str, Any]:
    """A failure on purpose."""
    return finding("fault.injected", f"{function} fails on purpose (OPSPEC_FAIL=1)", "info")


def run(status: int, *events: dict[str, Any], said: str = "") -> Run:
    """A run of an example."""
    return Run("aclnnAdd", "OPSPEC_FAIL", 0, status, said, events)


SAID = "aclnnAdd: aclrtMalloc(self) failed with code 207000: aclrtMalloc: fails on purpose (OPSPEC_FAIL=1)\n"
WAITED = "aclnnAdd: aclrtSynchronizeStream() failed with code 507000: on purpose\n"


@pytest.mark.parametrize(
    "good",
    [
        run(0, CALL, END),
        run(0, CALL, finding("numerics.none", severity="info"), END),
        run(1 << 8, injected("aclrtMalloc"), END, said=SAID),
        run(1 << 8, injected("aclInit"), END, said="aclnnAdd_example: aclInit() failed with code 1: no\n"),
        run(1 << 8, injected("aclrtSynchronizeStream"), finding("memory.freed-in-use"), END, said=WAITED),
    ],
)
def test_good_runs(good: Run) -> None:
    """Success, or a failure on purpose that is told and leaves nothing."""
    assert faults(good) == []


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (run(1 << 8, CALL, END), "wait status 0x100 instead of 0x0"),
        (run(11, CALL, END), "wait status 0xb"),
        (run(0, injected("aclrtMalloc"), END, said=SAID), "wait status 0x0 instead of 0x100"),
        (run(0, CALL), "did not end by itself"),
        (run(0, CALL, finding("memory.leak", "64 bytes"), END), "memory.leak: 64 bytes"),
        (run(0, CALL, finding("object.leak", severity="warning"), END), "object.leak: m"),
        (run(0, {"event": "call", "violations": [{"rule": "x.rank", "message": "no"}]}, END), "x.rank: no"),
        (run(1 << 8, injected("aclrtMalloc"), finding("memory.leak"), END, said=SAID), "memory.leak"),
        (run(1 << 8, injected("aclrtMalloc"), END), "does not say that aclrtMalloc failed"),
        (run(1 << 8, injected("aclrtFree"), END, said=SAID), "does not say that aclrtFree failed"),
        (run(1 << 8, injected("aclrtMalloc"), finding("memory.freed-in-use"), END, said=SAID), "freed-in-use"),
    ],
)
def test_bad_runs(bad: Run, words: str) -> None:
    """Each with what is wrong."""
    (found,) = faults(bad)
    assert words in found


def test_records_are_read_as_the_driver_writes_them() -> None:
    """Texts may hold anything, line ends too."""
    said, told = "a b\nc 中\n".encode(), b'{"event": "end"}\n{"event": "call", "violations": []}\n'
    head = f"aclnnAdd OPSPEC_FAIL 7 256 {len(said)} {len(told)}\n".encode()
    first, second = _records(io.BytesIO((head + said + told) * 2))
    assert first == second == Run("aclnnAdd", "OPSPEC_FAIL", 7, 256, said.decode(), (END, CALL))
