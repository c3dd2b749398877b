"""The page on an operator of one's own: a reader who follows it gets what it says, in both languages."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import REPOSITORY

BLOCK = re.compile(r"^(?:`(?P<file>[\w./]+)`[^\n]*\n\n)?```(?P<kind>\w+)\n(?P<text>.*?)^```", re.M | re.S)


@pytest.mark.parametrize("page", ["docs/own.md", "docs/zh/own.md"])
def test_the_tutorial_is_what_happens(page: str, tmp_path: Path) -> None:
    """Files are written, commands run one after the other and end well, and print what the page shows."""
    if shutil.which("cc") is None or shutil.which("cmake") is None:
        pytest.skip("needs a C compiler and cmake")
    known = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "OPSPEC_OUTPUT": "none"}
    blocks = list(BLOCK.finditer((REPOSITORY / page).read_text(encoding="utf-8")))
    assert {block["kind"] for block in blocks} == {"c", "bash", "yaml", "json", "text"}
    for block, following in zip(blocks, [*blocks[1:], None], strict=True):
        if block["file"] is not None:
            (tmp_path / block["file"]).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / block["file"]).write_text(block["text"], encoding="utf-8")
        elif block["kind"] == "bash":
            done = subprocess.run(
                ["bash", "-euc", block["text"]], cwd=tmp_path, env=known, capture_output=True, text=True, check=False
            )
            shown = following["text"] if following is not None and following["kind"] == "text" else None
            assert done.returncode == (0 if shown is None else 1), done.stdout + done.stderr
            assert shown is None or done.stdout == shown
    assert sorted(path.name for path in (tmp_path / "pages").rglob("aclnnScaleShift*")) == [
        "aclnnScaleShift.en.md",
        "aclnnScaleShift.rules.en.md",
        "aclnnScaleShift.rules.zh.md",
        "aclnnScaleShift.zh.md",
    ]
