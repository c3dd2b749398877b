"""Ids that are retired, of rules and of clauses, in a registry folder's ``retired.txt``: none gets a second meaning.

A rule is listed as ``9.1.0/aclnnX/name``, a clause of a page as ``9.1.0/aclnnX/clauses/name``, one a line.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from opspec import archive

FILE = "retired.txt"


def retired_ids(folder: str) -> frozenset[str]:
    """The full ids that are listed; ``#`` begins a comment."""
    lines = (line.split("#")[0].strip() for line in _text(folder).splitlines())
    return frozenset(line for line in lines if line)


def clause_id(release: str, operator: str, name: str) -> str:
    """The full id of a clause."""
    return f"{release}/{operator}/clauses/{name}"


def clauses_of(retired: Iterable[str], release: str, operator: str) -> frozenset[str]:
    """The ids of an operator's clauses among retired ones."""
    start = clause_id(release, operator, "")
    return frozenset(name.removeprefix(start) for name in retired if name.startswith(start))


def with_retired(folder: str, more: Iterable[str]) -> tuple[str, str]:
    """The path of the file, and its text with more ids at its end."""
    known, text = retired_ids(folder), _text(folder)
    end = "\n" if text and not text.endswith("\n") else ""
    return os.path.join(folder, FILE), text + end + "".join(f"{name}\n" for name in more if name not in known)


def _text(folder: str) -> str:
    path = os.path.join(folder, FILE)
    return archive.read(path).decode() if archive.is_file(path) else ""
