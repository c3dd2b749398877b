"""Status codes of the two-phase interface.

Source: the context page on return codes (names and numbers); the meanings are written for this project.
"""

from __future__ import annotations

from opspec.errors import OpspecError, did_you_mean, shown
from opspec.vocabulary.tables import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SUCCESS = 0
NULLPTR = 161001
INVALID = 161002
RUNTIME = 361001
INFERSHAPE_ERROR = 561001
TILING_ERROR = 561002


def _rows() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = table("status")["codes"]
    return rows


def names() -> tuple[str, ...]:
    """All status names."""
    return tuple(row["name"] for row in _rows())


def canonical(spelling: object) -> str:
    """The name of a status given by name or number.

    Raises:
        OpspecError: unknown.
    """
    for row in _rows():
        if spelling == row["name"] or (not isinstance(spelling, bool) and str(spelling)[:20] == str(row["number"])):
            found: str = row["name"]
            return found
    raise OpspecError(f"unknown status {shown(spelling)}{did_you_mean(str(spelling)[:100], names())}")


def number(spelling: object) -> int:
    """The number of a status given by name or number."""
    wanted = canonical(spelling)
    found: int = next(row["number"] for row in _rows() if row["name"] == wanted)
    return found


def name(code: int) -> str:
    """The name of a status number."""
    return canonical(code)


def meaning(code: int, lang: str) -> str:
    """What a status means, ``en`` or ``zh``."""
    wanted = canonical(code)
    found: str = next(row[lang] for row in _rows() if row["name"] == wanted)
    return found
