"""What passes: the program ends in time, with a documented status that fits what it printed, and raises nothing."""

from __future__ import annotations

import contextlib
import io
import random
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO
from unittest.mock import patch

from opspec.cli.main import main

SECONDS = 10.0  # of the processor's time, after which the program is taken to hang
STATUSES = (0, 1, 2)


@dataclass(frozen=True, slots=True)
class Found:
    """An input that does not pass, and why."""

    data: str
    why: str


@dataclass(frozen=True, slots=True)
class Target:
    """Something that is fuzzed.

    Args:
        suffix: of a file that holds an input.
        make: an input.
        give: hands some inputs to the program in one go; raises what the program raises.
        batch: how many inputs go in one go.
    """

    name: str
    suffix: str
    make: Callable[[random.Random], str]
    give: Callable[[Sequence[str], Path], None]
    batch: int = 1


class WrongStatusError(Exception):
    """The program ended with a status that it should not end with."""


class HangError(BaseException):
    """The program did not end in time; nothing that catches exceptions catches it."""


def failures(target: Target, inputs: Sequence[str], folder: Path) -> Iterator[Found]:
    """Those of the inputs that do not pass; of a batch that fails each is tried alone."""
    why = _tried(target, inputs, folder)
    if why is None:
        return
    if len(inputs) == 1:
        yield Found(inputs[0], why)
        return
    half = len(inputs) // 2
    before = [*failures(target, inputs[:half], folder), *failures(target, inputs[half:], folder)]
    yield from before or [Found("\n".join(inputs), why)]


def _tried(target: Target, inputs: Sequence[str], folder: Path) -> str | None:
    def late(*_: object) -> None:
        raise HangError

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        target.give(inputs, folder)
    except HangError:
        return f"no end after {SECONDS} s"
    except WrongStatusError as error:
        return str(error)
    except Exception:
        return traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return None


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended, and what it printed."""

    words: Sequence[str]
    status: int
    out: str
    err: str

    @property
    def refused(self) -> bool:
        """Whether it said that something given to it is no good."""
        return any(line.startswith("opspec: ") for line in self.err.splitlines())

    def expect(self, status: int) -> None:
        """Raise WrongStatusError where it ended otherwise."""
        if self.status != status:
            said = f"{self.out[-300:]} {self.err[-300:]}"
            raise WrongStatusError(f"exit status {self.status} of opspec {self.words[0]}, not {status}: {said}")


def ended(words: list[str], given: BinaryIO | None = None) -> Ended:
    """Run a command in this process, with what is given on standard input.

    Raises:
        WrongStatusError: it ended with a status that is not documented.
    """
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    reader = io.TextIOWrapper(given or io.BytesIO(), "utf-8")
    with patch.object(sys, "stdin", reader), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(words)
    printed, said = (stream.buffer.getvalue().decode() for stream in (out, err))
    done = Ended(words, status, printed, said)
    if status not in STATUSES:
        done.expect(2)
    return done
