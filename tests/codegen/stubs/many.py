"""Compile the stubs of many operators at the price of a few: all of them as one C++ file, some of them as C."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from opspec.codegen.stubs.names import file_stem
from opspec.model.definition import Definition
from tests.codegen.stubs.compilers import compiled, with_headers
from tests.codegen.stubs.operators import written

SYSTEM = ("math.h", "pthread.h", "stdio.h", "stdlib.h", "string.h", "acl/acl.h", "hccl/hccl.h")


def compile_together(language: str, definitions: Iterable[Definition], folder: Path) -> None:
    """Write stubs to a folder and compile all their sources as one C++ program: needs the real ACL headers."""
    path = folder / "together.cpp"
    path.write_text(together(definitions, folder), encoding="ascii")
    compiled(language, with_headers(), [path])


def together(definitions: Iterable[Definition], folder: Path) -> str:
    """Write stubs to a folder; the text of a C++ file that includes all their sources.

    Each source stands in a namespace of its own, ``in_aclnnAdd_example``, so that functions of the same name are no
    clash. What they share, the headers, stands in front, where ``#include`` finds it done.
    """
    files: dict[str, str] = {}
    for definition in definitions:
        written(definition, folder)
        files[definition.name] = file_stem(definition.name)
    lines = [f"#include <{name}>" for name in SYSTEM] + [f'#include "{file}.h"' for file in files.values()]
    for name, file in files.items():
        for part, source in (("call", f"{file}.c"), ("example", f"{file}_example.c")):
            lines += [f"namespace in_{name}_{part} {{", f'#include "{source}"', "}"]
    return "\n".join([*lines, ""])


def compile_each(language: str, definitions: Iterable[Definition], folder: Path) -> None:
    """Write stubs to a folder and compile each file by itself, without CANN."""
    files: list[Path] = []
    for definition in definitions:
        files += written(definition, folder)
    compiled(language, (), [path for path in files if path.suffix == ".c"])


def of_every_form(definitions: Sequence[Definition]) -> list[Definition]:
    """One operator for every set of kinds of params that there is: templates ask for nothing else."""
    forms: dict[object, Definition] = {}
    for definition in definitions:
        kinds = frozenset((param.kind, param.io != "in") for param in definition.params)
        forms.setdefault((definition.spec.interface, definition.spec.stream, kinds), definition)
    return list(forms.values())
