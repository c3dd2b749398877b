"""All operators in Python and in C, on a million generated calls: ``python -m tests.crules.million``.

Calls are legal ones and mutations of them, sensible and absurd, the same number for every operator. The C is a library
that was built before (``--library``), or what ``opspec sdk build`` compiled (``--sdk``), or is built first.
"""

from __future__ import annotations

import argparse
import glob
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time

from opspec.registry.registry import Registry, definition_of
from opspec.sdk import layout
from tests.crules.differential import Tally, compare_generated
from tests.crules.native import Library, build

RELEASE = "9.1.0"
BASES = 2  # calls of an operator that the others are mutations of


def of_sdk(sdk: str, folder: str) -> str:
    """A library of the objects that an SDK's libraries were linked from: it exports the rules themselves."""
    path = os.path.join(folder, "rules.so")
    objects = sorted(glob.glob(os.path.join(sdk, layout.CACHE, "aclnn*.o")))
    libraries = os.path.join(sdk, "lib64")
    names = [os.path.basename(found)[3:-3] for found in glob.glob(os.path.join(libraries, "libopspec_sim.so"))]
    names += ["nnopbase", "ascendcl"]
    command = ["cc", "-shared", "-o", path, *objects, f"-L{libraries}", f"-Wl,-rpath,{libraries}"]
    subprocess.run([*command, *(f"-l{name}" for name in names)], check=True)
    return path


def share(library: str, part: int, parts: int, calls: int) -> Tally:
    """Compare calls of every n-th operator; ``calls`` of each."""
    registry = Registry()
    entries = registry.entries(RELEASE)
    loaded, tally = Library(library), Tally()
    names = sorted(entries)[part::parts]
    operators = ((definition_of(entries[name]), registry.form(name, RELEASE)) for name in names)
    compare_generated(loaded, operators, seeds=BASES, mutations=-(-calls // BASES) - 1, tally=tally)
    return tally


def compared(library: str, calls: int, jobs: int) -> Tally:
    """Compare at least so many calls, spread over all operators, with so many processes."""
    each = -(-calls // len(Registry().entries(RELEASE)))
    parts = jobs * 8
    whole = Tally()
    with multiprocessing.Pool(jobs) as pool:
        work = [(library, part, parts, each) for part in range(parts)]
        for tally in pool.starmap(share, work, chunksize=1):
            whole.operators += tally.operators
            whole.calls += tally.calls
            whole.legal += tally.legal
            whole.limited += tally.limited
            whole.differences += tally.differences
    return whole


def main(words: list[str]) -> int:
    """0: no difference."""
    target = argparse.ArgumentParser(prog="python -m tests.crules.million", description=__doc__)
    target.add_argument("--library", help="a shared library of all operators")
    target.add_argument("--sdk", help="an SDK of all operators, as opspec sdk build makes it")
    target.add_argument("--calls", type=int, default=1_000_000)
    target.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    asked = target.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        library = asked.library or (of_sdk(asked.sdk, folder) if asked.sdk else build(folder, []))
        start = time.perf_counter()
        tally = compared(os.path.abspath(library), asked.calls, asked.jobs)
    print(f"{tally}; {time.perf_counter() - start:.0f} s with {asked.jobs} processes")
    for difference in tally.differences[:20]:
        print(*difference, sep="\n  ")
    return 1 if tally.differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
