"""Try inputs made by chance: ``python -m tests.fuzz calls --count 1000000``; what is found is kept in ``found``.

The exit status is 1 when something was found. Calls of the rules in C are tried by ``tests.codegen.rules.million``.
"""

from __future__ import annotations

import argparse
import hashlib
import multiprocessing
import os
import random
import sys
import tempfile
from pathlib import Path

from tests.fuzz.harness import Found, failures
from tests.fuzz.targets import TARGETS

FOUND = Path(__file__).parent / "found"
SHARE = 2_000  # inputs of one seed


def share(name: str, seed: str, count: int) -> list[Found]:
    """What a number of inputs of one seed come to."""
    target, chance = TARGETS[name], random.Random(seed)
    found: list[Found] = []
    with tempfile.TemporaryDirectory() as folder:
        for start in range(0, count, target.batch):
            inputs = [target.make(chance) for _ in range(min(target.batch, count - start))]
            found += failures(target, inputs, Path(folder))
    return found


def main(words: list[str]) -> int:
    """Try them, and say how many were tried and found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args(words)
    starts = range(0, asked.count, SHARE)
    work = [(asked.target, f"{asked.seed}/{start}", min(SHARE, asked.count - start)) for start in starts]
    with multiprocessing.Pool(asked.jobs) as pool:
        found = [one for part in pool.starmap(share, work, chunksize=1) for one in part]
    for one in found:
        digest = hashlib.sha256(one.data.encode("utf-8", "surrogatepass")).hexdigest()[:12]
        path = FOUND / f"{asked.target}-{digest}{TARGETS[asked.target].suffix}"
        path.write_bytes(one.data.encode("utf-8", "surrogatepass"))
        print(f"{path}: {one.why}", file=sys.stderr)
    print(f"{asked.target}: {asked.count} inputs tried, {len(found)} found")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
