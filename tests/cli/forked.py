"""Commands as processes of their own, forked from one that has loaded opspec: a tenth of what starting them costs.

    python -m tests.cli.forked < CASES

CASES are JSON: a list of ``{"words": […], "stdout": "full" | "closed" | "broken" | "kept", "encoding": …}``. The answer
has, for each, the exit status and what it wrote.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NamedTuple

from opspec.cli.main import _MODULES, COMMANDS, run
from tests.paths import REPOSITORY


class Ended(NamedTuple):
    """How a command ended."""

    status: int
    out: bytes
    err: bytes


def ended(cases: Sequence[dict[str, Any]]) -> list[Ended]:
    """How the commands end, each in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.cli.forked"], input=json.dumps(cases).encode(), stdout=subprocess.PIPE,
        cwd=REPOSITORY, check=True,
    )  # fmt: skip
    return [Ended(row[0], row[1].encode("latin-1"), row[2].encode("latin-1")) for row in json.loads(done.stdout)]


def _one(case: dict[str, Any]) -> tuple[int, str, str]:
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.TemporaryFile() as given:
        given.write(case.get("stdin", "").encode("utf-8", "surrogatepass"))
        given.seek(0)
        child = os.fork()
        if child == 0:
            _become(case, given.fileno(), out.fileno(), err.fileno())
        _, status = os.waitpid(child, 0)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode("latin-1"))
        return os.waitstatus_to_exitcode(status), texts[0], texts[1]


def _become(case: dict[str, Any], given: int, out: int, err: int) -> None:
    """Be the command: this never returns."""
    code = 70
    try:
        os.dup2(given, 0)
        os.dup2(err, 2)
        kind = case.get("stdout", "kept")
        encoding = case.get("encoding", "utf-8")
        if kind == "closed":
            os.close(1)
        elif kind == "full":
            os.dup2(os.open("/dev/full", os.O_WRONLY), 1)
        elif kind == "broken":
            reader, writer = os.pipe()
            os.close(reader)
            os.dup2(writer, 1)
        else:
            os.dup2(out, 1)
        sys.stdin = io.TextIOWrapper(open(0, "rb", closefd=False), encoding="utf-8")  # noqa: SIM115
        sys.stdout = None if kind == "closed" else open(1, "w", encoding=encoding, closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding=encoding, errors="backslashreplace", closefd=False)  # noqa: SIM115
        sys.argv = ["opspec", *case["words"]]
        try:
            run()
        except SystemExit as stopped:
            code = int(stopped.code or 0)
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()  # as the interpreter does at its end
    finally:
        os._exit(code)


if __name__ == "__main__":
    for command in COMMANDS:
        import_module(f"opspec.cli.{_MODULES.get(command, command)}")
    print(json.dumps([_one(case) for case in json.load(sys.stdin)]))
