"""Promises of errors: one line whatever the input was, short, harmless to a terminal, and never an error themselves."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opspec.errors import OpspecError, did_you_mean, nearest, printable, shown


class Rude:
    """Its own code fails."""

    def __repr__(self) -> str:
        raise RuntimeError("rude")


class RudeInt(int):
    """A number whose own code fails."""

    def __repr__(self) -> str:
        raise ValueError("rude")


def nested(depth: int) -> list[Any]:
    """A list in a list in a list …"""
    result: list[Any] = []
    for _ in range(depth):
        result = [result]
    return result


def cyclic() -> list[Any]:
    """A list that holds itself."""
    result: list[Any] = [1]
    result.append(result)
    return result


@pytest.mark.parametrize(
    "value",
    [
        10**5000, -(10**5000), [10**5000], {10**5000: 10**5000}, {10**5000}, nested(100_000), cyclic(), Rude(),
        [Rude()], RudeInt(5), "x" * 10_000_000, b"x" * 10_000_000, ["x" * 1000] * 1_000_000, "\n\x1b[31m\u202e\ud800",
        float("nan"), {"a" * 1000: "b" * 1000}, ((),), [[[[[[1]]]]]], object, int,
    ],
    ids=range(20),
)  # fmt: skip
@pytest.mark.parametrize("limit", [10, 60, 200])
def test_any_value_is_shown_on_one_short_line_at_once(value: object, limit: int) -> None:
    start = time.process_time()
    text = shown(value, limit)
    assert time.process_time() - start < 0.5
    assert 0 < len(text) <= limit
    assert text.isprintable()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (5, "5"), ("a'b", '"a\'b"'), (None, "None"), (True, "True"), (1.5, "1.5"), ([1, "a"], "[1, 'a']"),
        ((1,), "(1,)"), ((), "()"), ({}, "{}"), ({"a": [1]}, "{'a': [1]}"), (2**255, str(2**255)[:59] + "…"),
        (b"\0", r"b'\x00'"),
        (2**256, "an integer of 257 bits"), ([[[[1]]]], "[[[[…]]]]"), ("x" * 59, "'" + "x" * 58 + "…"),
    ],
    ids=range(15),
)  # fmt: skip
def test_small_values_are_shown_as_they_are(value: object, text: str) -> None:
    assert shown(value) == text


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(JSON)
def test_what_is_not_cut_is_its_repr(value: object) -> None:
    text = shown(value, 1000)
    assert "…" in text or "an integer of" in text or text == printable(repr(value))


@given(st.text())
def test_printable_text_has_one_line_and_stays_itself_where_it_can(text: str) -> None:
    made = printable(text)
    assert made.isprintable()
    assert (made == text) == text.isprintable()
    made.encode()


def test_an_error_is_safe_to_print_whatever_the_input_put_into_it() -> None:
    error = OpspecError("no \x1b[31mred", where="a\nb\ud800")
    assert str(error) == r"a\nb\ud800: no \x1b[31mred"
    assert str(error.at("c\rd")) == r"c\rd: a\nb\ud800: no \x1b[31mred"
    assert str(OpspecError("first\nsecond")) == "first\nsecond"


def test_places_are_put_in_front_of_each_other_and_the_kind_stays() -> None:
    class Special(OpspecError):
        """Of another kind."""

    error = Special("m", where="b").at("a")
    assert (type(error), str(error), error.where) == (Special, "a: b: m", "a: b")
    assert str(OpspecError("m").at("a")) == "a: m"


def test_the_nearest_word_is_found_in_any_case_and_time_is_bounded() -> None:
    names = [f"aclnnOperator{number}" for number in range(2000)]
    assert nearest("ACLNNOPERATER7", names) == "aclnnOperator7"
    assert nearest("zzz", names) is None
    assert did_you_mean("flot", ["FLOAT"]) == "; did you mean 'FLOAT'?"
    assert did_you_mean("zzz", ["FLOAT"]) == ""
    assert nearest("gleu", ["Glu", "Gelu"]) == "Gelu"
    start = time.process_time()
    nearest("aclnnOperator" * 1_000_000, names)
    assert time.process_time() - start < 2
