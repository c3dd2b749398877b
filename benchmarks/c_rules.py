"""What the rules in C cost: ratios measured side by side in one run, never wall time alone.

    python benchmarks/c_rules.py           a legal first-phase check against the same conditions written by hand
    python benchmarks/c_rules.py --all     and how long all operators take to build, and how large they are

The check is of an operator with four tensors, in ``c_rules.c``; both are compiled alike, and the best of many short
rounds counts. The exit status is 1 when the generated rules take more than the target's times as long.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

from opspec.cli.main import main as opspec

RELEASE = "9.1.0"
OP = "aclnnLerp"
TARGET = 1.5  # times the check by hand
FLAGS = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Wconversion", "-Werror"]
HERE = os.path.dirname(os.path.abspath(__file__))


def check(folder: str) -> tuple[float, float]:
    """Nanoseconds of a legal check: by hand, by the generated rules."""
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


def main(words: list[str]) -> int:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        hand, rules = check(folder)
    print(
        f"legal check of {OP} in C: {rules:.0f} ns = {rules / hand:.1f} x the same by hand ({hand:.0f} ns); "
        f"target: at most {TARGET} x"
    )
    if "--all" in words:
        with tempfile.TemporaryDirectory() as folder:
            whole(folder)
    return 1 if rules > TARGET * hand else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
