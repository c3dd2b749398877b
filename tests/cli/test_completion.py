"""Completion as shells do it: each is asked what may follow a command line."""

from __future__ import annotations

import os
import re
import select
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from opspec.cli.completion import SHELLS, commands, script
from opspec.cli.main import COMMANDS, main
from opspec.registry.registry import registry
from opspec.vocabulary import products
from tests.paths import REPOSITORY

Complete = Callable[[str], list[str]]


@pytest.fixture(params=SHELLS)
def complete(request: pytest.FixtureRequest, tmp_path: Path) -> Complete:
    """What a shell offers behind a command line."""
    shell: str = request.param
    if shutil.which(shell) is None:
        pytest.skip(f"needs {shell}")
    file = tmp_path / f"_opspec.{shell}"
    file.write_text(script(shell))
    program = tmp_path / "opspec"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m opspec "$@"\n')
    program.chmod(0o755)
    known = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHONPATH": str(REPOSITORY)}
    known |= {"HOME": str(tmp_path), "TERM": "xterm", "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    return lambda line: ASK[shell](file, line, known)


def _bash(file: Path, line: str, known: dict[str, str]) -> list[str]:
    words = [*line.split(), *([""] if line.endswith(" ") else [])]
    asked = f"COMP_WORDS=({' '.join(map(shlex.quote, words))}); COMP_CWORD={len(words) - 1}; _opspec"
    return _lines(
        ["bash", "-ec", f'source {shlex.quote(str(file))}; {asked}; printf "%s\\n" "${{COMPREPLY[@]}}"'], known
    )


def _fish(file: Path, line: str, known: dict[str, str]) -> list[str]:
    shown = _lines(["fish", "-c", f"source {shlex.quote(str(file))}; complete -C {shlex.quote(line)}"], known)
    return [row.split("\t")[0] for row in shown]


def _lines(words: list[str], known: dict[str, str]) -> list[str]:
    done = subprocess.run(words, env=known, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.split("\n")[:-1] if done.stdout.strip() else []


def _zsh(file: Path, line: str, known: dict[str, str]) -> list[str]:
    """What it lists on a terminal when the key for completion is pressed."""
    import pty

    terminal, its = pty.openpty()
    words = ["setsid", "-c", "zsh", "-f", "-i"]
    shell = subprocess.Popen(words, env=known, stdin=its, stdout=its, stderr=its)
    os.close(its)
    try:
        setup = (
            "PS1=; LISTMAX=10000; stty cols 400 rows 1000; autoload -U compinit; compinit -u -D; "
            f"source {shlex.quote(str(file))}; bindkey '^T' list-choices; "
            "zle-line-init() { print -rn RE''ADY }; zle -N zle-line-init\n"
        )
        os.write(terminal, setup.encode())
        _until(terminal, "READY")  # what is typed before is the terminal's own, not the line editor's
        os.write(terminal, f"{line}\x14\x15print -r DO''NE\n".encode())
        shown = _until(terminal, "DONE")
    finally:
        os.close(terminal)
        shell.wait()
    text = re.sub(r"\x1b\[[\d;?]*[A-Za-z]|\x1b[=>]|\0", "", shown)
    return re.findall(r"(?<![\w-])[\w-]+", text)


def _until(terminal: int, mark: str) -> str:
    """What the terminal shows until a mark; long enough for the slowest machine."""
    shown = b""
    end = time.monotonic() + 60
    while mark not in shown.decode(errors="replace"):
        assert time.monotonic() < end, shown
        if select.select([terminal], [], [], 1)[0]:
            shown += os.read(terminal, 65536)
    return shown.decode(errors="replace")


ASK = {"bash": _bash, "fish": _fish, "zsh": _zsh}


def test_a_command_and_its_options_are_completed(complete: Complete) -> None:
    assert {"check", "coverage", "conformance"} <= set(complete("opspec "))
    assert "check" in complete("opspec che")
    assert "--gate" in complete("opspec check --ga")
    assert set(complete("opspec check --gate ")) >= {"legal", "status"}
    assert set(complete("opspec check --product ")) >= set(products.ids())
    assert "build" in complete("opspec sdk b")
    assert "fish" in complete("opspec completion f")


def test_names_of_operators_are_completed(complete: Complete) -> None:
    """As far as they are typed: thousands are never listed at once."""
    found = set(complete("opspec show aclnnGelu"))
    wanted = {name for name in registry().entries("9.1.0") if name.startswith("aclnnGelu")}
    assert wanted <= found
    assert "aclnnAdd" not in found


def test_every_command_and_option_is_known() -> None:
    """Those that its help tells."""
    known = {command.name: command for command in commands()}
    assert list(known) == list(COMMANDS)
    flags = {flag for word in known["check"].options for flag in word.flags}
    assert {"--product", "--release", "--output", "--help", "-h"} <= flags
    assert known["show"].rest is not None
    assert known["show"].rest.takes == "operators"


def test_a_parser_parses_again_when_completion_is_made(capsys: pytest.CaptureFixture[str]) -> None:
    commands()
    assert main(["list", "aclnnGelu"]) == 0
    assert "aclnnGelu" in capsys.readouterr().out


def test_scripts_ask_for_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "--operators", "aclnnGeluB"]) == 0
    assert capsys.readouterr().out == "aclnnGeluBackward\naclnnGeluBackwardV2\n"
    assert main(["completion", "--operators", "$(touch x)"]) == 0
    assert capsys.readouterr().out == ""
    assert main(["completion", "csh"]) == 2
