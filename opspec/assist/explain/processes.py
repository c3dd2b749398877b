"""Which process a line of a log is of: lines of many ranks stand among each other, and a failure is one process's."""

from __future__ import annotations

import re
from dataclasses import dataclass

_RANK = re.compile(r"\[rank(\d{1,6})\]|\bRankID:(\d{1,6})\b|\brank=(\d{1,6})\b")
#: a server's prefix, what CANN and torch_npu write, a line of a process log; the first of a line is its writer
_PID = re.compile(r"\bpid=(\d{1,9})\b|\bPID\s?:\s?(\d{1,9})\b|^\s*\[[A-Z]{4,8}\]\s\w{1,20}\((\d{1,9}),")


@dataclass(frozen=True, slots=True)
class Process:
    """A process, as far as a line tells: its rank among others, its number."""

    rank: str = ""
    pid: str = ""

    def may_be(self, other: Process) -> bool:
        """Whether nothing tells the two apart."""
        return all(
            not mine or not theirs or mine == theirs
            for mine, theirs in ((self.rank, other.rank), (self.pid, other.pid))
        )

    def over(self, other: Process) -> Process:
        """This, and what the other knows beside it."""
        return Process(self.rank or other.rank, self.pid or other.pid)


UNKNOWN = Process()


def process(text: str) -> Process:
    """The process that a line of a log, with what stands before its message, is of.

    >>> process("[rank3]: EZ9999: [PID: 71] x"), process("call aclnnAdd failed")
    (Process(rank='3', pid='71'), Process(rank='', pid=''))
    """
    if "PID" not in text and "pid=" not in text and "ank" not in text and "(" not in text:
        return UNKNOWN
    rank, pid = _RANK.search(text), _PID.search(text)
    found = Process(_first(rank), _first(pid))
    return found if found.rank or found.pid else UNKNOWN


def _first(found: re.Match[str] | None) -> str:
    return "" if found is None else next(filter(None, found.groups()), "")
