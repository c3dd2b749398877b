"""Promise: the numbers of pages are what their references compute."""

from __future__ import annotations

import json

from opspec.model.worked import FILE
from opspec.registry.registry import registry
from opspec.workshop.worked.__main__ import line_of
from tests.paths import REPOSITORY

RELEASE = "9.1.0"
SHARE = 15


def test_numbers_are_computed_anew() -> None:
    """Of a share of the operators: the line is the same to the last digit."""
    text = (REPOSITORY / "specs" / RELEASE / FILE).read_text(encoding="utf-8")
    entries = registry().entries(RELEASE)
    for line in text.splitlines()[::SHARE]:
        assert line_of(entries[json.loads(line)["operator"]]) == line


def test_who_extends_an_operator_has_its_numbers() -> None:
    """Where the formula is the same and all its params are there."""
    entries = registry().entries(RELEASE)
    first, other = (json.loads(line_of(entries[name])) for name in ("aclnnIndexAdd", "aclnnIndexAddV2"))
    assert (other["out"], other["python"]) == (first["out"], first["python"])
    assert {**other["args"], "mode": 1} == {**first["args"], "mode": 1}
