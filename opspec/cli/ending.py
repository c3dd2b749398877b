"""How a command ends: its exit status, output that fails, signals, faults of opspec's own."""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # signal itself makes enums, which a cold check need not pay for
import io
import os
import sys
from collections.abc import Callable

from opspec.cli.progress import clear, stop
from opspec.errors import OpspecError
from opspec.jsontext import escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TextIO

OK, FINDING, BAD_INPUT = 0, 1, 2
SIGNALLED = 128  #: and the signal's number

#: command -> what 0 means, and what 1 does where it may end with it; 2 means the same everywhere
STATUSES = {
    "check": (
        "all calls are legal (with --gate status: none is refused by the first phase)",
        "one is not; with --product all, of the products that are supported",
    ),
    "reproduce": ("written", ""),
    "infer": ("all outputs were found, and the calls are legal with them", "one is open, or a call is illegal"),
    "explain": ("something is explained", ""),
    "repair": ("all calls are legal, or legal ones near them were found", "of an illegal call none was found"),
    "list": ("listed", ""),
    "show": ("shown", ""),
    "example": ("made", "of an operator no legal call was found"),
    "cases": (
        "made (with --output rules: each rule is broken alone)",
        "no legal call was found (with --output rules: no call breaks a rule alone)",
    ),
    "stub": ("written", ""),
    "c": ("written", ""),
    "sdk": ("built", ""),
    "layer": ("built", ""),
    "run": (
        "the program ended with 0 and no error was told",
        "it ended with 0, but errors were told; any other status is its own, or 128+N where signal N ended it",
    ),
    "kinds": ("listed", ""),
    "header": ("written", ""),
    "docs": ("written", ""),
    "site": ("made", ""),
    "audit": ("no defect", "defects"),
    "matrix": ("shown", ""),
    "new": ("begun", ""),
    "diff": ("nothing breaks, or what does is accepted", "a change breaks programs and is not accepted"),
    "import": ("every page was read whole", "something of a page was left out"),
    "kernels": ("written", ""),
    "lint": ("no problem", "problems"),
    "freeze": ("all that frozen releases say is accepted", "with --dry-run: some of it is not"),
    "fmt": ("all files are canonical now", "with --check: one is not"),
    "mcp": ("the agent closed standard input", ""),
    "completion": ("printed", ""),
    "schema": ("written", ""),
    "language": ("written", ""),
    "coverage": ("counted", "with --thin: specs wait for rules"),
    "conflicts": ("no conflict", "conflicts"),
    "conformance": ("full agreement, or what was asked for is written", "differences"),
}


def statuses(command: str) -> str:
    """The sentence on exit statuses of a command's help."""
    fine, finding = STATUSES[command]
    middle = f", 1 {finding}" if finding else ""
    return f"Exit status: 0 {fine}{middle}, 2 bad input or usage, nothing found or output that fails (wins over 1)."


def ended(command: Callable[[], int]) -> int:
    """Run a command to its end: the exit status. Nothing that fails ends with 1, which stands for a finding."""
    try:
        try:
            return _status(command)
        finally:
            _no_more()
            stop()
            if sys.stdout is not None:  # also behind argparse's own exit
                sys.stdout.flush()
    except OutputError as error:
        return _given_up(error)
    except KeyboardInterrupt as interrupt:
        tell("interrupted")
        number: int = interrupt.number if isinstance(interrupt, Stopped) else _signal.SIGINT
        return SIGNALLED + number


def _status(command: Callable[[], int]) -> int:
    try:
        return command()
    except OpspecError as error:
        if _caught:  # a library swallowed the interrupt, and took what it had not done for the input's fault
            raise Stopped(_caught[0]) from None
        tell(error.report())
    except RecursionError:
        tell("the input is nested too deeply")
    except MemoryError:
        tell("there is not enough memory")
    except (KeyboardInterrupt, SystemExit, OutputError):
        raise
    except BaseException as error:  # libraries in Rust panic with one that is no Exception
        if _caught:  # by a library in the middle of being imported, which failed for it
            raise Stopped(_caught[0]) from None
        import traceback

        traceback.print_exc()
        tell(f"a fault of opspec, which says nothing about the input: {type(error).__name__}")
    return BAD_INPUT


def tell(text: str) -> None:
    """A line on standard error."""
    print(f"opspec: {text}", file=sys.stderr)


# --- output


class OutputError(OSError):
    """Standard output fails. No ``BrokenPipeError``, on which libraries would end the program in their own way."""


class _Output(io.FileIO):
    """Standard output's descriptor, whose failures are told from those of other files.

    What is left in buffers behind a failure is lost: Python writes it once more when it lets go of them.
    """

    _failed = False

    def write(self, data: Any) -> int | None:  # type: ignore[override]
        if self._failed:
            return len(data)
        clear()
        try:
            return super().write(data)
        except OSError as error:
            self._failed = True
            raise OutputError(error.errno, error.strerror) from None


class _Closed(io.RawIOBase):
    """Stands for a standard output that was closed before opspec began."""

    _failed = False

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        if self._failed:
            return len(data)
        self._failed = True
        raise OutputError(None, "it is closed")


class _Complaints(io.FileIO):
    """Standard error's descriptor. What cannot be said there is lost; the exit status tells of it."""

    def write(self, data: Any) -> int | None:  # type: ignore[override]
        clear()
        try:
            return super().write(data)
        except OSError:
            return len(data)


def _given_up(error: OutputError) -> int:
    """The exit status when nothing more can be written; a reader that wants no more is no failure."""
    from errno import EPIPE

    sys.stdout = open(os.devnull, "w")  # noqa: SIM115 (nothing is left in the buffer to fail again at the very end)
    if error.errno == EPIPE:
        return OK
    tell(f"cannot write to standard output: {error.strerror}")
    return BAD_INPUT


def prepare() -> None:
    """Make the process's streams and signals such that :func:`ended` sees what becomes of them."""
    _occupy()
    sys.stdout = _text(_Closed() if sys.stdout is None else _Output(1, "w", closefd=False), sys.stdout)
    sys.stderr = _text(_Complaints(2, "w", closefd=False), sys.stderr)
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(_signal, name, None)
        if number is not None and _signal.getsignal(number) in (_signal.SIG_DFL, _signal.default_int_handler):
            _signal.signal(number, _stop)
    sys.unraisablehook = _swallowed


def _occupy() -> None:
    """Open what is closed of the three first descriptors: the next file opened would be taken for standard output."""
    lowest = os.open(os.devnull, os.O_RDWR)
    while lowest <= 2:
        lowest = os.open(os.devnull, os.O_RDWR)
    os.close(lowest)


def _text(raw: io.RawIOBase, before: TextIO | None) -> TextIO:
    """A text stream as Python makes it, in which what an encoding lacks becomes an escape."""
    import codecs

    codecs.register_error("opspec", _escaped)
    encoding = getattr(before, "encoding", None) or "utf-8"
    lines = before is None or before is sys.stderr or before.isatty() or getattr(before, "write_through", False)
    return io.TextIOWrapper(io.BufferedWriter(raw), encoding=encoding, errors="opspec", line_buffering=lines)


def _escaped(error: UnicodeError) -> tuple[str, int]:
    """What an encoding lacks, as JSON and C++ write it."""
    assert isinstance(error, UnicodeEncodeError)
    return escape(error.object[error.start : error.end]), error.end


# --- signals


class Stopped(KeyboardInterrupt):
    """SIGINT (Ctrl-C), SIGTERM or SIGHUP: the command ends, and what it has begun to write goes."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


_caught: list[int] = []  # numbers of signals
_AGAIN = 0.01  # seconds until a swallowed interrupt comes once more


def _stop(number: int, _frame: object) -> None:
    _caught.append(number)
    raise Stopped(number)


def _swallowed(what: Any) -> None:
    """Python's hook for exceptions that have nowhere to go, out of a callback of an import or a library's repr.

    An interrupt among them comes again a moment later, when it may find its way.
    """
    if isinstance(what.exc_value, Stopped) and hasattr(_signal, "setitimer"):
        number = what.exc_value.number
        _signal.signal(_signal.SIGALRM, lambda _number, frame: _stop(number, frame))
        _signal.setitimer(_signal.ITIMER_REAL, _AGAIN)
        return
    sys.__unraisablehook__(what)


def _no_more() -> None:
    """Let no swallowed interrupt come again: the command is over, and what says so must not be interrupted."""
    if _caught and hasattr(_signal, "setitimer"):
        _signal.setitimer(_signal.ITIMER_REAL, 0)
