"""Releases whose rules say the same share what is found by these; those whose rules differ share nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from opspec.docs.alike import alike
from opspec.docs.page import page
from opspec.docs.saying import Sayings
from opspec.docs.shapes import opening
from opspec.model.definition import Definition
from opspec.model.load import load_text

SPEC = """\
operator: aclnnX
release: 9.1.0
products: {910b: yes, A3: yes}
params:
  - {name: x, ctype: const aclTensor*, dtype: [FLOAT, FLOAT16], rank: 2}
  - {name: y, ctype: aclTensor*, io: out, dtype: [FLOAT, FLOAT16]}
rules:
  y-shape: {check: "y.shape == x.shape[::-1]"}
  x-even: {check: "x.shape[-1] % 2 == 0"}
"""
OTHERS = (
    ("x.shape[-1] % 2 == 0", "x.shape[-1] % 4 == 0"),
    ('x-even: {check: "x.shape[-1] % 2 == 0"}', 'x-even: {check: "x.shape[-1] % 2 == 0", when: "x.dtype == FLOAT"}'),
    ("A3: yes", "A3: no"),
    ("rank: 2", "rank: 2-3"),
    ("x-even:", "even:"),
)


def defined(text: str) -> Definition:
    return load_text(text.replace("x.shape[::-1]", "(x.shape[1], x.shape[0])"), "x.yaml").definitions[0]


def test_what_rules_say_is_found_once_for_all_releases() -> None:
    first, second = defined(SPEC), defined(SPEC.replace("9.1.0", "9.0.0"))
    assert alike(second) is alike(first)
    assert opening(second) is opening(first)
    assert page(second, "en").release == "9.0.0"


def test_marks_are_those_of_each_release() -> None:
    """That calls show what becomes of a rule is no part of what it says."""
    first = defined(SPEC)
    second = defined(SPEC.replace("% 2 == 0", '% 2 == 0", enforced: no, evidence: "none').replace('none"}', 'none"}'))
    assert alike(second) is alike(first)
    marks = [Sayings(one, "en").mark(rule) for one in (first, second) for rule in one.rules if rule.id == "x-even"]
    assert marks[0] != marks[1]


@pytest.mark.parametrize(("was", "now"), OTHERS)
def test_other_rules_are_asked_themselves(was: str, now: str) -> None:
    first, second = defined(SPEC), defined(SPEC.replace(was, now))
    assert alike(second) is not alike(first)
    assert page(second, "en") == page(replace(second), "en")


def test_a_sentence_too_many_leaves_none() -> None:
    """None is made of those that are not said."""
    definition = defined(SPEC)
    sayings = Sayings(definition, "en")
    own = [rule for rule in definition.rules if rule.id in ("y-shape", "x-even")]
    assert len(sayings.together(own, sayings.briefly, most=2)) == 2
    assert sayings.together(own, sayings.briefly, most=1) == []
