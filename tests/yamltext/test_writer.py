"""Promises of the writer: the reader gets the same tree back, and the text is canonical."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from opspec.errors import OpspecError
from opspec.yamltext import Tree, read, write
from opspec.yamltext.writer import WIDTH

NASTY = [
    "",
    " ",
    "  a",
    "a ",
    "#",
    "a #b",
    "a# b",
    "a: b",
    "a:",
    ":",
    ": ",
    "'",
    '"',
    "it's",
    'say "x"',
    "a\nb",
    "a\n",
    "a\n\n",
    "\n",
    "\n\na",
    " a\nb",
    "a\n  b\n c",
    "a \nb",
    "\ta",
    "a\tb",
    "a\n\tb",
    "😀",
    "中文：说明",
    "- ",
    "- a",
    "-",
    "--",
    "---",
    "--- a",
    "...",
    "... a",
    "? ",
    "?",
    "? a",
    "a?",
    "%",
    "%YAML",
    "@",
    "@a",
    "`",
    "`a",
    "\x85",
    "a\x85b",
    "\u2028",
    "\u2029",
    "\ufeff",
    "\ufeffa",
    "\xa0",
    "\xa0a",
    "\r",
    "\r\n",
    "a\rb",
    "\0",
    "\x1b",
    "\x7f",
    "\ufffe",
    "\U0001ffff",
    "null",
    "~",
    "Null",
    "yes",
    "910",
    "8.0",
    "-1",
    "-.inf",
    "<<",
    "=",
    "&a",
    "*a",
    "!a",
    "|",
    ">",
    "|-",
    "[a]",
    "{a}",
    "a, b",
    "a]",
    "a}",
    "[",
    ",",
    "\\",
    "\\n",
    "0x1F",
    "a" * 300,
    "word " * 60,
    ("word  " * 60).strip(),
    "w: # x " * 60 + "z",
    "中" * 200,
    "# " + "a b " * 60 + "c",
    "x" * 200 + " y",
    "a\n" * 9,
    "\n".join(["| - ? # :", "- a", "? b", "# c", "--- d", "... e"]),
]

texts = st.sampled_from(NASTY) | st.text(max_size=12) | st.text("ab \n#:-'\"[],{}?\t", max_size=12)
trees: st.SearchStrategy[Any] = st.recursive(
    texts | st.none(),
    lambda child: st.lists(child, max_size=4) | st.dictionaries(texts, child, max_size=4),
    max_leaves=12,
)


def some(path: object, value: object) -> bool:
    """A decision that looks arbitrary and is the same on every run."""
    return sum(map(ord, repr(path))) % 3 != 0


def assert_round_trip(value: Tree) -> None:
    for flow in (None, some, lambda path, node: True):
        for quote in (None, some):
            text = write(value, quote=quote, flow=flow)
            for pure in (False, True):
                again = read(text, "x", pure=pure)
                assert again.value == value
                assert write(again.value, again.comments, quote=quote, flow=flow) == text


@given(trees)
def test_what_is_written_is_read_back_and_written_the_same(value: Tree) -> None:
    assert_round_trip(value)


@pytest.mark.parametrize("text", NASTY, ids=lambda text: ascii(text)[:30])
def test_nasty_texts_survive_everywhere(text: str) -> None:
    assert_round_trip(text)
    assert_round_trip({text: text, "k" * 1200: {text: [text]}, "o": {"p" * 1200: [{"q" * 1200: text}, [[text]]]}})
    assert_round_trip([text, [text, [text]], {text: {text: text}}, None])


@given(st.text(max_size=20))
def test_other_yaml_readers_see_the_same_text(text: str) -> None:
    values: list[Tree] = [text, [text], {text: text}]
    for value in values:
        for flow in (None, some):
            # BaseLoader makes text of every scalar and constructs nothing
            assert yaml.load(write(value, flow=flow), Loader=yaml.BaseLoader) == value  # noqa: S506


@pytest.mark.parametrize("value", ["null", "~", "", "Null", "NULL", "<<", "="])
def test_texts_that_mean_something_are_quoted(value: str) -> None:
    assert write({"a": value}) == f'a: "{value}"\n'
    assert write({"a": [value]}) == f'a: ["{value}"]\n'


@pytest.mark.parametrize("value", ["yes", "on", "910", "8.0", "0x1F", "-1", "const aclTensor*", "a?", "a, b", "a:b"])
def test_texts_that_only_look_typed_stay_plain(value: str) -> None:
    assert write({"a": value}) == f"a: {value}\n"


def test_the_canonical_form() -> None:
    tree: Tree = {
        "operator": "aclnnAdd",
        "summary": {"zh": "求和。", "en": "Adds " + "two tensors and " * 8 + "so on"},
        "products": {"910b": "yes"},
        "params": [
            {"name": "self", "dtype": ["FLOAT", "INT8"], "shape": "(N,)"},
            {"name": "x" * 60, "ctype": "y" * 60},
            ["a", None],
            [["a"], ["b"]],
        ],
        "note": "one\n  two\n",
        "empty": [{}, []],
        "none": None,
        "rules": {"r": {"check": "a == b"}},
    }

    def flow(path: tuple[str | int, ...], value: Tree) -> bool:
        return path[:1] != ("empty",) and (len(path) > 1 or path == ("products",))

    text = write(tree, flow=flow, quote=lambda path, text: path[-1] == "check")
    expected = """\
operator: aclnnAdd
summary:
  zh: 求和。
  en: >-
    Adds two tensors and two tensors and two tensors and two tensors and two tensors and two tensors and two tensors and
    two tensors and so on
products: {910b: yes}
params:
  - {name: self, dtype: [FLOAT, INT8], shape: "(N,)"}
  - name: NAME
    ctype: CTYPE
  - [a, null]
  - [[a], [b]]
note: |
  one
    two
empty:
  - {}
  - []
none: null
rules:
  r: {check: "a == b"}
"""
    assert text.replace("x" * 60, "NAME").replace("y" * 60, "CTYPE") == expected


def test_a_list_of_texts_fills_lines() -> None:
    fits = "k: [" + "a" * 50 + ", " + "b" * 63 + "]"
    assert len(fits) == WIDTH
    assert write({"k": ["a" * 50, "b" * 63]}) == fits + "\n"
    assert write({"k": ["a" * 50, "b" * 64]}) == f"k: [{'a' * 50},\n    {'b' * 64}]\n"
    many: list[Tree] = [name * 9 for name in "abcdefghijklmnopqrstuvwxyz"]
    text = write({"m": {"k": many}})
    lines = text.splitlines()[1:]
    assert all(len(line) <= WIDTH for line in lines)
    for line, after in pairwise(lines):
        assert len(line) + 1 + len(after.split()[0]) > WIDTH, "the next text would have fitted"
    assert read(text, "x").value == {"m": {"k": many}}


def test_an_empty_text_behind_a_key_as_long_as_a_line() -> None:
    key = "k" * 120
    assert read(write({key: ""}), "x").value == {key: ""}


def test_a_list_with_a_text_longer_than_a_line_has_one_a_line() -> None:
    assert write({"k": ["a", "b" * 120]}) == f"k:\n  - a\n  - {'b' * 120}\n"


def test_a_text_that_the_caller_wants_quoted_is_folded_where_it_is_longer_than_a_line() -> None:
    assert write({"check": "a and b"}, quote=lambda path, value: True) == 'check: "a and b"\n'
    text = "a and " * 40 + "b"
    written = write({"check": text}, quote=lambda path, value: True)
    assert written.startswith("check: >-\n")
    assert max(map(len, written.splitlines())) <= WIDTH
    assert read(written, "x").value == {"check": text}


@pytest.mark.parametrize("value", [1, True, 1.5, {"a": 1}, [b"x"], {1: "a"}, ("a",), "\ud800", {"\udfff": "a"}])
def test_what_the_reader_never_gives_is_an_error(value: Any) -> None:
    with pytest.raises(OpspecError) as caught:
        write(value)
    assert "\n" not in str(caught.value)


def test_endless_trees_are_an_error() -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(OpspecError, match="more than 64"):
        write(loop)
