"""What hangs on a mode, a layout or a likeness is told where a reader looks for it: a table, a cell, one sentence."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from opspec.docs.page import page
from opspec.docs.requirements import merged, numbered, related
from opspec.docs.saying import Sayings
from opspec.docs.shapes import shapes
from opspec.model.definition import Definition
from opspec.registry.registry import Registry, definition_of
from tests.committed import SOME, defined
from tests.model.building import definition

KNOWN = Registry()
TENSOR = "ctype: const aclTensor*, dtype: [FLOAT, FLOAT16]"
OUT = "ctype: aclTensor*, io: out, dtype: [FLOAT, FLOAT16]"

MODES = f"""\
params:
  - {{name: x, {TENSOR}, rank: 2}}
  - {{name: scale, {TENSOR}, optional: yes}}
  - {{name: mode, ctype: int64_t, enum: {{0: {{en: plain, zh: a}}, 1: {{en: rows, zh: b}}, 2: {{en: all, zh: c}}}}}}
  - {{name: out, {OUT}}}
rules:
  none: {{check: "scale is None", when: "mode == 0"}}
  given: {{check: "scale is not None", when: "mode != 0"}}
  rows: {{check: "scale.shape == (x.shape[0],)", when: "mode == 1"}}
  all: {{check: "scale.shape == (1,)", when: "mode == 2"}}
  narrow: {{check: "out.dtype == FLOAT", when: "mode == 0 and scale is None"}}
  other: {{check: "x.shape[0] > 4", when: "mode == 1 and out.rank == 2"}}
"""

LAYOUTS = f"""\
params:
  - {{name: q, {TENSOR}}}
  - {{name: k, {TENSOR}}}
  - {{name: layout, ctype: char*, enum: {{BSND: {{en: a, zh: a}}, TND: {{en: b, zh: b}}}}}}
  - {{name: layoutK, ctype: char*, enum: {{BSND: {{en: a, zh: a}}, PA_BBND: {{en: b, zh: b}}}}}}
  - {{name: out, {OUT}}}
rules:
  q: "q.rank == (3 if layout == 'TND' else 4)"
  k: "k.rank == 4"
  same: out same shape as q
"""


def test_what_a_mode_asks_for_is_a_table() -> None:
    """A row per value, a column per tensor; what is told there is in no list, and what no cell can tell is."""
    made = page(definition(MODES), "en")
    (table,) = made.modes
    assert (table.by, table.params) == ("mode", ("scale", "out"))
    cells = dict(table.rows)
    assert cells["0"][0].startswith("null")
    assert "[1]" in cells["2"][0]
    assert cells["1"][0].startswith("given")
    assert "if scale is null: FLOAT" in cells["0"][1]
    listed = {rule for group in made.groups() for item in group.items for rule in item.rules}
    assert table.rules == {"none", "given", "rows", "all", "narrow"}
    assert not table.rules & listed
    assert "other" in listed


def test_a_layout_gives_shapes_its_letters() -> None:
    """Each layout has its shape; a tensor that a layout does not count is left to its own rules."""
    found = shapes(definition(LAYOUTS))
    assert list(map(str, found.of["q"])) == ["[B, S, N, D]", "[T, N, D]"]
    assert found.layouts["q"] == ("BSND", "TND")
    assert found.of["out"] == found.of["q"]
    assert {"q", "same"} <= found.told.keys()
    assert list(map(str, found.of["k"])) == ["[_, _, _, _]"]


def test_letters_are_those_of_the_words_on_a_param() -> None:
    """``(N, C, L)`` in words is what the page shows."""
    body = (
        f"params: [{{name: x, {TENSOR}, rank: 3, about: {{en: 'signal, (N, C, L)', zh: a}}}},"
        f" {{name: out, {OUT}, rank: 3}}]\n"
        "rules: {same: out same shape as x}"
    )
    assert [str(shape) for shape in shapes(definition(body)).of["out"]] == ["[N, C, L]"]


def test_pairs_that_must_be_alike_are_one_sentence() -> None:
    """However the pairs are written, and whatever follows from others."""
    body = (
        f"params: [{{name: a, {TENSOR}}}, {{name: b, {TENSOR}}}, {{name: c, {TENSOR}}}, {{name: d, {OUT}}}]\n"
        "rules: {one: b same dtype as a, two: c same dtype as b, three: a same dtype as c, four: d same dtype as a}"
    )
    said = [item for group in page(definition(body), "en").groups() for item in group.items]
    own = [item for item in said if "same data type" in item.text]
    assert [item.text for item in own] == ["a, b, c and d must have the same data type."]
    assert set(own[0].rules) == {"one", "two", "three", "four"}


def test_a_refused_format_stands_beside_what_is_said_of_nd() -> None:
    """Once, and in no row: ``ND`` and a list of what it is not would be said twice."""
    made = page(definition_of(KNOWN.find("aclnnQuantMatmulV5", "9.1.0")), "en")
    assert any("FRACTAL_NZ is refused" in item.text for item in made.layouts.refused)
    assert not any("must not be FRACTAL_NZ" in note.text for param in made.params for note in param.notes)


@pytest.mark.parametrize("paths", SOME)
def test_codes_name_what_stands_on_the_page(paths: list[Path]) -> None:
    """Numbers of requirements are on the page, each rule that is listed has one, and none is in a table as well."""
    for found in defined(paths):
        assert_is_numbered(found)


def assert_is_numbered(defined: Definition) -> None:
    """What a code names has a number, and each rule that is told apart from rows has one or a table."""
    made = page(defined, "en")
    numbers = numbered(merged(made.parts))
    most = sum(len(group.items) for group in made.requirements)
    assert set(numbers.values()) == set(range(1, most + 1)), defined.name
    for row in made.returns:
        for item in row.failures:
            named = re.search(r"^Breaks requirements? ([\d, -]+)", item.text)
            assert named is None or max(map(int, re.findall(r"\d+", named[1]))) <= most, defined.name
    in_tables = {rule for table in made.modes for rule in table.rules}
    every = {rule.id for rule in related(Sayings(defined, "en", narrows=True))}
    assert in_tables | numbers.keys() == every, defined.name
    assert not in_tables & numbers.keys(), defined.name


def test_a_long_list_tells_what_is_for_some_products_apart() -> None:
    """Sentences there do not repeat the products, and numbers go on; a short list is left as it is."""
    made = page(definition_of(KNOWN.find("aclnnQuantMatmulV5", "9.1.0")), "en")
    apart = [group for group in made.requirements if group.where]
    assert any(group.where == "on the Atlas inference series" for group in apart)
    assert not any(item.text.startswith("On the Atlas inference series,") for group in apart for item in group.items)
    firsts = [group.first for group in made.requirements]
    assert firsts == sorted(set(firsts))
    short = page(definition_of(KNOWN.find("aclnnDeepNormGrad", "9.1.0")), "en")
    assert not any(group.where for group in short.requirements)


def test_formulas_of_one_case_stand_under_its_name() -> None:
    """What their titles begin with is told once; in the vendor's form each has its whole title."""
    made = page(definition_of(KNOWN.find("aclnnRotaryPositionEmbeddingGrad", "9.1.0")), "en")
    assert [formula.case for formula in made.formulas if formula.case] == [
        "Half", "Interleave", "Quarter", "Interleave-half",
    ]  # fmt: skip
    assert made.formulas[0].title == f"Half: {made.formulas[0].rest[0].lower()}{made.formulas[0].rest[1:]}"


def test_alternatives_named_by_a_layout_have_its_letters() -> None:
    """Which shape of ``cos`` goes with which layout is a table, though no argument names the layout."""
    made = page(definition_of(KNOWN.find("aclnnRotaryPositionEmbedding", "9.1.0")), "en")
    half = next(table for table in made.modes if "half-cos" in table.rules)
    assert dict(half.rows)["BSND"] == ("[1, S, 1, D], [B, S, 1, D] or [B, S, N, D]",)


def test_only_products_of_matrices_sum_over_k() -> None:
    """Inputs that count the same thing and pass nothing else on are no matrices: their dim is not K."""
    body = (
        f"params: [{{name: tokens, {TENSOR}, rank: 2}}, {{name: routes, {TENSOR}, rank: 2}},"
        f" {{name: out, {OUT}, rank: 2}}]\n"
        'rules: {same: "tokens.shape[0] == routes.shape[0]"}'
    )
    assert not any("K" in shape.items for own in shapes(definition(body)).of.values() for shape in own)
