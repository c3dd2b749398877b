"""Simulator and layer on aarch64, which is what hosts of Ascend devices are: cross-built, and run by an emulator.

``python -m tests.build.layer.aarch64`` builds both for the operators that some of ``tests/programs`` call, compiles
these programs, and runs each with the layer in front of the simulator. It must come to what the comment at its top
says, as on any machine: exit status, calls, errors. The layer must agree with the simulator on every call, and
``opspec check``, on this machine, with both on the calls that they recorded. The hosts of the layer's own tests run,
too: functions that are handed on unseen (assembly), handles that are none, threads.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from opspec.cli.main import main as opspec
from tests.build.layer.install import compiled as host
from tests.build.layer.test_simulator import calls
from tests.events import read_events
from tests.programs.test_programs import HERE as PROGRAMS
from tests.programs.test_programs import LINKS, Expected, checked

TRIPLE = "aarch64-linux-gnu"
CC, CXX = f"{TRIPLE}-gcc", f"{TRIPLE}-g++"
ROOT = f"/usr/{TRIPLE}"  # where Debian keeps the other machine's libc
EMULATOR = ("qemu-aarch64", "-L", ROOT)

#: of every kind: C and C++, lists, arrays, threads, processes, values of small types, memory, and errors on purpose
NAMES = (
    "arrays.cpp", "c_arrays.c", "dumped.cpp", "destroyed_twice.cpp", "float_types.cpp", "forks.cpp", "lists.cpp",
    "not_told.cpp", "null_out.cpp", "out_of_bounds.cpp", "plain.c", "small_buffers.cpp", "threads.cpp",
    "unwound.cpp", "wrong_dtype.cpp", "wrong_shape.cpp",
)  # fmt: skip
#: what the hosts call; nothing checks the second phases and the getters, which go by a jump
HOSTS_CALL = ("legal", "null", "shapes", "format", "again", "threads")
WITH_WRONG_HANDLES = ("lists", "garbage", "destroyed", "kinds")


class Machine:
    """An SDK and a layer for the other architecture.

    Args:
        folder: for all that is made.
    """

    def __init__(self, folder: Path, operators: Iterable[str]) -> None:
        self.folder = folder
        self.sdk, self.layer = folder / "sdk", folder / "layer"
        common = ["--release", "9.1.0", "--cc", CC]
        assert opspec(["sdk", "build", *common, "--product", "910b", "--out", str(self.sdk), *operators]) == 0
        installed = ["--installed", str(self.sdk)]
        assert opspec(["layer", "build", *common, *installed, "--out", str(self.layer), *operators]) == 0

    def program(self, source: Path) -> Path:
        """A program of ``tests/programs``."""
        target = self.folder / source.stem
        language = (CXX, "-std=c++17") if source.suffix == ".cpp" else (CC, "-std=c11")
        words = [*language, "-Wall", "-Wextra", "-Werror", f"-I{self.sdk}/include", f"-I{self.sdk}/include/aclnnop"]
        links = [f"-L{self.sdk}/lib64", f"-Wl,-rpath-link,{self.sdk}/lib64", *LINKS[Expected.of(source).links]]
        subprocess.run([*words, str(source), *links, "-o", str(target)], check=True)
        return target

    def run(self, program: Path, *words: str, **settings: str) -> tuple[int, str, list[dict[str, Any]]]:
        """Exit status, output and events of a program with the simulator, and the layer where it is not searched."""
        events = self.folder / f"{program.stem}.events"
        events.unlink(missing_ok=True)
        known = {
            "LD_LIBRARY_PATH": f"{self.sdk}/lib64:{ROOT}/lib",
            "ASCEND_HOME_PATH": str(self.sdk),
            "OPSPEC_EVENTS": str(events),
            "OPSPEC_OUTPUT": "none",
            **(settings or {"LD_PRELOAD": f"{self.layer}/libopspec_layer.so"}),
        }
        given = [word for name, value in known.items() for word in ("-E", f"{name}={value}")]
        done = subprocess.run([*EMULATOR, *given, str(program), *words], capture_output=True, text=True, timeout=120)
        return done.returncode, done.stdout + done.stderr, read_events(events)


def agreed(events: list[dict[str, Any]]) -> None:
    """Layer and simulator say the same of every call, whichever thread made it."""
    of_layer, of_simulator = (calls(events, source) for source in ("layer", "simulator"))
    assert of_layer == of_simulator


def comes_to_what_it_expects(machine: Machine, source: Path) -> None:
    """Status, calls, errors and words of a program; its recorded calls are judged alike on this machine."""
    expected = Expected.of(source)
    program = machine.program(source)
    status, said, events = machine.run(program)
    assert status == expected.exit, said
    assert all(text in said for text in expected.says), said
    agreed(events)
    found = [one for one in events if one["source"] == "simulator"]
    assert Counter(one["op"] for one in found if one["event"] == "call") == expected.calls
    errors = Counter(one["kind"] for one in found if one["event"] == "finding" and one["severity"] == "error")
    broken = [(one["op"], rule) for one in found if one["event"] == "call" for rule in one["violations"]]
    errors.update(f"{op}/{rule['rule']}" for op, rule in broken)
    assert errors == expected.errors
    if expected.calls:
        record = machine.folder / f"{program.stem}.jsonl"
        preload = f"{machine.layer}/libopspec_layer.so"
        machine.run(program, LD_PRELOAD=preload, OPSPEC_RECORD=str(record))
        verdicts = [one for one in checked(record) for _ in one["violations"]]
        assert len(verdicts) == 2 * len(broken)  # both have recorded


def hosts_agree(machine: Machine) -> None:
    """The hosts of the layer's tests: linked with the layer preloaded, and one that searches it."""
    links = ("-lpthread", "-ldl", f"-Wl,-rpath-link,{machine.sdk}/lib64")
    flags = ("-rdynamic", "-DUNARY=aclnnReluGetWorkspaceSize")
    found = [f"-L{machine.sdk}/lib64", "-Wl,--no-as-needed", "-lopapi", "-lnnopbase", "-lascendcl"]
    linked = host(machine.folder / "linked", "host.c", "search.c", *found, *links, flags=("-DLINKED", *flags), cc=CC)
    searching = host(machine.folder / "searching", "host.c", "search.c", *links, flags=flags, cc=CC)
    for program, settings in ((linked, {}), (searching, {"ASCEND_CUSTOM_OPP_PATH": f"{machine.layer}/opspec"})):
        status, said, events = machine.run(program, *HOSTS_CALL, **settings)
        assert status == 0, (status, said)
        assert any(one["event"] == "call" and one["source"] == "layer" for one in events)
        agreed(events)
        status, said, events = machine.run(program, *WITH_WRONG_HANDLES, **settings)
        assert status == 0, (status, said)
        kinds = {one["kind"] for one in events if one["event"] == "finding" and one["source"] == "layer"}
        assert kinds >= {"handle.destroyed", "handle.other-kind", "handle.unknown"}, kinds


def main() -> int:
    """0 when all is as it should be."""
    missing = [name for name in (CC, CXX, EMULATOR[0]) if shutil.which(name) is None]
    if missing:
        print(f"not installed: {', '.join(missing)}", file=sys.stderr)
        return 2
    sources = [PROGRAMS / name for name in NAMES]
    operators = sorted({"aclnnCat", *(op for source in sources for op in Expected.of(source).calls)})
    with tempfile.TemporaryDirectory() as folder:
        machine = Machine(Path(folder), operators)
        for source in sources:
            start = time.monotonic()
            comes_to_what_it_expects(machine, source)
            print(f"{source.name}: as expected, {time.monotonic() - start:.1f} s", flush=True)
        hosts_agree(machine)
    print(f"{TRIPLE}: {len(sources)} programs and 2 hosts come to what they come to elsewhere")
    return 0


if __name__ == "__main__":
    sys.exit(main())
