"""The text of a page without its markup: links, emphasis, tags and escapes gone, what they say kept.

Pages are long and sometimes broken, so no pattern here may look at a character more than a bounded number of times:
repetitions that can run into each other have an upper bound.
"""

from __future__ import annotations

import html
import re

# [text](target "title"), an image with a leading "!"
_LINK = re.compile(r'!?\[([^\[\]]{0,500})\]\(([^()\s]{0,500})(?:\s{1,9}"[^"]{0,500}")?\)')
_BREAK = re.compile(r"<[ \t]{0,9}/?[ \t]{0,9}(?:br|p|li|ul|ol|div)\b[^<>]{0,500}>", re.I)
_SUPERSCRIPT = re.compile(r"<sup>([^<>]{0,80})</sup>", re.I)
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,500}>")
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+\-.!<>|~])")
_BLANK = re.compile(r"[\s\u200b\ufeff\x00-\x1f\x7f-\x9f]+")  # control characters say nothing
_CODE = re.compile(r"`([^`]+)`")
_EMPHASIS = re.compile(r"\*\*|__(?=\S)|(?<=\S)__|`")


def lines(text: str) -> list[str]:
    """The lines of a marked-up text, each without markup; list items and breaks end lines.

    >>> lines("<ul><li>a <b>b</b></li><li>2<sup>31</sup></li></ul>")
    ['a b', '2^31']
    """
    broken = _BREAK.sub("\n", text)
    return [line for line in map(plain, broken.split("\n")) if line]


def plain(text: str) -> str:
    """One line of text without markup; what stands in backticks keeps its asterisks.

    >>> plain("**see** [ranks](a.md), `aclOpExecutor **executor`")
    'see ranks, aclOpExecutor **executor'
    """
    text = _LINK.sub(lambda found: found[1], text)
    text = _SUPERSCRIPT.sub(lambda found: "^" + found[1].strip(), text)
    text = html.unescape(_TAG.sub("", without_comments(text)))
    text = _ESCAPE.sub(r"\1", text)
    parts = _CODE.split(text)
    parts[::2] = [_EMPHASIS.sub("", part) for part in parts[::2]]
    return _BLANK.sub(" ", "".join(parts)).strip()


def without_comments(text: str) -> str:
    """A text without the comments that it closes.

    >>> without_comments("a<!-- b -->c<!-- d")
    'ac<!-- d'
    """
    kept, at = [], 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start)) >= 0:
        kept.append(text[at:start])
        at = end + 3
    return "".join((*kept, text[at:])) if kept else text
