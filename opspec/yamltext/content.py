"""Where a character of a text's value stands in the file: behind quotes, escapes, folded lines and indentation.

White space is what YAML changes, in ways that differ from style to style: breaks become spaces, indentation goes.
Everything else stands in the file in the order in which the value has it. So the characters that are no white space
are counted off, in the value and in the file, and no rule of folding is needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from opspec.yamltext.document import Document, Path, Place, existing, value_at

_WHITE = " \t\n"

# What stands for one character of the value, by the first character of the style.
_PLAIN = re.compile(r"[^ \t\n]")
_SINGLE = re.compile(r"''|[^ \t\n]")
_DOUBLE = re.compile(r"\\(?:x..|u.{4}|U.{8}|.)|[^ \t\n]", re.DOTALL)
_WHITE_ESCAPES = {r"\t", r"\n", "\\ ", "\\\t", "\\\n"}  # the last is a break of the line that the value does not have


def within(document: Document, path: Path, offset: int) -> Place:
    """The place of the character at ``offset`` of the text at ``path``; the text's end for an offset behind it.

    Where that character is white space, it is the place behind the character before it. Where no text is at the
    path, it is that of what is.
    """
    place = document.places[existing(document, path)]
    value = value_at(document, path)
    if not isinstance(value, str):
        return place
    before = sum(char not in _WHITE for char in value[:offset])
    points_at_one = value[offset : offset + 1].strip(_WHITE) != ""
    source = document.source
    start = _index(source, place)
    found = _content(source, start)
    for number, (begin, end) in enumerate(_characters(source, start)):
        if number == before:
            found = begin if points_at_one else found
            break
        found = end
    return _place(source, found)


def _content(source: str, start: int) -> int:
    """Where the text itself begins, or its first line."""
    if source.startswith(("|", ">"), start):
        return source.index("\n", start) + 1
    return start + source.startswith(('"', "'"), start)


def _characters(source: str, start: int) -> Iterator[tuple[int, int]]:
    """Begin and end of what stands for each character that is no white space, up to the end of the file."""
    escapes = source.startswith('"', start)
    forms = _DOUBLE if escapes else _SINGLE if source.startswith("'", start) else _PLAIN
    for match in forms.finditer(source, _content(source, start)):
        if not (escapes and _is_white(match.group())):
            yield match.span()


def _is_white(form: str) -> bool:
    if form[0] != "\\" or len(form) == 1:
        return False
    return chr(int(form[2:], 16)) in _WHITE if form[1] in "xuU" else form in _WHITE_ESCAPES


def _index(source: str, place: Place) -> int:
    index = 0
    for _ in range(place.line - 1):
        index = source.index("\n", index) + 1
    return index + place.column - 1


def _place(source: str, index: int) -> Place:
    return Place(source.count("\n", 0, index) + 1, index - source.rfind("\n", 0, index))
