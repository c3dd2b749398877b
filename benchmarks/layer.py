"""What the layer costs: a legal first phase through it against bare forwarding, side by side in one run.

    python benchmarks/layer.py

The operator has four tensors; the real one does nothing, so that all of the time is the library's in front of it. The
programs take turns, and the best of many short rounds counts. ``python benchmarks`` runs this with the others.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from figures import Figure, head

from opspec import csrc
from opspec.cli.main import main as opspec

RELEASE, OP = "9.1.0", "aclnnLerp"
TARGET = 80.0  # nanoseconds that the layer adds
TURNS = 5
HERE = os.path.dirname(os.path.abspath(__file__))
INCLUDE = csrc.INCLUDE


def built(folder: str, name: str, *words: str) -> str:
    """The path of a program or library of ``layer.c``."""
    path = os.path.join(folder, name)
    source = os.path.join(HERE, "layer.c")
    subprocess.run(["cc", "-std=c11", "-O2", "-I", INCLUDE, source, "-o", path, *words, "-ldl"], check=True)
    return path


def measured(folder: str) -> dict[str, float]:
    """Nanoseconds a call: without anything in front, with bare forwarding, with the layer."""
    built(folder, "libopapi_math.so", "-DREAL", "-fPIC", "-shared")
    bare = built(folder, "libbare.so", "-DBARE", "-fPIC", "-shared")
    program = built(folder, "program", "-DPROGRAM", f"-L{folder}", "-lopapi_math", f"-Wl,-rpath,{folder}")
    with contextlib.redirect_stdout(sys.stderr):
        assert opspec(["layer", "build", "--release", RELEASE, "--out", os.path.join(folder, "layer"), OP]) == 0
    layer = os.path.join(folder, "layer", "libopspec_layer.so")
    ways: dict[str, dict[str, str]] = {
        "nothing": {},
        "bare": {"LD_PRELOAD": bare},
        "layer": {"LD_PRELOAD": layer},
    }
    known = {name: value for name, value in os.environ.items() if not name.startswith("OPSPEC_")}
    best = dict.fromkeys(ways, float("inf"))
    for _ in range(TURNS):
        for name, environment in ways.items():
            done = subprocess.run([program], env={**known, **environment}, check=True, capture_output=True, text=True)
            best[name] = min(best[name], float(done.stdout))
    return best


def figures() -> Iterator[Figure]:
    """What the layer adds to a first phase."""
    with tempfile.TemporaryDirectory() as folder:
        took = measured(folder)
    what = f"legal first phase of {OP} through the layer, to bare forwarding"
    yield Figure(what, f"{took['layer']:.0f} ns", took["layer"] / took["bare"], "x", None)
    added = took["layer"] - took["bare"]
    yield Figure(f"legal first phase of {OP}: what the layer adds", f"{added:.0f} ns", added, "ns", TARGET)


if __name__ == "__main__":
    print(head(), *figures(), sep="\n")
