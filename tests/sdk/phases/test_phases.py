"""Promise: generated phases judge, run and refuse as documented, and no handle, address or count makes them crash."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from opspec.crules.library import runtime_files
from opspec.crules.operator import operator_file
from opspec.registry.registry import Registry, definition_of
from opspec.sdk.phases import phases_file
from opspec.stubs.prototypes import by_header

ROOT = Path(__file__).parents[3] / "opspec"
HERE = Path(__file__).parent
STRICT = ["-std=c11", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-g", "-O1"]
OPERATORS = (
    "aclnnAdd", "aclnnInplaceAdd", "aclnnCat", "aclnnForeachAddScalarList", "aclnnSplitTensor", "aclnnEinsum",
)  # fmt: skip


def generated(folder: Path, operators: tuple[str, ...]) -> list[Path]:
    """The C files of operators' rules and phases; headers beside them."""
    known = Registry()
    definitions = [definition_of(known.find(name, "9.1.0")) for name in operators]
    files = {Path(name).name: text for name, text in runtime_files().items()}
    files |= by_header(definitions)
    for one in definitions:
        files[f"rules_{one.name}.c"] = operator_file(one)
        files[f"phases_{one.name}.c"] = phases_file(one, one.header)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return [folder / name for name in files if name.endswith(".c")]


def build(folder: Path, cc: str, sanitizers: str, main: str, operators: tuple[str, ...] = OPERATORS) -> Path:
    """A program over operators, with a stand-in for the rest of the simulator."""
    sources = [
        *generated(folder, operators), *(ROOT / "sdk" / "runtime" / "nnopbase").glob("*.c"),
        ROOT / "native" / "handles.c", HERE / "world.c", HERE / main,
    ]  # fmt: skip
    folders = [folder, ROOT / "native", ROOT / "crules", ROOT / "sdk" / "include", ROOT / "sdk" / "runtime", HERE]
    flags = [*STRICT, f"-fsanitize={sanitizers}", "-fno-sanitize-recover=all", *(f"-I{one}" for one in folders)]
    program = folder / "program"
    subprocess.run([cc, *flags, *map(str, sources), "-o", str(program), "-lpthread", "-lm"], check=True)
    return program


@pytest.mark.parametrize(("cc", "sanitizers"), [("gcc", "address,undefined"), ("clang", "thread")])
def test_phases(tmp_path: Path, cc: str, sanitizers: str) -> None:
    if shutil.which(cc) is None:
        pytest.skip(f"{cc} is not installed")
    program = build(tmp_path, cc, sanitizers, "phases_main.c")
    done = subprocess.run([program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr[-4000:]
