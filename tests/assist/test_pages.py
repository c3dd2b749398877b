"""The pages on explaining and repairing: whoever follows them gets what they show, in both languages."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from opspec.cli.main import main
from tests.paths import REPOSITORY

BLOCK = re.compile(r"^(?:`(?P<file>[\w./]+)`[^\n]*\n\n)?```(?P<kind>\w+)\n(?P<text>.*?)^```", re.M | re.S)
PAGES = ("docs/explain.md", "docs/zh/explain.md", "docs/repair.md", "docs/zh/repair.md")


@pytest.mark.parametrize("page", PAGES)
def test_a_page_shows_what_happens(
    page: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files are written; what commands and Python print stands in the block behind them."""
    monkeypatch.chdir(tmp_path)
    blocks = list(BLOCK.finditer((REPOSITORY / page).read_text(encoding="utf-8")))
    assert len(blocks) > 3
    for block, following in zip(blocks, [*blocks[1:], None], strict=True):
        if block["file"] is not None:
            (tmp_path / block["file"]).write_text(block["text"], encoding="utf-8")
        elif block["kind"] in ("bash", "python"):
            if block["kind"] == "bash":
                main(shlex.split(block["text"])[1:])
            else:
                exec(compile(block["text"], page, "exec"), {})  # noqa: S102 - our own example
            assert following is not None
            assert capsys.readouterr().out == following["text"]
