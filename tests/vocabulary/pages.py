"""What the tests read from the vendor's pages."""

from __future__ import annotations

import re
from pathlib import Path

from tests.paths import SHARED

REPOSITORIES = ("ops-cv", "ops-math", "ops-nn", "ops-transformer")


def context(repository: str, title: str) -> str:
    """A context page of release 9.1.0."""
    return (SHARED / "docs" / "9.1.0" / repository / "context" / f"{title}.md").read_text(encoding="utf-8")


def operator_pages() -> list[Path]:
    """The operator pages of both releases."""
    pages = (SHARED / "docs").glob("*/*/*/aclnn*.md")
    return sorted(page for page in pages if page.parent.name != "context")


def everything() -> list[Path]:
    """All pages of both releases, and the seeds."""
    return [*sorted((SHARED / "docs").rglob("*.md")), *sorted((SHARED / "seeds").glob("*.txt"))]


def plain(text: str) -> str:
    """Text of a page without tags, entities for spaces and escapes."""
    return re.sub(r"\\(?=[_()])", "", re.sub(r"</?[A-Za-z][^<>]*>", "", text).replace("&nbsp;", " "))


def rows(text: str) -> list[list[str]]:
    """Cells of the lines of Markdown tables, without emphasis; ruler lines are left out."""
    cells = [[cell.strip(" *") for cell in line.strip().strip("|").split("|")] for line in _table_lines(text)]
    return [row for row in cells if not all(re.fullmatch(r":?-+:?", cell) for cell in row)]


def _table_lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip().startswith("|")]


def enum(header: str, name: str) -> dict[str, int]:
    """The enumerators of ``typedef enum {…} name;`` with their values."""
    found = re.search(r"typedef enum[^{]*\{([^}]*)\}\s*" + re.escape(name) + ";", header)
    assert found is not None, name
    body = re.sub(r"/\*.*?\*/|//[^\n]*", "", found[1], flags=re.DOTALL)
    pairs = [re.fullmatch(r"(\w+)\s*=\s*(-?\d+)", item.strip()) for item in body.split(",") if item.strip()]
    assert all(pairs), body
    return {pair[1]: int(pair[2]) for pair in pairs if pair}
