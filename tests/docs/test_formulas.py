"""Formulas of HTML pages are MathML, and nothing that a spec writes as one becomes other markup."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from opspec.docs.formulas import mathml
from opspec.registry.registry import Registry, spec_of


def test_a_formula_is_set() -> None:
    assert "<mfrac>" in str(mathml(r"\frac{1}{2}"))


@pytest.mark.parametrize(
    "latex",
    [
        r"\text{<script>alert(1)</script>}", r"\text{<b>x}", r"\text{&lt;img onerror=x&gt;}", "<img src=x onerror=y>",
        r"\href{javascript:alert(1)}{x}", r"\style{color:red}{x}", r"\class{a}{b}", "\x00", "\\", "{" * 400, "$" * 50,
        r"\begin{cases} a", "]]><script>", '" onload="x', r"\text{</mtext></math><script>}",
    ],
)  # fmt: skip
def test_nothing_else_becomes_markup(latex: str) -> None:
    """Either MathML without anything that runs or refers, or escaped text."""
    text = str(mathml(latex))
    if text.startswith("<code"):
        assert text.count("<") == 2
    else:
        attributes = {name for element in ElementTree.fromstring(text).iter() for name in element.attrib}
        assert not attributes & {"style", "class", "id", "href", "src"}
        assert not re.search(r"<(?:script|img|b|a|iframe)\b", text)


def test_a_formula_without_end_is_shown_as_it_stands() -> None:
    assert str(mathml("x" * 10_000)).startswith("<code")


@pytest.mark.slow
def test_the_formulas_of_all_operators_are_set() -> None:
    """Nearly all of them become MathML, and no line of any relies on a break that no browser makes."""
    formulas = [item.latex for entry in Registry().entries("9.1.0").values() for item in spec_of(entry).formula]
    found = [str(mathml(latex)) for latex in formulas]
    assert not [latex for latex, text in zip(formulas, found, strict=True) if "linebreak" in text]
    assert sum(text.startswith("<code") for text in found) <= len(found) // 1000
