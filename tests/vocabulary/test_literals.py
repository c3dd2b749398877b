"""Promise: the types of closed sets hold the words of the tables, no more and no fewer."""

from __future__ import annotations

from typing import get_args

from opspec.model.load import load_file
from opspec.model.spec import Rule
from opspec.vocabulary import enforcement, literals, status
from tests.committed import sample


def test_types_hold_the_words_of_the_tables() -> None:
    """What a type checker lets through is what verdicts say."""
    assert get_args(literals.Status) == status.names()
    assert get_args(literals.Enforcement) == enforcement.ALL
    assert {*get_args(Rule.model_fields["basis"].annotation), "definition"} == {*get_args(literals.Basis)}


def test_rules_of_specs_are_of_the_kinds_steps_stages_and_bases_that_there_are() -> None:
    """Nothing checks while sugar expands that a text is one of them but the type checker, which sees no data."""
    for path in sample(40):
        for definition in load_file(str(path)).definitions:
            for rule in definition.rules:
                assert rule.kind in literals.KINDS
                assert rule.step in literals.STEPS
                assert rule.stage in literals.STAGES
                assert rule.basis in literals.BASES
