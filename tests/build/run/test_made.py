"""``opspec run`` makes a simulator of what a program names where it has no libraries, and only there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from opspec.build.used import Program, named
from opspec.cli.main import main
from opspec.registry.registry import Registry
from tests.build.sdk.small import flags
from tests.codegen.stubs.compilers import ran

SOURCE = """
#include "acl/acl.h"
#include "aclnnop/aclnn_add.h"
int main(void)
{
    uint64_t size;
    aclOpExecutor *executor;
    return aclInit(NULL) || aclnnAddGetWorkspaceSize(NULL, NULL, NULL, NULL, &size, &executor) != 161001 ||
        aclFinalize();
}
"""


@pytest.fixture
def program(small_sdk: Path, tmp_path: Path) -> Path:
    """A program that was linked elsewhere: the loader does not find its libraries."""
    source, target = tmp_path / "program.c", tmp_path / "program"
    source.write_text(SOURCE)
    options = [word for word in flags(small_sdk) if "rpath" not in word and word != "-Xlinker"]
    ran("cc", "-std=c11", *options, str(source), "-o", str(target), "-lopapi", "-lascendcl", "-lnnopbase")
    return target


def test_a_program_without_libraries_gets_a_simulator_once(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """It has the program's operators alone, is kept for the next run, and the program's call is judged."""
    monkeypatch.setenv("OPSPEC_CACHE", str(tmp_path / "cache"))
    assert Program(str(program)).lacks_libraries
    for _ in range(2):
        assert main(["run", "--product", "310p", str(program)]) == 1
        report = capfd.readouterr().err
        assert "simulator of CANN 9.1.0 for 310p, 1 operator\n" in report
        assert "1 call of 1 operator on 9.1.0 310p, 1 refused" in report
    (made,) = (tmp_path / "cache" / "sdk").iterdir()
    assert [path.name for path in (made / "include" / "aclnnop").glob("aclnn_*.h")] == [
        "aclnn_add.h",
        "aclnn_util.h",
    ]


def test_a_program_with_libraries_keeps_them(
    program: Path, small_sdk: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", str(small_sdk / "lib64"))
    assert not Program(str(program)).lacks_libraries
    assert main(["run", str(program)]) == 1
    assert "simulator of" not in capfd.readouterr().err


def test_what_names_no_operator_gets_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--product", "910b", "true"]) == 2
    assert "it names no operator of 9.1.0" in capsys.readouterr().err


def test_a_source_names_its_operators(tmp_path: Path) -> None:
    """By either phase, in whatever kind of file; what is no operator is passed over."""
    (tmp_path / "a.cpp").write_bytes(b"\xff aclnnReluGetWorkspaceSize(aclnnNoSuchThing, aclnnStatus) \0aclnnMul\0")
    (tmp_path / "b.c").write_text('#include "aclnnop/aclnn_add.h"\n#include <aclnn_no_such_thing.h>\n')
    (tmp_path / "empty").touch()
    known = Registry().entries("9.1.0")
    found = named([str(tmp_path / "a.cpp"), str(tmp_path / "empty")], known)
    assert [entry.operator for entry in found] == ["aclnnMul", "aclnnRelu"]
    included = {entry.operator for entry in named([str(tmp_path / "b.c")], known)}
    assert included == {"aclnnAdd", "aclnnInplaceAdd", "aclnnAdds", "aclnnInplaceAdds"}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_what_is_being_compiled(tmp_path: Path, number: int) -> None:
    """A compiler that never ends does not keep a build alive: neither it nor anything in the folder is left."""
    compiler, began = tmp_path / "cc", tmp_path / "began"
    compiler.write_text(f'#!/bin/sh\ncase "$*" in *" -c "*) echo $$ >> {began}; exec sleep 1000;; esac\nexec cc "$@"\n')
    compiler.chmod(0o755)
    place = tmp_path / "place"
    place.mkdir()
    command = [sys.executable, "-m", "opspec", "sdk", "build", "--release", "9.1.0", "--product", "910b", "-j", "2"]
    known = {**os.environ, "OPSPEC_CACHE": str(tmp_path / "cache")}
    words = [*command, "--cc", str(compiler), "--out", str(place / "sdk"), "aclnnAdd", "aclnnRelu"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, env=known) as building:
        deadline = time.monotonic() + 60
        while not began.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        building.send_signal(number)
        assert building.communicate(timeout=60)[1] == b"opspec: interrupted\n"
    assert building.returncode == 128 + number
    assert list(place.iterdir()) == []
    for process in began.read_text().split():
        deadline = time.monotonic() + 10
        while Path(f"/proc/{process}/exe").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not Path(f"/proc/{process}/exe").exists()
