"""All operators in Python, in C and in JavaScript, on recorded calls and a million generated ones.

``python -m tests.codegen.rules.million`` runs it.

Calls are legal ones and mutations of them, sensible and absurd, the same number for every operator; where runs take
turns (``OPSPEC_TURN``), half of the mutations are the next run's. The C is a library that was built before
(``--library``), or what ``opspec sdk build`` compiled (``--sdk``), or is built first.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from opspec.build import layout
from opspec.build.groups import GROUPS
from opspec.registry.registry import Registry, definition_of
from tests.codegen.javascript.node import Node
from tests.codegen.rules.differential import Tally, compare_generated
from tests.codegen.rules.native import Library, build
from tests.codegen.rules.recorded import compare_recorded
from tests.recorded import RECORDS, by_operator

RELEASE = "9.1.0"
BASES = 2  # calls of an operator that the others are mutations of
SHARES = 2  # runs that have had all calls, where they take turns


def of_sdk(sdk: str, folder: str) -> str:
    """A library that needs all of an SDK's: it finds the rules, which those of operators export."""
    path = os.path.join(folder, "rules.so")
    libraries = os.path.abspath(os.path.join(sdk, "lib64"))
    names = [*map(layout.operator_library, GROUPS), *(library.name for library in layout.LIBRARIES)]
    needed = ["-Wl,--no-as-needed", f"-L{libraries}", f"-Wl,-rpath,{libraries}", *(f"-l{name}" for name in names)]
    subprocess.run(["cc", "-shared", "-o", path, *needed], check=True)
    return path


def share(library: str, names: Sequence[str], calls: int, shares: int) -> Tally:
    """Compare the recorded calls of some operators and so many generated ones of each, in all languages; a share of
    these where runs take turns."""
    registry, loaded, tally = Registry(), Library(library), Tally()
    entries, mutations = registry.entries(RELEASE), -(-calls // BASES) - 1
    with tempfile.TemporaryDirectory() as folder:
        node = Node(Path(folder))
        for name in names:
            definition, form = definition_of(entries[name]), registry.form(name, RELEASE)
            node.define(definition)
            for path in RECORDS:
                compare_recorded(loaded, form, path, tally, node)
            compare_generated(loaded, definition, form, BASES, mutations, tally, node, shares)
        tally.in_javascript += node.differences()
    return tally


def compared(library: str, calls: int, jobs: int, names: Sequence[str] = (), shares: int = 1) -> Tally:
    """Compare all recorded calls and at least so many others, spread over operators (by default all), with so many
    processes.

    Args:
        shares: runs among which the calls are divided, where they take turns.
    """
    names = sorted(names or Registry().entries(RELEASE))
    each, parts = -(-calls // len(names)), min(jobs * 8, len(names))
    whole = Tally()
    for path in RECORDS:
        by_operator(path)  # which processes have from this one
    with multiprocessing.Pool(jobs) as pool:
        work = [(library, names[part::parts], each, shares) for part in range(parts)]
        for tally in pool.starmap(share, work, chunksize=1):
            whole.add(tally)
    return whole


def main(words: list[str]) -> int:
    """0: no difference."""
    target = argparse.ArgumentParser(prog="python -m tests.codegen.rules.million", description=__doc__)
    target.add_argument("--library", help="a shared library of all operators")
    target.add_argument("--sdk", help="an SDK of all operators, as opspec sdk build makes it")
    target.add_argument("--calls", type=int, default=1_000_000)
    target.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    asked = target.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        library = asked.library or (of_sdk(asked.sdk, folder) if asked.sdk else build(folder, []))
        library = os.path.abspath(library)
        start = time.perf_counter()
        tally = compared(library, asked.calls, asked.jobs, shares=SHARES)
    print(f"{tally}; {time.perf_counter() - start:.0f} s with {asked.jobs} processes")
    different = [*tally.differences[:20], *tally.in_javascript[:20], *tally.reworded[:20]]
    for difference in different:
        print(*difference, sep="\n  ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
