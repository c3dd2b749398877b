"""A log, a line at a time, in bounded memory: what of it speaks of a failure.

Whatever bytes a log holds can be read; of a line that never ends its beginning counts.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from opspec.assist.explain.clues import clues
from opspec.vocabulary import status

LONGEST = 1 << 14  #: bytes of a line that are looked at
_REST = 1 << 20  # bytes of the rest of a line that are read at once
BEHIND = 12  # lines after one that speaks of a failure are looked at, too: messages go on there

_QUIET = re.compile(rb"^\s*\[(?:INFO|DEBUG|EVENT|TRACE)\]")  # lines of a log that tell of no failure
_SPEAKS = re.compile(
    rb"aclnn|ACLNN_|(?i:error|fail|invalid|illegal|must|should|expect|not (?:support|implement)|null)|E[A-Z0-9]\d{4}"
    rb"|\b[1356]\d{5}\b|\xe9\x94\x99\xe8\xaf\xaf|\xe5\xa4\xb1\xe8\xb4\xa5|npu_|File \""
)
#: what loggers put around a message
_AROUND = re.compile(
    r"""^\s*\[(?:ERROR|WARNING|INFO|EVENT|DEBUG|TRACE)\]\s*(?:\w+\(\d+,[^)]{0,80}\):)?
    |\d{4}-\d\d-\d\d[-T ]\d\d:\d\d:\d\d(?:[.,]\d+)*
    |\[(?:FUNC|FILE|LINE|PID|TID|THREAD)\s*:\s*[^\]]{0,200}\]
    |\((?:PID|TID)\s*:[^)]{0,100}\)
    |\[[\w./+-]{0,200}\.(?:cpp|cc|cxx|c|h|hpp|py):\d+\]
    |\berrno\s*\[\d+\]|\bOp(?:Name|Type)\s*:?\s*\[\w{0,100}\]
    |^(?:\s*\[\w{1,40}\])+\s*\d*
    |^\s*[\w.]{0,60}(?:Error|Exception):(?=\s)
    |\bAclNN_\w{1,40}\(E[A-Z0-9]\d{4}\):
    |\bdetail\s*:(?=E[A-Z0-9]\d{4}:)
    |\bE[A-Z0-9]\d{4}:
    |\bnpu_\w{1,80}:/\S{1,300}\.(?:cpp|cc|h):\d+
    |\bInner\ Error!|\bERR\d{5}\b\s*(?:PTA|OPS|DIST|GRAPH|PROF)?
    """,
    re.VERBOSE,
)
_CALLED = re.compile(r"\bcall\s+aclnn\w{0,100}\s+failed,?\s*(?:error code is\s*\d+|detail\s*:?)?", re.IGNORECASE)
_NOISE = re.compile(
    r"^\s*(?:Trace[Bb]ack|File \"|at \w|#\d+ |Solution|Possible Cause|call acl api failed|NPU function error"
    r"|Tiling failed|\^|~)|^\s*$",
)
# names and codes are ASCII, and Chinese puts no blank around them: its characters end a word
_NAMES = re.compile(r"\baclnn[A-Z][A-Za-z0-9]*", re.ASCII)
_OTHER_NAMES = re.compile(
    r"\bnpu_[a-z0-9_]{3,80}|\baclnn_[a-z0-9_]{3,80}(?=\.(?:cpp|cc|h)\b)|(?<=Op(?:Name|Type):\[)[A-Z]\w{2,80}"
    r"|(?<=op_type\[)[A-Z]\w{2,80}",
    re.ASCII,
)
_CLASS = re.compile(r"\bE[A-Z0-9]\d{4}\b|\bERR\d{5}\b", re.ASCII)
_STATUS = re.compile(r"(?<![\w.])([1356]\d{5})(?![\w.])|\bACLNN_[A-Z_]{3,60}\b", re.ASCII)
_SOC = re.compile(r"\bAscend ?(?:\d{3}[A-Za-z0-9_]{0,12}|kirin\w{1,10})", re.IGNORECASE | re.ASCII)
_FRAME = re.compile(r'^\s*File "([^"]{1,400})", line (\d{1,9})')


class Source(Protocol):
    """What a log is read from: a file, or what stands for one."""

    def readline(self, most: int = -1, /) -> bytes:
        """The next line, or so many bytes of it."""


@dataclass(frozen=True, slots=True)
class Line:
    """What a line of a log tells.

    Attributes:
        names: operators as the line calls them; ``others``: names that frameworks, files and kernels have for them.
        statuses, classes: status numbers or names, and classes of messages.
        message: its own words, without what loggers put around them; empty where it has none.
        frame: the place in a Python program that it names.
    """

    number: int
    names: tuple[str, ...]
    others: tuple[str, ...]
    statuses: tuple[str, ...]
    classes: tuple[str, ...]
    product: str | None
    message: str
    frame: str | None

    @property
    def is_empty(self) -> bool:
        """Whether it tells nothing."""
        return not (self.names or self.others or self.statuses or self.classes or self.message or self.frame)


def lines(source: Source) -> Iterator[Line]:
    """The lines that speak of a failure, or follow one that does."""
    near = number = 0
    in_code = False
    for raw in _pieces(source):
        number += 1
        if _QUIET.match(raw) is not None:
            continue
        if _SPEAKS.search(raw) is not None:
            near, speaks = BEHIND, True
        elif near and raw.strip():
            near, speaks = near - 1, False
        else:
            near = 0
            continue
        found = line(raw.decode("utf-8", "replace"), number)
        if not speaks and not clues(found.message).facets:
            found = replace(found, message="")  # what a program prints of its own progress
        yield found if not in_code else replace(found, message="")
        in_code = found.frame is not None  # Python shows the line itself below its place


def _pieces(source: Source) -> Iterator[bytes]:
    """Lines, each cut to what is looked at."""
    while raw := source.readline(LONGEST):
        yield raw
        while raw and not raw.endswith(b"\n"):
            raw = source.readline(_REST)


def line(text: str, number: int = 1) -> Line:
    """What a line tells."""
    text = text.strip("\r\n\ufeff")
    frame = _FRAME.match(text)
    soc = _SOC.search(text)
    return Line(
        number,
        tuple(dict.fromkeys(_NAMES.findall(text))),
        tuple(dict.fromkeys(_OTHER_NAMES.findall(text))),
        tuple(dict.fromkeys(found[0] for found in _STATUS.finditer(text) if found[0] in _statuses())),
        tuple(dict.fromkeys(_CLASS.findall(text))),
        soc[0] if soc else None,
        "" if frame else message(text),
        f"{frame[1]}:{frame[2]}" if frame else None,
    )


@functools.cache
def _statuses() -> frozenset[str]:
    """The numbers and names of statuses; any other number of six digits is none."""
    return frozenset(spelled for name in status.names() for spelled in (name, str(status.number(name))))


def message(text: str) -> str:
    """A line's own words; empty where it has none that could tell of a rule."""
    bare = _CALLED.sub(" ", _AROUND.sub(" ", _AROUND.sub(" ", text)))
    bare = re.sub(r"\s+", " ", bare).strip(" .:")
    said = _STATUS.sub("", _CLASS.sub("", bare)).split()
    return "" if _NOISE.match(bare) or len(said) < 2 else bare
