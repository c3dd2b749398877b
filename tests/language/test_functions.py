"""Promise: a row of the function library is all there is to a function, and its example is true in every back end."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Sequence

import pytest

from opspec.docs.reference import reference
from opspec.language import interpret, parse, prose, runtime, text
from opspec.language.functions import FORMS, FUNCTIONS, NUMBERS_LIST, Function, said
from opspec.language.interpret import Env
from opspec.language.ranges import WIDE
from opspec.language.types import BOOL, DTYPE, FLOAT, FORMAT, INT, INTS, STR, TENSOR, Type
from opspec.language.values import Tensor
from opspec.vocabulary import dtypes, formats
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
        named = {name.strip("bce") for name in re.findall(r"\{(.*?)\}", words)}
        every = {str(i) for i in range(len(row.takes))}
        assert named == {"*"} if row.variadic else named in (every, {"*"}), words
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
            "list of int": "ints", "list of float": "floats"}[kind]  # fmt: skip


@pytest.mark.parametrize("row", [row for row in ROWS if not row.partial], ids=ids)
def test_a_total_function_is_defined_on_its_example(row: Function) -> None:
    """Numbers that overflow come only from rows that say so."""
    assert row.gives not in (INT, FLOAT)


def test_min_and_max_take_arguments_or_one_list() -> None:
    for source, value in (("min(3, 1)", 1), ("max((3, 1))", 3), ("max(3, 1, 2)", 3), ("min([2, 1])", 1)):
        assert interpret.evaluate(parse.parse(source, SCOPE), Env({})) == value


def test_the_reference_page_lists_every_function_and_form() -> None:
    page = reference()
    for row in ROWS:
        assert f"`{row.name}(" in page, row.name
        assert said(row.en, 0) in page.replace("\\|", "|")
        assert said(row.zh, 0) in page.replace("\\|", "|")
    for name, words in FORMS.items():
        assert f"`{name}(" in page
        assert words.split(": ", 1)[1] in page


# --- what rows say beside type and words: whoever relies on it was written without looking at the function


def _of(row: Function, *args: object) -> object:
    """The result, or ``Undefined``."""
    try:
        return row.python(*args)
    except runtime.Undefined:
        return runtime.Undefined


def _calls(row: Function) -> Iterator[list[object]]:
    """Arguments of every kind that a row takes."""
    takes = row.takes + row.takes[-1:] if row.variadic else row.takes
    yield from map(list, itertools.product(*(VALUES[kind] for kind in takes)))


DIMS = (-1, 0, 1, 2, 3, 7)
SHAPES = ((), (1,), (2,), (0,), (2, 1), (1, 3), (2, 3), (3, 2, 3), (1,) * 8)
VALUES: dict[Type, Sequence[object]] = {
    INT: DIMS, INTS: SHAPES, BOOL: (False, True), FLOAT: (0.0, 1.5, -2.0), NUMBERS_LIST: SHAPES,
    STR: ("", "B", "BS", "S"), DTYPE: dtypes.names(), FORMAT: formats.names(),
    TENSOR: (Tensor((2, 3), "FLOAT"), Tensor((2, 3), "FLOAT", strides=(1, 2))),
}  # fmt: skip


@pytest.mark.parametrize("row", [row for row in ROWS if row.symmetrical], ids=ids)
def test_the_order_of_arguments_changes_nothing_where_a_row_says_so(row: Function) -> None:
    for args in _calls(row):
        assert _of(row, *args) == _of(row, *args[::-1]), args


@pytest.mark.parametrize("row", [row for row in ROWS if row.of_equals], ids=ids)
def test_equal_arguments_are_enough_where_a_row_says_so(row: Function) -> None:
    for value in VALUES[row.takes[0]]:
        found = _of(row, value, value)
        assert found is True if row.gives == BOOL else found in (value, runtime.Undefined)


@pytest.mark.parametrize("row", [row for row in ROWS if row.defines], ids=ids)
def test_a_statement_says_where_another_function_is_defined(row: Function) -> None:
    defined = FUNCTIONS[row.defines]
    assert row.gives == BOOL
    for args in _calls(row):
        assert row.python(*args) is (_of(defined, *args) is not runtime.Undefined), args


@pytest.mark.parametrize("row", [row for row in ROWS if row.gives == INT], ids=ids)
def test_integers_are_within_the_bounds_of_their_row(row: Function) -> None:
    for args in _calls(row):
        found = _of(row, *args)
        if found is not runtime.Undefined:
            low, high = row.bounds(*((arg, arg) if isinstance(arg, int) else WIDE for arg in args))
            assert isinstance(found, int)
            assert low <= found <= high


@pytest.mark.parametrize("row", [row for row in ROWS if row.or_none], ids=ids)
def test_none_stands_for_undefined_where_a_row_says_so(row: Function) -> None:
    plain: Callable[..., object] = getattr(runtime, f"{row.name}_or_none")
    for args in _calls(row):
        found = plain(*args)
        assert (runtime.Undefined if found is None else found) == _of(row, *args)


@pytest.mark.parametrize("row", ROWS, ids=ids)
def test_some_solution_gives_the_result(row: Function) -> None:
    """A row that proposes arguments proposes such as work, for results that the function has."""
    tried = worked = 0
    for args in itertools.islice(_calls(row), 400):
        result = _of(row, *args)
        for place, value in row.solve(result, args) if result is not runtime.Undefined else ():
            tried += 1
            worked += _of(row, *args[:place], value, *args[place + 1 :]) == result
    assert worked or not tried
