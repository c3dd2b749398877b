"""What a command is at, on standard error, once it takes longer than one waits in silence.

A timer of the process tells it, whatever the command is doing: on a terminal in one line that goes when anything else
is written, elsewhere in a line now and then. ``OPSPEC_PROGRESS=0`` keeps it silent.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # signal itself makes enums, which a cold check need not pay for
import os
import sys
import time
from collections.abc import Sequence
from contextlib import suppress

from opspec.errors import printable

FIRST = 2.0  #: seconds before anything is told
ON_TERMINAL, ELSEWHERE = 0.25, 10.0  #: seconds between tellings
WIDTH = 79
OFF = "OPSPEC_PROGRESS"


class _Watch:
    """The command that runs, and how far it is."""

    def __init__(self) -> None:
        self.on = False
        self.command = ""
        self.terminal = False
        self.began = 0.0
        self.total: int | None = None
        self.done = 0
        self.name = ""
        self.shown = 0  # columns of the line that stands on the terminal

    def text(self) -> str:
        """What to tell."""
        if self.total:
            at = f"{self.done}/{self.total}  {self.name}"
        elif self.done:
            at = f"{self.done} {self.name}"
        else:
            at = "at work"
        return printable(f"opspec {self.command}: {time.monotonic() - self.began:.0f} s  {at}")


_watch = _Watch()


def start(command: str) -> None:
    """Tell of a command from now on."""
    if not hasattr(_signal, "setitimer") or os.environ.get(OFF) == "0":
        return
    _watch.on = True
    _watch.command = command
    _watch.began = time.monotonic()
    _watch.terminal = os.isatty(2)
    _signal.signal(_signal.SIGALRM, _tell)
    _signal.setitimer(_signal.ITIMER_REAL, FIRST, ON_TERMINAL if _watch.terminal else ELSEWHERE)


def not_while_typing(files: Sequence[str]) -> None:
    """Tell of nothing where one of a command's files, or its only one, is a terminal."""
    if (not files or "-" in files) and sys.stdin is not None and sys.stdin.isatty():
        stop()


def stop() -> None:
    """Tell nothing any more: the command is done, or what runs now has the word."""
    if _watch.on:
        _watch.on = False
        _signal.setitimer(_signal.ITIMER_REAL, 0)
    clear()


def of(total: int | None) -> None:
    """The command begins with a number of things, or with nobody knows how many."""
    _watch.total, _watch.done, _watch.name = total, 0, ""


def advance(name: str, count: int = 1) -> None:
    """So many things more are done, the last of them called ``name``; where their number is not known, their kind."""
    _watch.done += count
    _watch.name = name


def clear() -> None:
    """Take the line from the terminal."""
    shown, _watch.shown = _watch.shown, 0  # before it is written: the timer may come between, and show another
    if shown:
        _write("\r" + " " * shown + "\r")


def _tell(_number: int, _frame: object) -> None:
    if not _watch.on:  # the last signal was under way
        return
    text = _watch.text()
    if not _watch.terminal:
        _write(text + "\n")
        return
    text = text[:WIDTH]
    _write("\r" + text.ljust(_watch.shown))
    _watch.shown = len(text)


def _write(text: str) -> None:
    """Past Python's streams: a timer may come in the middle of their own writing."""
    with suppress(OSError):
        os.write(2, text.encode("ascii", "backslashreplace"))
