"""The page on the layer: what it shows for machines without a device happens, in both languages."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import REPOSITORY


@pytest.mark.parametrize("page", ["docs/layer.md", "docs/zh/layer.md"])
def test_the_rehearsal_runs(page: str, tmp_path: Path) -> None:
    """The last commands of the page, one after the other: layer and simulator tell what is wrong with the call."""
    os.symlink(REPOSITORY / "examples", tmp_path / "examples")
    text = (REPOSITORY / page).read_text(encoding="utf-8")
    commands, told = (re.findall(rf"^```{kind}\n(.*?)^```", text, re.M | re.S)[-1] for kind in ("bash", "text"))
    known = {name: value for name, value in os.environ.items() if not name.startswith(("OPSPEC_OUTPUT", "ASCEND_"))}
    known["PATH"] = f"{Path(sys.executable).parent}:{known['PATH']}"
    done = subprocess.run(
        ["bash", "-c", commands], cwd=tmp_path, env=known, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 1, done.stdout + done.stderr  # the last command has found what is wrong
    assert told in done.stderr
    assert told.replace("layer", "simulator", 1) in done.stderr
    assert re.search(r"^calls judged +2$", done.stdout, re.M), done.stdout
