"""Random calls of every operator that serves models were read, and the rules that mend them are there."""

from __future__ import annotations

from pathlib import Path

import pytest

from opspec.registry.folders import built_in
from opspec.registry.registry import definition_of, registry
from tests.operators.examples_read import families, readings

RELEASE = "9.1.0"

#: The part of a family that was read, where that is not all of it.
PARTS = {"norm": ("Quant", "RmsNorm"), "matmul": ("Quant", "Nz", "Weight")}


def operators(family: str) -> set[str]:
    """The operators of a family that somebody reads; twins share the calls of their first."""
    names = {path.stem.partition("+")[0] for path in Path(built_in(), RELEASE, family).glob("*.yaml")}
    parts = PARTS.get(family, ("",))
    return {name for name in names if any(part in name for part in parts)}


@pytest.mark.parametrize("family", families())
def test_every_operator_was_read(family: str) -> None:
    read = {reading.operator for reading in readings(family)}
    assert operators(family) <= read
    assert all(reading.count >= 20 for reading in readings(family))


@pytest.mark.parametrize("family", families())
def test_the_rules_that_mend_are_there(family: str) -> None:
    for reading in readings(family):
        rules = {rule.id for rule in definition_of(registry().find(reading.operator, RELEASE)).rules}
        assert set(reading.mended) <= rules, reading.operator
        assert not reading.mended or reading.found, reading.operator
