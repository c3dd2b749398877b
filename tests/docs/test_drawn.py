"""Sentences read naturally: judged by somebody who did not write them, rules drawn at random, in both languages."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from opspec.registry.registry import Registry
from tests.docs import drawn
from tests.model.building import definition

LEAST_NATURAL = 0.9
LEAST_JUDGED = 0.9  # of the rows: the rest may have other sentences since

BODY = """
params:
  - {name: x, ctype: const aclTensor*, dtype: FLOAT, rank: 2}
rules:
  square: "x.shape[0] == x.shape[1]"
"""


def test_what_is_drawn_is_drawn_again() -> None:
    first, second = (drawn.draw([definition(BODY)]) for _ in range(2))
    assert first == second
    assert [row.rule for row in first if row.rule == "square"] == ["square"]
    assert all(row.en and row.zh and not row.is_judged for row in first)


def test_a_judgement_stays_with_its_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawn, "FILE", tmp_path / "drawn.jsonl")
    monkeypatch.setattr(drawn, "registered", lambda: [definition(BODY)])
    drawn.main()
    assert not any(row.is_judged for row in drawn.read(tmp_path / "drawn.jsonl"))
    file = tmp_path / "drawn.jsonl"
    file.write_text(
        file.read_text(encoding="utf-8").replace('"en": "", "zh": ""', '"en": "natural", "zh": "clumsy"'),
        encoding="utf-8",
    )
    drawn.main()
    judged = drawn.read(file)
    assert all(row.judged == {"en": "natural", "zh": "clumsy"} for row in judged)
    monkeypatch.setattr(drawn, "registered", lambda: [definition(BODY.replace("x.shape[1]", "4"))])
    drawn.main()
    assert {row.rule for row in drawn.read(file) if not row.is_judged} == {"square"}


def test_sentences_read_naturally() -> None:
    """Most are natural in each language, and none is wrong."""
    rows = drawn.read()
    assert len(rows) == drawn.BY_HAND + drawn.OF_PARAMS
    judged = [row for row in rows if row.is_judged]
    if not judged:
        pytest.skip("nobody has judged the sentences yet")
    registry = Registry()
    current = [row for row in judged if drawn.now(row, registry) == row.sentences]
    assert len(current) >= LEAST_JUDGED * len(rows), "draw again (python -m tests.docs.drawn) and judge what is new"
    for lang in drawn.LANGS:
        grades = [row.judged[lang] for row in current]
        assert grades.count("natural") >= LEAST_NATURAL * len(grades), lang
        assert "wrong" not in grades, lang


def test_a_row_is_judged_in_both_languages_or_not() -> None:
    row = drawn.Drawn("9.9", "aclnnX", "r", "a", "b")
    assert not row.is_judged
    assert not replace(row, judged={"en": "natural", "zh": ""}).is_judged
    assert replace(row, judged={"en": "natural", "zh": "wrong"}).is_judged
