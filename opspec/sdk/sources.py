"""Which C of the simulator's run time goes into which library."""

from __future__ import annotations

import os

RUNTIME = os.path.join(os.path.dirname(os.path.abspath(__file__)), "runtime")
#: Library -> its folder of sources. ``opspec_sim`` also holds the rules' run time, ``opspec/native`` and the target.
FOLDERS = {"opspec_sim": "core", "ascendcl": "ascendcl"}


def runtime_sources(library: str) -> tuple[str, ...]:
    """The paths of a library's sources, in order; they are compiled with ``RUNTIME`` among the include folders."""
    folder = os.path.join(RUNTIME, FOLDERS[library])
    return tuple(os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".c"))
