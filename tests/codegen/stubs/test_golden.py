"""Stubs under review: a change of a template shows as a change of these files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.codegen.stubs.kept import GOLDEN, kept_texts
from tests.paths import REPOSITORY

TEXTS = kept_texts()


def test_the_golden_stubs_are_there_and_no_others() -> None:
    """Regenerate with: python -m tests.codegen.stubs.regenerate"""
    assert sorted(GOLDEN.glob("*/*")) == sorted(TEXTS)


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_the_golden_stubs_are_what_is_written(path: Path) -> None:
    """Regenerate with: python -m tests.codegen.stubs.regenerate"""
    assert path.read_text(encoding="ascii") == TEXTS[path]


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_the_readme_shows_a_part_of_the_golden_stub(name: str) -> None:
    """To the letter."""
    shown = (REPOSITORY / name).read_text(encoding="utf-8").split("```c\n", 1)[1].split("```", 1)[0]
    assert shown in TEXTS[GOLDEN / "aclnnGeluBackwardV2" / "gelu_backward_v2.c"]
