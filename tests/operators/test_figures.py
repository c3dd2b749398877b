"""The figures that the README states are those of these specs, and none of them is below what is promised."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.operators.figures import committed, measured
from tests.paths import REPOSITORY, SHARED

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


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_the_readme_states_the_committed_figures(name: str) -> None:
    """Shares in the table of figures are the measured ones."""
    text = Path(REPOSITORY / name).read_text(encoding="utf-8")
    known = committed()
    shares = [known["tests"]["exact"], known["tests"]["false alarms"], known["samples"]["exact"]]
    shares += [known["tests, document only"]["exact"], known["tests, document only"]["false alarms"]]
    shares += [known["coverage"]["share_of_checkable"]]
    stated = re.findall(r"(\d+\.\d) ?%", text)
    for share in shares:
        assert isinstance(share, float)
        assert f"{share * 100:.1f}" in stated, f"{share:.1%} is not in {name}"
