"""``opspec coverage``: which clauses are rules, and which operators have few."""

from __future__ import annotations

import json

import pytest

from opspec.cli.main import main


def test_every_form_counts_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    """Families add up to the whole, as operators do."""
    assert main(["coverage", "aclnnConv*", "--output", "json"]) == 0
    families = json.loads(capsys.readouterr().out)
    assert main(["coverage", "aclnnConv*", "--by", "operator", "--output", "json"]) == 0
    operators = json.loads(capsys.readouterr().out)
    assert families["all"] == operators["all"]
    for name in ("clauses", "facts", "formalised", "not_yet", "own_rules"):
        assert sum(item[name] for item in operators["operator"].values()) == operators["all"][name]
    assert main(["coverage", "aclnnConv*", "--output", "md"]) == 0
    assert f"| {families['all']['clauses']} |" in capsys.readouterr().out


@pytest.mark.slow
def test_thin_specs_are_listed_with_the_reason(capsys: pytest.CaptureFixture[str]) -> None:
    """An operator that judges everything legal for want of rules is no secret."""
    status = main(["coverage", "--thin", "3"])
    *rows, _, total = (line.rstrip() for line in capsys.readouterr().out.rstrip().splitlines())
    assert all(row.endswith(("statements wait", "the page states no more")) for row in rows[1:])
    assert total.startswith(f"{len(rows) - 1} specs have fewer than 3 rules")
    assert status == any(row.endswith("statements wait") for row in rows)


@pytest.mark.parametrize("words", [["aclnnNope"], ["--release", "1.0"], ["--thin", "x"]])
def test_bad_words_are_status_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """With what there is."""
    try:
        status = main(["coverage", *words])
    except SystemExit as stopped:
        status = int(stopped.code or 0)
    assert status == 2
    assert capsys.readouterr().err.startswith("opspec: ")
