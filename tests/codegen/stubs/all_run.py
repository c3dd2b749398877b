"""Every operator's example program runs against an SDK, and cleans up whichever call fails.

``python -m tests.codegen.stubs.all_run SDK [PATTERN…]`` writes and compiles the stubs of all operators and runs each,
then again and again with each call that can fail made to fail in turn (``--every N``: with some of them, not the same
ones of each operator), and without a workspace. A run that succeeds returns 0 and leaves nothing; one with a failure
returns 1, says which step failed, and leaves nothing either. The SDK must hold all operators asked for.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from typing import IO, Any

from opspec.registry.registry import Registry
from tests.codegen.stubs.linked import build

#: what an example returns when a step failed
FAILED = 1

#: a function of which nothing can make good a failure, and the kind of finding that is left then
WAITING, NOT_WAITED = "aclrtSynchronizeStream", "memory.freed-in-use"


# --- its runs


@dataclass(frozen=True, slots=True)
class Run:
    """One run of an example: what it was asked, how it ended, what it said, and what was told of it."""

    op: str
    setting: str
    number: int
    status: int
    said: str
    events: tuple[dict[str, Any], ...]

    @property
    def injected(self) -> str:
        """The function that was made to fail, or nothing."""
        for event in self.events:
            if event.get("kind") == "fault.injected":
                return str(event["message"]).split()[0]
        return ""

    def __str__(self) -> str:
        return f"{self.op} {self.setting}={self.number} {self.injected}".rstrip()


def runs(program: Path, jobs: int, every: int = 1) -> Iterator[Run]:
    """All runs of all examples, made by several drivers at once.

    Args:
        every: of an example's calls, so many apart, those that are made to fail; others of each operator.

    Raises:
        RuntimeError: a driver failed.
    """
    clean = {name: value for name, value in os.environ.items() if not name.startswith("OPSPEC_")}
    clean["LD_BIND_NOW"] = "1"  # once, and not in every child
    found: Queue[Run | int] = Queue(1000)

    def drive(part: int) -> None:
        command = [str(program), str(part), str(jobs), str(every)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=clean) as driver:
            try:
                for run in _records(driver.stdout):
                    found.put(run)
            finally:
                found.put(driver.wait() or int(sys.exc_info()[0] is not None))

    with ThreadPoolExecutor(jobs) as pool:
        working = [pool.submit(drive, part) for part in range(jobs)]
        for _ in working:
            while not isinstance(one := found.get(), int):
                yield one
            if one:
                raise RuntimeError(f"the driver ended with {one}")


def _records(stream: IO[bytes] | None) -> Iterator[Run]:
    assert stream is not None
    for line in stream:
        op, setting, number, status, said, told = line.decode().split()
        text = stream.read(int(said)).decode("utf-8", "replace")
        events = tuple(json.loads(event) for event in stream.read(int(told)).splitlines())
        yield Run(op, setting, int(number), int(status), text, events)


# --- what they must come to


def faults(run: Run) -> list[str]:
    """What is wrong with a run."""
    wanted = FAILED if run.injected else 0
    found = [] if run.status == wanted << 8 else [f"wait status {run.status:#x} instead of {wanted << 8:#x}"]
    found += [] if any(event["event"] == "end" for event in run.events) else ["it did not end by itself"]
    for event in run.events:
        if run.injected != WAITING or event.get("kind") != NOT_WAITED:
            found += _faults_of(event)
    if run.injected and not _said(run):
        found.append(f"it does not say that {run.injected} failed: {run.said!r}")
    return found


def _faults_of(event: dict[str, Any]) -> list[str]:
    if event["event"] == "finding" and event["severity"] != "info":
        return [f"{event['kind']}: {event['message']}"]
    if event["event"] == "call":
        return [f"{rule['rule']}: {rule['message']}" for rule in event["violations"]]
    return []


def _said(run: Run) -> bool:
    """One line that names the step: the operator's stub or its example program says it."""
    step = re.escape(run.injected)
    return re.search(rf"^{run.op}(_example)?: {step}\b.* failed with code \d+: .+$", run.said, re.M) is not None


# --- the command


def main(words: list[str]) -> int:
    """0: every run is as it should be."""
    parser = argparse.ArgumentParser(prog="python -m tests.codegen.stubs.all_run")
    parser.add_argument("sdk", type=Path, metavar="SDK")
    parser.add_argument("patterns", nargs="*", default=["*"], metavar="PATTERN")
    parser.add_argument("--release", default="9.1.0")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="let every Nth call fail (default: each)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args(words)
    started = time.monotonic()
    entries = Registry().entries(asked.release)
    names = sorted(name for pattern in asked.patterns for name in fnmatch.filter(entries, pattern))
    wanted = list(dict.fromkeys(names))
    with tempfile.TemporaryDirectory(prefix="opspec-stubs-") as folder:
        program = build(Path(folder), asked.sdk.resolve(), asked.release, wanted, asked.jobs)
        built = time.monotonic()
        count, injected, wrong = 0, Counter[str](), Counter[str]()
        for run in runs(program, asked.jobs, asked.every):
            count += 1
            injected[run.op] += bool(run.injected)
            found = faults(run)
            wrong[run.op] += bool(found)
            if found and wrong[run.op] <= 3:
                print(f"{run}: {'; '.join(found)}")
    ended = time.monotonic()
    failing = sum(number > 0 for number in wrong.values())
    print(
        f"{len(wanted)} operators, {count} runs, {injected.total()} of them with a call that was made to fail; "
        f"{failing} operators with faults; {built - started:.0f} s to build, {ended - built:.0f} s to run"
    )
    return 1 if failing or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
