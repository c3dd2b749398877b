"""By which release a failure is read: the one asked for, else that of the version of CANN that the log tells of, or the
machine has."""

from __future__ import annotations

from opspec.assist.explain.failures import Failure
from opspec.assist.explain.operators import Operators
from opspec.registry.toolkit import NAMED
from opspec.registry.versions import LOG, Reading


class Choice:
    """By which release the failures of a log are read.

    Args:
        operators: those of the release that is asked for, or of all.
        release: the one that is asked for.
        toolkit: the one of the machine.
    """

    def __init__(self, operators: Operators, release: str | None, toolkit: Reading | None) -> None:
        self._known, self._release, self._toolkit = operators.known, release, toolkit
        self._operators = {release: operators}

    def reading(self, failure: Failure) -> Reading | None:
        """The release that the log tells of a failure, or that the machine has; None where neither tells one, or
        another is asked for."""
        version = failure.machine.cann
        if self._release is not None:
            return None
        named = self._toolkit is not None and self._toolkit.source == NAMED
        if version is None or named or not self._known.whole():
            return self._toolkit
        return self._known.nearest(version, LOG)

    def of(self, failure: Failure) -> tuple[Operators, str | None]:
        """The operators that a failure may be about, and the release; None stands for the newest that has its own.

        An operator that the release does not have is looked up in the newest that has it, as if none were told.
        """
        reading = self.reading(failure)
        release = self._release if reading is None else reading.release
        if reading is not None and failure.operator is not None:
            release = release if failure.operator in self._known.entries(reading.release) else None
        if release not in self._operators:
            self._operators[release] = Operators(self._known, release)
        return self._operators[release], release
