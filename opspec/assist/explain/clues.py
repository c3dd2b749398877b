"""What a sentence of a log tells of a broken rule: which params it names, which of their facets, dtypes and numbers.

The words that runtimes use for one thing are many; nothing here knows an operator.
"""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass, replace

from opspec.vocabulary import dtypes, formats

MOST = 4000  #: characters of a sentence that are looked at

_MOST_COMPOUNDS = 20

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_NUMBER = re.compile(r"(?<![\w.])-?\d{1,19}(?![\w.])")
_LIST = re.compile(r"[\[{(]([^\[\](){}]*)")  # one that was cut has no end

#: what tells that one of the dims is meant, not how many there are: ``dims No.[1]``, ``dim 0``; ``the first dim``
_PLACE = r" ?(?:No\.? ?)?[\[(]? ?\d"
_NO_ORDINAL = r"(?<!first )(?<!second )(?<!third )(?<!last )(?<!\b[A-Za-z][ -])(?<!\d(?:st|nd|rd|th)[ -])"
_OF_ONE = r" ?-?(?:values?|sizes?)\b"
#: facet -> the words by which sentences speak of it
_FACETS = {
    "dtype": r"d_?types?\b|data ?types?\b|\bCannot find bin|\bDT_[A-Z]|promot|\bcast\b|数据类型",
    "format": r"\bformats?\b|layout|格式",
    "rank": rf"{_NO_ORDINAL}\bdim(ension)?s?\b(?!{_PLACE}|{_OF_ONE})|dim_?num|\branks?\b|\bshape dims?\b|维",
    "shape": rf"shape(?! dims?\b)|\bsizes?\b|(?<!shape )\bdim(ension)?s?{_PLACE}|\bdim(?:ension)?{_OF_ONE}|"
    r"\b(?:first|second|third|last|\d(?:st|nd|rd|th)|[A-Za-z])[ -]dim(ension)?\b|"
    r"\baxis\b|broadcast|\blast element\b|\bnumel\b|形状",
    "presence": r"\bnull(ptr)?\b|\bNone\b|\bempty pointer\b|空指针|not (be )?provided|\bis required\b|\bmissing\b",
    "layout": r"contiguous|strides?\b|连续",
}
_PATTERNS = {facet: re.compile(text, re.IGNORECASE if facet != "dtype" else 0) for facet, text in _FACETS.items()}
#: the case that a sentence is about, which facets in it do not tell what is wrong
_OF_CASE = re.compile(r"^ ?(?:when|if) [^,]{1,200}, ?(?=.*\b(?:must|should|not)\b)", re.IGNORECASE)
_BAD_DTYPE = re.compile(
    r"(?:for|found|got|but(?: now)?(?: is)?|actual(?:ly)?(?: is)?|current(?: is)?|d_?type|is)[ :\[]*"
    r"(?:DT_|ACL_)([A-Z][A-Z0-9_]*)"
)
#: what stands before numbers that a sentence gives as limits, as far as they go
_LIMIT = re.compile(
    r"\b(?:than|be|equal(?:s)?(?: to)?|supports?|only|range|exceeds?|within|limit(?:ed)?(?: to)?|multiples? of|one of"
    r"|max(?:imum)?|min(?:imum)?|at most|at least|aligned(?: to)?|divisible by|in)"
    r"(?: (?:be|to|in|the|range|of|support|than|or|equal|a|an|set|list|value))*"
    r"[ \[({:=<>]*((?:-?\d{1,18}(?:[ ,/~、或]|or|and|to|[\])}]){0,6})+)"
)
_LONGEST_WORD = 30
#: words of a sentence that hint at a function of the rule language
_HINTS = {
    "promotable": "promot", "castable": "cast", "promote": "promot", "broadcastable": "broadcast",
    "broadcast": "broadcast", "broadcastable_to": "broadcast", "contiguous": "contiguous",
}  # fmt: skip
#: what sentences say of conditions of one kind, as :func:`opspec.assist.explain.ranking` finds them in rules
_CONDITIONS = {
    "cast": re.compile(r"\bdst_?(?:d_?)?type\b", re.IGNORECASE),
    "empty": re.compile(r"\bempty\b(?! (?:pointer|string|list))|空(?:tensor|张量)", re.IGNORECASE),
    "sign": re.compile(r"\b(?:positive|negative)\b|(?:than|>=?|equal to) ?0\b|正数|负数|大于(?:等于)?0", re.IGNORECASE),
    "range": re.compile(
        r"\b(?:range(?: of)?|between|within|be(?: in)?)[ :]*[\[(]? ?-?\d+ ?(?:,|and|to|~) ?-?\d+ ?[\])]?(?![ ,]*\d)"
    ),
    "multiple": re.compile(r"\b(?:multiples?|divisible|divided|aligned|even)\b|整除|倍数|对齐", re.IGNORECASE),
    "single": re.compile(
        r"\b(?:be|is|only|equal to|have|has) (?:be )?(?:1|one)\b(?![.,-]? ?\d)|\bsingle\b", re.IGNORECASE
    ),
}
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
    found = {piece for word in _WORD.findall(text) for piece in parts(word)}
    return frozenset(found - STOP)


def parts(name: str) -> tuple[str, ...]:
    """The words that a name is made of, in lower case."""
    return tuple(piece.lower() for piece in _PIECE.findall(name))


def stems(name: str) -> frozenset[str]:
    """The beginnings of the words that a name is made of."""
    return frozenset(piece[:3] for piece in parts(name) if piece not in ("optional", "ref"))


@dataclass(frozen=True, slots=True)
class Clues:
    """What a sentence tells.

    Attributes:
        names: the names in it, as :func:`key` makes them, in order; ``compounds``: those made of several words.
        facets: facets of params that it speaks of.
        dtypes: all dtypes in it; ``wrong`` is the one that it objects to, ``allowed`` the list of those that would do.
        formats: the formats in it.
        numbers: the integers in it; ``limits``: those that it gives as what should have been.
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
    limits: frozenset[int]
    hints: frozenset[str]
    same: bool
    words: frozenset[str]

    def with_more(self, words: frozenset[str], facets: frozenset[str]) -> Clues:
        """The same with further words and facets."""
        return replace(self, words=self.words | words, facets=self.facets | facets)


def split_words(told: frozenset[str], known: Container[str]) -> frozenset[str]:
    """The two known words that a word of small letters is put together of: ``batchsize``."""
    found: set[str] = set()
    for word in told:
        for at in range(3, len(word) - 2) if len(word) <= _LONGEST_WORD and word not in known else ():
            if word[:at] in known and word[at:] in known:
                found |= {word[:at], word[at:]}
    return frozenset(found)


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
        _facets(_OF_CASE.sub("", text)) or _facets(text),
        frozenset(filter(None, found)),
        dtype_of(bad[1]) if bad else None,
        allowed if len(allowed) > 1 or "list" in lower else frozenset(),
        frozenset(word for word in _WORD.findall(text) if word in formats.names()),
        frozenset(int(number) for number in _NUMBER.findall(text)),
        frozenset(int(number) for part in _LIMIT.finditer(text) for number in _NUMBER.findall(part[1])),
        frozenset(
            (
                *(stem for stem in _HINTS.values() if stem in lower),
                *(name for name, pattern in _CONDITIONS.items() if pattern.search(text)),
            )
        ),
        bool(_SAME.search(text)),
        words(text),
    )


def _facets(text: str) -> frozenset[str]:
    return frozenset(facet for facet, pattern in _PATTERNS.items() if pattern.search(text))


def hint(function: str) -> str | None:
    """The stem by which sentences name a function of the rule language."""
    return _HINTS.get(function)


def dtype_of(word: str) -> str | None:
    """The dtype that a word of a log names: upper case, as enumerations have it."""
    bare = word.removeprefix("ACL_").removeprefix("DT_")
    if not bare[:1].isupper() or bare.upper() != bare:
        return None
    return dtypes.aliases().get(bare.lower()) if len(bare) > 3 else None
