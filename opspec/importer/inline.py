"""The text of a page without its markup: links, emphasis, tags and escapes gone, what they say kept."""

from __future__ import annotations

import html
import re

_LINK = re.compile(r"!?\[([^\[\]]{0,500})\]\(([^()\s]{0,500})(?:\s+\"[^\"]*\")?\)")
_BREAK = re.compile(r"<\s*/?\s*(?:br|p|li|ul|ol|div)\b[^<>]*>", re.I)
_SUPERSCRIPT = re.compile(r"<sup>\s*([^<>]{0,40}?)\s*</sup>", re.I)
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,500}>|<!--.*?-->", re.S)
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+\-.!<>|~])")
_SPACE = re.compile(r"[ \t\u00a0\u3000\u200b\ufeff]+")
_EMPHASIS = re.compile(r"\*\*|__(?=\S)|(?<=\S)__|`")


def lines(text: str) -> list[str]:
    """The lines of a marked-up text, each without markup; list items and breaks end lines.

    >>> lines("<ul><li>a <b>b</b></li><li>2<sup>31</sup></li></ul>")
    ['a b', '2^31']
    """
    broken = _BREAK.sub("\n", text)
    return [line for line in map(plain, broken.split("\n")) if line]


def plain(text: str) -> str:
    """One line of text without markup."""
    text = _LINK.sub(lambda found: found[1], text)
    text = _SUPERSCRIPT.sub(r"^\1", text)
    text = html.unescape(_TAG.sub("", text))
    text = _EMPHASIS.sub("", _ESCAPE.sub(r"\1", text))
    return _SPACE.sub(" ", text).strip()
