"""Compile all built-in operators into a folder, for the wheel that is shipped."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor

from opspec.model.load import load_bytes
from opspec.registry import cache, folders, shipped
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
    engine = cache.engine_by_content()
    files = []
    root = folders.built_in()
    for release in folders.releases([root]):
        found = folders.entries([root], release).values()
        for path, entries in itertools.groupby(found, key=lambda entry: entry.path):
            files.append((path, list(entries), engine))
    forms: dict[tuple[str, str], tuple[str, str]] = {}
    with ProcessPoolExecutor(jobs) as pool:
        for done, made in enumerate(pool.map(_forms, files, chunksize=TOGETHER), 1):
            forms.update(made)
            progress(done, len(files))
    shipped.write(target, engine, forms)
    return len(forms)


def _forms(work: tuple[str, list[folders.Entry], bytes]) -> dict[tuple[str, str], tuple[str, str]]:
    """The forms of one spec file's operators: twins lie side by side and are read once."""
    path, entries, engine = work
    loaded = load_bytes(content(entries[0])[0], path)
    made = {}
    for entry in entries:
        _, whole = content(entry)  # twins have evidence of their own
        name = f"{entry.release}/{entry.operator}-{cache.key(whole, entry.operator, engine)}"
        made[entry.operator, entry.release] = name, compile_operator(definition_in(loaded, entry))
    return made
