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
from opspec.assist.explain.machine import MAY_TELL, NOTHING, Machine, machine
from opspec.assist.explain.processes import UNKNOWN, Process, process
from opspec.assist.explain.wrapping import unwrapped
from opspec.errors import OpspecError
from opspec.registry.names import SUFFIX
from opspec.validator.files import MAX_LINE, MIB
from opspec.vocabulary import status

LONGEST = 1 << 14  #: bytes of a line that are looked at
_REST = 1 << 20  # bytes of the rest of a line that are read at once
BEHIND = 12  # lines after one that speaks of a failure are looked at, too: messages go on there

_QUIET = re.compile(r"^\s*\[(?i:INFO|DEBUG|EVENT|TRACE)\]")  # lines of a log that tell of no failure
_SPEAKS = re.compile(
    r"aclnn|ACLNN_|(?i:error|fail|invalid|illegal|must|should|expect|null|missing|can ?not|mismatch"
    r"|not? (?:support|implement|match|equal|(?:the )?same)"
    r"|differ|wrong|incorrect|duplicate|negative|exceed|too (?:large|small)|hccl|out of "
    r"|(?:larger|smaller|greater|less|more) than|(?:multiple|one) of|does not|required|\bonly\b)"
    r"|E[A-Z0-9]\d{4}|\b[1356]\d{5}\b|错误|失败|npu_|File \""
)
#: what loggers put around a message
_AROUND = re.compile(
    r"""^\s*\[[EWI][ ]\w{1,80}\.(?:cpp|cc|py):\d+\]
    |^\s*\[(?:ERROR|WARNING|INFO|EVENT|DEBUG|TRACE)\]\s*(?:\w+\(\d+,[^)]{0,80}\):)?
    |\d{4}-\d\d-\d\d[-T ]\d\d:\d\d:\d\d(?:[.,]\d+)*
    |^\s*\[ERROR\ MSG\]:?
    |\[[\w.]{1,60}\.py-\d{1,6}\]\ ?:?
    |\[(?:FUNC|FILE|LINE|PID|TID|THREAD)\s*:\s*[^\]]{0,200}\]
    |\((?:PID|TID)\s*:[^)]{0,100}\)
    |\[[\w./+-]{0,200}\.(?:cpp|cc|cxx|c|h|hpp|py):\d+\]
    |\berrno\s*\[\d+\]|\bOp(?:Name|Type)\s*:?\s*\[\w{0,100}\]
    |^(?:\s*\[\w{1,40}\])+\s*\d*
    |^\s*(?:\[Model\]\s*)?(?:>>>\ )?[\w.]{0,60}(?:Error|Exception):(?=\s)
    |\bAclNN_\w{1,40}\(E[A-Z0-9]\d{4}\):
    |\bdetail\s*:(?=E[A-Z0-9]\d{4}:)
    |\bE[A-Z0-9]\d{4}(?:\[[\w.\s:]{0,40}\])?\s*(?:\(E[A-Z0-9]\d{4}\)\s*)?:
    |\b\w{1,80}(?:\(\))?:\s?[^\s:]{1,300}\.(?:cpp|cc|h|ts):\d+
    |\bNP[Uu]\ function\ error\b:?
    |\bInner\ Error!|\bERR\d{5}\b\s*(?:PTA|OPS|DIST|GRAPH|PROF)?
    """,
    re.VERBOSE,
)
_CALLED = re.compile(
    r"\bcall\s+aclnn\w{0,100}\s+fail(?:ed)?,?\s*(?:(?:error code is|error:|ret:?)\s*\d+|detail\s*:?)?"
    r"|\baclnn\w{1,100}\s+call failed, please check!?"
    r"|\baclnn\w{1,100}\s+fail(?:ed)?[.,]?\s*(?:error|ret)\s*[:=]\s*\d{6}\b"
    r"|(?:\b[\w./-]{1,200}\.(?:cpp|cc|c|h|py):\d+:?\s)?\baclnn\w{1,100}\s+(?:returns?|returned|ret)\b[ :=]*\d{6}\b",
    re.IGNORECASE,
)
_CODE_FIRST = re.compile(r"^(?:\(?E[A-Z0-9]\d{4}\)?[ :]*)+(?=[^ \d:(])")
_NOISE = re.compile(
    r"^\s*(?:Trace[Bb]ack|File \"|at \w|#\d+ |Solution|Possible Cause|(?:\[ERROR\] )?call acl api failed"
    r"|(?i:npu function error)|Tiling [Ff]ailed|Check Nnopbase\w+\(|Check nnop|.{0,100}\bAssert \"?\(*ret\b"
    r"|Assert \(+(?:ret|\w*[eE]xecutor)\b|.{0,60}\binfershape or setup fail\b|Setup fail, enable log"
    r"|(?:Kernel )?GetWorkspace failed|Kernel Run failed|\w+ (?:do tiling|LaunchAicore) failed(?:, ret is -?\d+)?$"
    r"|The Inner error is reported as above|=+ .{0,80} =+$|FAILED \S+::|\S+:\d+: \w+$|\w+ +Traceback \(most|CANN error$"
    r"|C\+\+ Traceback|Error Message Summary|aclnn\w+\(.*\)$|E\d{4} [\d:.]+ \d+ \S+:\d+\]"
    r"|\[MIE\w+\]|AsyncGenerator exception$|Error executing method|.{0,12}SIG\w+ received"
    r"|launch failed for|EngineCore encountered|\w+ setup fail|- [A-Z][\w+]* .{0,40}:?$|\(Please search|\^|~)|^\s*$",
)
# names and codes are ASCII, and Chinese puts no blank around them: its characters end a word
_NAMES = re.compile(r"\baclnn[A-Z][A-Za-z0-9]*", re.ASCII)
_INNER = re.compile(
    r"\b(?:of (?:the )?operator |(?=of aclnn\w{1,100} has (?:incorrect|invalid)\b)of )"
    r"(aclnn[A-Z][A-Za-z0-9]*)(?:_\d+)?",
    re.ASCII,
)  # what an interface called in turn
_OTHER_NAMES = re.compile(
    r"\bnpu_[a-z0-9_]{3,80}|\baclnn_[a-z0-9_]{3,80}(?=\.(?:cpp|cc|h)\b)",
    re.ASCII,
)
#: what stands before and behind the name of a kernel
_KERNEL = re.compile(
    r"(?:\bOp(?:Name|Type):\s?\[|\bop_?type:?\s?\[|\bop_name=|\b[Oo]p\s?\[|\bOp |\b(?:of|for) op |\bopType: \d{1,6}, "
    r"|\bexecute operator |\bopType \[|\bkernel_name=)([A-Z][A-Za-z0-9]{2,80})"
    r"|\b([A-Z][A-Za-z0-9]{2,80}) (?:do tiling failed|LaunchAicore failed)",
    re.ASCII,
)
_CLASS = re.compile(r"\bE[A-Z0-9]\d{4}\b|\bERR\d{5}\b", re.ASCII)
_STATUS = re.compile(r"(?<![\w.])([1356]\d{5})(?!\w|\.\d)|\bACLNN_[A-Z_]{3,60}\b", re.ASCII)
_COMPARED = re.compile(r"[!=]=\s*ACLNN_SUCCESS\b|\bACLNN_SUCCESS\s*[!=]=", re.ASCII)  # what was wanted, and was not
_TILING = re.compile(r"\btiling\b.{0,40}\bfailed|FILE\s*:\s*\w*tiling\w*\.|DoTiling|\[FUNC\s*:\s*\w*[Tt]iling", re.I)
_FRAME = re.compile(r'^\s*File "([^"]{1,400})", line (\d{1,9})')


class Source(Protocol):
    """What a log is read from: a file, or what stands for one."""

    def readline(self, most: int = -1, /) -> bytes:
        """The next line, or so many bytes of it."""


@dataclass(frozen=True, slots=True)
class Line:
    """What a line of a log tells.

    Attributes:
        names: operators as the line calls them; ``others``: names that frameworks and files have for them;
            ``kernels``: names of kernels that may be those of several operators.
        statuses, classes: status numbers or names, and classes of messages.
        machine: the product and the versions that it names.
        message: its own words, without what loggers put around them; empty where it has none.
        frame: the place in a Python program that it names.
        tiling: whether it says that tiling refused.
        process: whose line it is.
    """

    number: int
    names: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    kernels: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    machine: Machine = NOTHING
    message: str = ""
    frame: str | None = None
    tiling: bool = False
    process: Process = UNKNOWN

    @property
    def is_empty(self) -> bool:
        """Whether it tells nothing of a failure."""
        named = self.names or self.others or self.kernels
        return not (named or self.statuses or self.classes or self.message or self.frame or self.tiling)


def lines(source: Source) -> Iterator[Line]:
    """The lines that speak of a failure, follow one that does, or tell of the machine.

    Raises:
        OpspecError: a line is longer than what ``opspec check`` reads, as that of a stream without end is.
    """
    near = number = 0
    in_code = False
    for raw in _pieces(source):
        number += 1
        whole = raw.replace(b"\0", b"").decode("utf-8", "replace")  # without what UTF-16 has between its letters
        parts = [*unwrapped(whole)]
        for text in parts:
            quiet, speaks = _QUIET.match(text) is not None, _SPEAKS.search(text) is not None
            speaks = speaks and not quiet
            follows = bool(near and text.strip()) and not (speaks or quiet)
            if not quiet:
                near = BEHIND if speaks else near - 1 if follows else 0
            if not (speaks or follows):
                if MAY_TELL.search(text) is not None:
                    yield Line(number, machine=machine(text))
                continue
            found = replace(line(text, number), process=process(whole if len(parts) == 1 else text))
            if not speaks and not clues(found.message).facets:
                found = replace(found, message="")  # what a program prints of its own progress
            yield found if not (in_code and text[:1].isspace()) else replace(found, message="")
            in_code = found.frame is not None  # Python shows the line itself below its place


def _pieces(source: Source) -> Iterator[bytes]:
    """Lines, each cut to what is looked at."""
    number = 0
    while raw := source.readline(LONGEST):
        number += 1
        yield raw
        length = len(raw)
        while raw and not raw.endswith(b"\n"):
            raw = source.readline(_REST)
            length += len(raw)
            if length > MAX_LINE:
                raise OpspecError(f"line {number} has more than {MAX_LINE // MIB} MiB")


def line(text: str, number: int = 1) -> Line:
    """What a line tells."""
    frame = _FRAME.match(text)
    codes = _COMPARED.sub(" ", text)
    return Line(
        number,
        tuple(dict.fromkeys(name.removesuffix(SUFFIX) for name in _NAMES.findall(_INNER.sub(" ", text)))),
        tuple(
            dict.fromkeys((*_OTHER_NAMES.findall(text), *(name.removesuffix(SUFFIX) for name in _INNER.findall(text))))
        ),
        tuple(dict.fromkeys(found[1] or found[2] for found in _KERNEL.finditer(text))),
        tuple(dict.fromkeys(found[0] for found in _STATUS.finditer(codes) if found[0] in _statuses())),
        tuple(dict.fromkeys(_CLASS.findall(text))),
        machine(text),
        "" if frame else message(text),
        f"{frame[1]}:{frame[2]}" if frame else None,
        _TILING.search(text) is not None,
    )


@functools.cache
def _statuses() -> frozenset[str]:
    """The numbers and names of statuses; any other number of six digits is none."""
    return frozenset(spelled for name in status.names() for spelled in (name, str(status.number(name))))


def message(text: str) -> str:
    """A line's own words; empty where it has none that could tell of a rule."""
    bare = _CALLED.sub(" ", _AROUND.sub(" ", _AROUND.sub(" ", text)))
    bare = _CODE_FIRST.sub("", re.sub(r"\s+", " ", bare).strip(" .:"))
    said = _STATUS.sub("", _CLASS.sub("", bare)).split()
    return "" if _NOISE.match(bare) or len(said) < 2 else bare
