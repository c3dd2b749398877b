"""Findings that a release keeps, each with the reason: ``lint-accepted.txt`` beside the release's specs.

A reason stands at the start of a line after the check that it is for; what it holds for is indented below it, an
operator and then what of it the findings are about::

    silent: the page says nothing of the shape
        aclnnX  a.shape b.shape

An entry that nothing finds any more is a finding itself, so that the list never says more than is true. What the base
accepts is accepted in the releases that stand on it, which say only what differs.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from opspec import archive
from opspec.errors import OpspecError, did_you_mean
from opspec.workshop.lint.subject import Problem

FILE = "lint-accepted.txt"
ID = "accepted"


@dataclass(frozen=True, slots=True)
class Accepted:
    """A finding that is kept.

    Args:
        about: operator and what of it, with a slash between, as ``Problem.about``.
    """

    check: str
    about: str
    reason: str
    where: str

    @property
    def operator(self) -> str:
        """The operator that it is about."""
        return self.about.partition("/")[0]


def read(folder: str, checks: Iterable[str]) -> tuple[Accepted, ...]:
    """The entries of a release's folder; none where it has no list.

    Raises:
        OpspecError: a line that fits no form, or a check that does not exist.
    """
    path = os.path.join(folder, FILE)
    if not archive.is_file(path):
        return ()
    return tuple(_entries(archive.read(path).decode().splitlines(), path, tuple(checks)))


def _entries(lines: Iterable[str], path: str, checks: tuple[str, ...]) -> Iterator[Accepted]:
    check, reason = "", ""
    for number, line in enumerate(lines, 1):
        where = f"{path}:{number}"
        if not line.strip() or line.startswith("#"):
            continue
        if not line[0].isspace():
            check, _, reason = (part.strip() for part in line.partition(":"))
            if check not in checks:
                raise OpspecError(f"no check is called {check!r}{did_you_mean(check, checks)}", where=where)
            if not reason:
                raise OpspecError(f"expected '{check}: the reason'", where=where)
            continue
        operator, *about = line.split()
        if not check or not about:
            raise OpspecError("expected an operator and what the findings are about, below a reason", where=where)
        yield from (Accepted(check, f"{operator}/{name}", reason, where) for name in about)


def without(problems: Iterable[Problem], entries: Iterable[Accepted]) -> list[Problem]:
    """The problems that no entry accepts."""
    known = {(entry.check, entry.about) for entry in entries}
    return [problem for problem in problems if (problem.check, problem.about) not in known]


def stale(problems: Iterable[Problem], entries: Iterable[Accepted]) -> list[Problem]:
    """A problem for each entry that accepts none of these."""
    found = {(problem.check, problem.about) for problem in problems}
    return [
        Problem(entry.where, ID, f"{entry.check} no longer finds {entry.about}: take it off the list", entry.about)
        for entry in entries
        if (entry.check, entry.about) not in found
    ]
