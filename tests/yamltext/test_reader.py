"""Promises of the reader: text only, exact places, bounded work, and errors of one line that name a place."""

from __future__ import annotations

import os
import random
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path as FilePath

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from opspec.errors import OpspecError
from opspec.yamltext import Document, Limits, Place, SpecTextError, locate, read, read_file

PARSERS = [pytest.param(False, id="libyaml"), pytest.param(True, id="pure")]
both = pytest.mark.parametrize("pure", PARSERS)

SPEC = """\
# 卷积
operator: aclnnConvolution
release: "9.1.0"
products: {950: true, A3: on, 910b: yes, 910: null}  # 产品
let:
  nd: input.rank - 2  # 😀
  outDims: >-
    [ a
      else b ]
    # CONFLICT: not a comment, text
params:
  - {name: input, ctype: const aclTensor*, dtype: [FLOAT, 'it''s'], rank: 3-5}
  - name: bias
    # why
    optional: ~
    note: "a\\tb\\u4e2d"
rules:
"""


def problem(text: str | bytes, pure: bool = False, limits: Limits | None = None) -> SpecTextError:
    with pytest.raises(SpecTextError) as caught:
        read(text, "x.yaml", pure=pure, limits=limits or Limits())
    error = caught.value
    assert "\n" not in str(error)
    assert re.fullmatch(r"x\.yaml:\d+:\d+", error.where)
    return error


@both
def test_scalars_are_text_and_plain_null_is_none(pure: bool) -> None:
    text = "[910, 8.0, on, yes, 0x1F, 2020-01-01, 1_000, Null, ~, null, 'null', \"~\", '', =, .inf]"
    assert read(text, "x", pure=pure).value == [
        "910",
        "8.0",
        "on",
        "yes",
        "0x1F",
        "2020-01-01",
        "1_000",
        "Null",
        None,
        None,
        "null",
        "~",
        "",
        "=",
        ".inf",
    ]


@both
def test_nothing_is_none_and_keys_are_always_text(pure: bool) -> None:
    assert read("a:\nnull: \n'': x\n'<<': y\n", "x", pure=pure).value == {"a": None, "null": None, "": "x", "<<": "y"}


@both
def test_every_value_and_key_has_its_place(pure: bool) -> None:
    document = read(SPEC, "x", pure=pure)
    assert document.places[()] == Place(2, 1)
    assert document.places["release",] == Place(3, 10)
    assert document.key_places["products", "910b"] == Place(4, 31)
    assert document.places["let", "outDims"] == Place(7, 12)
    assert document.places["params", 0, "dtype", 1] == Place(12, 59)
    assert document.places["params", 1, "optional"] == Place(15, 15)
    assert document.places["rules",] == Place(17, 1)  # nothing there: the key's
    assert document.places.keys() - document.key_places.keys() == {
        (),
        ("params", 0),
        ("params", 1),
        ("params", 0, "dtype", 0),
        ("params", 0, "dtype", 1),
    }


@both
def test_bytes_crlf_byte_order_mark_and_missing_last_line_end_change_nothing(pure: bool) -> None:
    expected = read(SPEC, "x", pure=pure)
    windows = b"\xef\xbb\xbf" + SPEC.rstrip("\n").replace("\n", "\r\n").encode()
    assert read(windows, "x", pure=pure) == expected
    assert read("a: |\n  x", "x", pure=pure).value == read("a: |\n  x\n", "x", pure=pure).value


def test_libyaml_is_what_the_fast_path_tests() -> None:
    if not yaml.__with_libyaml__:
        pytest.skip("this PyYAML has no libyaml: both parsers are the same here")
    assert read(SPEC, "x") == read(SPEC, "x", pure=True)


REFUSED = [
    ("a: &x [b]\n", "1:4", "anchors are not allowed.*'same as'"),
    ("&x a: b\n", "1:1", "anchors are not allowed"),
    ("a: *x\n", "1:4", "aliases are not allowed.*'same as'"),
    ("a: !!python/object:os.system x\n", "1:4", "tags are not allowed"),
    ("a: !x y\n", "1:4", "tags are not allowed"),
    ("a: ! y\n", "1:4", "tags are not allowed"),
    ("a: !!str\n", "1:4", "tags are not allowed"),
    ("%YAML 1.1\n---\na: b\n", "1:1", "directives are not allowed"),
    ("a: b\n---\nc: d\n", "2:1", "second document"),
    ("", "1:1", "no document"),
    ("# only this\n", "1:1", "no document"),
    ("a: b\nc: d\n'a': e\n", "3:1", "'a' stands twice in one mapping, on line 1 and on line 3"),
    ("<<: {a: b}\n", "1:1", "merge keys are not allowed.*'same as'"),
    ("? [a]\n: b\n", "1:3", "a key must be text"),
    ("{{a: b}: c}\n", "1:2", "a key must be text"),
    ("?\n: x\n", "1:2", "a key is expected"),
    ("{: x}\n", "1:2", "not valid YAML"),
    (": x\n", "1:1", "not valid YAML"),
    ("a: b\n\tc: d\n", "2:1", "tab"),
    ("a:\tb\n", "1:3", "tab"),
    ("a: b\tc\n", "1:5", "tab"),
    ("a: |\n  b\n  \tc\n", "3:3", "tab"),
    ("a: b\x00c\n", "1:5", r"U\+0000"),
    ("a: b\nc: \x1b[0m\n", "2:4", r"U\+001B"),
    ("a: b\u2028c\n", "1:5", r"U\+2028"),
    ("a: b\rc\n", "1:5", r"U\+000D"),
    ("a: \ufeffb\n", "1:4", r"U\+FEFF"),
    ("a: \ud800\n", "1:4", r"U\+D800"),
    ('a: "\\ud800"\n', "1:", "surrogate|Unicode"),
    ('a: "\\U00110000"\n', "1:", "not valid YAML"),
    ('a: "\\Uffffffff"\n', "1:", "not valid YAML"),
    (b"a: b\nc: \xff\xfe\n", "2:4", "not UTF-8 text: byte 0xff"),
    (b"\xff\xfea\x00", "1:1", "not UTF-8"),
    ("[a, b\n", "2:1", "not valid YAML"),
    ("a: 'b\n", "", "not valid YAML"),
    ("{a: what?}\n", "1:9", r"quote a text with '\?'"),
    ("{a:, b}\n", "1:3", "space is missing behind ':'|not valid YAML"),
    ("a: >-# b\n  c\n", "1:", "not valid YAML|space is missing"),
    ("a: b: c\n", "1:5", "not valid YAML"),
    ("a: @b\n", "1:4", "not valid YAML"),
]


@both
@pytest.mark.parametrize(("text", "where", "message"), REFUSED, ids=[repr(row[0])[:40] for row in REFUSED])
def test_what_specs_have_no_use_for_is_an_error_at_its_place(
    text: str | bytes, where: str, message: str, pure: bool
) -> None:
    error = problem(text, pure)
    assert error.where.startswith(f"x.yaml:{where}")
    assert re.search(message, error.message)


@both
def test_limits_hold(pure: bool) -> None:
    assert "larger than the 10 bytes" in problem("中" * 4, pure, Limits(size=10)).message
    assert "more than 3 keys and values" in problem("[a, b, c]", pure, Limits(nodes=3)).message
    assert "longer than 5" in problem("abcdef", pure, Limits(scalar=5)).message
    deepest = "[" * 64 + "]" * 64
    assert read(deepest, "x", pure=pure).places.keys() == {(0,) * depth for depth in range(64)}
    error = problem(f"[{deepest}]", pure)
    assert (error.where, error.message) == ("x.yaml:1:65", "more than 64 mappings and lists inside each other")


@both
@pytest.mark.parametrize("unit", ["[", "{", "{a: ", "[[],", "- ", "? ", "[? ", "[a: ", "&a ", "a: ", "!", "%"])
def test_deep_and_repetitive_texts_end_soon_without_recursion(unit: str, pure: bool) -> None:
    started = time.process_time()
    problem(unit * 100_000, pure)
    assert time.process_time() - started < 10


def test_an_error_shows_its_line_and_column() -> None:
    error = problem("a: b\n名称: *x\n")
    assert error.caret == "名称: *x\n      ^"  # CJK characters fill two columns each
    assert error.at("registry").where == "registry: x.yaml:2:5"
    assert error.at("registry").caret == error.caret


def test_a_long_line_is_cut_around_the_column() -> None:
    error = problem("[" + "a, " * 1000 + "*x, " + "b, " * 1000 + "]")
    line, mark = error.caret.split("\n")
    assert len(line) == 120
    assert line[mark.index("^")] == "*"


def test_an_error_never_prints_control_characters() -> None:
    assert problem("a: \x1b]0;x\x07").caret.isprintable() is False  # the line break, and nothing else
    assert problem("a: \x1b]0;x\x07").caret.replace("\n", "").isprintable()


def test_locate_finds_the_nearest_ancestor() -> None:
    document = read(SPEC, "x")
    assert locate(document, ("params", 1, "name")) == Place(13, 11)
    assert locate(document, ("params", 1, "name"), key=True) == Place(13, 5)
    assert locate(document, ("params", 1, "missing")) == document.places["params", 1]
    assert locate(document, ("missing",)) == document.places[()]
    assert locate(document, ("params", 0, "TensorParam", "rank")) == document.places["params", 0, "rank"]
    assert locate(document, ()) == Place(2, 1)


def test_files_that_cannot_be_read_are_errors_of_one_line(tmp_path: FilePath) -> None:
    good = tmp_path / "a.yaml"
    good.write_text(SPEC, encoding="utf-8")
    assert read_file(good).value == read(SPEC, "x").value
    assert read_file(good).name == str(good)
    (tmp_path / "large.yaml").write_bytes(b"a" * 101)
    for path, message in [
        (tmp_path / "none.yaml", "cannot read the file: No such file"),
        (tmp_path, "cannot read the file: it is a folder"),
        (tmp_path / "large.yaml", "larger than the 100 bytes"),
        (tmp_path / "a\0b", "cannot read the file"),
    ]:
        with pytest.raises(OpspecError, match=message) as caught:
            read_file(path, limits=Limits(size=100))
        assert "\n" not in str(caught.value)


@contextmanager
def as_nobody() -> Iterator[None]:
    """Without root's right to read everything."""
    me = os.geteuid()
    os.seteuid(me or 65534)
    try:
        yield
    finally:
        os.seteuid(me)


def test_a_file_without_permission_is_an_error_of_one_line(tmp_path: FilePath) -> None:
    path = tmp_path / "a.yaml"
    path.touch(mode=0o000)
    with as_nobody(), pytest.raises(OpspecError, match="Permission denied"):
        read_file(path)


# --- fuzz -------------------------------------------------------------------------------------------------------

TOKENS = [
    "\n",
    "\n  ",
    "\n    ",
    " ",
    "\t",
    ": ",
    ":",
    "- ",
    "-",
    "? ",
    "?",
    "# c ",
    "#",
    "'",
    '"',
    "[",
    "]",
    "{",
    "}",
    ",",
    ", ",
    "|",
    "|-\n  ",
    ">",
    "|+\n",
    ">2\n",
    "&a ",
    "*a",
    "!",
    "!!str ",
    "%",
    "%YAML 1.1\n",
    "---",
    "...",
    "\n---\n",
    "\n...\n",
    "<<: ",
    "~",
    "null",
    "\\",
    "\\u12",
    "\\x41",
    "\\'",
    "\\/",
    "a",
    "b",
    "é",
    "中",
    "😀",
    "\x85",
    "\u2028",
    "\r\n",
    "\r",
    "@",
    "`",
    "\xa0",
    "0",
    "=",
    "\ufeff",
]


def outcome(text: str | bytes, pure: bool) -> Document | None:
    """The document, or None for the one kind of error that may be raised."""
    try:
        return read(text, "x", pure=pure)
    except SpecTextError as error:
        problems = str(error)
    assert "\n" not in problems
    return None


def mutated(text: str, chance: random.Random) -> str:
    start = chance.randrange(len(text))
    text = text[text.rfind("\n", 0, start) + 1 :][: chance.randrange(20, 300)] if chance.random() < 0.7 else text
    for _ in range(chance.randrange(1, 6)):
        at = chance.randrange(len(text) + 1)
        text = text[:at] + chance.choice([*TOKENS, ""]) + text[at + chance.choice([0, 0, 1, 3]) :]
    return text


@pytest.mark.parametrize("seed", range(4))
def test_both_parsers_agree_on_mutated_documents(seed: int) -> None:
    chance = random.Random(seed)
    read_well = 0
    for _ in range(700):
        text = mutated(SPEC, chance)
        fast = outcome(text, False)
        assert fast == outcome(text, True), repr(text)
        read_well += fast is not None
    assert read_well > 30  # otherwise the test compares errors only


@given(st.lists(st.sampled_from(TOKENS), max_size=25).map("".join))
def test_both_parsers_agree_on_token_soup(text: str) -> None:
    assert outcome(text, False) == outcome(text, True)


@given(st.binary(max_size=200) | st.text(alphabet=st.characters(), max_size=200))
def test_arbitrary_input_raises_nothing_else(data: bytes | str) -> None:
    assert outcome(data, False) == outcome(data, True)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
def test_what_is_no_regular_file_is_refused_without_being_opened(tmp_path: FilePath) -> None:
    """Opening a pipe would wait for ever."""
    os.mkfifo(tmp_path / "a.yaml")
    for path, kind in [(tmp_path / "a.yaml", "a pipe"), (FilePath("/dev/zero"), "a device")]:
        with pytest.raises(OpspecError, match=f"cannot read the file: it is {kind}"):
            read_file(path)
