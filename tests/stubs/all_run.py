"""Every operator's example program runs against an SDK, and cleans up whichever call fails.

``python -m tests.stubs.all_run SDK [PATTERN…]`` writes and compiles the stubs of all operators and runs each with its
executor used once, reused and not used; then again and again with each call that can fail made to fail in turn. A run
that succeeds returns 0 and leaves nothing; one with a failure returns 1, says which step failed, and leaves nothing
either. The SDK must hold all operators asked for.
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
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from opspec.registry.registry import Registry, definition_of
from opspec.sdk.layout import Target, chip
from opspec.spec.definition import Definition
from opspec.vocabulary import products
from tests.stubs.many import together
from tests.stubs.operators import HERE, written

DRIVER = HERE / "driver"

#: operators in one file for the compiler
BATCH = 60

LIBRARIES = (
    "opapi_math", "opapi_nn", "opapi_cv", "opapi_transformer", "ascendcl", "nnopbase", "hccl", "opspec_sim",
)  # fmt: skip

#: what an example returns when a step failed
FAILED = 1

#: functions that the driver makes fail in the simulator's place
WRAPPED = re.findall(r"^RELEASES\((\w+),", (DRIVER / "driver.c").read_text(encoding="ascii"), re.M)
WRAPPED += ["aclFinalize", "calloc"]

#: a function of which nothing can make good a failure, and the kind of finding that is left then
WAITING, NOT_WAITED = "aclrtSynchronizeStream", "memory.freed-in-use"


# --- the program


def build(folder: Path, sdk: Path, definitions: Iterable[Definition], jobs: int) -> Path:
    """Compile the example programs of operators and the driver of their runs into one program, as C++ and fast."""
    cases = [definition for definition in definitions if definition.spec.partial is None]
    sources: list[Path] = []
    for start in range(0, len(cases), BATCH):
        text = together(cases[start : start + BATCH], folder)
        sources.append(folder / f"batch_{start}.cpp")
        sources[-1].write_text(text + "\n".join(map(_runner, cases[start : start + BATCH])) + "\n", encoding="ascii")
    options = ("-std=c++17", "-O0", "-w", *_includes(folder, sdk))
    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(lambda path: _ran("clang++", *options, "-c", str(path), "-o", f"{path}.o"), sources))
    return _linked(folder, sdk, cases, ("clang",), ("-lstdc++",))


def build_sanitized(folder: Path, sdk: Path, definitions: Iterable[Definition]) -> Path:
    """The same as C, each file by itself, under sanitizers."""
    cases = list(definitions)
    compiler = ("gcc", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    for case in cases:
        for path in written(case, folder):
            if path.suffix == ".c":
                options = (f"-Dmain=run_{case.name}", "-std=c11", *_includes(folder, sdk))
                _ran(*compiler, *options, "-c", str(path), "-o", f"{path}.o")
    return _linked(folder, sdk, cases, compiler, ())


def _includes(folder: Path, sdk: Path) -> tuple[str, ...]:
    return (f"-I{folder}", f"-I{DRIVER}", "-isystem", str(sdk / "include"))


def _linked(folder: Path, sdk: Path, cases: list[Definition], compiler: Sequence[str], more: Sequence[str]) -> Path:
    """The program of all objects in a folder, with the driver and its table."""
    table, program, libraries = folder / "table.c", folder / "driver", sdk / "lib64"
    table.write_text(_table(cases), encoding="ascii")
    own = ("-std=gnu11", *_includes(folder, sdk), str(DRIVER / "driver.c"), str(table))
    wrapped = [f"-Wl,--wrap={name}" for name in WRAPPED]
    found = (f"-L{libraries}", f"-Wl,-rpath,{libraries}", *(f"-l{name}" for name in LIBRARIES), *more)
    _ran(*compiler, *own, *wrapped, *map(str, sorted(folder.glob("*.o"))), *found, "-o", str(program))
    return program


def _runner(case: Definition) -> str:
    """Functions of one name in the whole program: the example, and the call stub as its header declares it."""
    call = "main(argc, argv)" if _two_phase(case) else "main()"
    own = f'extern "C" {_head(case)} {{ return in_{case.name}_example::{call}; }}'
    values = ["arguments"] * bool(case.params) + ["stream", "runs"] * _two_phase(case)
    types = {"arguments": f"const {case.name}Arguments *", "stream": "aclrtStream ", "runs": "uint32_t "}
    declared = ", ".join(types[name] + name for name in values)
    body = f"{{ return in_{case.name}_call::{case.name}Call({', '.join(values)}); }}"
    return f'{own}\nextern "C" int {case.name}Call({declared}) {body}'


def _two_phase(case: Definition) -> bool:
    return case.spec.interface == "two-phase"


def _head(case: Definition) -> str:
    return f"int run_{case.name}({'int argc, char **argv' if _two_phase(case) else ''})"


def _table(cases: list[Definition]) -> str:
    rows, lines = [], ['#include "driver.h"']
    for case in cases:
        product = str((case.spec.example or {}).get("product", "910b"))
        soc = chip(Target(case.spec.release, *products.resolve(product)))
        run = f"run_{case.name}" if _two_phase(case) else f"call_{case.name}"
        lines.append(f"{_head(case).replace('()', '(void)')};")
        if not _two_phase(case):
            body = f"{{ (void)argc; (void)argv; return run_{case.name}(); }}"
            lines.append(f"static int {run}(int argc, char **argv) {body}")
        rows.append(f'    {{"{case.name}", "{soc}", {str(_two_phase(case)).lower()}, {run}}},')
    lines += ["const driver_case driver_cases[] = {", *rows, "};", f"const int driver_case_count = {len(cases)};"]
    return "\n".join([*lines, ""])


def _ran(*command: str) -> None:
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        raise SystemExit(f"{' '.join(command)}\n{result.stderr}")


# --- its runs


@dataclass(frozen=True, slots=True)
class Run:
    """One run of an example: what it was asked, how it ended, what it said, and what was told of it."""

    op: str
    word: str
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
        return f"{self.op} {self.word} {self.setting}={self.number} {self.injected}".rstrip()


def runs(program: Path, jobs: int) -> Iterator[Run]:
    """All runs of all examples, made by several drivers at once."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("OPSPEC_")}
    drivers = [
        subprocess.Popen([str(program), str(part), str(jobs)], stdout=subprocess.PIPE, env=clean)
        for part in range(jobs)
    ]
    with ThreadPoolExecutor(jobs) as pool:
        for found in pool.map(lambda driver: list(_records(driver.stdout)), drivers):
            yield from found
    for driver in drivers:
        if driver.wait():
            raise SystemExit(f"the driver ended with {driver.returncode}")


def _records(stream: IO[bytes] | None) -> Iterator[Run]:
    assert stream is not None
    for line in stream:
        op, word, setting, number, status, said, told = line.decode().split()
        text = stream.read(int(said)).decode("utf-8", "replace")
        events = tuple(json.loads(event) for event in stream.read(int(told)).splitlines())
        yield Run(op, word, setting, int(number), int(status), text, events)


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
    parser = argparse.ArgumentParser(prog="python -m tests.stubs.all_run")
    parser.add_argument("sdk", type=Path, metavar="SDK")
    parser.add_argument("patterns", nargs="*", default=["*"], metavar="PATTERN")
    parser.add_argument("--release", default="9.1.0")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args(words)
    started = time.monotonic()
    entries = Registry().entries(asked.release)
    names = sorted(name for pattern in asked.patterns for name in fnmatch.filter(entries, pattern))
    wanted = [definition_of(entries[name]) for name in dict.fromkeys(names)]
    with tempfile.TemporaryDirectory(prefix="opspec-stubs-") as folder:
        program = build(Path(folder), asked.sdk.resolve(), wanted, asked.jobs)
        built = time.monotonic()
        count, injected, wrong = 0, Counter[str](), Counter[str]()
        for run in runs(program, asked.jobs):
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
