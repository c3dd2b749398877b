"""Compile all built-in operators into a folder, for the wheel that is shipped."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor

from opspec.model.load import load_bytes
from opspec.registry import cache, folders
from opspec.registry.compile import compile_operator
from opspec.registry.content import content
from opspec.registry.registry import definition_in

TOGETHER = 8  # files that a process is given at once


def ship(target: str, jobs: int = 1, progress: Callable[[int, int], None] = lambda done, total: None) -> int:
    """Write the compiled form of every built-in operator and the mark of the engine; returns how many.

    Args:
        jobs: processes that compile.
        progress: told how many spec files of how many are compiled.
    """
    os.makedirs(target, exist_ok=True)
    engine = cache.engine_by_content()
    with open(os.path.join(target, "ENGINE"), "wb") as file:
        file.write(engine)
    files = []
    root = folders.built_in()
    for release in folders.releases([root]):
        os.makedirs(os.path.join(target, release), exist_ok=True)
        found = folders.entries([root], release).values()
        for path, entries in itertools.groupby(found, key=lambda entry: entry.path):
            files.append((path, list(entries), os.path.join(target, release), engine))
    count = 0
    with ProcessPoolExecutor(jobs) as pool:
        for done, written in enumerate(pool.map(_ship_file, files, chunksize=TOGETHER), 1):
            count += written
            progress(done, len(files))
    return count


def _ship_file(work: tuple[str, list[folders.Entry], str, bytes]) -> int:
    """Write the forms of one spec file's operators: twins lie side by side and are read once."""
    path, entries, target, engine = work
    loaded = load_bytes(content(entries[0])[0], path)
    for entry in entries:
        _, whole = content(entry)  # twins have evidence of their own
        name = f"{entry.operator}-{cache.key(whole, entry.operator, engine)}.py"
        with open(os.path.join(target, name), "w", encoding="utf-8", newline="\n") as form:
            form.write(compile_operator(definition_in(loaded, entry)))
    return len(entries)
