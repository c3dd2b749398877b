"""Promise: a row of the function library is all there is to a function, and its example is true in every back end."""

from __future__ import annotations

import re

import pytest

from opspec.docs.reference import reference
from opspec.language import interpret, parse, prose, text
from opspec.language.functions import FUNCTIONS, SPECIAL, Function
from opspec.language.interpret import Env
from opspec.language.types import BOOL, FLOAT, INT
from tests.language.differential import compiled_value
from tests.language.expressions import SCOPE

ROWS = list(FUNCTIONS.values())
WITHOUT_EXAMPLE = {"contiguous", "transposed_last2"}  # they take a tensor, which no literal is


def ids(row: Function) -> str:
    """A row's name."""
    return row.name


@pytest.mark.parametrize("row", ROWS, ids=ids)
def test_the_example_holds_in_both_back_ends(row: Function) -> None:
    expression, value = row.example
    assert bool(expression) == (row.name not in WITHOUT_EXAMPLE)
    if not expression:
        return
    node = parse.parse(expression, parse.Scope())
    assert f"{row.name}(" in expression
    assert node.type == row.gives
    expected = interpret.evaluate(parse.parse(value, parse.Scope()), Env({}))
    assert interpret.evaluate(node, Env({})) == expected
    assert compiled_value(node, {}, None, None) == expected
    assert parse.parse(text.write(node), parse.Scope()) == node


@pytest.mark.parametrize("row", ROWS, ids=ids)
def test_every_row_has_words_for_its_arguments(row: Function) -> None:
    """English, Chinese and the denials of a statement name every argument, and no other."""
    denials = [row.not_en, row.not_zh]
    assert all(denials) == (row.gives == BOOL)
    for words in filter(None, (row.en, row.zh, *denials)):
        named = set(re.findall(r"\{(.*?)\}", words))
        assert named == ({"*"} if row.variadic else {str(i) for i in range(len(row.takes))}), words
    assert re.search(r"[\u4e00-\u9fff]|^ceil|^floor", row.zh)
    assert row.en.isascii()
    assert row.c == f"opspec_{row.name}"


@pytest.mark.parametrize("row", ROWS, ids=ids)
def test_every_function_reads_well_in_every_mood(row: Function) -> None:
    """A call is a noun phrase or a statement in both languages; a condition does not say "must"."""
    takes = row.takes * 2 if row.variadic else row.takes
    args = ", ".join(_argument(str(kind)) for kind in takes)
    node = parse.parse(f"{row.name}({args})", SCOPE)
    for lang in prose.WORDS:
        assert "{" not in prose.phrase(node, lang)
        if row.gives == BOOL:
            denied = parse.parse(f"not {row.name}({args})", SCOPE)
            assert prose.requirement(node, lang) != prose.requirement(denied, lang)
            for said in (prose.condition(node, lang), prose.condition(denied, lang)):
                assert "must" not in said
                assert "必须" not in said


def _argument(kind: str) -> str:
    return {"int": "n", "float": "d", "bool": "flag", "str": "text", "dtype": "dt", "format": "x.format", "tensor": "x",
            "list of int": "ints", "list of float": "floats", "any list": "ints"}[kind]  # fmt: skip


@pytest.mark.parametrize("row", [row for row in ROWS if not row.partial], ids=ids)
def test_a_total_function_is_defined_on_its_example(row: Function) -> None:
    """Numbers that overflow come only from rows that say so."""
    assert row.gives not in (INT, FLOAT) or row.name == "len"


def test_min_and_max_take_arguments_or_one_list() -> None:
    for source, value in (("min(3, 1)", 1), ("max((3, 1))", 3), ("max(3, 1, 2)", 3), ("min([2, 1])", 1)):
        assert interpret.evaluate(parse.parse(source, SCOPE), Env({})) == value


def test_the_reference_page_lists_every_function_and_form() -> None:
    page = reference()
    for row in ROWS:
        assert f"`{row.name}(" in page, row.name
        assert row.en in page.replace("\\|", "|")
        assert row.zh in page.replace("\\|", "|")
    for name, words in SPECIAL.items():
        assert f"`{name}(" in page
        assert words.split(": ", 1)[1] in page
