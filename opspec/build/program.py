"""A host program as a process: the environment in which it meets the simulator or the layer, and how it ends."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from opspec.build.layout import read_mark
from opspec.errors import OpspecError

LAYER = "libopspec_layer.so"


def environment(
    *,
    sdk: str | None,
    layer: str | None,
    events: str,
    severity: str | None = None,
    record: str | None = None,
    base: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """The environment of a program that is to meet an SDK's libraries, or the layer, or both.

    Raises:
        OpspecError: a folder does not hold what it should.
    """
    known = dict(os.environ if base is None else base)
    known["OPSPEC_EVENTS"] = events
    known.setdefault("OPSPEC_OUTPUT", "none")  # the report says it
    if severity is not None:
        known["OPSPEC_SEVERITY"] = severity
    if record is not None:
        known["OPSPEC_RECORD"] = os.path.abspath(record)
    if sdk is not None:
        read_mark(sdk)
        known["ASCEND_HOME_PATH"] = os.path.abspath(sdk)
        _prepend(known, "LD_LIBRARY_PATH", os.path.join(os.path.abspath(sdk), "lib64"))
    if layer is not None:
        library = os.path.join(layer, LAYER)
        if not os.path.isfile(library):
            raise OpspecError(f"this is not a layer that 'opspec layer' made: there is no {LAYER}", where=layer)
        _prepend(known, "LD_PRELOAD", os.path.abspath(library))
    return known


def _prepend(known: dict[str, str], name: str, path: str) -> None:
    before = known.get(name)
    known[name] = f"{path}:{before}" if before else path


def execute(command: Sequence[str], known: Mapping[str, str], *, stdout: int | None = None) -> int:
    """Run a program to its end with this process's input and output; its exit code, or minus the signal's number.

    What asks this process to end is passed on to the program: its events are wanted all the same.

    Raises:
        OpspecError: it cannot be started.
    """
    try:
        program = subprocess.Popen(command, env=dict(known), stdout=stdout)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise OpspecError(f"cannot start: {reason}", where=command[0]) from None
    with _passing_on(program):
        return program.wait()


@contextmanager
def _passing_on(program: subprocess.Popen[bytes]) -> Iterator[None]:
    """SIGTERM and SIGHUP go to the program; SIGINT has gone to it already, being the terminal's."""

    def pass_on(number: int, _frame: object) -> None:
        if number != signal.SIGINT:
            program.send_signal(number)

    before = {number: signal.signal(number, pass_on) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
