"""Rules that a page leaves to common sense, and calls of another release bear out."""

from __future__ import annotations

from typing import Any

import pytest

from opspec.model.evidence import Recorded
from opspec.workshop.importer.alike import Statements
from opspec.workshop.importer.implied import implied, inferred

REFUSED = [Recorded(refused=3)]
SAME = "out same dtype as x"


def page(text: str, place: str = "params/out/usage/1") -> Statements:
    """A page with one statement."""
    return Statements([{"at": place, "fingerprint": "a"}], {"a": text}, {})


@pytest.mark.parametrize("rule", [SAME, {"check": SAME, "stage": "tiling"}, "castable(x.dtype, out.dtype)"])
@pytest.mark.parametrize("text", ["数据类型支持FLOAT、INT8。", "shape与x一致。", "不支持空Tensor。"])
def test_a_relation_that_a_page_does_not_mention(rule: Any, text: str) -> None:
    """What it says of other properties, and which data types there are, does not go against it."""
    assert implied(rule, REFUSED, ["x", "out"], page(text))


@pytest.mark.parametrize(
    "text", ["数据类型是x可转换的数据类型。", "数据类型、shape需要与x一致。", "数据类型与x，y一致。"]
)
def test_a_page_that_says_something_of_it(text: str) -> None:
    """Its own statement is what holds, whatever the other release says."""
    assert not implied(SAME, REFUSED, ["x", "out"], page(text))
    assert not implied(SAME, REFUSED, ["x", "out"], page(f"out的{text}", "notes/1"))


@pytest.mark.parametrize(
    "rule",
    ["out.dtype in (FLOAT, INT8)", "x.shape[0] <= 512", "x.numel > 0", "x.dtype == out.dtype and x.rank == out.rank"],
)
def test_facts_of_a_release_are_not_implied(rule: str) -> None:
    """Limits, lists of data types, what is about a single param, and what mixes properties."""
    assert not implied(rule, REFUSED, ["x", "out"], page("-"))


@pytest.mark.parametrize("seen", [[], [Recorded(through=1)], [Recorded(refused=9), Recorded(passed=1)]])
def test_calls_have_to_bear_it_out(seen: list[Recorded]) -> None:
    """A rule that no call speaks for, or one call against, is left out."""
    assert not implied(SAME, seen, ["x", "out"], page("-"))


def test_an_inferred_rule_says_what_it_rests_on() -> None:
    """In both languages, and with the release whose calls it was."""
    rule = inferred(SAME, "9.9.9")
    assert (rule["check"], rule["basis"]) == (SAME, "inferred")
    assert all("9.9.9" in rule["evidence"][lang] for lang in ("en", "zh"))
