"""The figures that the README states are those of these specs, and none of them is below what is promised."""

from __future__ import annotations

from typing import Any

import pytest

from tests.operators.figures import committed, measured, stated, table
from tests.paths import SHARED

pytestmark = pytest.mark.skipif(not (SHARED / "cases").is_dir(), reason="no recorded calls here")


@pytest.fixture(scope="module")
def figures() -> dict[str, Any]:
    """The figures as they are now."""
    return measured()


def test_the_committed_figures_are_those_of_these_specs(figures: dict[str, Any]) -> None:
    """A change of specs shows as a change of figures, under review: ``python -m tests.operators.figures``."""
    assert figures == committed()


def test_recorded_calls_are_predicted(figures: dict[str, Any]) -> None:
    """At least 85 % of the tests exactly; at most 2 % of the legal calls refused; 97 % of the samples accepted."""
    assert figures["tests"]["exact"] >= 0.85
    assert figures["tests"]["false alarms"] <= 0.02
    assert figures["samples"]["exact"] >= 0.97
    assert figures["tests"]["not in the registry"] == figures["samples"]["not in the registry"] == 0


def test_the_documents_alone_predict_most(figures: dict[str, Any]) -> None:
    """Without anything learned from recorded calls: a corpus of exceptions is not a registry."""
    assert figures["tests, document only"]["exact"] >= 0.85


def test_every_operator_is_there_and_every_clause_accounted_for(figures: dict[str, Any]) -> None:
    coverage = figures["coverage"]
    assert coverage["operators"] == 1068
    assert coverage["summaries"] == coverage["operators"]
    counted = coverage["facts"] + coverage["formalised"] + coverage["not_yet"] + sum(coverage["not_checkable"].values())
    assert counted == coverage["clauses"]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_readme_states_the_committed_figures(lang: str) -> None:
    """No figure is typed in by hand."""
    assert stated(lang) == table(committed(), lang)
