"""README takes a user from a source file to a verdict in three commands, and shows what they print."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.paths import REPOSITORY


def section(name: str) -> tuple[str, str]:
    """The commands of a README's section on hosts without a device, and the output that it shows."""
    text = (REPOSITORY / name).read_text(encoding="utf-8")
    found = re.search(r"```bash\n(opspec sdk build .*?)```.*?```text\n(.*?)```", text, re.S)
    assert found is not None
    return found[1], found[2]


def plain(output: str) -> list[str]:
    """Lines without what differs from run to run: addresses, how long it took, what fills lines up."""
    return [re.sub(r"0x[0-9a-f]+|\d+ s$", "…", line.rstrip()) for line in output.splitlines()]


def test_both_languages_show_the_same() -> None:
    """Commands and output."""
    assert section("README.md") == section("README.zh.md")


def test_three_commands_lead_to_the_verdict_that_is_shown(tmp_path: Path) -> None:
    """A user who pastes them sees the same."""
    commands, shown = section("README.md")
    assert len(commands.splitlines()) == 3
    os.symlink(REPOSITORY / "examples", tmp_path / "examples")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    clean = {name: value for name, value in os.environ.items() if not name.startswith("OPSPEC_")}
    clean |= {"OPSPEC_PROGRESS": "0", "COLUMNS": "120"}  # a terminal's
    (tmp_path / "build").mkdir()
    result = subprocess.run(
        ["bash", "-c", commands], cwd=tmp_path, env={**clean, "PATH": path}, text=True, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    assert result.returncode == 1, result.stdout
    assert plain(result.stdout)[2:] == plain(shown), result.stdout  # behind what the first command says
