"""Promise: of any call there is a program that makes it, which compiles without a warning and ends as was expected."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from opspec.cli.main import main
from tests.cli.test_check import lines

COMPILED = ("-std=c11", "-Wall", "-Wextra", "-Werror", "-Wshadow", "-Wpedantic")
#: operators with every kind of argument between them
VARIOUS = (
    "aclnnAddmm",
    "aclnnGeluBackwardV2",
    *(
        pytest.param(op, marks=pytest.mark.slow)
        for op in ("aclnnIndex", "aclnnStack", "aclnnMaxPool", "aclnnQuantAllReduce")
    ),
)


def tensor(*shape: int, dtype: str = "FLOAT", **more: Any) -> dict[str, Any]:
    return {"tensor": {"shape": list(shape), "dtype": dtype, **more}}


def gelu(out: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"op": "aclnnGelu", "product": "910b", "args": {"self": tensor(2, 16), "out": out}, **more}


def made(folder: Path, *calls: dict[str, Any]) -> list[Path]:
    """The programs of calls, as the command writes them."""
    (folder / "calls.jsonl").write_text(lines(*calls))
    assert main(["reproduce", str(folder / "calls.jsonl"), "--out", str(folder / "programs")]) == 0
    return sorted((folder / "programs").glob("*.c"))


@pytest.mark.parametrize("op", VARIOUS)
def test_the_program_of_a_call_compiles_without_a_warning(
    op: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of legal calls and of those that break something, as ``opspec cases`` makes them."""
    assert main(["cases", op, "--output", "jsonl"]) in (0, 1)
    calls = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    programs = made(tmp_path, *calls[:: max(1, len(calls) // 8)])
    assert programs
    for program in programs:
        subprocess.run(["cc", *COMPILED, "-c", program, "-o", tmp_path / "x.o"], check=True)


def test_it_ends_as_it_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """On the simulator as it is: a legal call succeeds, an illegal one with the status and the rule at its head."""
    huge = {"self": tensor(2**20, 2**12), "out": tensor(2**20, 2**13)}  # more than a program can hold
    calls = [gelu(tensor(2, 16)), gelu(tensor(2, 8)), {**gelu(tensor(2, 8)), "args": huge}]
    programs = made(tmp_path, *calls)
    sdk = tmp_path / "sdk"
    built = ["sdk", "build", "--release", "9.1.0", "--product", "910b", "--out", str(sdk), "aclnnGelu"]
    assert main(built) == 0
    capsys.readouterr()
    for program, status in zip(programs, (0, 161002, 161002), strict=True):
        found = [f"-L{sdk / 'lib64'}", f"-Wl,-rpath,{sdk / 'lib64'}", "-lascendcl", "-lnnopbase", "-lopapi"]
        binary = program.with_suffix("")
        subprocess.run(["cc", *COMPILED, program, *found, "-o", binary], check=True)
        done = subprocess.run([binary], capture_output=True, text=True, check=False)
        assert done.returncode == (1 if status else 0)
        said = program.read_text().partition("*/")[0]
        assert ("success." in said) == (status == 0)
        if status:
            assert f"{status} ACLNN_ERR_PARAM_INVALID" in said
            assert "rule out-same-shape" in said
            assert f"failed with code {status}" in done.stderr


def test_check_writes_the_programs_of_what_is_illegal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The verdicts are what they are without."""
    (tmp_path / "calls.jsonl").write_text(lines(gelu(tensor(2, 16)), gelu(tensor(2, 8))))
    words = ["check", str(tmp_path / "calls.jsonl"), "--product", "910b"]
    assert main(words) == 1
    before = capsys.readouterr()
    assert main([*words, "--reproduce", str(tmp_path / "programs")]) == 1
    assert capsys.readouterr() == before
    assert sorted(path.name for path in (tmp_path / "programs").glob("*.c")) == ["aclnnGelu_2.c"]
    assert main([*words, "--reproduce", str(tmp_path / "calls.jsonl")]) == 2  # output that fails wins
    assert "cannot make the folder" in capsys.readouterr().err


def test_the_log_of_a_failure_is_enough(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As far as it tells the call."""
    log = tmp_path / "plog.txt"
    log.write_text("[ERROR] OP: aclnnGelu failed, error code is 161002\nself's dtype is INT8, which is not supported\n")
    assert main(["reproduce", str(log), "--out", str(tmp_path / "programs")]) == 0
    (path,) = [Path(line) for line in capsys.readouterr().out.splitlines() if line.endswith(".c")]
    assert "ACL_INT8" in path.read_text()


def test_what_cannot_be_written_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each call by itself; the others are written."""
    (tmp_path / "calls.jsonl").write_text(lines(gelu(tensor(2, 16)), {"op": "aclnnNope", "args": {}}) + "{\n")
    assert main(["reproduce", str(tmp_path / "calls.jsonl"), "--out", str(tmp_path)]) == 2
    told = capsys.readouterr()
    assert [Path(line).name for line in told.out.splitlines()] == ["aclnnGelu_1.c"]
    assert "calls.jsonl:2: unknown operator 'aclnnNope'" in told.err
    assert "calls.jsonl:3" in told.err
    (tmp_path / "empty.txt").write_text("nothing\n")
    assert main(["reproduce", str(tmp_path / "empty.txt"), "--out", str(tmp_path)]) == 2
    assert main(["reproduce", str(tmp_path / "nowhere.txt"), "--out", str(tmp_path)]) == 2
