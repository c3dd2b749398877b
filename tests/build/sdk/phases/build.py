"""Programs and libraries over a few operators, with libnnopbase and a stand-in for the rest of the simulator."""

from __future__ import annotations

import subprocess
from pathlib import Path

from opspec import csrc
from opspec.codegen.entries import findings
from opspec.codegen.entries.simulator import phases_file
from opspec.codegen.prototypes import by_header
from opspec.codegen.rules.library import runtime_files
from opspec.codegen.rules.operator import operator_file
from opspec.registry.registry import Registry, definition_of

ROOT = Path(__file__).parents[3] / "opspec"
HERE = Path(__file__).parent
STRICT = ("-std=c11", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-g", "-O1", "-fno-sanitize-recover=all")


def generated(folder: Path, operators: tuple[str, ...]) -> list[Path]:
    """The C files of operators' rules and phases; headers beside them."""
    known = Registry()
    definitions = [definition_of(known.find(name, "9.1.0")) for name in operators]
    files = {Path(name).name: text for name, text in runtime_files().items()}
    files |= {**by_header(definitions), **findings.files()}
    for definition in definitions:
        for one in (definition, *definition.helpers):
            files[f"rules_{one.name}.c"] = operator_file(one)
            files[f"phases_{one.name}.c"] = phases_file(one, one.header)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return [folder / name for name in files if name.endswith(".c")]


def build(folder: Path, cc: str, options: tuple[str, ...], main: str | None, operators: tuple[str, ...]) -> Path:
    """A program, or without a main a library."""
    sources = [
        *generated(folder, operators), *(Path(csrc.SIMULATOR) / "nnopbase").glob("*.c"),
        Path(csrc.SHARED) / "handles.c", HERE / "world.c", *([HERE / main] if main else []),
    ]  # fmt: skip
    folders = [folder, Path(csrc.SHARED), Path(csrc.RULES), Path(csrc.INCLUDE), Path(csrc.SIMULATOR), HERE]
    flags = [*STRICT, *options, *(f"-I{one}" for one in folders)]
    built = folder / "built"
    subprocess.run([cc, *flags, *map(str, sources), "-o", str(built), "-lpthread", "-lm"], check=True)
    return built
