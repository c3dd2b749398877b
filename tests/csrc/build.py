"""Programs of the native C and drivers beside the tests, built with all warnings as errors."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from opspec import csrc
from opspec.codegen.entries import findings
from opspec.codegen.rules.library import runtime_files

HERE = Path(__file__).parent
RULES, SHARED = Path(csrc.RULES), Path(csrc.SHARED)
CFLAGS = ("-std=c11", "-O1", "-g", "-Wall", "-Wextra", "-Wconversion", "-Werror")


def include_folder(folder: Path) -> Path:
    """A folder with the headers of the rules' run time, and what is generated for simulator and layer."""
    own = {f"include/{name}": text for name, text in findings.files().items()}
    for path, text in {**runtime_files(), **own}.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    return folder / "include"


def build(out: Path, sources: Sequence[Path], *flags: str, cc: str = "cc") -> Path:
    """A program (or, with ``-shared``, a library) of C files."""
    include = include_folder(out.parent / "rules")
    folders = [f"-I{folder}" for folder in (include, SHARED, RULES)]
    generated = include / findings.SOURCE
    command = [cc, *CFLAGS, *folders, *flags, "-o", str(out), *map(str, (*sources, generated)), "-lpthread", "-ldl"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-4000:]
    return out
