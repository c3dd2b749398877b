"""How commands end: statuses, output that fails, encodings, signals, output through what is no regular file."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from opspec.cli import ending
from opspec.cli.main import COMMANDS, main
from tests.cli.forked import Ended, ended

CALLS = "examples/gelu_backward.jsonl"

#: commands that print something and need neither compiler nor pages
PRINTING = [
    ["--help"], ["--version"], ["check", CALLS], ["check", "--output", "json", CALLS],
    ["check", "--output", "summary", CALLS],
    ["list"], ["show", "aclnnAdd"], ["show", "aclnnAdd", "--output", "json"], ["example", "aclnnAdd"], ["kinds"],
    ["header", "aclnnAdd"], ["matrix", "aclnnAdd"], ["matrix", "aclnnAdd", "--output", "csv"], ["schema"], ["language"],
    ["coverage", "aclnnAdd*"], ["conflicts", "aclnnPreluBackward"], ["lint", "--checks"], ["audit", "--kinds"],
    *([command, "--help"] for command in COMMANDS),
]  # fmt: skip


def of(words: list[list[str]], **how: str) -> list[tuple[list[str], Ended]]:
    """Commands beside how they ended."""
    return list(zip(words, ended([{"words": each, **how} for each in words]), strict=True))


# --- output that fails


@pytest.mark.parametrize("kind", ["full", "closed"])
def test_output_that_fails_is_one_line_and_status_2_in_every_command(kind: str) -> None:
    """Never 1, which says that a call is illegal, and never a traceback."""
    for words, found in of(PRINTING, stdout=kind):
        lines = found.err.decode().splitlines()
        told = [line for line in lines if line.startswith("opspec: cannot write to standard output: ")]
        assert (found.status, len(told)) == (2, 1), (words, found)
        assert b"Traceback" not in found.err, words


def test_a_reader_that_leaves_is_silent_in_every_command() -> None:
    for words, found in of(PRINTING, stdout="broken"):
        assert (found.status, b"opspec: " in found.err) == (0, False), (words, found)


def test_a_fault_of_opspec_is_no_finding(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Status 2, with what a report of it needs."""

    class Panic(BaseException):
        """As libraries in Rust raise it."""

    for error in (ZeroDivisionError("oh"), MemoryError(), RecursionError(), OSError(5, "oh"), Panic()):

        def fail(_words: list[str], error: BaseException = error) -> int:
            raise error

        monkeypatch.setattr("opspec.cli.list.run", fail)
        assert main(["list"]) == 2
        assert "opspec: " in capsys.readouterr().err.splitlines()[-1]


# --- output through what is no regular file


@pytest.mark.parametrize("words", [["language"], ["schema"], ["header", "aclnnAdd"]])
def test_out_writes_into_a_pipe_and_leaves_it_one(words: list[str], tmp_path: Path) -> None:
    """A rename in place of writing would break a machine's devices."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    assert main([*words, "--out", str(pipe)]) == 0
    reader.join()
    assert stat.S_ISFIFO(pipe.lstat().st_mode)
    assert main([*words, "--out", str(tmp_path / "pipe.h")]) == 0
    assert len(read[0]) > 100
    assert sorted(os.listdir(tmp_path)) == ["pipe", "pipe.h"]


def test_out_writes_into_a_device_and_leaves_it_one(tmp_path: Path) -> None:
    """A terminal is one that anybody may make."""
    master, slave = os.openpty()
    device = os.ttyname(slave)
    link = tmp_path / "link"
    link.symlink_to(device)
    before = os.stat(device).st_ino
    read: list[bytes] = []

    def drain() -> None:
        while chunk := os.read(master, 1 << 16):
            read.append(chunk)
            if b"\x04" in chunk:
                return

    reader = threading.Thread(target=drain)
    reader.start()
    assert main(["schema", "--out", str(link)]) == 0
    os.write(slave, b"\x04")
    reader.join()
    assert b'"$schema"' in b"".join(read)
    assert link.is_symlink()
    assert stat.S_ISCHR(os.stat(device).st_mode)
    assert os.stat(device).st_ino == before
    os.close(master)
    os.close(slave)


def test_out_follows_symbolic_links_and_keeps_modes(tmp_path: Path) -> None:
    target, link = tmp_path / "deep" / "target", tmp_path / "link"
    target.parent.mkdir()
    link.symlink_to(target)
    for _ in range(2):  # first it leads nowhere
        assert main(["language", "--out", str(link)]) == 0
        assert link.is_symlink()
        assert target.read_text(encoding="utf-8").startswith("# The rule language")
        target.chmod(0o640)
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert os.listdir(target.parent) == ["target"]


def test_out_to_standard_output_is_standard_output(tmp_path: Path) -> None:
    """Also where that is a file: it is not replaced under the shell's feet."""
    for target in ("/dev/stdout", str(tmp_path / "own")):
        with open(tmp_path / "own", "wb") as own:
            own.write(b"before\n")
            own.flush()
            command = [sys.executable, "-m", "opspec", "language", "--out", target]
            assert subprocess.run(command, stdout=own, check=False).returncode == 0
        assert (tmp_path / "own").read_text(encoding="utf-8").startswith("before\n# The rule language")
    piped = subprocess.run(
        [sys.executable, "-m", "opspec", "language", "--out", "/dev/stdout"], stdout=subprocess.PIPE, check=True
    )
    assert piped.stdout.startswith(b"# The rule language")


# --- statuses

#: words that match, or name, nothing at all
NOTHING = [
    ["list", "nothing*"], ["matrix", "nothing*"], ["matrix", "aclnnAdd", "--dtype", "INT4"], ["conflicts", "nothing*"],
    ["coverage", "nothing*"], ["example", "nothing*"], ["show", "nothing"], ["docs", "nothing", "--out", "{}/docs"],
    ["header", "nothing"], ["stub", "nothing", "--out", "{}/stub"],
    ["c", "nothing", "--release", "9.1.0", "--out", "{}/c"],
    ["lint", "{}"], ["fmt", "{}"], ["audit", "{}"], ["import", "{}", "--release", "9.1.0", "--out", "{}/specs"],
    ["check", "{}/empty.json"], ["conformance", "{}/empty.json"], ["kinds", "nothing"], ["list", "--family", "nothing"],
    ["kernels", "{}/empty.json", "--release", "9.1.0", "--out", "{}"],
]  # fmt: skip


@pytest.mark.parametrize("words", NOTHING, ids=" ".join)
def test_nothing_found_is_one_line_and_status_2_in_every_command(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A gate over nothing is not green, and nothing is written."""
    (tmp_path / "empty.json").write_text("[]")
    assert main([word.format(tmp_path) for word in words]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("opspec: ")
    assert captured.err.count("\n") == 1
    assert os.listdir(tmp_path) == ["empty.json"]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_help_says_what_exit_statuses_mean(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    shown = " ".join(capsys.readouterr().out.split())
    assert shown.count("Exit status: ") == 1
    assert " ".join(ending.statuses(command).split()) in shown
    assert "2 bad input or usage" in shown
