"""Pieces that patterns of wordings are built from; every repeat is bounded, so that no sentence takes long to read.

Arguments are regular expressions themselves: ``maybe("需要?", "应")`` is 需, 需要, 应 or nothing.
"""

from __future__ import annotations

import re

#: what separates the names of a list: x、y和z
AND = r"(?:、|,|，|/|或者|或|以及|及|和|与)"


def one_of(*words: str) -> str:
    """One of the words."""
    return f"(?:{'|'.join(words)})"


def maybe(*words: str) -> str:
    """One of the words, or nothing."""
    return f"(?:{'|'.join(words)})?"


def any_of(*words: str, most: int = 8) -> str:
    """Some of the words in any order, or nothing: the padding that pages put around what counts."""
    return f"(?:{'|'.join(words)}){{0,{most}}}"


def listed(item: str, separator: str = AND, most: int = 64) -> str:
    """One item, or several with a separator between each two."""
    return rf"{item}(?:{separator}{item}){{0,{most}}}"


def spotting(*wordings: str) -> re.Pattern[str]:
    """Finds any of some wordings, each a regular expression of its own.

    >>> spotting("不传", "传入?空").findall("可以不传或传空")
    ['不传', '传空']
    """
    return re.compile("|".join(wordings))
