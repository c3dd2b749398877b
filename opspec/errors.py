"""Errors that people read.

Every error that opspec raises on purpose is an :class:`OpspecError`: one line that says where, what was
expected, what was found and, where one exists, the nearest valid spelling. The command line prints it and
exits with 2; a traceback is always a defect.
"""

from __future__ import annotations

from collections.abc import Iterable


class OpspecError(Exception):
    """Bad input or usage.

    Args:
        message: one sentence without a final full stop.
        where: ``file:line:column``, ``operator.param`` or whatever finds the place; empty when there is none.
    """

    def __init__(self, message: str, *, where: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.where = where

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message

    def at(self, where: str) -> OpspecError:
        """The same error with ``where`` put in front of its own place."""
        place = f"{where}: {self.where}" if self.where else where
        return type(self)(self.message, where=place)


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that ``word`` was most likely meant to be, or None. Case is ignored."""
    from difflib import get_close_matches  # imported late: only an error needs it

    known = {name.lower(): name for name in candidates}
    found = get_close_matches(word.lower()[:200], known, n=1, cutoff=0.6)
    return known[found[0]] if found else None


def did_you_mean(word: str, candidates: Iterable[str]) -> str:
    """``"; did you mean 'x'?"`` for the nearest candidate, or an empty string."""
    found = nearest(word, candidates)
    return f"; did you mean {found!r}?" if found else ""


def shown(value: object, limit: int = 60) -> str:
    """``repr`` cut to ``limit`` characters, for messages: input may be megabytes long."""
    text = repr(value[: limit * 2] if isinstance(value, (str, bytes)) else value)
    return text if len(text) <= limit else text[: limit - 1] + "…"
