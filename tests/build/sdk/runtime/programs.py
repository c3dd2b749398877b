"""Libraries of the run time, with sanitizers, and programs linked with them."""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opspec.build.layout import LIBRARIES
from opspec.codegen.entries import findings
from opspec.codegen.rules.library import runtime_files
from opspec.csrc import RULES
from opspec.csrc import SHARED as NATIVE
from opspec.csrc import SIMULATOR as RUNTIME
from tests.events import read_events

HERE = Path(__file__).parent
INCLUDE = Path(RUNTIME).parent / "include"
SHARED = tuple(
    str(Path(folder, name))
    for folder, names in ((NATIVE, ("events.c", "line.c", "mute.c")), (RULES, ("opspec_names.c", "opspec_text.c")))
    for name in names
)
#: Libraries of the run time, the one with all state first.
PARTS = {
    library.name: tuple(path for path in library.sources() if Path(path).parent.parent == Path(RUNTIME))
    for library in LIBRARIES
    if library.name != "nnopbase"
}
WARNINGS = ("-std=c11", "-Wall", "-Wextra", "-Wconversion", "-Werror")
ADDRESS = ("-O0", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined")
THREAD = ("-O0", "-g", "-fsanitize=thread")
#: No report of the sanitizers, and none of what the simulator keeps on purpose.
SANITIZERS = {"ASAN_OPTIONS": "detect_leaks=1", "TSAN_OPTIONS": "halt_on_error=1"}


def command(*arguments: str) -> None:
    """Run a compiler."""
    done = subprocess.run(arguments, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-4000:]


@dataclass(frozen=True, slots=True)
class Sdk:
    """Built libraries in a folder, and how to build against them."""

    folder: Path
    flags: tuple[str, ...]

    @property
    def includes(self) -> list[str]:
        """Options of the compiler."""
        folders = [self.folder / "include", INCLUDE, RULES, NATIVE, RUNTIME, HERE]
        return [f"-I{folder}" for folder in folders]

    def library(self, name: str, sources: Sequence[str]) -> None:
        """Build a shared library; all but the first use the first."""
        uses = [] if name == "opspec_sim" else ["-lopspec_sim"]
        out = ["-shared", "-fPIC", "-o", str(self.folder / f"lib{name}.so"), *sources, f"-L{self.folder}", *uses]
        command("cc", *WARNINGS, *self.flags, *self.includes, *out, "-Wl,-rpath,$ORIGIN", "-Wl,-z,defs", "-lpthread")

    def program(self, name: str, compiler: str = "cc") -> Path:
        """Build a C or C++ program that is beside the tests."""
        out = self.folder / f"{Path(name).stem}.program"
        warnings = WARNINGS if name.endswith(".c") else ("-std=c++17", "-Wall", "-Wextra", "-Werror")
        libraries = [f"-l{library}" for library in PARTS]
        command(
            compiler, *warnings, *self.flags, *self.includes, "-o", str(out), str(HERE / name),
            f"-L{self.folder}", f"-Wl,-rpath,{self.folder}", *libraries, "-lpthread",
        )  # fmt: skip
        return out


def build_sdk(folder: Path, flags: tuple[str, ...]) -> Sdk:
    """All libraries of the run time."""
    own = {f"include/{name}": text for name, text in findings.files().items()}
    for path, text in {**runtime_files(), **own}.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    sdk = Sdk(folder, flags)
    for name, sources in PARTS.items():
        generated = (str(folder / "runtime/opspec_vocabulary.c"), str(folder / "include" / findings.SOURCE))
        sdk.library(name, (*sources, *SHARED, *generated, str(HERE / "target.c")) if name == "opspec_sim" else sources)
    return sdk


@dataclass(frozen=True, slots=True)
class Run:
    """What a program came to."""

    status: int
    output: str
    errors: str
    events: tuple[dict[str, Any], ...]

    def findings(self, severity: str = "error") -> Counter[str]:
        """Findings of a severity by kind."""
        return Counter(e["kind"] for e in self.events if e["event"] == "finding" and e["severity"] == severity)

    def messages(self, kind: str) -> list[str]:
        """What findings of a kind say."""
        return [event["message"] for event in self.events if event.get("kind") == kind]


def run(program: Path, *arguments: str, settings: Mapping[str, str] = {}) -> Run:
    """Run a program; its findings are in its events."""
    events = program.with_suffix(".events")
    events.unlink(missing_ok=True)
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("OPSPEC_")}
    environment = {**inherited, **SANITIZERS, "OPSPEC_EVENTS": str(events), **settings}
    done = subprocess.run([program, *arguments], capture_output=True, text=True, env=environment, timeout=60)
    found = read_events(events) if events.exists() else []
    return Run(done.returncode, done.stdout, done.stderr, tuple(found))
