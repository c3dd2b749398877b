"""Promise: a reader without Chinese or mathematical fonts sees every character of our pages, and all common ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from opspec import web
from tests.site.characters import common, mathematical, written

#: four of the common characters, and the end of a range in code: the whole font that ours is made of has none of them
NEVER_THERE = frozenset("谰锨耪毖鿿")
FONTS = Path(web.SITE) / "fonts"


def characters(name: str) -> set[str]:
    """The characters that a font has."""
    return set(map(chr, TTFont(FONTS / name).getBestCmap()))


def test_every_chinese_character_of_our_pages_and_all_common_ones_are_there() -> None:
    has = characters("noto-sans-sc.woff2")
    assert len(common()) == 3755
    assert (written() | common()) - NEVER_THERE <= has


@pytest.mark.parametrize(
    "letters", ["∑∏∫√∞≤≥≠≈∈∉∪∩×÷±·…⋯→←↦⌊⌋⌈⌉‖∂∇⊙⊗∣∼", "αβγδεζηθλμνξπρστφχψωΓΔΘΛΞΠΣΦΨΩ", "𝑎𝑏𝑥𝑦𝐗𝐖ℝℕℤ"]
)
def test_formulas_have_their_letters_and_operators(letters: str) -> None:
    has = characters("stix-two-math.woff2")
    assert set(letters) <= mathematical()
    assert set(letters) <= has
    assert "MATH" in TTFont(FONTS / "stix-two-math.woff2")
