"""What the rules in C cost: ratios measured side by side in one run, never wall time alone.

    python benchmarks/c_rules.py           a legal first-phase check against the same conditions written by hand
    python benchmarks/c_rules.py --all     and how long all operators take to build, and how large they are

The check is of an operator with four tensors, in ``c_rules.c``; both are compiled alike, and the best of many short
rounds counts. ``python benchmarks`` runs this with the others.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

from figures import Figure, head

from opspec.cli.main import main as opspec

RELEASE = "9.1.0"
OP = "aclnnLerp"
TARGET = 1.5  # times the check by hand
FLAGS = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Wconversion", "-Werror"]
HERE = os.path.dirname(os.path.abspath(__file__))


def check(folder: str) -> tuple[float, float]:
    """Nanoseconds of a legal check: by hand, by the generated rules."""
    with contextlib.redirect_stdout(sys.stderr):
        assert opspec(["c", "--release", RELEASE, "--out", folder, OP]) == 0
    subprocess.run(["make", "-s", "-C", folder, "CFLAGS=-O2", "libopspec_rules.a"], check=True)
    program = os.path.join(folder, "program")
    source = os.path.join(HERE, "c_rules.c")
    words = ["cc", *FLAGS, f"-I{folder}/include", source, f"{folder}/libopspec_rules.a", "-o", program]
    subprocess.run(words, check=True)
    hand, rules = subprocess.run([program], check=True, capture_output=True, text=True).stdout.split()
    return float(hand), float(rules)


def whole(folder: str) -> None:
    """Print what all operators take to write and build."""
    start = time.perf_counter()
    assert opspec(["c", "--release", RELEASE, "--out", folder]) == 0
    written = time.perf_counter()
    library = "libopspec_rules.so"
    subprocess.run(["make", "-s", f"-j{os.cpu_count()}", "-C", folder, "CFLAGS=-O1", library], check=True)
    built = time.perf_counter()
    size = os.path.getsize(os.path.join(folder, library)) / 2**20
    print(f"all operators: written in {written - start:.0f} s, built in {built - written:.0f} s, {size:.1f} MiB")


def figures() -> Iterator[Figure]:
    """What a check costs in C."""
    with tempfile.TemporaryDirectory() as folder:
        hand, rules = check(folder)
    yield Figure(f"legal check of {OP} in C, to one by hand", f"{rules:.0f} ns", rules / hand, "x", TARGET)


if __name__ == "__main__":
    print(head(), *figures(), sep="\n")
    if "--all" in sys.argv:
        with tempfile.TemporaryDirectory() as home:
            whole(home)
