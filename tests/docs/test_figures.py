"""Promise: pages have pictures where their specs have what these show, small ones that anybody can read."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from opspec.docs.figures import Figure, figures
from opspec.docs.saying import Sayings
from opspec.registry.registry import definition_of, registry
from opspec.vocabulary.literals import Lang

RELEASE = "9.1.0"
MOST_BYTES = 4096


def of(name: str, lang: Lang = "en") -> tuple[Figure, ...]:
    """The pictures of an operator."""
    return figures(Sayings(definition_of(registry().find(name, RELEASE)), lang))


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", ["aclnnAdd", "aclnnGroupedMatmulV5", "aclnnFusedInferAttentionScoreV3"])
def test_pictures_are_small_and_have_a_title(name: str, lang: Lang) -> None:
    """Well formed, in the colour of the text, with nothing from elsewhere; all that is drawn lies inside."""
    found = of(name, lang)
    assert found
    for figure in found:
        assert len(figure.svg) < MOST_BYTES
        root = ElementTree.fromstring(figure.svg)
        assert root.get("role") == "img"
        assert root[0].text == figure.title
        assert not re.search(r"#[0-9a-f]{3,6}\b(?!\d*<)|url\(|href", figure.svg)
        left, top, width, height = map(float, (root.get("viewBox") or "").split())
        for cell in root.iter("rect"):
            x, y, w, h = (float(cell.get(key) or 0) for key in ("x", "y", "width", "height"))
            assert left <= x
            assert x + w <= left + width
            assert top <= y
            assert y + h <= top + height


def test_a_page_has_no_picture_of_what_its_spec_does_not_have() -> None:
    """No broadcasting, no layouts, no table of blocks, no groups."""
    assert not of("aclnnAbs")
    assert not of("aclnnMm")


def test_layouts_are_drawn_as_memory_has_them() -> None:
    """Heads inside tokens in BSND, tokens inside heads in BNSD; one strip for each layout that the spec lists."""
    (figure,) = of("aclnnFlashAttentionScore")
    texts = re.findall(r">([^<]+)</text>", figure.svg)
    assert [text for text in texts if text.isupper()] == ["BSH", "SBH", "BSND", "BNSD"]
    after = {layout: texts[texts.index(layout) + 1 :][:2] for layout in ("BSND", "BNSD", "SBH")}
    assert after == {
        "BSND": ["b0 s0 n0", "b0 s0 n1"],
        "BNSD": ["b0 s0 n0", "b0 s1 n0"],
        "SBH": ["b0 s0", "b1 s0"],
    }
