"""A layer, and libraries that play the real ones, for tests: built with all warnings as errors."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from opspec import csrc
from opspec.cli.main import main
from tests.csrc.build import CFLAGS

HERE = Path(__file__).parent
OPERATORS = ("aclnnAdd", "aclnnAbs", "aclnnCat", "aclnnMul")


def compiled(out: Path, *words: str, flags: tuple[str, ...] = (), cc: str = "cc") -> Path:
    """A program or library; files without a folder are those beside the tests."""
    out.parent.mkdir(parents=True, exist_ok=True)
    files = [str(HERE / word) if word.endswith(".c") else word for word in words]
    command = [cc, *CFLAGS, *flags, "-I", str(csrc.INCLUDE), "-o", str(out), *files]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-4000:]
    return out


def _library(out: Path, *words: str) -> Path:
    return compiled(out, "-fPIC", "-shared", f"-Wl,-soname,{out.name}", "-Wl,-rpath,$ORIGIN", f"-L{out.parent}", *words)


def fake_install(folder: Path) -> Path:
    """Libraries that play the toolkit's, in ``lib64`` of a folder."""
    _library(folder / "lib64" / "libnnopbase.so", "fake_base.c")
    for name in ("libopapi_math.so", "libopapi.so"):
        _library(folder / "lib64" / name, "fake_ops.c", "-Wl,--no-as-needed", "-lnnopbase")
    return folder


def vendor(folder: Path) -> Path:
    """A vendor's library of operators; it has an aclnnAdd of its own."""
    _library(folder / "op_api" / "lib" / "libcust_opapi.so", "-DOTHER", "fake_ops.c")
    return folder


def build_layer(out: Path, *words: str, operators: tuple[str, ...] = OPERATORS) -> Path:
    """A layer of a few operators."""
    assert main(["layer", "build", "--release", "9.1.0", "--out", str(out), "-j2", *words, *operators]) == 0
    return out


@dataclass(frozen=True, slots=True)
class Host:
    """A program: linked against the real libraries, or one that searches them as torch_npu does."""

    program: Path
    install: Path

    def run(
        self, *words: str, preload: Path | str | None = None, status: int = 0, **settings: str
    ) -> subprocess.CompletedProcess[str]:
        """Run it; settings in capitals are variables as they are, others are OPSPEC_…"""
        known = {name: value for name, value in os.environ.items() if not name.startswith(("OPSPEC_", "ASCEND_"))}
        known |= {"ASCEND_HOME_PATH": str(self.install), "LD_LIBRARY_PATH": str(self.install / "lib64")}
        known |= {name if name.isupper() else f"OPSPEC_{name.upper()}": value for name, value in settings.items()}
        if preload is not None:
            known["LD_PRELOAD"] = str(preload / "libopspec_layer.so") if isinstance(preload, Path) else preload
        command = [str(self.program), *words]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", env=known, timeout=120)
        assert done.returncode == status, (done.returncode, done.stdout[-2000:], done.stderr[-4000:])
        return done


def linked_host(folder: Path, install: Path, *flags: str, libraries: tuple[str, ...] = ()) -> Host:
    """The host as a program that was linked against the real libraries."""
    words = ("host.c", "search.c", f"-L{install / 'lib64'}", "-Wl,--no-as-needed", "-lopapi", "-lnnopbase", *libraries)
    program = compiled(folder / "linked", *words, "-lpthread", "-ldl", flags=("-DLINKED", "-rdynamic", *flags))
    return Host(program, install)


def searching_host(folder: Path, install: Path, *flags: str) -> Host:
    """The host as a program that looks every function up."""
    words = ("host.c", "search.c", "-lpthread", "-ldl")
    return Host(compiled(folder / "searching", *words, flags=("-rdynamic", *flags)), install)
