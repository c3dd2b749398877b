"""What holds of the formulas and pages of all operators: nothing is lost or raw, all is well-formed, links lead on."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from opspec.docs.formulas import mathml
from opspec.docs.ledger import rules_page
from opspec.docs.page import page
from opspec.docs.related import RELATIONS, Neighbours
from opspec.docs.render import glossary, math, render, render_rules
from opspec.registry.registry import Registry, Unchanging, spec_of
from tests.committed import SOME, defined
from tests.docs.regenerate import LANGS
from tests.docs.test_sound import assert_tables, parsed

#: what is left of LaTeX where it was not understood
_LEFT = re.compile(r"\\|\b(?:begin|end)\{|linebreak")


def formulas() -> dict[str, str]:
    """Each formula of all specs, and an operator that has it: releases share most."""
    known = Registry()
    specs = (spec_of(entry) for release in known.releases() for entry in known.entries(release).values())
    return {formula.latex: spec.operator for spec in specs for formula in spec.formula}


def rows_of(latex: str) -> int:
    """How many rows there are behind others: breaks with something behind them."""
    return len(re.findall(r"\\\\(?!\s*(?:\\end|\\\\|$))", latex.strip()))


@pytest.mark.slow
def test_no_formula_loses_a_row_or_shows_latex() -> None:
    """All become MathML with all their rows; in Markdown none becomes a tag."""
    for latex, operator in formulas().items():
        text = str(mathml(latex))
        assert text.startswith("<math"), (operator, latex)
        assert not _LEFT.search("".join(ElementTree.fromstring(text).itertext())), (operator, latex)
        assert text.count("<mtr") > rows_of(latex) or not rows_of(latex), (operator, latex)
        assert not re.search(r"<[A-Za-z/!?]", math(latex)), (operator, latex)


@pytest.mark.slow
def test_legends_of_formulas_name_params() -> None:
    """Of an operator, as its own form or its twin calls them."""
    known = Registry()
    for release in known.releases():
        for spec in (spec_of(entry) for entry in known.entries(release).values()):
            names = {param.name for param in spec.params} | set(spec.twin.rename.values() if spec.twin else ())
            legends = (text for formula in spec.formula for text in formula.where.values())
            for told in (text.text(lang) for text in legends for lang in LANGS):
                assert names.issuperset(re.findall(r"`(\w+)`", told)), (release, spec.operator, told)


#: what shows where a value was printed as Python does
_VALUES = re.compile(r"frozenset|Undefined")
_PYTHON = re.compile(rf"\b(?:is|not|==|!=) None\b|{_VALUES.pattern}")


@pytest.mark.parametrize("paths", SOME)
def test_pages_are_sound(paths: list[Path]) -> None:
    """Every form: well-formed, its own links lead somewhere, no Python value shows; one language each in turn.

    Those of all operators are made and linked where the whole site is.
    """
    known = Unchanging()
    neighbours = Neighbours(known)
    places = {lang: set(parsed(glossary("9.1.0", lang, "html")).ids) for lang in LANGS}
    for path, lang in zip(paths, itertools.cycle(LANGS), strict=False):
        wrong = _VALUES if "'None'" in path.read_text(encoding="utf-8") else _PYTHON  # a mode may have this name
        for definition in defined([path]):
            near = neighbours.of(definition)
            assert {kind for kind, _ in near.related} <= set(RELATIONS)
            names = known.entries(definition.spec.release)
            assert all(name in names and name != definition.name for _, found in near.related for name in found)
            made, rules = page(definition, lang, near), rules_page(definition, lang)
            assert_tables(render(made, "md"))
            assert_tables(render_rules(rules, "md"))
            found, ledger = parsed(render(made, "html")), parsed(render_rules(rules, "html"))
            links = {link.partition("#")[::2] for link in found.links}
            assert {place for name, place in links if ".rules." in name and place} <= set(ledger.ids)
            assert {place for name, place in links if name.startswith("glossary.") and place} <= places[lang]
            assert {place for name, place in links if not name} <= set(found.ids)
            shown = " ".join(found.text)
            assert not wrong.search(shown), definition.name
