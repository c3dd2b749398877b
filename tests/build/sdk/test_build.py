"""An SDK builds and is used like a CANN install: link lines, CMake, setenv.sh, another place; and is there whole."""

from __future__ import annotations

import csv
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from opspec.build import layout
from opspec.build.groups import GROUPS
from opspec.build.layout import library_names
from tests.build.sdk.small import LIBRARIES, OPERATORS, build_small, flags
from tests.codegen.stubs.compilers import ran
from tests.paths import SHARED, needs_shared

PROGRAM = Path(__file__).parent / "program.c"
QUIET = {"OPSPEC_OUTPUT": "none"}
LINK_LINES = {
    "older": ("-lascendcl", "-lnnopbase", "-lopapi"),
    "by group": LIBRARIES,
    "run time": (*LIBRARIES[:4], "-lacl_rt", "-lnnopbase", "-lhccl", "-lhccl_fwk", "-lc_sec"),
}
LANGUAGES = {"c11": ("cc", "-std=c11"), "c++17": ("c++", "-std=c++17", "-x", "c++")}


def built(
    folder: Path, options: tuple[str, ...], libraries: tuple[str, ...], header: str = "aclnnop/aclnn_add.h"
) -> str:
    """The path of the program, compiled and linked."""
    target = folder / "program"
    words = ("-Wall", "-Wextra", "-Werror", f'-DHEADER="{header}"', str(PROGRAM), "-o", str(target))
    ran(*options, *words, *(("-x", "none") if "-x" in options else ()), *libraries)
    return str(target)


def output(program: str, **environment: str) -> str:
    """What a program prints; it must end well."""
    known = {**os.environ, **QUIET, **environment}
    done = subprocess.run([program], env=known, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("line", LINK_LINES)
def test_link_lines(small_sdk: Path, tmp_path: Path, line: str, language: str) -> None:
    program = built(tmp_path, (*LANGUAGES[language], *flags(small_sdk)), LINK_LINES[line])
    assert output(program) == "soc Ascend910B1\n"


@pytest.mark.parametrize("header", ["aclnnop/level2/aclnn_add.h", "aclnn_add.h"])
def test_other_places_of_a_header(small_sdk: Path, tmp_path: Path, header: str) -> None:
    built(tmp_path, ("cc", "-std=c11", *flags(small_sdk)), LIBRARIES, header)


@pytest.mark.parametrize("shell", ["bash", "sh", "zsh"])
@pytest.mark.parametrize("place", [".", "/"])
def test_setenv(small_sdk: Path, tmp_path: Path, shell: str, place: str) -> None:
    """After it a compiler needs no path; it may be sourced twice, by any path, and under ``set -eu``."""
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")
    script = "./setenv.sh" if place == "." else str(small_sdk / "setenv.sh")
    lines = [
        "set -eu", f". {script}", f". {script}", 'echo "$ASCEND_HOME_PATH $ASCEND_TOOLKIT_HOME"',
        'echo "$LD_LIBRARY_PATH"',
        f"cc -std=c11 '-DHEADER=\"aclnn_add.h\"' {PROGRAM} -o {tmp_path}/program {' '.join(LIBRARIES)}",
        f"{tmp_path}/program",
    ]  # fmt: skip
    names = ("LD_LIBRARY_PATH", "LIBRARY_PATH", "CPATH", "ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME")
    known = {name: value for name, value in os.environ.items() if name not in names} | QUIET
    where = small_sdk if place == "." else place
    done = subprocess.run(
        [shell, "-c", "\n".join(lines)], cwd=where, env=known, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert done.stdout == f"{small_sdk} {small_sdk}\n{small_sdk}/lib64\nsoc Ascend910B1\n"


def test_cmake_package(small_sdk: Path, tmp_path: Path) -> None:
    if shutil.which("cmake") is None:
        pytest.skip("no cmake here")
    (tmp_path / "CMakeLists.txt").write_text(
        f"""cmake_minimum_required(VERSION 3.16)
project(host C)
find_package(opspec-sdk 9.1 REQUIRED)
add_executable(program {PROGRAM})
target_compile_definitions(program PRIVATE HEADER="aclnnop/aclnn_add.h")
target_link_libraries(program opapi_math ascendcl nnopbase)
"""
    )
    ran("cmake", "-S", str(tmp_path), "-B", str(tmp_path / "made"), f"-DCMAKE_PREFIX_PATH={small_sdk}")
    ran("cmake", "--build", str(tmp_path / "made"))
    assert output(str(tmp_path / "made" / "program")) == "soc Ascend910B1\n"


def test_it_may_be_moved(small_sdk: Path, tmp_path: Path) -> None:
    """Libraries find each other where they lie, and setenv.sh finds the SDK."""
    moved = tmp_path / "moved away"
    shutil.copytree(small_sdk, moved, symlinks=True)
    program = built(tmp_path, ("cc", "-std=c11", *flags(small_sdk)[:3]), LIBRARIES)
    assert output(program, LD_LIBRARY_PATH=str(moved / "lib64")) == "soc Ascend910B1\n"
    needed = ran("ldd", str(moved / "lib64" / "libopapi_math.so"))
    assert f"{moved}/lib64/libnnopbase.so" in needed
    assert str(small_sdk) not in needed
    shown = ran("bash", "-c", f'. "{moved}/set_env.sh"; echo "$ASCEND_HOME_PATH"; ls -d "$ASCEND_OPP_PATH"')
    assert shown == f"{moved}\n{moved}/opp\n"


def test_libraries_have_all_their_names(small_sdk: Path) -> None:
    folder = small_sdk / "lib64"
    assert {path.name for path in folder.glob("*.so")} == {f"lib{name}.so" for name in library_names()}
    assert (folder / "libacl_rt.so").resolve().name == "libascendcl.so"
    assert (folder / "libhccl_fwk.so").resolve().name == "libhccl.so"
    assert (small_sdk / "lib").resolve() == folder.resolve()


def test_operators_are_in_the_library_of_their_group_and_in_the_one_of_all(small_sdk: Path) -> None:
    """They export operators alone: a framework takes an exported name for an operator that exists."""
    exported = {name: _exported(small_sdk, name) for name in ("opapi", *(f"opapi_{group}" for group in GROUPS))}
    assert {"aclnnAdd", "aclnnAddGetWorkspaceSize", "aclnnCat"} <= exported["opapi_math"]
    assert {"aclnnMatmul", "aclnnRelu", "aclnnCalculateMatmulWeightSize"} <= exported["opapi_nn"] | exported[
        "opapi_math"
    ]
    assert "aclnnGridSampler2D" in exported["opapi_cv"]
    assert "aclnnMatmulAllReduce" in exported["opapi_transformer"]
    by_group = [{name for name in exported[f"opapi_{group}"] if name.startswith("aclnn")} for group in GROUPS]
    assert sum(map(len, by_group)) == len(exported["opapi"])
    assert set().union(*by_group) == exported["opapi"] >= set(OPERATORS)
    assert all(name.startswith("aclnn") for name in exported["opapi"])


@needs_shared
def test_headers_have_the_names_that_cann_gives_them(small_sdk: Path) -> None:
    """And every operator is declared in the one that it is known to be in; only those of unknown header are assumed."""
    built_in = set(layout.read_mark(str(small_sdk))["operators"])  # type: ignore[call-overload]
    known: dict[str, str] = {}
    for name, column in (("headers.csv", "operator"), ("functions.csv", "function")):
        with open(SHARED / name, encoding="utf-8", newline="") as file:
            known |= {row[column]: row["header"].removeprefix("aclnnop/") for row in csv.DictReader(file)}
    known = {operator: known[operator] for operator in built_in if known.get(operator)}
    assert len(known) >= len(OPERATORS)
    for operator, header in known.items():
        text = (small_sdk / "include" / "aclnnop" / header).read_text()
        assert f"aclnnStatus {operator}(" in text
        assert (small_sdk / "include" / "aclnnop" / "level2" / header).is_file()


def test_every_declared_function_is_there(small_sdk: Path, tmp_path: Path) -> None:
    """What a header declares, a library has: a program that compiles links."""
    if shutil.which("clang++") is None:
        pytest.skip("needs clang++")
    from tests.build.sdk.declarations import declarations

    headers = ("acl/acl.h", "acl/acl_op_compiler.h", "aclnn/aclnn_base.h", "hccl/hccl.h", "securec.h")
    found = declarations(headers, ("-I", str(small_sdk / "include")), tmp_path)
    declared = {name for name, text in found.items() if text.startswith("function") and _is_ours(name)}
    there = set().union(*(_exported(small_sdk, library.name) for library in layout.LIBRARIES))
    assert sorted(declared - there - {"HcclCommConfigInit"}) == []  # which is inline


def _is_ours(name: str) -> bool:
    return name.startswith(("acl", "Hccl")) or name.endswith("_s")


def _exported(sdk: Path, library: str) -> set[str]:
    shown = ran("nm", "-D", "--defined-only", str(sdk / "lib64" / f"lib{library}.so"))
    return {line.split()[-1] for line in shown.splitlines() if line}


# --- the build itself


def test_odd_paths(tmp_path: Path) -> None:
    """A folder with spaces and commas, behind a link: the link stays."""
    place = tmp_path / "a, b 'c'"
    place.mkdir()
    (tmp_path / "link").symlink_to(place)
    assert build_small(tmp_path / "link", "aclnnAdd") == 0
    assert build_small(tmp_path / "link", "aclnnAdd") == 0
    assert (tmp_path / "link").is_symlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == [place.name, "link"]
    shown = ran("sh", "-c", f'. "{place}/setenv.sh"; echo "$LD_LIBRARY_PATH"', cwd=tmp_path)
    assert shown.split(":")[0].strip() == f"{place}/lib64"
    built(tmp_path, ("cc", "-std=c11", *flags(place)), ("-lascendcl", "-lnnopbase", "-lopapi"))


def test_nothing_is_compiled_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Builds take each other's objects from the cache, wherever they are made; an SDK has only what it is made for."""
    monkeypatch.setenv("OPSPEC_CACHE", str(tmp_path / "cache"))
    assert build_small(tmp_path / "first", "aclnnAdd", "aclnnRelu") == 0
    kept = {path: path.stat().st_ino for path in (tmp_path / "cache" / "objects").rglob("*.o")}
    assert {path.parent.name for path in kept} >= {"aclnnAdd", "aclnnRelu"}
    sdk = tmp_path / "second"
    assert build_small(sdk, "aclnnRelu") == 0
    assert {path: path.stat().st_ino for path in (tmp_path / "cache" / "objects").rglob("*.o")} == kept
    assert "aclnnAdd" not in _exported(sdk, "opapi")
    assert not (sdk / "include" / "aclnnop" / "aclnn_add.h").exists()
    assert not list(sdk.rglob("*.o"))


def test_a_build_that_fails_leaves_what_was_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sdk = tmp_path / "sdk"
    assert build_small(sdk, "aclnnRelu", options=("--headers-only",)) == 0
    before = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*"))
    compiler = tmp_path.parent / f"{tmp_path.name}-cc"
    compiler.write_text(
        '#!/bin/sh\ncase "$*" in *aclnnRelu*) echo "x.c:1: error: no" >&2; exit 1;; esac\nexec cc "$@"\n'
    )
    compiler.chmod(0o755)
    capsys.readouterr()
    assert build_small(sdk, "aclnnRelu", options=("--cc", str(compiler))) == 2
    error = capsys.readouterr().err
    assert "cannot compile aclnnRelu.c" in error
    assert "x.c:1: error: no" in error
    assert sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*")) == before


def test_a_build_that_is_ended_leaves_nothing(tmp_path: Path) -> None:
    """Neither a folder nor a process."""
    command = [sys.executable, "-m", "opspec", "sdk", "build", "--release", "9.1.0", "--product", "910b", "-j", "2"]
    with subprocess.Popen([*command, "--out", str(tmp_path / "sdk"), *OPERATORS], stderr=subprocess.PIPE) as building:
        deadline = time.monotonic() + 60
        while not list(tmp_path.glob(".sdk.*/.build/*.o")) and time.monotonic() < deadline:
            time.sleep(0.05)
        building.terminate()
        _, error = building.communicate(timeout=60)
    assert building.returncode == 128 + signal.SIGTERM
    assert error == b"opspec: interrupted\n"
    assert list(tmp_path.iterdir()) == []
