"""By which release a failure is read: the one asked for, else that of the version of CANN that the log tells of, or the
machine has."""

from __future__ import annotations

import re
from typing import BinaryIO

from opspec.assist.explain.failures import Failure
from opspec.assist.explain.operators import Operators
from opspec.registry.toolkit import NAMED
from opspec.registry.versions import LOG, VERSION, Reading

_LONGEST = 1 << 14  # bytes of a line that are looked at

#: ``CANN 8.5.0``, ``CANN version: 8.2.RC1``, ``CANN版本：8.2``, ``…/cann-8.5.0/…``, ``cann-toolkit_8.2.RC1_linux``; the
#: folder of an older toolkit; a line of its ``version.cfg``
_TOLD = re.compile(
    rf"""(?<![A-Za-z])cann (?:[ _-]?(?:version|toolkit|kernels?|nnae|nnrt)|版本)? (?:-\w{{1,12}})?
            [ =:：_v"'(-]{{0,6}} (?P<a>{VERSION}) (?!\d|\.\d)
       |(?:ascend-toolkit|nnae|nnrt)/(?P<b>{VERSION})
       |(?:toolkit|runtime|compiler|opp)_(?:running|installed)_version=\[[^\]:]{{0,40}}:(?P<c>{VERSION})""",
    re.VERBOSE | re.IGNORECASE,
)
#: what stands before and behind a version that ought to be there: it says nothing of the one that is
_WANTED = re.compile(
    r"(?:requires?|needs?|since|upgrade|at least|minimum|>=?|需要|升级|不低于)[^.;，。]{0,20}$", re.IGNORECASE
)
_OR_LATER = re.compile(r"\s?(?:\+|(?:or|and) (?:later|newer|above|higher)|及?以上|及之后)", re.IGNORECASE)
_MAYBE = re.compile(rb"(?i:cann)|ascend-toolkit/|nnae/|nnrt/|_version=\[")


def told(text: str) -> str | None:
    """The version of CANN that a line says is there; None where it says none.

    >>> told("CANN version: 8.2.RC1"), told("needs CANN 8.3 or later"), told("/usr/local/Ascend/cann-8.5.0/lib64")
    ('8.2.RC1', None, '8.5.0')
    """
    for found in _TOLD.finditer(text):
        wanted = _WANTED.search(text, max(0, found.start() - 60), found.start())
        if wanted is None and _OR_LATER.match(text, found.end()) is None:
            return found["a"] or found["b"] or found["c"]
    return None


class Heard:
    """A log that is read line by line, and the first version of CANN that it tells of.

    Attributes:
        version: that version; None as long as none was told.
    """

    def __init__(self, source: BinaryIO) -> None:
        self._source = source
        self.version: str | None = None

    def readline(self, most: int = -1) -> bytes:
        """As a file has it."""
        line = self._source.readline(most)
        if self.version is None and _MAYBE.search(line, 0, _LONGEST) is not None:
            self.version = told(line[:_LONGEST].decode("utf-8", "replace"))
        return line


class Choice:
    """By which release the failures of a log are read.

    Args:
        operators: those of the release that is asked for, or of all.
        release: the one that is asked for.
        toolkit: the one of the machine.
        version: the version of CANN that the log tells of.

    Attributes:
        reading: the release of the log or the machine; None where neither tells of one, or another is asked for.
    """

    def __init__(self, operators: Operators, release: str | None, toolkit: Reading | None, version: str | None) -> None:
        known = operators.known
        self._known, self._release = known, release
        self._operators = {release: operators}
        self.reading: Reading | None = None
        if release is not None:
            return
        self.reading = toolkit
        named = toolkit is not None and toolkit.source == NAMED
        if version is not None and not named and known.whole():
            self.reading = known.nearest(version, LOG)

    def of(self, failure: Failure) -> tuple[Operators, str | None]:
        """The operators that a failure may be about, and the release; None stands for the newest that has its own.

        An operator that the release does not have is looked up in the newest that has it, as if none were told.
        """
        release = self._release if self.reading is None else self.reading.release
        if self.reading is not None and failure.operator is not None:
            release = release if failure.operator in self._known.entries(self.reading.release) else None
        if release not in self._operators:
            self._operators[release] = Operators(self._known, release)
        return self._operators[release], release
