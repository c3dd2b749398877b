"""Compile all built-in operators into a folder, for the wheel."""

from __future__ import annotations

import os

from opspec.registry import cache, folders
from opspec.registry.compile import compile_operator
from opspec.registry.registry import definition_of


def ship(target: str) -> int:
    """Write the compiled form of every built-in operator and the mark of the engine; returns how many."""
    os.makedirs(target, exist_ok=True)
    engine = cache.engine_by_content()
    with open(os.path.join(target, "ENGINE"), "wb") as file:
        file.write(engine)
    count = 0
    root = folders.built_in()
    for release in folders.releases([root]):
        os.makedirs(os.path.join(target, release), exist_ok=True)
        for operator, entry in folders.entries([root], release).items():
            with open(entry.path, "rb") as file:
                spec = file.read()
            name = f"{operator}-{cache.key(spec, operator, engine)}.py"
            with open(os.path.join(target, release, name), "w", encoding="utf-8", newline="\n") as form:
                form.write(compile_operator(definition_of(entry, spec)))
            count += 1
    return count
