"""What those who change opspec are told is true: where things are, what runs where, in which order rooms stand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.paths import REPOSITORY as ROOT

PYPROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
CI = (ROOT / ".ci" / "run").read_text(encoding="utf-8")

#: where a path in a text may begin
STARTS = (".", "opspec", "tests", "opspec/workshop")


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_every_file_that_is_named_is_there(page: str) -> None:
    """By its place below the repository or a room, with or without ``.py``; a module by its name alone.

    Nothing beside the repository counts: a clone has to be enough.
    """
    words = re.findall(r"`([\w.]+(?:/[\w.\[\]]*)+|\w+\.py)`", (ROOT / page).read_text(encoding="utf-8"))
    named = {word.replace("[ch]", "c") for word in words if not word.startswith("specs/R")}
    assert len(named) > 10
    modules = {path.name for start in ("opspec", "tests") for path in (ROOT / start).rglob("*.py")}
    assert [name for name in named if name not in modules and not _there(name)] == []


def _there(name: str) -> bool:
    places = [(ROOT / start / f"{name}{end}").resolve() for start in STARTS for end in ("", ".py")]
    return any(place.exists() and place.is_relative_to(ROOT) for place in places)


def test_every_room_is_drawn_and_held_to_its_place() -> None:
    """The table of ARCHITECTURE.md, the layers that lint-imports knows, and the folders are the same."""
    folder = ROOT / "opspec"
    rooms = {path.name for path in folder.iterdir() if path.is_dir() and any(path.glob("**/*.*"))}
    rooms |= {path.stem for path in folder.glob("[a-z]*.py")}
    rooms = {name for name in rooms if not name.startswith("_")}
    layers = re.search(r"^layers = \[(.*?)^\]", PYPROJECT, re.M | re.S)
    assert layers is not None
    held = re.findall(r"\w+", layers[1])
    table = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").split("\n\nBeside it", 1)[0]
    drawn = [name for row in re.findall(r"^\| (`.*?) \|", table, re.M) for name in re.findall(r"`(\w+)`", row)]
    assert sorted(drawn) == sorted(held) == sorted(rooms)


def test_ci_runs_what_the_default_leaves_out() -> None:
    """No promise is lost: each marker that ``pytest`` alone deselects is selected by a step of CI."""
    addopts = re.search(r'^addopts = "(.*)"', PYPROJECT, re.M)
    assert addopts is not None
    left_out = set(re.findall(r"not (\w+)", addopts[1]))
    chosen = set(re.findall(r'chosen="(?:\$chosen or )?([\w ]+)"', CI))
    steps = {name for words in chosen for name in words.split(" or ")}
    assert left_out == steps == {"slow", "corpus", "headers", "browser", "torch"}


def test_what_the_site_is_asked_lies_in_its_folder() -> None:
    """There CI's step of the site looks for tests of a browser and of all operators in Node, and nowhere else."""
    asked = ("pytest.mark.browser",), ("pytest.mark.slow", "pytest.mark.node")
    texts = {path: path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")}
    found = {path for path, text in texts.items() if any(all(mark in text for mark in marks) for marks in asked)}
    assert {path.parent for path in found - {Path(__file__)}} == {ROOT / "tests" / "site"}


def test_every_step_of_ci_is_run() -> None:
    """A step that only its name starts would be forgotten."""
    steps = re.findall(r"^([a-z0-9]+)\(\) \{ # ", CI, re.M)
    order = CI.split("# --- order", 1)[1].split("exit\nfi", 1)[1]
    assert [step for step in steps if not re.search(rf"\b{step}\b", order)] == []


def test_the_release_has_a_section_in_the_changelog() -> None:
    """By the version that the package states."""
    version = re.search(r'__version__ = "(.*)"', (ROOT / "opspec" / "__init__.py").read_text(encoding="utf-8"))
    assert version is not None
    assert f"\n## {version[1]}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_no_package_is_without_its_docstring() -> None:
    """The first thing that a newcomer reads; a package whose ``__init__.py`` is misspelt has none, either."""
    packages = {path.parent for path in (ROOT / "opspec").rglob("*.py")}
    without = [path for path in packages if not _docstring(path / "__init__.py")]
    assert without == []


def _docstring(path: Path) -> bool:
    return path.is_file() and path.read_text(encoding="utf-8").startswith('"""')
