"""What a sentence of a log tells of a broken rule: which params it names, which of their facets, dtypes and numbers.

The words that runtimes use for one thing are many; nothing here knows an operator.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from opspec.vocabulary import dtypes, formats

MOST = 4000  #: characters of a sentence that are looked at

_MOST_COMPOUNDS = 20

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_NUMBER = re.compile(r"(?<![\w.])-?\d{1,19}(?![\w.])")
_LIST = re.compile(r"[\[{(]([^\[\](){}]*)")  # one that was cut has no end

#: what tells that one of the dims is meant, not how many there are: ``dims No.[1]``, ``dim 0``; ``the first dim``
_PLACE = r" ?(?:No\.? ?)?[\[(]? ?\d"
_NO_ORDINAL = r"(?<!first )(?<!second )(?<!third )(?<!last )"
#: facet -> the words by which sentences speak of it
_FACETS = {
    "dtype": r"d_?types?\b|data ?types?\b|\bDT_[A-Z]|promot|\bcast\b|数据类型",
    "format": r"\bformats?\b|layout|格式",
    "rank": rf"{_NO_ORDINAL}\bdim(ension)?s?\b(?!{_PLACE})|dim_?num|\branks?\b|维",
    "shape": rf"shape|\bsizes?\b|\bdim(ension)?s?{_PLACE}|\b(?:first|second|third|last) dim(ension)?\b|"
    r"\baxis\b|broadcast|\blast element\b|\bnumel\b|形状",
    "presence": r"\bnull(ptr)?\b|\bNone\b|\bempty pointer\b|空指针|not (be )?provided|is required",
    "layout": r"contiguous|strides?\b|连续",
}
_PATTERNS = {facet: re.compile(text, re.IGNORECASE if facet != "dtype" else 0) for facet, text in _FACETS.items()}
_BAD_DTYPE = re.compile(
    r"(?:for|found|got|but(?: now)?(?: is)?|actual(?:ly)?(?: is)?|current(?: is)?|d_?type|is)[ :\[]*"
    r"(?:DT_|ACL_)([A-Z][A-Z0-9_]*)"
)
#: words of a sentence that hint at a function of the rule language
_HINTS = {
    "promotable": "promot", "castable": "cast", "promote": "promot", "broadcastable": "broadcast",
    "broadcast": "broadcast", "broadcastable_to": "broadcast", "contiguous": "contiguous",
}  # fmt: skip
_SAME = re.compile(r"\bsame\b|\bequal|\bmatch|consistent|\bdifferent\b|一致|相同|相等", re.IGNORECASE)
#: words that say nothing of a rule
STOP = frozenset(
    ("the", "a", "an", "of", "to", "for", "in", "is", "be", "should", "must", "but", "not", "and", "or", "that",
     "this", "with", "it", "its", "as", "on", "at", "get", "got", "found", "check", "failed", "fail", "error",
     "expected", "actual", "current", "tensor", "tensors", "input", "output", "value", "param", "parameter",
     "case", "when", "only", "support", "supported", "now", "are", "by", "from", "have", "has"),
)  # fmt: skip


def key(name: str) -> str:
    """A name as it is compared: case and underscores do not count, nor what interfaces put behind a param's name."""
    bare = name.replace("_", "").lower()
    for ending in ("optional", "ref"):
        if bare.endswith(ending) and len(bare) > len(ending):
            bare = bare[: -len(ending)]
    return bare


def words(text: str) -> frozenset[str]:
    """The words of a text in lower case, those of compound names too, without those that say nothing."""
    found = {piece.lower() for word in _WORD.findall(text) for piece in _PIECE.findall(word)}
    return frozenset(found - STOP)


def stems(name: str) -> frozenset[str]:
    """The beginnings of the words that a name is made of."""
    return frozenset(piece.lower()[:3] for piece in _PIECE.findall(name) if piece.lower() not in ("optional", "ref"))


@dataclass(frozen=True, slots=True)
class Clues:
    """What a sentence tells.

    Attributes:
        names: the names in it, as :func:`key` makes them, in order; ``compounds``: those made of several words.
        facets: facets of params that it speaks of.
        dtypes: all dtypes in it; ``wrong`` is the one that it objects to, ``allowed`` the list of those that would do.
        formats: the formats in it.
        numbers: the integers in it.
        hints: stems of relations between params that it names.
        same: whether it says that things have to agree.
        words: all its words.
    """

    text: str
    names: tuple[str, ...]
    compounds: tuple[str, ...]
    facets: frozenset[str]
    dtypes: frozenset[str]
    wrong: str | None
    allowed: frozenset[str]
    formats: frozenset[str]
    numbers: frozenset[int]
    hints: frozenset[str]
    same: bool
    words: frozenset[str]


def clues(text: str) -> Clues:
    """What a sentence tells."""
    text = text[:MOST]
    names = tuple(dict.fromkeys(key(word) for word in _WORD.findall(text)))
    found = [dtype_of(word) for word in _WORD.findall(text)]
    listed = [frozenset(filter(None, map(dtype_of, _WORD.findall(part)))) for part in _LIST.findall(text)]
    allowed = max(listed, key=len, default=frozenset())
    bad = _BAD_DTYPE.search(text)
    lower = text.lower()
    return Clues(
        text,
        names,
        tuple(dict.fromkeys(word for word in _WORD.findall(text) if len(_PIECE.findall(word)) > 1))[:_MOST_COMPOUNDS],
        frozenset(facet for facet, pattern in _PATTERNS.items() if pattern.search(text)),
        frozenset(filter(None, found)),
        dtype_of(bad[1]) if bad else None,
        allowed if len(allowed) > 1 or "list" in lower else frozenset(),
        frozenset(word for word in _WORD.findall(text) if word in formats.names()),
        frozenset(int(number) for number in _NUMBER.findall(text)),
        frozenset(stem for stem in _HINTS.values() if stem in lower),
        bool(_SAME.search(text)),
        words(text),
    )


def hint(function: str) -> str | None:
    """The stem by which sentences name a function of the rule language."""
    return _HINTS.get(function)


def dtype_of(word: str) -> str | None:
    """The dtype that a word of a log names: upper case, as enumerations have it."""
    bare = word.removeprefix("ACL_").removeprefix("DT_")
    if not bare[:1].isupper() or bare.upper() != bare:
        return None
    return dtypes.aliases().get(bare.lower()) if len(bare) > 3 else None
