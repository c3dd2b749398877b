"""Specs and pages that nearly are ones, given to what reads them."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import yaml

from opspec.errors import OpspecError
from opspec.model.load import load_text
from opspec.yamltext import read
from tests.fuzz import mutate
from tests.fuzz.harness import ended
from tests.paths import REPOSITORY, SHARED
from tests.workshop.importer.building import PAGE


@lru_cache(maxsize=1)
def _specs() -> list[Path]:
    found = sorted((REPOSITORY / "specs" / "9.1.0").rglob("*.yaml"), key=lambda path: path.stat().st_size)
    return found[: len(found) // 2]  # large ones are made of the same


def spec(chance: random.Random) -> str:
    """A spec whose text, or whose tree, is another one: what fits YAML and no model is found by the latter."""
    text = chance.choice(_specs()).read_text(encoding="utf-8")
    if chance.random() < 0.5:
        return mutate.text(chance, text)
    return yaml.safe_dump(mutate.tree(chance, read(text, "spec").value, most=2), allow_unicode=True, sort_keys=False)


def load(inputs: Sequence[str], _folder: Path) -> None:
    """A definition, or what is wrong."""
    for one in inputs:
        with contextlib.suppress(OpspecError):
            load_text(one.encode("utf-8", "surrogatepass"), str(REPOSITORY / "specs" / "9.1.0" / "math" / "made.yaml"))


def lint(inputs: Sequence[str], folder: Path) -> None:
    """Problems, or none."""
    for one in inputs:
        path = folder / "9.1.0" / "math" / "aclnnMade.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(one.encode("utf-8", "surrogatepass"))
        ended(["lint", str(path)])


@lru_cache(maxsize=1)
def _pages() -> list[str]:
    corpus = sorted((SHARED / "docs" / "9.1.0").rglob("*.md")) if SHARED.is_dir() else []
    return [PAGE, *(path.read_text(encoding="utf-8") for path in corpus[::20])]


def page(chance: random.Random) -> str:
    """A page that nearly is one."""
    return mutate.text(chance, chance.choice(_pages()), most=5)


def import_(inputs: Sequence[str], folder: Path) -> None:
    """A draft, or what is wrong."""
    for one in inputs:
        path = folder / "page.md"
        path.write_bytes(one.encode("utf-8", "surrogatepass"))
        ended(["import", str(path), "--release", "9.1.0", "--out", str(folder / "specs"), "--dry-run"])
