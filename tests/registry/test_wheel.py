"""The wheel works on its own: it carries specs, templates and compiled forms, and a check uses them from anywhere.

One that is built without compiled forms compiles what is checked when it is.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from opspec import archive
from opspec.model.ledger import path_beside
from opspec.registry import shipped
from tests.committed import SPECS, operators, sample, with_parents
from tests.once import once
from tests.paths import REPOSITORY as ROOT

LIMIT = 6_000_000  # bytes of a wheel with three releases: who downloads it, keeps it in caches and images


pytestmark = pytest.mark.slow  # compiles the specs of all operators


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that ``pip install .`` makes, with what is installed here: by the first worker that needs it."""
    return built(tmp_path_factory, "shipped", "")


@pytest.fixture(scope="module")
def plain_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel without compiled forms."""
    return built(tmp_path_factory, "plain", "0")


def built(tmp_path_factory: pytest.TempPathFactory, name: str, compiled: str) -> Path:
    """A wheel, once for all workers of a run."""
    folder = once(tmp_path_factory, f"wheel-{name}", lambda folder: build(folder, compiled))
    return next(folder.glob("opspec-*.whl"))


def build(folder: Path, compiled: str) -> None:
    """Build a wheel into a folder."""
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(folder)]
    environment = {**os.environ, "OPSPEC_COMPILED": compiled}
    subprocess.run([*command, str(ROOT)], env=environment, check=True, capture_output=True)


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clean environment with nothing but the wheel: a check needs none of its dependencies."""
    return installed(wheel, tmp_path_factory.mktemp("venv"))


def installed(wheel: Path, home: Path) -> Path:
    """The interpreter of a clean environment with a wheel in it."""
    venv.create(home, with_pip=False)
    interpreter = home / "bin" / "python"
    target = subprocess.run(
        [interpreter, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True, capture_output=True, text=True,
    ).stdout.strip()  # fmt: skip
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-compile", "--target", target]
    subprocess.run([*command, str(wheel)], check=True)
    return interpreter


def run(python: Path, folder: Path, *words: str, text: str = "") -> subprocess.CompletedProcess[str]:
    """Run ``opspec`` of the clean environment in a folder, with a cache that cannot be used."""
    environment = {"PATH": "/usr/bin:/bin", "OPSPEC_CACHE": "/proc/nowhere", "LANG": "C.UTF-8"}
    command = [str(python), "-m", "opspec", *words]
    return subprocess.run(command, cwd=folder, env=environment, input=text, capture_output=True, text=True, check=False)


def test_it_carries_specs_templates_and_compiled_forms(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    specs = {name.removeprefix("opspec/specs/") for name in names if name.startswith("opspec/specs/")}
    compiled = {name.removeprefix("opspec/_compiled/") for name in names if name.startswith("opspec/_compiled/")}
    assert specs == {archive.ARCHIVE, archive.INDEX}
    assert compiled == {shipped.ENGINE, shipped.INDEX, shipped.FORMS}
    assert "opspec/templates/language.md.j2" in names
    assert "opspec/vocabulary/data/dtypes.json" in names
    assert "opspec/py.typed" in names
    assert wheel.stat().st_size <= LIMIT


def test_where_asked_to_it_carries_specs_alone_and_an_operator_is_compiled_when_it_is_first_checked(
    plain_wheel: Path, tmp_path: Path
) -> None:
    """Its dependencies are those of this environment; the form is kept in the cache and found there again."""
    names = zipfile.ZipFile(plain_wheel).namelist()
    assert f"opspec/specs/{archive.ARCHIVE}" in names
    assert not any(name.startswith("opspec/_compiled") for name in names)
    with zipfile.ZipFile(plain_wheel) as packed:
        packed.extractall(tmp_path / "site")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "site"), "OPSPEC_CACHE": str(tmp_path / "cache")}
    calls = (ROOT / "examples" / "gelu_backward.jsonl").read_text(encoding="utf-8")
    command = [sys.executable, "-P", "-m", "opspec", "check", "--output", "summary-json"]
    kept = []
    for _ in ("compile", "use"):
        result = subprocess.run(
            command, cwd=tmp_path, env=environment, input=calls, capture_output=True, text=True, check=False
        )
        assert (result.returncode, result.stderr) == (1, "")
        assert json.loads(result.stdout)["legal"] == 1
        kept.append({path.name: path.stat().st_mtime_ns for path in (tmp_path / "cache").rglob("*.py")})
    assert len(kept[0]) == 1
    assert kept[0] == kept[1]


def test_a_check_runs_from_another_folder_without_any_dependency(python: Path, tmp_path: Path) -> None:
    """Not even pydantic is there: only a shipped compiled form can have been used."""
    calls = (ROOT / "examples" / "gelu_backward.jsonl").read_text(encoding="utf-8")
    result = run(python, tmp_path, "check", "--output", "jsonl", text=calls)
    assert result.returncode == 1, result.stderr
    verdicts = [json.loads(line) for line in result.stdout.splitlines()]
    assert [verdict["code"] for verdict in verdicts] == [0, 161002]
    assert verdicts[1]["violations"][0]["rule"] == "out-dtype"


#: Runs checks in a process where everything is installed, and prints what they brought along.
_PROBE = """
import io, sys
from opspec.cli.main import main
calls = sys.stdin.read()
for words in (["check"], ["check", "--output", "jsonl", "--lang", "zh"], ["check", "--product", "all"]):
    sys.stdin = io.StringIO(calls)
    status = main(words)
print(*sorted({name.split(".")[0] for name in sys.modules}), file=sys.stderr)
sys.exit(status)
"""
HEAVY = {"pydantic", "pydantic_core", "yaml", "jinja2", "rich", "typing", "inspect", "dataclasses", "difflib", "numpy"}


@pytest.mark.parametrize("line", [0, 1], ids=["legal", "illegal"])
def test_a_check_imports_nothing_heavy_even_where_it_is_installed(line: int, tmp_path: Path) -> None:
    """Neither does explaining a violation: once the form is compiled, reading specs is over."""
    calls = (ROOT / "examples" / "gelu_backward.jsonl").read_text(encoding="utf-8").splitlines()
    environment = {**os.environ, "OPSPEC_CACHE": str(tmp_path)}
    for _ in ("compile", "use"):
        result = subprocess.run(
            [sys.executable, "-c", _PROBE],
            env=environment,
            input=calls[line],
            capture_output=True,
            text=True,
            check=False,
        )
        assert result.returncode == line, result.stderr
    imported = set(result.stderr.split())
    assert "opspec" in imported
    assert imported & HEAVY <= ({"typing"} if "typing" in _bare_modules() else set())


def _bare_modules() -> set[str]:
    """What an interpreter of this environment imports before any program: .pth files may bring more."""
    result = subprocess.run(
        [sys.executable, "-c", "import sys, argparse, json; print(*sys.modules)"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return {name.split(".")[0] for name in result.stdout.split()}


def test_the_mark_of_the_engine_hangs_on_sources_alone(tmp_path: Path) -> None:
    """Two builds of the same sources are the same: times, folder, hash seed and number of processes do not matter."""
    homes = [copied(tmp_path / name) for name in ("one", "other")]
    for path in (homes[1] / "opspec").rglob("*.py"):
        os.utime(path, (1, 1))
    made = []
    for number, home in enumerate(homes):
        target = tmp_path / f"forms{number}"
        script = f"import sys; sys.path.insert(0, {str(home)!r}); from opspec.registry.ship import ship"
        environment = {**os.environ, "PYTHONHASHSEED": str(number)}
        command = [sys.executable, "-P", "-c", f"{script}; ship({str(target)!r}, {number + 1})"]
        subprocess.run(command, env=environment, cwd=tmp_path, check=True)
        made.append({str(path.relative_to(target)): path.read_bytes() for path in target.rglob("*") if path.is_file()})
    assert made[0] == made[1]
    forms = made[0][shipped.INDEX].decode().split("\n")[len(shipped.TOGETHER) : -1]  # behind where packs begin
    assert len(forms) == len(operators(with_parents(sample(30))))


def copied(home: Path) -> Path:
    """The package and a sample of the specs, with what they extend, in another folder."""
    shutil.copytree(ROOT / "opspec", home / "opspec", ignore=shutil.ignore_patterns("__pycache__"))
    for path in with_parents(sample(30)):
        target = home / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
        shutil.copyfile(path_beside(str(path)), path_beside(str(target)))
        for name in ("kernels.jsonl", "evidence.jsonl"):
            beside = path.parent.parent / name
            if beside.exists():
                shutil.copyfile(beside, target.parent.parent / name)
    return home


def test_an_edited_copy_of_a_spec_is_compiled_anew(python: Path, tmp_path: Path) -> None:
    """Here that cannot succeed, for want of pydantic: what matters is that the shipped form is not served."""
    calls = (ROOT / "examples" / "gelu_backward.jsonl").read_text(encoding="utf-8")
    specs = next(path for path in SPECS if path.stem == "aclnnGeluBackwardV2" and "9.1.0" in path.parts)
    copy = tmp_path / specs.relative_to(ROOT)
    copy.parent.mkdir(parents=True)
    copy.write_bytes(specs.read_bytes() + b"# edited\n")
    result = run(python, tmp_path, "check", "--specs", str(tmp_path / "specs"), text=calls)
    assert "legal" not in result.stdout
    assert "pydantic" in result.stderr or "yaml" in result.stderr
    assert run(python, tmp_path, "check", text=calls).returncode == 1


#: prints what a package knows of some operators, by folder and by archive alike
_DEFINED = """
import sys
from opspec.registry import folders
from opspec.registry.compile import compile_operator
from opspec.registry.registry import Registry, definition_of
known = Registry()
for release in known.releases():
    entries = known.entries(release)
    print(release, len(entries), *sorted(entries))
    for name in sys.argv[1:]:
        if name in entries:
            definition = definition_of(entries[name])
            print(compile_operator(definition).source, definition.clauses, definition.places)
"""


def test_the_archive_gives_the_definitions_that_the_folder_gives(plain_wheel: Path, tmp_path: Path) -> None:
    """Operators, what they inherit, ledgers, kernels and evidence; an error names the path as if it were a folder."""
    with zipfile.ZipFile(plain_wheel) as packed:
        packed.extractall(tmp_path)
    names = [name for _, name in operators(with_parents(sample(40)))]
    said = [
        subprocess.run(
            [sys.executable, "-P", "-c", _DEFINED, *names], env={**os.environ, "PYTHONPATH": str(home)},
            cwd=tmp_path, capture_output=True, text=True, check=True,
        ).stdout
        for home in (ROOT, tmp_path)
    ]  # fmt: skip
    assert said[0] == said[1]


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
    assert int(result.stdout) == len(operators(SPECS))
