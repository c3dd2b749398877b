"""A layer, and libraries that play the real ones, for tests: built once, with all warnings as errors."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from opspec.cli.main import main
from tests.native.build import CFLAGS, OPSPEC

HERE = Path(__file__).parent
OPERATORS = ("aclnnAdd", "aclnnAbs", "aclnnCat", "aclnnMul")


def compile_(out: Path, *words: str, cc: str = "cc") -> Path:
    """A program or library of files beside the tests."""
    out.parent.mkdir(parents=True, exist_ok=True)
    command = [cc, *CFLAGS, "-I", str(OPSPEC / "sdk" / "include"), "-I", str(HERE), "-o", str(out), *words]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-4000:]
    return out


def source(name: str) -> str:
    return str(HERE / name)


def fake_install(folder: Path) -> Path:
    """Libraries that play the toolkit's, in ``lib64`` of a folder."""
    lib = folder / "lib64"
    shared = ("-fPIC", "-shared", f"-L{lib}", "-Wl,-rpath,$ORIGIN")
    compile_(lib / "libnnopbase.so", *shared, "-Wl,-soname,libnnopbase.so", source("fake_base.c"))
    compile_(
        lib / "libopapi_math.so",
        *shared,
        "-Wl,-soname,libopapi_math.so",
        source("fake_ops.c"),
        "-Wl,--no-as-needed",
        "-lnnopbase",
    )
    compile_(
        lib / "libopapi.so",
        *shared,
        "-Wl,-soname,libopapi.so",
        source("fake_ops.c"),
        "-Wl,--no-as-needed",
        "-lnnopbase",
    )
    return folder


def vendor(folder: Path) -> Path:
    """A vendor's library of operators; it has an aclnnAdd of its own."""
    lib = folder / "op_api" / "lib"
    compile_(
        lib / "libcust_opapi.so", "-DOTHER", "-fPIC", "-shared", "-Wl,-soname,libcust_opapi.so", source("fake_ops.c")
    )
    return folder


def build_layer(out: Path, *words: str, operators: tuple[str, ...] = OPERATORS) -> Path:
    assert main(["layer", "build", "--release", "9.1.0", "--out", str(out), "-j2", *words, *operators]) == 0
    return out


@dataclass(frozen=True, slots=True)
class Host:
    """A program: linked against the real libraries, or one that searches them as torch_npu does."""

    program: Path
    install: Path

    def run(
        self, *words: str, preload: Path | None = None, check: bool = True, **settings: str
    ) -> subprocess.CompletedProcess[str]:
        """Settings in capitals are variables as they are, others OPSPEC_…"""
        known = {name: value for name, value in os.environ.items() if not name.startswith(("OPSPEC_", "ASCEND_"))}
        known |= {"ASCEND_HOME_PATH": str(self.install), "LD_LIBRARY_PATH": str(self.install / "lib64")}
        known |= {name if name.isupper() else f"OPSPEC_{name.upper()}": value for name, value in settings.items()}
        if preload is not None:
            known["LD_PRELOAD"] = str(preload / "libopspec_layer.so")
        done = subprocess.run(
            [str(self.program), *words], capture_output=True, text=True, errors="replace", env=known, timeout=120
        )
        assert not check or done.returncode == 0, (done.returncode, done.stdout, done.stderr)
        return done


def linked_host(folder: Path, install: Path, *flags: str) -> Host:
    lib = install / "lib64"
    words = ("-DLINKED", source("host.c"), f"-L{lib}", "-lopapi_math", "-lnnopbase", "-lpthread", *flags)
    return Host(compile_(folder / "linked", *words), install)


def searching_host(folder: Path, install: Path) -> Host:
    words = ("-rdynamic", source("host.c"), source("search.c"), "-lpthread", "-ldl")
    return Host(compile_(folder / "searching", *words), install)
