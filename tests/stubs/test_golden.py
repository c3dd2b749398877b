"""Stubs under review: a change of a template shows as a change of these files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.stubs.kept import GOLDEN, kept_texts

TEXTS = kept_texts()


def test_the_golden_stubs_are_there_and_no_others() -> None:
    """Regenerate with: python -m tests.stubs.regenerate"""
    assert sorted(GOLDEN.glob("*/*")) == sorted(TEXTS)


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_the_golden_stubs_are_what_is_written(path: Path) -> None:
    """Regenerate with: python -m tests.stubs.regenerate"""
    assert path.read_text(encoding="ascii") == TEXTS[path]
