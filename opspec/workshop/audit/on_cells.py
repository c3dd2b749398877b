"""Checks of the tokens in the cells on dtypes and formats."""

from __future__ import annotations

import difflib
import functools
import re
from collections import Counter
from collections.abc import Callable, Iterator

from opspec.vocabulary import ctypes_, dtypes, formats
from opspec.workshop.audit.model import Hit
from opspec.workshop.audit.subject import Function, Subject
from opspec.workshop.importer import lexicon
from opspec.workshop.importer.facts import scoped_lines
from opspec.workshop.importer.page import ParamRow

_TOKEN = re.compile(r"(?<![A-Za-z0-9_^])[A-Za-z][A-Za-z0-9_]*")
_LIST = re.compile(r"^[A-Za-z0-9_、,，/;；。.和或与及\s^（）()]*$")
#: The spellings of the vendor's page on dtypes, and canonical names; case does not matter.
_ALIASES = {"FLOAT32", "FLOAT64", "BF16", "BFLOAT16", "STRING"}
_LONGEST = 40  # characters of a misspelt name
_SURE = 0.85  # similarity of a misspelt dtype


def _lists(row: ParamRow, column: str) -> Iterator[str]:
    """The parts of a cell that are nothing but a list of names, one for each product that the cell tells apart."""
    for _, line in scoped_lines(row.cells.get(column, ())):
        if _LIST.match(line):
            yield line


def _tensor_rows(subject: Subject) -> Iterator[tuple[Function, ParamRow]]:
    for function in subject.functions:
        for row, param in function.typed_rows():
            if param.ctype and ctypes_.parse(param.ctype).kind in ("tensor", "tensor_list"):
                yield function, row


def unknown_dtype(subject: Subject) -> Iterator[Hit]:
    """Words in a list of dtypes that are none, nor nearly one."""
    found: dict[tuple[str, str], tuple[ParamRow, list[str]]] = {}
    for function, row, word in _strange_dtypes(subject):
        if _meant(word) is None:
            found.setdefault((function.operator, row.name), (row, []))[1].append(word)
    for (operator, name), (row, names) in found.items():
        yield Hit(subject.row_line(row, names[0]), ", ".join(names[:10]), "", name, operator)


def dtype_spelling(subject: Subject) -> Iterator[Hit]:
    """A dtype in a cell under a name that the vendor's page on dtypes does not have."""
    for function, row, word in _strange_dtypes(subject):
        meant = _meant(word)
        if meant is not None:
            yield Hit(subject.row_line(row, word), word, meant, row.name, function.operator)


def _strange_dtypes(subject: Subject) -> Iterator[tuple[Function, ParamRow, str]]:
    for function, row in _tensor_rows(subject):
        for line in _lists(row, "dtype"):
            for word in dict.fromkeys(_TOKEN.findall(line)):
                if (
                    not _is_documented(word)
                    and (lexicon.LIKE_DTYPE.match(word) or lexicon.format_(word))
                    and word not in function.params
                ):
                    yield function, row, word


def _is_documented(word: str) -> bool:
    return word.upper() in _ALIASES or word.upper() in dtypes.names()


@functools.lru_cache(4096)
def _meant(word: str) -> str | None:
    """The dtype that a misspelt word means; None when it may be several, or none."""
    if lexicon.format_(word) is not None or len(word) > _LONGEST:
        return None
    bare = word.upper().replace("_", "").removesuffix("T") if word.endswith("_t") else word.upper().replace("_", "")
    bare = re.sub(r"^HI(?:F|FP)8$", "HIFLOAT8", re.sub(r"^FP(?=\d)", "FLOAT", bare))
    bare = re.sub(r"(?<=E4M3)$", "FN", re.sub(r"^FLOAT(?=E)", "FLOAT8", bare))
    folded = {name.replace("_", ""): name for name in dtypes.names()}
    if bare in folded:
        return folded[bare]
    if lexicon.dtype(word) is not None:
        return lexicon.dtype(word)
    close = difflib.get_close_matches(bare, folded, 2, _SURE)
    return (
        folded[close[0]]
        if len(close) == 1 or (close and re.sub(r"\D", "", close[0]) == re.sub(r"\D", "", bare))
        else None
    )


def dtype_in_text(subject: Subject) -> Iterator[Hit]:
    """A misspelt dtype anywhere: a word in capitals that is none and differs from one in a letter or two."""
    names = {name for function in subject.functions for name in function.params}
    seen: set[str] = set(names)
    for number, line in enumerate(subject.lines, 1):
        for word in _CAPITALS.findall(line):
            meant = None if word in seen else _misspelt(word)
            seen.add(word)
            if meant is not None:
                yield Hit(number, word, meant)


_CAPITALS = re.compile(r"(?<![A-Za-z0-9_\\])(?:[A-Z]{3,}\d{0,2}(?:_E\dM\d[A-Z]*)?)(?![A-Za-z0-9_])")
_OTHER = frozenset({"HFLOAT32", "FLOAT8", "FLOAT6", "FLOAT4", "UFLOAT8"})  # a mode of computing; families of dtypes
_LONG_DTYPES = tuple(
    name for name in (*dtypes.names(), "FLOAT32", "HFLOAT32") if len(name) > 4 and name != "DT_UNDEFINED"
)


@functools.lru_cache(4096)
def _misspelt(word: str) -> str | None:
    if not 5 <= len(word) <= _LONGEST or lexicon.dtype(word) or lexicon.format_(word):
        return None
    digits = re.sub(r"\D", "", word)
    same = [name for name in _LONG_DTYPES if re.sub(r"\D", "", name) == digits]
    close = difflib.get_close_matches(word, same, 1, _SURE)
    return close[0] if close and digits and word not in _OTHER else None


def unknown_format(subject: Subject) -> Iterator[Hit]:
    """Words in a list of formats that are none, and enumerators of formats anywhere that do not exist."""
    lines = set()
    for function, row in _tensor_rows(subject):
        strange = [
            word
            for line in _lists(row, "format")
            for word in dict.fromkeys(_TOKEN.findall(line))
            if len(word) > 1 and word.upper() == word and not lexicon.format_(word) and word not in function.params
        ]
        if strange:
            line = subject.row_line(row, strange[0])
            lines.add(line)
            yield Hit(line, ", ".join(strange[:10]), _near_format(strange[0]), row.name, function.operator)
    for number, text in enumerate(subject.lines, 1):
        for word in dict.fromkeys(_FORMAT_ENUM.findall(text)):
            if number not in lines and lexicon.format_(word) is None:
                yield Hit(number, word, _near_format(word))


_FORMAT_ENUM = re.compile(r"(?<![A-Za-z0-9_])ACL_FORMAT_[A-Z0-9_]{1,60}(?<!_)(?![A-Za-z0-9_])")


def _near_format(word: str) -> str:
    near = difflib.get_close_matches(word[:_LONGEST].removeprefix("ACL_FORMAT_"), formats.names(), 1, 0.6)
    return near[0] if near else ""


def same_twice(subject: Subject) -> Iterator[Hit]:
    """A dtype or a format that one list names twice, maybe under two names."""
    known: tuple[tuple[str, Callable[[str], str | None]], ...] = (("dtype", lexicon.dtype), ("format", lexicon.format_))
    for function, row in _tensor_rows(subject):
        for column, named in known:
            for line in _lists(row, column):
                outside = re.sub(r"[（(][^（）()]*[)）]", "", line)
                counts = Counter(filter(None, map(named, _TOKEN.findall(outside))))
                for name in (name for name, count in counts.items() if count > 1):
                    spelt = [word for word in _TOKEN.findall(outside) if named(word) == name]
                    yield Hit(subject.row_line(row, spelt[-1]), ", ".join(spelt), name, row.name, function.operator)


def footnote(subject: Subject) -> Iterator[Hit]:
    """A footnote mark at a dtype or a format that nothing on the page explains."""
    for function, row in _tensor_rows(subject):
        for column, read in (("dtype", lexicon.dtypes_in), ("format", lexicon.formats_in)):
            for name, marks in read(row.text(column)).notes.items():
                for mark in sorted(marks):
                    if not _explained(subject, mark):
                        yield Hit(subject.row_line(row, name), f"{name}^{mark}", mark, row.name, function.operator)


def _explained(subject: Subject, mark: str) -> bool:
    pattern = re.compile(rf"(?:角标|上标|脚注|注)\D{{0,4}}{mark}(?!\d)|^\W*<sup>\W*{mark}\W*</sup>")
    return any(pattern.search(line) for line in subject.lines)
