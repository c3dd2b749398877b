"""Promise: a pool that is ended in the middle of its work says nothing of its own."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from opspec.build.processes import pool


def _interrupted(seen: list[threading.Thread]) -> None:
    """Interrupt a pool of which a future has been cancelled; ``seen`` gets the threads that deal with processes."""
    before = set(threading.enumerate())
    with pool(1) as processes:
        running = [processes.submit(time.sleep, 60) for _ in range(9)]
        while not running[0].running():
            time.sleep(0.01)
        assert running[-1].cancel()
        seen += set(threading.enumerate()) - before
        raise KeyboardInterrupt


def test_futures_that_were_cancelled_are_no_fault_of_a_pool_that_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread that deals with the processes meets cancelled futures when they end; nobody is told."""
    told: list[Any] = []
    monkeypatch.setattr(threading, "excepthook", told.append)
    seen: list[threading.Thread] = []
    with pytest.raises(KeyboardInterrupt):
        _interrupted(seen)
    for thread in seen:
        thread.join(60)
        assert not thread.is_alive()
    assert seen
    assert told == []
