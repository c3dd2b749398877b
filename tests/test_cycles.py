"""Promise: no modules import each other in a circle, so that each can be read without what stands above it."""

from __future__ import annotations

import ast
import graphlib
from collections.abc import Iterator
from pathlib import Path

from tests.paths import REPOSITORY

PACKAGE = REPOSITORY / "opspec"


def _name(path: Path) -> str:
    parts = path.relative_to(REPOSITORY).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {_name(path): path for path in PACKAGE.rglob("*.py")}


def _imported(path: Path) -> Iterator[str]:
    """All that a module imports, wherever in it: at its head, for its types alone, or when it comes to that."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in MODULES else node.module


def test_no_module_imports_one_that_imports_it() -> None:
    """Within rooms, where ``lint-imports`` does not look, and between them; imports of types and late ones count."""
    arrows = {name: {*_imported(path)} & MODULES.keys() - {name} for name, path in MODULES.items()}
    assert sum(map(len, arrows.values())) > len(MODULES)
    try:
        graphlib.TopologicalSorter(arrows).prepare()
    except graphlib.CycleError as error:
        raise AssertionError(" -> ".join(reversed(error.args[1]))) from None
