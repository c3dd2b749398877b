"""Promise: a character of a text stands where its place says, however the text is written in the file."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from opspec.yamltext import Place, read, within, write
from opspec.yamltext.writer import quoted

WORDS = st.lists(
    st.text(st.sampled_from("ab.=1数😀'\"\\"), min_size=1, max_size=4).filter(lambda word: word[0] in "ab数😀"),
    min_size=1,
)


def double(words: list[str], chance: list[int]) -> str:
    """In double quotes, some characters escaped, over several lines."""
    text = ""
    for number, word in enumerate(words):
        how = chance[number % len(chance)]
        if number:
            text += (" ", "\n      ", " \\\n     ", "\\x20", "  \n\n   ", "\\t")[how % 6]
        text += "".join(escaped(char, how) if (how + i) % 3 == 0 else quoted(char)[1:-1] for i, char in enumerate(word))
    return f'"{text}"'


def escaped(char: str, how: int) -> str:
    code = ord(char)
    forms = [
        f"\\U{code:08x}",
        *([f"\\u{code:04X}"] if code < 0x10000 else []),
        *([f"\\x{code:02x}"] if code < 256 else []),
    ]
    return forms[how % len(forms)]


def single(words: list[str], chance: list[int]) -> str:
    gaps = [(" ", "\n    ", "\n\n      ")[chance[i % len(chance)] % 3] for i in range(len(words) - 1)]
    return "'" + spread([word.replace("'", "''") for word in words], gaps) + "'"


def plain(words: list[str], chance: list[int]) -> str:
    gaps = [(" ", "\n    ", "\n\n      ")[chance[i % len(chance)] % 3] for i in range(len(words) - 1)]
    return spread(words, gaps)


def block(words: list[str], chance: list[int]) -> str:
    head = ("|", ">", ">-", "|+", "| # a 'comment'", ">2-")[chance[0] % 6]
    gaps = [(" ", "\n    ", "\n\n    ", "\n      ")[chance[i % len(chance)] % 4] for i in range(len(words) - 1)]
    return f"{head}\n    {spread(words, gaps)}"


def spread(words: list[str], gaps: list[str]) -> str:
    return words[0] + "".join(gap + word for gap, word in zip(gaps, words[1:], strict=True))


@pytest.mark.parametrize("pure", [False, True])
@pytest.mark.parametrize("style", [double, single, plain, block])
@given(
    words=WORDS,
    chance=st.lists(st.integers(0, 11), min_size=1, max_size=4),
    lead=st.sampled_from(["", "# 注\n", "\ufeff"]),
)
@example(words=["a", "b"], chance=[2], lead="")
def test_each_character_is_where_its_place_says(
    style: object, words: list[str], chance: list[int], lead: str, pure: bool
) -> None:
    assert callable(style)
    text = f"{lead}k: x\nrules:\n  a: {style(words, chance)}\nz: 1\n"
    document = read(text, "x", pure=pure)
    assert isinstance(document.value, dict)
    rules = document.value["rules"]
    assert isinstance(rules, dict)
    value = rules["a"]
    assert isinstance(value, str)
    assert value.split() == words
    lines = text.removeprefix("\ufeff").split("\n")
    for offset, char in enumerate(value):
        place = within(document, ("rules", "a"), offset)
        found = lines[place.line - 1][place.column - 1 :]
        if not char.isspace():
            assert meant(found, style is double) == char


def meant(source: str, escapes: bool) -> str:
    """The character that the front of a piece of the file stands for."""
    match = re.match(r"\\(?:x(..)|u(....)|U(.{8})|(.))", source) if escapes else None
    if match is None:
        return source[0]
    code = match[1] or match[2] or match[3]
    return chr(int(code, 16)) if code else match[4]


@pytest.mark.parametrize(
    ("text", "offset", "place"),
    [
        ("a: x ==", 4, Place(1, 8)),
        ("a: 'x =='", 4, Place(1, 9)),
        ('a: ""', 0, Place(1, 5)),
        ("a: >-\n  x\n  ==\nb: c", 4, Place(3, 5)),
        ("a: {b: 1}", 3, Place(1, 4)),
        ("a:", 3, Place(1, 1)),
        ("a: null", 3, Place(1, 4)),
        ("a: b c", 1, Place(1, 5)),
    ],
)
def test_an_offset_that_is_no_character_is_the_place_behind_the_one_before(
    text: str, offset: int, place: Place
) -> None:
    """A fault at the end of an expression is shown there."""
    assert within(read(text, "x"), ("a",), offset) == place


@given(words=WORDS)
def test_what_the_writer_folds_is_found_again(words: list[str]) -> None:
    """The canonical text folds long texts."""
    value = " ".join(words * 20)
    text = write({"a": [{"b": value}]})
    document = read(text, "x")
    place = within(document, ("a", 0, "b"), len(value) - 1)
    char = text.split("\n")[place.line - 1][place.column - 1]
    assert char == value[-1] or char == "\\"
