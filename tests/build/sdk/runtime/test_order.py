"""Memory that streams and the host use: what nothing puts in order is told, and what is in order is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from .programs import Run, Sdk, run


@pytest.fixture(scope="module")
def program(sdk: Sdk) -> Path:
    return sdk.program("order.c")


def ran(program: Path, scenario: str) -> Run:
    done = run(program, scenario)
    assert done.status == 0, done.errors
    return done


@pytest.mark.parametrize(
    "scenario",
    [
        "event_between", "host_between", "nothing_written", "other_bytes", "other_columns", "many_streams",
        "free_behind", "host_behind", "stack", "host_function", "callback",
    ],
)  # fmt: skip
def test_nothing_is_told_of_what_is_in_order(program: Path, scenario: str) -> None:
    """Behind an event, a wait of the host, a callback; where nobody writes; of other bytes."""
    done = ran(program, scenario)
    assert not done.findings()
    assert not done.findings("warning")


@pytest.mark.parametrize(
    ("scenario", "kind"),
    [
        ("read_behind_write", "memory.race"),
        ("write_behind_read", "memory.race"),
        ("write_behind_write", "memory.race"),
        ("event_too_early", "memory.race"),
        ("other_stream_waits", "memory.race"),
        ("same_columns", "memory.race"),
        ("free_read", "memory.freed-in-use"),
        ("free_host", "memory.freed-in-use"),
        ("overwrite_host", "memory.overwritten"),
        ("overwrite_device", "memory.overwritten"),
        ("read_host", "memory.unsynchronised"),
    ],
)
def test_what_nothing_puts_in_order_is_told_once(program: Path, scenario: str, kind: str) -> None:
    done = ran(program, scenario)
    assert done.findings() == {kind: 1}
    assert not done.findings("warning")


def test_a_default_stream_is_a_warning(program: Path) -> None:
    """No document says whether other streams wait for it."""
    done = ran(program, "default_stream")
    assert not done.findings()
    assert done.findings("warning") == {"memory.race-default": 1}


def test_both_users_of_memory_are_named(program: Path) -> None:
    [told] = ran(program, "read_behind_write").messages("memory.race")
    assert told.startswith("aclrtMemcpyAsync: src at 0x")
    assert " is read in stream 0x" in told
    assert told.endswith("may still write it (devPtr); no event and no synchronisation lies between")
