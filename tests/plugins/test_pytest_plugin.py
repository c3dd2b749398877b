"""The plugin of pytest in a project of its own: what is collected, what fails, what it says, what it costs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_check import ARGS, ILLEGAL, LEGAL, OP, lines
from tests.paths import REPOSITORY


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pytest.ini").write_text("[pytest]\nopspec_product = 910b\n")
    return tmp_path


def ran(folder: Path, *words: str) -> tuple[int, str]:
    """(exit status, output) of pytest in a folder. The plugin is named, as entry points do it."""
    known = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    known |= {"PYTHONPATH": str(REPOSITORY), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "opspec.plugins.pytest_plugin"]
    done = subprocess.run([*command, *words], cwd=folder, env=known, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_every_line_of_a_file_of_calls_is_a_test(project: Path) -> None:
    """With the project's product where a line has none; a line with 'expect' is held to that status."""
    without = {key: value for key, value in LEGAL.items() if key not in ("product", "id")}
    refused = {**ILLEGAL, "id": "refused", "expect": "161002"}
    wrong = {**LEGAL, "id": "wrong", "expect": "ACLNN_ERR_PARAM_NULLPTR"}
    (project / "gelu.calls.jsonl").write_text(
        lines(LEGAL, ILLEGAL, without) + "\n{\n" + lines(refused, wrong, {**LEGAL, "op": "aclnnNone"})
    )
    (project / "other.jsonl").write_text(lines(ILLEGAL))
    status, out = ran(project, "-rA")
    told = [line.split() for line in out.splitlines() if line.startswith(("PASSED ", "FAILED "))]
    found = {words[1].removeprefix("gelu.calls.jsonl::"): words[0] for words in told}
    assert found == {
        "1-good": "PASSED", "2-bad": "FAILED", "3": "PASSED", "5": "FAILED", "6-refused": "PASSED", "7-wrong": "FAILED",
        "8-good": "FAILED",
    }  # fmt: skip
    assert status == 1
    assert "9.1.0/aclnnGeluBackwardV2/approximate.enum" in out
    assert "gelu.calls.jsonl:5" in out
    assert "expected ACLNN_ERR_PARAM_NULLPTR" in out
    assert "Traceback" not in out


def test_what_recorded_calls_expect_is_expected_here(project: Path) -> None:
    """``REJECT`` and ``FAILED`` for any failure, ``SUCCESS``: as docs/calls.md has it."""
    expected = [(ILLEGAL, "REJECT"), (ILLEGAL, "FAILED"), (LEGAL, "SUCCESS"), (LEGAL, "REJECT"), (ILLEGAL, "SUCCESS")]
    (project / "x.calls.jsonl").write_text(lines(*({**call, "expect": expect} for call, expect in expected)))
    status, out = ran(project)
    assert (status, "2 failed, 3 passed" in out) == (1, True)
    assert "expected REJECT:" in out


def test_the_fixture_tells_a_bad_argument_in_a_line(project: Path) -> None:
    """And not by the source of opspec, where it was noticed."""
    (project / "test_it.py").write_text(f"def test_bad(opspec_check):\n    opspec_check({OP!r}, gradOutput=3)\n")
    status, out = ran(project)
    assert status == 1
    assert f"{OP}.gradOutput: an object with shape and dtype is expected, found 3" in out
    assert "arguments.py" not in out


def test_the_fixture_asserts_that_a_call_is_legal(project: Path) -> None:
    (project / "test_it.py").write_text(
        f"from opspec import Tensor\n\n\nARGS = {ARGS!r}\n\n\n"
        f"def test_good(opspec_check):\n    assert opspec_check({OP!r}, args=ARGS).product == '910b'\n\n\n"
        f"def test_bad(opspec_check):\n    opspec_check({OP!r}, product='A3', args={{**ARGS, 'approximate': 'sine'}})\n"
    )
    status, out = ran(project)
    assert (status, "1 failed, 1 passed" in out) == (1, True)
    assert f"illegal  {OP}  9.1.0  A3  161002 ACLNN_ERR_PARAM_INVALID" in out
    assert "pytest_plugin.py" not in out


def test_who_does_not_use_it_pays_next_to_nothing(project: Path) -> None:
    """No module of opspec but the plugin's own is loaded by a run that asks for none."""
    (project / "test_it.py").write_text(
        "import sys\n\n\ndef test_loaded():\n"
        "    loaded = {name for name in sys.modules if name.split('.')[0] == 'opspec'}\n"
        "    assert loaded == {'opspec', 'opspec.plugins', 'opspec.plugins.pytest_plugin'}\n"
    )
    assert ran(project)[0] == 0


def test_a_file_that_cannot_be_read_is_an_error_of_one_line(project: Path) -> None:
    (project / "x.calls.jsonl").mkdir()
    (project / "y.calls.jsonl").symlink_to(project / "nowhere")
    (project / "z.calls.jsonl").write_bytes(b"\xff\n" + json.dumps(LEGAL).encode())
    status, out = ran(project, ".", "z.calls.jsonl")
    assert "Traceback" not in out
    assert "not UTF-8" in out
    assert status == 1
