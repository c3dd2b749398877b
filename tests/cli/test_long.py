"""Commands that take long: they say what they are at, they end when they are told to, and leave old files whole."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from opspec.cli import progress
from opspec.cli.main import main
from tests.paths import REPOSITORY

CALL = (REPOSITORY / "examples" / "gelu_backward.jsonl").read_text(encoding="utf-8").splitlines()[0]

#: a command that would take minutes, with times that a test need not wait for
SCRIPT = """
import sys, time
from opspec.cli import progress
progress.FIRST = progress.ELSEWHERE = progress.ON_TERMINAL = 0.05
from opspec.cli import main
def slow(words):
    from opspec.cli import options
    with options.progress(1000) as advance:
        for number in range(1000):
            advance(f"thing{number}")
            time.sleep(0.01)
            if number == 60: print("half way")
            if number == 120 and words: return 0
    return 0
import opspec.cli.list
opspec.cli.list.run = slow
main.run()
"""


@contextmanager
def started(command: list[str], **settings: str) -> Iterator[subprocess.Popen[bytes]]:
    """A command as a process, with signals as a terminal's job has them."""
    known = {**os.environ, progress.OFF: "1", **settings}
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=REPOSITORY, env=known,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a job in the background ignores it
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


# --- progress


def test_a_pipe_gets_a_line_now_and_then() -> None:
    """On standard error, so that nothing of it is in the way of what is read."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, "list", "x"], capture_output=True, check=True, cwd=REPOSITORY,
        env={**os.environ, progress.OFF: "1"},
    )  # fmt: skip
    assert done.stdout == b"half way\n"
    lines = done.stderr.decode().splitlines()
    assert len(lines) > 2
    assert all(line.startswith("opspec list: ") and "/1000  thing" in line for line in lines)
    silent = subprocess.run(
        [sys.executable, "-c", SCRIPT, "list", "x"], capture_output=True, check=True, cwd=REPOSITORY,
        env={**os.environ, progress.OFF: "0"},
    )  # fmt: skip
    assert silent.stderr == b""


def test_a_terminal_gets_one_line_that_goes_when_anything_else_is_written() -> None:
    main_end, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, "list", "x"], stdin=terminal, stdout=terminal, stderr=terminal, cwd=REPOSITORY,
        env={**os.environ, progress.OFF: "1"},
    )  # fmt: skip
    os.close(terminal)
    text = b""
    try:
        while chunk := os.read(main_end, 4096):
            text += chunk
    except OSError:  # the terminal's other end is closed
        pass
    assert process.wait() == 0
    os.close(main_end)
    first, _, rest = text.decode().partition("half way\r\n")
    for part in (first, rest):
        assert "opspec list: " in part
        assert "\n" not in part
        assert part.endswith(" \r")  # what stood there is gone


def test_every_command_is_told_of_even_if_it_counts_nothing() -> None:
    """The timer is the process's, whatever the command does."""
    script = SCRIPT.replace("with options.progress(1000) as advance:", "advance = lambda name: None\n    if True:")
    with started([sys.executable, "-c", script, "list", "x"]) as process:
        _, err = process.communicate()
    assert b"opspec list: 0 s  at work\n" in err


def test_calls_are_counted(tmp_path: Path) -> None:
    """From a stream, of which nobody knows how much comes."""
    script = "from opspec.cli import progress; progress.FIRST = progress.ELSEWHERE = 0.3\n"
    command = [sys.executable, "-c", script + "from opspec.cli.main import run; run()", "check", "--output", "summary"]
    with started(command) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write((CALL + "\n").encode() * 5)
        process.stdin.flush()
        for line in process.stderr:
            assert line.startswith(b"opspec check: ")
            if b" 5 calls" in line:
                break
        out, _ = process.communicate()
    assert out.startswith(b"calls judged  5\n")


# --- signals

#: commands that take many seconds, and what of theirs lies in a folder
LONG = {
    "check": ["check", "-"],
    "lint": ["lint"],
    "lint, processes": ["lint", "--jobs", "2"],
    "coverage": ["coverage"],
    "matrix": ["matrix"],
    "docs": ["docs", "--out", "{}"],
    "c": ["c", "--release", "9.1.0", "--out", "{}"],
    "header": ["header", "--out", "{}/all.h"],
    "example": ["example"],
    "conflicts": ["conflicts"],
    "fmt": ["fmt", "--check"],
}


@pytest.mark.parametrize("name", LONG)
def test_a_signal_ends_any_command_and_leaves_old_files_whole(name: str, tmp_path: Path) -> None:
    """In the middle of its work: with its own exit status, one line, and nothing begun left behind."""
    (tmp_path / "all.h").write_text("old")
    number = signal.SIGTERM if len(name) % 2 else signal.SIGINT
    words = [word.format(tmp_path) for word in LONG[name]]
    script = "from opspec.cli import progress; progress.FIRST = 0.2\nfrom opspec.cli.main import run; run()"
    with started([sys.executable, "-c", script, *words]) as process:
        assert process.stdin is not None
        assert process.stderr is not None
        if name == "check":
            process.stdin.write(CALL.encode())
            process.stdin.flush()
        assert process.stderr.readline().startswith(f"opspec {words[0]}: ".encode())  # it is at work
        process.send_signal(number)
        _, err = process.communicate(timeout=60)  # ends only when no child holds its pipes any more
    assert process.returncode == 128 + number
    assert err.splitlines()[-1:] == [b"opspec: interrupted"]
    assert b"Traceback" not in err
    assert os.listdir(tmp_path) == ["all.h"]
    assert (tmp_path / "all.h").read_text() == "old"


SWALLOWING = """
import os, signal, time, weakref
from opspec.cli import ending
from opspec.cli.ending import ended, prepare
from opspec.errors import OpspecError
class Thing: pass
def command():
    thing = Thing()
    seen = weakref.ref(thing, lambda _: os.kill(os.getpid(), signal.SIGINT))
    del thing  # what the callback raises has nowhere to go
    {}
def slowly(text, tell=ending.tell):
    time.sleep({})  # as under load
    tell(text)
ending.tell = slowly
prepare()
os._exit(ended(command))
"""


@pytest.mark.parametrize("slow", ["0", "5 * ending._AGAIN"])
@pytest.mark.parametrize("after", ["time.sleep(60)", "raise OpspecError('half done')"])
def test_an_interrupt_that_has_nowhere_to_go_comes_again(after: str, slow: str) -> None:
    """Python drops what a weak reference's callback raises: the imports' locks have one. A library's repr, likewise.

    It comes once: not while the command says that it was interrupted, however long that takes.
    """
    with started([sys.executable, "-c", SWALLOWING.format(after, slow)]) as process:
        _, err = process.communicate(timeout=30)
    assert process.returncode == 128 + signal.SIGINT
    assert err == b"opspec: interrupted\n"


def test_a_signal_while_files_are_written_leaves_them_whole(tmp_path: Path) -> None:
    """All are written before the first of them takes its place; what was only begun goes."""
    script = """
import os, signal
from opspec import files
from opspec.cli.main import run
real = os.replace
seen = []
def replace(*names):
    if str(names[1]).endswith(".md"): seen.append(names)  # not what is kept in the cache
    if len(seen) == 2: os.kill(os.getpid(), signal.SIGTERM)
    real(*names)
os.replace = replace
run()
"""
    for name in ("aclnnAbs.en.md", "aclnnAbs.zh.md", "index.en.md", "index.zh.md"):
        (tmp_path / "9.1.0").mkdir(exist_ok=True)
        (tmp_path / "9.1.0" / name).write_text("old")
    done = subprocess.run(
        [sys.executable, "-c", script, "docs", "aclnnAbs", "--out", str(tmp_path)], cwd=REPOSITORY, capture_output=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 128 + signal.SIGTERM
    texts = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "9.1.0").iterdir()}
    assert len(texts) == 4
    assert {text == "old" for text in texts.values()} == {True, False}
    assert all(text == "old" or len(text) > 100 for text in texts.values())


# --- pages that were written before


@pytest.mark.parametrize("form", ["md", "html"])
def test_an_index_keeps_the_pages_of_earlier_calls(form: str, tmp_path: Path) -> None:
    """With what was said of them."""

    def index(lang: str) -> str:
        return (tmp_path / "9.1.0" / f"index.{lang}.{form}").read_text(encoding="utf-8")

    assert main(["docs", "aclnnAbs", "aclnnSin", "--out", str(tmp_path), "--format", form]) == 0
    before = {lang: index(lang) for lang in ("en", "zh")}
    assert main(["docs", "aclnnSin", "--out", str(tmp_path), "--format", form]) == 0
    assert {lang: index(lang) for lang in ("en", "zh")} == before
    assert main(["docs", "aclnnTanh", "--out", str(tmp_path), "--format", form, "--lang", "en"]) == 0
    assert index("zh") == before["zh"]
    rows = [line for line in index("en").splitlines() if "aclnnTanh" not in line]
    assert rows == before["en"].splitlines()
    (tmp_path / "9.1.0" / f"aclnnAbs.en.{form}").unlink()
    assert main(["docs", "aclnnTanh", "--out", str(tmp_path), "--format", form]) == 0
    assert "aclnnAbs" not in index("en")
    assert "aclnnAbs" in index("zh")


# --- tables


@pytest.mark.parametrize(
    "words",
    [["show", "aclnnGroupedMatmulV4"], ["conflicts", "aclnnGroupedMatmul*"], ["matrix", "aclnnGroupedMatmul*"],
     ["coverage", "aclnnGroupedMatmul*", "--by", "operator"], ["coverage", "aclnnGroupedMatmul*", "--thin", "50"]],
    ids=" ".join,
)  # fmt: skip
def test_no_table_in_a_pipe_breaks_a_word(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Every id and name that JSON has stands whole on a line of its own row."""
    main(words)
    shown = capsys.readouterr().out.splitlines()
    rows = {line.split()[0]: line for line in shown if line.strip()}
    if words[0] == "show":
        main([*words, "--output", "json"])
        found = json.loads(capsys.readouterr().out)
        for rule in found["rules"]:
            assert rule["en"] in rows[rule["id"]]
            assert all(source in rows[rule["id"]] for source in rule["sources"])
    else:
        main(["list", "aclnnGroupedMatmul*", "--release", "9.1.0", "--output", "json"])
        names = [row["op"] for row in json.loads(capsys.readouterr().out)]
        assert words[0] == "conflicts" or set(names) <= {*rows} or "--thin" in words
        assert not [line for line in shown if line.startswith("   ") and not line.lstrip()[0].isalnum()]


def test_nobody_waits_longer_than_two_seconds_in_silence() -> None:
    assert progress.FIRST <= 2
