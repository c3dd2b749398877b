"""Promise: a default for one family needs enough of its operators, and calls that clearly go the other way."""

from __future__ import annotations

from dataclasses import replace

from opspec.model.ends import Ends
from opspec.model.enforcement import FEWEST, Grounds
from opspec.workshop.conformance.defaults import CLEAR, FEWEST_OPERATORS, Spoken, apart, lost, rows

USUAL = Grounds("dtype", "dtype", "in", True, "params", False, "", "math")
OTHER = replace(USUAL, folder="loss")
MOST = [Spoken(f"aclnnMath{n}", 0, USUAL, Ends(refused=1000)) for n in range(FEWEST_OPERATORS)]


def ends(refused: int = 0, through: int = 0, behind: int = 0, passed: int = 0) -> Ends:
    """Calls of which tiling refuses what is refused behind the checks."""
    return Ends(refused=refused, tiling=behind, through=through, passed=passed)


def others(operators: int, refused: int, through: int, behind: int = 0, passed: int = 0) -> list[Spoken]:
    """Rules of another family, one an operator."""
    return [Spoken(f"aclnnLoss{n}", 1, OTHER, ends(refused, through, behind, passed)) for n in range(operators)]


def test_a_family_stands_apart_by_enough_operators_and_clear_calls() -> None:
    clear = others(FEWEST_OPERATORS, 0, FEWEST)
    assert [row.grounds for row in apart(MOST + clear)] == [OTHER]
    few_operators = others(FEWEST_OPERATORS - 1, 0, FEWEST)
    few_calls = others(FEWEST_OPERATORS, 0, (FEWEST - 1) // FEWEST_OPERATORS)
    unclear = others(FEWEST_OPERATORS, FEWEST, round(FEWEST * CLEAR / (1 - CLEAR)) - 1)
    alike = others(FEWEST_OPERATORS, FEWEST, 0)
    for rules in (few_operators, few_calls, unclear, alike):
        assert apart(MOST + rules) == []


def test_the_table_counts_all_families_together() -> None:
    (row,) = rows(MOST + others(FEWEST_OPERATORS, 0, FEWEST))
    assert (row.ends, row.rules) == (ends(5000, FEWEST * FEWEST_OPERATORS), 2 * FEWEST_OPERATORS)


def test_what_comes_behind_the_checks_has_a_choice_of_its_own() -> None:
    """Of calls that the checks let pass, those that came to kernel lookup and tiling decide what these do; of those of
    which nobody knows what comes behind none is lost."""
    late = others(FEWEST_OPERATORS, 0, 1, behind=FEWEST, passed=FEWEST)
    assert lost(late, others(1, 2, 3, behind=40, passed=50)) == (2 + 3, 95)
    looked_up = [replace(one, ends=Ends(lookup=one.ends.tiling)) for one in late]
    assert lost(looked_up, others(1, 2, 3, behind=40, passed=50)) == (2 + 3 + 40, 95)  # refused, but elsewhere
    through = others(FEWEST_OPERATORS, 0, FEWEST, behind=1, passed=FEWEST)
    assert lost(through, others(1, 2, 3, behind=40, passed=50)) == (2 + 40, 95)
    assert lost(MOST, others(1, 2, 3, behind=40, passed=50)) == (3 + 40 + 50, 95)


def test_what_a_choice_is_worth_is_told_on_other_operators() -> None:
    known = MOST + others(FEWEST_OPERATORS, 0, FEWEST)
    assert lost(known, others(1, 3, 40)) == (3, 43)
    assert lost(MOST, others(1, 3, 40)) == (40, 43)
