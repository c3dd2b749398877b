"""What words of a page stand for: dtypes, formats, numbers, ranks, params. Pure functions on plain text."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from opspec.errors import OpspecError
from opspec.vocabulary import dtypes, formats

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:\^\(?[\d,、 ]+\)?)?")
_CHINESE = {"零": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10}
#: Spellings of the pages beside the aliases that every user may type.
_PAGE_DTYPES = {
    "FP16": "FLOAT16", "FP32": "FLOAT", "FP64": "DOUBLE", "FLOAT32": "FLOAT", "FP8_E4M3FN": "FLOAT8_E4M3FN",
    "FP8_E5M2": "FLOAT8_E5M2", "FLOAT_E5M2": "FLOAT8_E5M2", "BFP16": "BFLOAT16", "BFLOAT": "BFLOAT16",
}  # fmt: skip
_PAGE_FORMATS = {"NZ": "FRACTAL_NZ", "FRACTAL_NZ": "FRACTAL_NZ"}
_NO_DTYPES = frozenset({"ND", "NZ", "NULLPTR", "AT", "TO", "OR", "AND"})
#: words that are spelt as data types are
LIKE_DTYPE = re.compile(
    r"^(?:[BHU]?[A-Z]*(?:FLOAT|INT|FP|BF|BOOL|COMPLEX|DOUBLE|HIF)[A-Z0-9_]*|u?int\d+_t|[A-Z]+\d+)$", re.I
)


@functools.cache
def dtype(word: str) -> str | None:
    """The dtype that a word of a page names, or None. Footnote marks are ignored."""
    bare = word.split("^")[0].upper().removeprefix("ACL_").removeprefix("DT_")
    if bare in _NO_DTYPES:
        return None
    try:
        return dtypes.canonical(_PAGE_DTYPES.get(bare, bare))
    except OpspecError:
        return None


@functools.cache
def format_(word: str) -> str | None:
    """The format that a word of a page names, or None."""
    bare = word.split("^")[0].upper().removeprefix("ACL_FORMAT_")
    try:
        return formats.canonical(_PAGE_FORMATS.get(bare, bare))
    except OpspecError:
        return None


@dataclass(slots=True)
class Found:
    """Members of a set that a text names.

    Args:
        names: in the order of their mention, each once.
        notes: name -> footnote marks that stand at it.
        unknown: words that look like names and are none.
    """

    names: list[str] = field(default_factory=list)
    notes: dict[str, set[str]] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)


def dtypes_in(text: str) -> Found:
    """The dtypes that a cell or a list names."""
    return _named(text, dtype)


def formats_in(text: str) -> Found:
    """The formats that a cell or a list names."""
    return _named(text, format_)


def _named(text: str, known: Callable[[str], str | None]) -> Found:
    result = Found()
    for word in _WORD.findall(text):
        name = known(word)
        if name is None:
            result.unknown.append(word)
            continue
        if name not in result.names:
            result.names.append(name)
        if "^" in word:
            result.notes.setdefault(name, set()).update(re.findall(r"\d+", word.split("^")[1]))
    return result


def arabic(text: str) -> str:
    """Chinese numerals before 维, 个 and 轴 as digits: 三维 -> 3维."""
    return re.sub(
        r"([零一二两三四五六七八九十])(?=\s*(?:维|个|轴|或|、|/))", lambda found: str(_CHINESE[found[1]]), text
    )


# --- ranks

_NUMBER = r"(\d{1,2})"
_TO = r"\s*(?:-|~|～|–|—|至|到)\s*"
_SPAN = re.compile(rf"^{_NUMBER}维?{_TO}{_NUMBER}$")
_UPPER = re.compile(
    rf"^(?:维度|维数|rank)?(?:(?:不超过|不大于|不高于|最高|最大|最多|小于等于|小于或等于|<=|≤|支持最大|最高支持)维?{_NUMBER}|"
    rf"(?:不支持){_NUMBER}维?以上|{_NUMBER}维?(?:以下|以内|及以下|及以内))$"
)
_LOWER = re.compile(rf"^(?:(?:大于等于|不小于|至少|最少|≥|>=){_NUMBER}|{_NUMBER}维?(?:及以上))$")
_GROUP = re.compile(r"[（(\[]([^（()）\[\]]*)[)）\]]")
_DIM = re.compile(r"^[A-Za-z0-9_+\-*/. ]+$")
MOST_RANK = 64


def rank(text: str) -> str | list[str] | None:
    """The rank that a cell states: ``"2"``, ``"1-8"``, a list, or None for what it does not say in numbers.

    A symbolic shape such as ``(B, S, H)`` states its rank; its letters are left to rules, since pages reuse letters.
    """
    bare = re.sub(r"\s+", "", arabic(text)).strip("。；;，,")
    bare = (
        re.sub(r"^(?:shape|维度|支持|仅支持|只支持|为|是|：|:)+", "", bare)
        .removesuffix("的Tensor")
        .removesuffix("tensor")
    )
    led = re.match(r"^(\d{1,2})维[，,:：](?:其中|shape|维度)(.*)", bare)
    if led:
        others = _ranks_of_shapes("".join(f"({group})" for group in _GROUP.findall(led[2])))
        return led[1] if others in (None, led[1]) else None
    upper, lower = _UPPER.match(bare.removesuffix("维")), _LOWER.match(bare.removesuffix("维"))
    if upper:
        return f"0-{next(filter(None, upper.groups()))}"
    if lower:
        return f">= {next(filter(None, lower.groups()))}"
    parts = re.split(r"[、,，/;；]|或者|或|和", bare)
    numbers: list[int] = []
    for part in parts:
        span = _SPAN.match(part.removesuffix("维"))
        if span:
            numbers += range(int(span[1]), int(span[2]) + 1)
        elif re.fullmatch(r"\d{1,2}维?D?", part):
            numbers.append(int(part.rstrip("维D")))
        else:
            return _ranks_of_shapes(bare)
    return ranks(numbers)


def ranks(numbers: Sequence[int]) -> str | list[str] | None:
    """Ranks as a spec writes them; None when there are none, or none that can be."""
    known = sorted(set(numbers))
    if not known or known[-1] > MOST_RANK:
        return None
    if len(known) > 2 and known == list(range(known[0], known[-1] + 1)):
        return f"{known[0]}-{known[-1]}"
    return str(known[0]) if len(known) == 1 else [str(number) for number in known]


def _ranks_of_shapes(text: str) -> str | list[str] | None:
    """Ranks of symbolic shapes side by side; None when anything else stands between them."""
    groups = _GROUP.findall(text)
    if not groups or re.sub(r"[、,，;；/或]|或者", "", _GROUP.sub("", text)):
        return None
    numbers = []
    for group in groups:
        dims = [part for part in re.split(r"[,，]", group) if part]
        if len(dims) == 1 and re.fullmatch(r"[BNSDTH]{3,5}", dims[0]):
            dims = list(dims[0])
        elif not dims or (len(dims) == 1 and re.fullmatch(r"[A-Z]{2,}|\d+", dims[0])):
            return None  # (BS) may be one dim or two; (3) a rank or a dim
        if any(not _DIM.match(part) or ".." in part for part in dims) or all(part.isdigit() for part in dims):
            return None
        numbers.append(len(dims))
    return ranks(numbers)


# --- numbers

_VALUE = r"-?(?:\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|2\^\d+(?:-1)?)"
_INTERVAL = re.compile(rf"([\[(（【])\s*({_VALUE}|-?(?:inf|∞))\s*[,，~]\s*({_VALUE}|\+?(?:inf|∞))\s*([\])）】])")


def value(text: str) -> str | None:
    """A number of a page as a literal: ``2^31-1`` is computed."""
    text = text.strip()
    power = re.fullmatch(r"(-?)2\^(\d{1,2})(-1)?", text)
    if power:
        number = 2 ** int(power[2]) - (1 if power[3] else 0)
        return str(-number if power[1] else number)
    return text if re.fullmatch(r"-?\d+(\.\d+)?([eE][-+]?\d+)?", text) else None


def interval(text: str) -> str | None:
    """The interval that a text states, in the notation of specs: ``[0, 1)``; None without one."""
    found = _INTERVAL.search(text)
    if not found:
        return None
    low, high = value(found[2]), value(found[3])
    left = "[" if found[1] in "[【" and low is not None else "("
    right = "]" if found[4] in "]】" and high is not None else ")"
    return f"{left}{low if low is not None else '-inf'}, {high if high is not None else 'inf'}{right}"


# --- params


def marker(names: Iterable[str]) -> re.Pattern[str] | None:
    """A pattern that finds params by name in a text."""
    ordered = sorted({re.escape(name) for name in names}, key=len, reverse=True)
    return re.compile(rf"(?<![A-Za-z0-9_⟦])({'|'.join(ordered)})(?![A-Za-z0-9_⟧])") if ordered else None
