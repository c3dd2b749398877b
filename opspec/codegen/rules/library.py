"""A folder of C that judges calls: operators by family, registries, the run time, Makefile and CMakeLists.txt."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

from opspec import csrc
from opspec.codegen import ctext
from opspec.codegen.rules import vocabulary
from opspec.codegen.stubs.render import render
from opspec.errors import OpspecError

RUNTIME = (
    "opspec_rules.h", "opspec_source.h", "opspec_say.h", "opspec_text.h",
    "opspec_rules.c", "opspec_judge.c", "opspec_text.c", "opspec_names.c", "opspec_call.c", "opspec_say.c",
)  # fmt: skip

WARNINGS = "-Wall -Wextra -Wconversion"


def runtime_files() -> dict[str, str]:
    """Path -> text of what every operator needs."""
    found = {}
    for name in RUNTIME:
        with open(os.path.join(csrc.RULES, name), encoding="utf-8") as file:
            found[_runtime_path(name)] = file.read()
    found[_runtime_path(vocabulary.HEADER)] = vocabulary.header()
    found[_runtime_path(vocabulary.SOURCE)] = vocabulary.source()
    return found


def library_files(families: Mapping[str, list[str]]) -> dict[str, str]:
    """Path -> text of registries and build files.

    Args:
        families: family -> its operators; the file of each is at :func:`operator_path`.
    """
    own = {family_name(family): sorted(map(ctext.operator_name, names)) for family, names in families.items()}
    rows, operators = sorted(own.items()), sorted(name for names in own.values() for name in names)
    sources = [_runtime_path(name) for name in (*RUNTIME, vocabulary.SOURCE) if name.endswith(".c")]
    built: dict[str, Any] = {"names": sorted(own), "sources": sources, "warnings": WARNINGS}
    return {
        "include/opspec_registry.h": render("rules/opspec_registry.h.j2", families=rows, operators=operators),
        "registry.c": render("rules/registry.c.j2", operators=operators),
        "Makefile": render("rules/Makefile.j2", **built),
        "CMakeLists.txt": render("rules/CMakeLists.txt.j2", **built),
        **{f"{name}/registry.c": render("rules/family.c.j2", name=name, operators=names) for name, names in rows},
    }


def operator_path(family: str, operator: str) -> str:
    """Where an operator's file is."""
    return f"{family_name(family)}/{ctext.operator_name(operator)}.c"


def family_name(family: str) -> str:
    """A family's name in C and in paths.

    Raises:
        OpspecError: it is no part of an identifier.
    """
    if not re.fullmatch(r"[A-Za-z0-9_]*", family, re.ASCII):
        raise OpspecError(f"no identifier in C can have the name of the family {family!r}")
    return family or "operators"


def _runtime_path(name: str) -> str:
    return f"include/{name}" if name.endswith(".h") else f"runtime/{name}"
