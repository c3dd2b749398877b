"""What a command says of each call that it reads; what is wrong with a call is told on standard error and counted."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from opspec.cli.ending import tell
from opspec.errors import OpspecError
from opspec.validator.files import BrokenCall
from opspec.validator.read import Call, calls

T = TypeVar("T")


@dataclass(slots=True)
class Answers:
    """Answers to calls, one after another.

    Args:
        bad: how many calls and files are none, or have no answer.
    """

    bad: int = 0

    def of_files(self, files: Iterable[str], answer: Callable[[Call], T], kind: str | None = None) -> Iterator[T]:
        """Those to the calls of files; '-' is standard input."""
        for source in files:
            try:
                yield from self.of(calls(source, sys.stdin, kind=kind), answer)
            except OpspecError as error:
                self._tell(error)

    def of(self, found: Iterable[Call | BrokenCall], answer: Callable[[Call], T]) -> Iterator[T]:
        """Those to calls."""
        for call in found:
            if isinstance(call, BrokenCall):
                self._tell(call.error.placed(call.where))
                continue
            try:
                said = answer(call)
            except OpspecError as error:
                self._tell(error.at(call.where))
                continue
            yield said

    def _tell(self, error: OpspecError) -> None:
        self.bad += 1
        sys.stdout.flush()
        tell(str(error))
