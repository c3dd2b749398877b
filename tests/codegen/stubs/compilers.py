"""Compilers of the tests, and how they are called."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.paths import ACL_HEADERS

STRICT = (
    "-Wpedantic", "-Wall", "-Wextra", "-Wconversion", "-Wsign-conversion", "-Wshadow", "-Wcast-qual", "-Werror",
)  # fmt: skip

#: language, compiler and standard
LANGUAGES = {
    "gcc-c11": ("gcc", "-x", "c", "-std=c11", "-Wmissing-prototypes"),
    "clang-c11": ("clang", "-x", "c", "-std=c11", "-Wmissing-prototypes"),
    "g++-c++17": ("g++", "-x", "c++", "-std=c++17"),
    "clang++-c++17": ("clang++", "-x", "c++", "-std=c++17"),
}


def with_headers() -> tuple[str, ...]:
    """Options that find the real ACL headers."""
    assert ACL_HEADERS is not None
    folders = (ACL_HEADERS, ACL_HEADERS / "acl", ACL_HEADERS / "third_party" / "hccl" / "inc")
    return tuple(f"-isystem{folder}" for folder in folders)


def compiled(
    language: str, options: Sequence[str], files: Sequence[Path | str], mode: Sequence[str] = ("-fsyntax-only",)
) -> None:
    """Compile, without output unless the mode says so; any warning fails the test, a missing compiler skips it."""
    command = LANGUAGES[language]
    if shutil.which(command[0]) is None:
        pytest.skip(f"no {command[0]} here")
    ran(*command, *STRICT, *mode, *options, *map(str, files))


def ran(*command: str, cwd: Path | None = None) -> str:
    """Run a command that must succeed; returns its standard output."""
    result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)
    assert result.returncode == 0, f"{' '.join(command)}\n{result.stdout}{result.stderr}"
    return result.stdout
