"""Promise: what PyTorch calls is written as it was called, with what it returned, and read by the commands."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

import opspec.torch
from opspec.cli.main import main
from opspec.errors import OpspecError

opspec.torch.install()


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_model_is_recorded_and_the_commands_read_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Judged from the file as while it runs."""
    path = tmp_path / "calls.jsonl"
    model = nn.Sequential(nn.Linear(64, 128), nn.GELU(), nn.LayerNorm(128))
    with opspec.torch.record(path, product="910b") as report:
        model(torch.zeros(4, 64)).sum().backward()
    model.zero_grad()
    with opspec.torch.check(product="910b") as checked:
        model(torch.zeros(4, 64)).sum().backward()
    found = lines(path)
    assert len(found) == report.judged == checked.judged
    assert {call["expect"] for call in found} == {"ACLNN_SUCCESS"}
    assert {call["x-module"] for call in found} >= {"Sequential.0", "Sequential.2"}
    assert main(["check", str(path)]) == (0 if checked else 1)
    assert main(["conformance", str(path), "--release", "9.1.0"]) in (0, 1)
    capsys.readouterr()


def test_a_call_that_fails_says_its_status_and_message(tmp_path: Path) -> None:
    """As torch_npu words it; its outputs are those that the call would have made."""
    path = tmp_path / "calls.jsonl"
    said = "call aclnnAbs failed, detail: EZ1001 ... error code is 561003"

    def failing(*_: Any, **__: Any) -> None:
        raise RuntimeError(said)

    x = torch.zeros(2, 3)
    with torch.library._scoped_library("aten", "IMPL") as library:
        library.impl("abs", failing, "CPU", allow_override=True)
        with opspec.torch.record(path), pytest.raises(RuntimeError):
            torch.abs(x)
    (call,) = lines(path)
    assert (call["op"], call["expect"], call["said"]) == ("aclnnAbs", "ACLNN_ERR_INNER_FIND_KERNEL_ERROR", said)
    assert call["args"]["out"]["tensor"]["shape"] == [2, 3]


def test_a_version_of_cann_is_read_as_the_nearest_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As ``check`` reads it, named by the caller or by the environment; the report says so."""
    for release, named in (("8.5.2", None), (None, "8.5.2")):
        path = tmp_path / f"{release}.jsonl"
        monkeypatch.setenv("OPSPEC_RELEASE", named or "")
        with opspec.torch.record(path, release=release) as report:
            torch.abs(torch.zeros(2, 3))
        assert {call["release"] for call in lines(path)} == {"8.5.0"}
        assert "CANN 8.5.2" in str(report)


def test_threads_do_not_mix_their_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each with a record of its own, into one file that the environment names."""
    path = tmp_path / "calls.jsonl"
    monkeypatch.setenv("OPSPEC_RECORD", str(path))

    def run() -> None:
        with opspec.torch.record():
            for _ in range(50):
                torch.abs(torch.zeros(2, 3))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [call["op"] for call in lines(path) if call["op"] == "aclnnAbs"] == ["aclnnAbs"] * 200


def test_a_file_that_cannot_be_written_is_said_before_anything_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPSPEC_RECORD", raising=False)
    for path, said in ((tmp_path, "Is a directory"), ("", "no file to record to")):
        with pytest.raises(OpspecError, match=said), opspec.torch.record(path):
            raise AssertionError("it runs")
