"""The wheel works on its own: it carries specs, templates and compiled forms, and a check uses them from anywhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
LIMIT = 10 * 1024 * 1024


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's wheel, built with what is installed here."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        str(folder),
        str(ROOT),
    ]
    subprocess.run(command, check=True, capture_output=True)
    return next(folder.glob("opspec-*.whl"))


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clean environment with nothing but the wheel: a check needs none of its dependencies."""
    home = tmp_path_factory.mktemp("venv")
    venv.create(home, with_pip=False)
    interpreter = home / "bin" / "python"
    target = subprocess.run(
        [interpreter, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True, capture_output=True, text=True,
    ).stdout.strip()  # fmt: skip
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", target, str(wheel)], check=True
    )
    return interpreter


def run(python: Path, folder: Path, *words: str, text: str = "") -> subprocess.CompletedProcess[str]:
    """Run ``opspec`` of the clean environment in a folder, with a cache that cannot be used."""
    environment = {"PATH": "/usr/bin:/bin", "OPSPEC_CACHE": "/proc/nowhere", "LANG": "C.UTF-8"}
    command = [str(python), "-m", "opspec", *words]
    return subprocess.run(command, cwd=folder, env=environment, input=text, capture_output=True, text=True, check=False)


def test_it_carries_specs_templates_and_compiled_forms(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    specs = [name for name in names if name.startswith("opspec/specs/") and name.endswith(".yaml")]
    compiled = [name for name in names if name.startswith("opspec/_compiled/") and name.endswith(".py")]
    assert len(specs) == len(list((ROOT / "specs").glob("*/*/*.yaml")))
    assert len(compiled) >= len(specs)
    assert "opspec/templates/language.md.j2" in names
    assert "opspec/vocabulary/data/dtypes.json" in names
    assert "opspec/py.typed" in names
    assert wheel.stat().st_size < LIMIT


def test_a_check_runs_from_another_folder_without_any_dependency(python: Path, tmp_path: Path) -> None:
    """Not even pydantic is there: only a shipped compiled form can have been used."""
    calls = (ROOT / "examples" / "gelu_backward.jsonl").read_text(encoding="utf-8")
    result = run(python, tmp_path, "check", "--output", "jsonl", text=calls)
    assert result.returncode == 1, result.stderr
    verdicts = [json.loads(line) for line in result.stdout.splitlines()]
    assert [verdict["code"] for verdict in verdicts] == [0, 161002]
    assert verdicts[1]["violations"][0]["rule"] == "out-dtype"


def test_every_operator_has_a_shipped_form(python: Path, tmp_path: Path) -> None:
    script = (
        "from opspec import Registry\n"
        "known = Registry()\n"
        "print(len([known.form(op, r).judge for r in known.releases() for op in known.entries(r)]))"
    )
    environment = {"PATH": os.environ["PATH"], "OPSPEC_CACHE": "/proc/nowhere"}
    result = subprocess.run(
        [str(python), "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert int(result.stdout) == len(list((ROOT / "specs").glob("*/*/*.yaml")))
