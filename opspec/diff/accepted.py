"""Changes that somebody has looked at: a file of fingerprints, one a line, with whatever else stands behind it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from opspec.diff.change import Change
from opspec.errors import OpspecError, shown
from opspec.files import read_bytes

_FINGERPRINT = re.compile(r"[0-9a-f]{10}")


def read(path: str) -> frozenset[str]:
    """The fingerprints of a file.

    Raises:
        OpspecError: a line begins with something else.
    """
    return frozenset(_entries(read_bytes(path).decode("utf-8", "replace").splitlines(), path))


def _entries(lines: Iterable[str], path: str) -> Iterator[str]:
    for number, line in enumerate(lines, 1):
        words = line.split("#")[0].split()
        if not words:
            continue
        if not _FINGERPRINT.fullmatch(words[0]):
            raise OpspecError(
                f"expected a fingerprint such as 0123456789, found {shown(words[0])}", where=f"{path}:{number}"
            )
        yield words[0]


def line(change: Change) -> str:
    """The line that accepts a change."""
    return " ".join(filter(None, (change.fingerprint, change.operator, change.kind, change.subject)))
