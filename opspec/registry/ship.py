"""Compile all built-in operators into a folder, for the wheel."""

from __future__ import annotations

import itertools
import os

from opspec.model.load import load_bytes
from opspec.registry import cache, folders
from opspec.registry.compile import compile_operator
from opspec.registry.content import content
from opspec.registry.registry import definition_in


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
        found = folders.entries([root], release).values()
        for path, entries in itertools.groupby(found, key=lambda entry: entry.path):
            count += _ship_file(path, list(entries), os.path.join(target, release), engine)
    return count


def _ship_file(path: str, entries: list[folders.Entry], target: str, engine: bytes) -> int:
    """Write the forms of one spec file's operators: twins lie side by side and are read once."""
    spec, whole = content(entries[0])
    loaded = load_bytes(spec, path)
    for entry in entries:
        name = f"{entry.operator}-{cache.key(whole, entry.operator, engine)}.py"
        with open(os.path.join(target, name), "w", encoding="utf-8", newline="\n") as form:
            form.write(compile_operator(definition_in(loaded, entry)))
    return len(entries)
