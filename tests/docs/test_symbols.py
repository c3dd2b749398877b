"""Readers know every letter of a formula: those are found that nothing on the page explains, and no others."""

from __future__ import annotations

from typing import Literal

import pytest

from opspec.docs.page import page
from opspec.docs.render import render
from opspec.docs.symbols import unexplained
from opspec.model.load import load_text
from tests.model.building import definition, spec

BODY = r"""
formula: ['FORMULA']
params:
  - {name: self, ctype: const aclTensor*, about: {en: "the input, (R, C)", zh: "输入，(R, C)"}, dtype: FLOAT}
  - {name: epsOptional, ctype: double}
  - {name: alpha, ctype: double}
  - {name: out, ctype: aclTensor*, io: out, dtype: FLOAT}
"""


@pytest.mark.parametrize(
    ("latex", "letters"),
    [
        (r"out = \frac{x}{\sqrt{v + \epsilon}}", ("x", "v")),
        (r"out_i = self_i + \alpha", ()),  # params, in the words of mathematics or not
        (r"m = \max(self), \quad out = self - m", ()),  # the formula says what it is
        (r"(a, b) = split(self), \quad out = a \cdot b", ()),
        (r"out = self - \delta, \quad (\delta, \epsilon) = split(self)", ()),
        (r"out = u, \quad u \sim \text{Uniform}(0, 1)", ()),
        (r"out = self + 1e9", ()),  # a number
        (r"Q(v) = v + 1, \quad out = Q(self)", ()),
        (r"out = \sum_{i=0}^{R-1} self_i, \quad 0 \le i < R", ()),  # indices, and what the page says of the shape
        (r"out[j] = self[j, k]", ()),
        (r"out = QK^T", ("Q",)),  # a product of two; K is a dim of the glossary
        (r"out = \text{if } self > 0 \text{ then } A^{UQ}", ("A",)),  # words and labels
        (r"\frac{\partial L}{\partial self} = e^{-\pi}", ()),  # what everybody calls so
    ],
)
def test_letters_that_nothing_explains_are_found(latex: str, letters: tuple[str, ...]) -> None:
    assert unexplained(definition(BODY.replace("FORMULA", latex))) == letters


LEGEND = BODY.replace("['FORMULA']", "{latex: 'out = x + w', where: {x: {en: '`self`', zh: '`self`'}, w: WEIGHT}}")
LEGEND = (
    LEGEND.replace("WEIGHT", "{en: the weight, zh: 权重}") + "twin: {operator: aclnnInplaceX, rename: {self: selfRef}}"
)


@pytest.mark.parametrize(
    ("form", "lang", "legend"),
    [
        ("md", "en", "where $x$ = `selfRef`; $w$ = the weight."),
        ("md", "zh", "其中，$x$为`selfRef`；$w$为权重。"),
        ("html", "en", " = <code>selfRef</code>; <math"),
    ],
)
def test_a_legend_stands_below_its_formula(form: Literal["md", "html"], lang: Literal["en", "zh"], legend: str) -> None:
    """With the names that the operator's own params have."""
    one, twin = load_text(spec(LEGEND), "x.yaml").definitions
    assert unexplained(one) == ()
    assert legend in render(page(twin, lang), form)
