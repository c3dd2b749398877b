"""What a line of a log was before a terminal, a container, a server or a person put something around it."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator

_COLOUR = re.compile(r"\x1b(?:\[[0-9;?]{0,40}[ -/]{0,4}[@-~]|\][^\x07\x1b]{0,400}(?:\x07|\x1b\\)|[@-Z\\-_])")
#: what stands in front of a line, once or several times
_FRONT = re.compile(
    r"""(?:\s*(?:
        # a quotation
        >
        # a container
      | \d{4}-\d\d-\d\dT[\d:.,]{8,20}(?:Z|[+-]\d\d:?\d\d)\s(?:(?:stdout|stderr)\s[FP]\s)?
        # a library's logger
      | \[\d{4}-\d\d-\d\d[ T][\d:.,]{8,20}\]
        # a rank
      | \[(?:rank|default|[a-z-]{1,20}:)?\d{1,6}(?:\]:|/\d{1,6}\]:?)
        # a process of a server, and its logger
      | \([A-Z]\w{0,40}(?:,?\s(?:[A-Z]{2,3}\d{1,6}|pid=\d{1,9}|rank=\d{1,6}|ip=[\d.:a-f]{3,45}))*\)(?=\s|$)
      | (?:ERROR|WARNING|INFO|DEBUG|CRITICAL)\s+\d\d-\d\d\s\d\d:\d\d:\d\d\s(?:\[[\w./-]{1,80}:\d{1,6}\])?
        # a journal of a machine
      | [A-Z][a-z]{2}\s[ \d]\d\s\d\d:\d\d:\d\d(?:\.\d{1,9})?\s[\w.-]{1,80}\s[\w./@:-]{1,60}(?:\[\d{1,9}\])?:(?=\s|$)
        # loggers of Python
      | \d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d[.,]\d{1,9}\s(?:\|\s|-\s)?(?:[\w.]{1,60}\s-\s)?
        (?:ERROR|WARNING|INFO|DEBUG|CRITICAL)\s{1,8}(?:[|-]\s)?(?:[\w.<>]{1,80}:[\w.<>]{1,80}:\d{1,6}\s-(?:\s|$))?
        # what pytest puts before the words of an exception
      | E(?=\s{3})\s{1,12}
    )[ ]?)+""",
    re.VERBOSE,
)
_END = re.compile(r"(?:\\r)?\\n")  # an end of line, as one text that holds several lines has it
_KEYS = ("log", "message", "msg", "text")  # under which loggers of JSON keep the line
_MOST_TEXTS = 50  # of an object of JSON
_MOST_DEEP = 8  # objects in which a logger's text lies


def unwrapped(text: str) -> Iterator[str]:
    """The lines that a line of a log holds: mostly itself.

    >>> list(unwrapped("[rank3]: RuntimeError: call aclnnAdd failed"))
    ['RuntimeError: call aclnnAdd failed']
    """
    if "\x1b" in text:
        text = _COLOUR.sub("", text)
    text = text.strip("\r\n\ufeff")
    if (front := _FRONT.match(text)) is not None and text.startswith("{", front.end()):
        text = text[front.end() :]
    if text.startswith("{"):
        text = _of_json(text)
    for part in _END.split(text):
        yield part[found.end() :].rstrip() if (found := _FRONT.match(part)) is not None else part


def _of_json(text: str) -> str:
    """The texts that a line of JSON holds which a logger wrote; other lines as they are."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if not any(isinstance(found.get(key), str) for key in _KEYS):
        return text
    return "\\n".join(itertools.islice(_texts(found), _MOST_TEXTS)).replace("\n", "\\n")


def _texts(value: object, deep: int = 0) -> Iterator[str]:
    """The texts in a value of JSON that are more than a word: loggers keep an exception apart from their message."""
    if isinstance(value, str):
        yield from [value] * (" " in value.strip())
    elif isinstance(value, (dict, list)) and deep < _MOST_DEEP:
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item, deep + 1)
