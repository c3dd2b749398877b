"""Promise: handles are told live, destroyed, of another kind or unknown without being read; no reader crashes."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from opspec import csrc
from opspec.codegen.rules.library import runtime_files

NATIVE = Path(csrc.SHARED)
PROGRAM = Path(__file__).with_name("handles_main.c")
STRICT = ["-std=c11", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-g", "-O1"]


@pytest.mark.parametrize(
    ("cc", "sanitizers"), [("gcc", "address,undefined"), ("gcc", "thread"), ("clang", "address,undefined")]
)
def test_handles(tmp_path: Path, cc: str, sanitizers: str) -> None:
    if shutil.which(cc) is None:
        pytest.skip(f"{cc} is not installed")
    for name, text in runtime_files().items():
        (tmp_path / Path(name).name).write_text(text)
    program = tmp_path / "handles"
    sources = [PROGRAM, NATIVE / "handles.c", *(tmp_path / name for name in ("opspec_rules.c", "opspec_vocabulary.c"))]
    build = [cc, *STRICT, f"-fsanitize={sanitizers}", "-fno-sanitize-recover=all", f"-I{tmp_path}", f"-I{NATIVE}"]
    subprocess.run([*build, *map(str, sources), "-o", str(program), "-lpthread", "-lm"], check=True)
    done = subprocess.run([program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr[-4000:]
