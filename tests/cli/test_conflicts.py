"""``opspec conflicts``: what a documentation author can act on."""

from __future__ import annotations

import json

import pytest

from opspec.cli.main import main
from opspec.docs.conflicts import KINDS
from tests.committed import SPECS, operators


def _json(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, str]]:
    main(["conflicts", *words, "--output", "json"])
    found: list[dict[str, str]] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.slow
def test_every_conflict_names_rule_places_and_evidence(capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody can act on a conflict without them; an author reads Chinese."""
    found = _json(capsys, "--release", "9.1.0", "--lang", "zh")
    assert len(found) > 100
    assert all(item["kind"] in KINDS and item["statement"] and item["evidence"] for item in found)
    assert not [item for item in found if item["kind"] != "page" and not item["rule"]]
    assert not [item for item in found if item["evidence"].startswith("recorded first-phase calls")]


def test_text_and_markdown_tell_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    """The forms differ in nothing but their looks; a finding is status 1."""
    found = _json(capsys, "aclnnPreluBackward", "--lang", "en")
    assert {item["rule"] for item in found} >= {"weight-count"}
    for form in ("text", "md"):
        assert main(["conflicts", "aclnnPreluBackward", "--lang", "en", "--output", form]) == 1
        shown = " ".join(capsys.readouterr().out.split())
        assert all(item["rule"] in shown for item in found), form


def test_no_conflict_is_status_0(capsys: pytest.CaptureFixture[str]) -> None:
    """An operator whose calls all went as documented."""
    known = {(item["operator"], item["release"]) for item in _json(capsys, "aclnnAdd*")}
    some = [(release, op) for release, op in operators(SPECS) if op.startswith("aclnnAdd")]
    release, free = next((release, op) for release, op in some if (op, release) not in known)
    assert main(["conflicts", free, "--release", release]) == 0
