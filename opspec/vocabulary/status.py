"""Status codes of the two-phase interface.

Source: the context page on return codes (names and numbers); the meanings are written for this project.
"""

from __future__ import annotations

import functools

from opspec.errors import OpspecError, UnknownNameError, shown, unknown
from opspec.vocabulary.names import LONGEST
from opspec.vocabulary.tables import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec.vocabulary.literals import Lang, Status

SUCCESS = 0
NULLPTR = 161001
INVALID = 161002
RUNTIME = 361001
INNER = 561000
INFERSHAPE_ERROR = 561001
TILING_ERROR = 561002
FIND_KERNEL_ERROR = 561003
CREATE_EXECUTOR = 561101
INNER_NULLPTR = 561103
#: what first phases return of arguments; other statuses tell of the installation, or of how a program uses handles
OF_ARGUMENTS = frozenset((NULLPTR, INVALID, INNER, INFERSHAPE_ERROR, TILING_ERROR, FIND_KERNEL_ERROR, INNER_NULLPTR))

REJECT = "REJECT"  #: what a recorded call says that failed, and not with which status
_OUTCOMES = {"SUCCESS": "ACLNN_SUCCESS", "FAILED": REJECT, REJECT: REJECT}  # as tests of tilings have it


@functools.cache
def _rows() -> dict[Status, dict[str, Any]]:
    return {row["name"]: row for row in table("status")["codes"]}


@functools.cache
def _numbers() -> dict[str, int]:
    return {name_: row["number"] for name_, row in _rows().items()}


@functools.cache
def _spellings() -> dict[str, Status]:
    known: dict[str, Status] = {}
    for name_, row in _rows().items():
        for spelling in (name_, str(row["number"]), *row.get("aliases", ())):
            known[spelling.lower()] = name_
    return known


def names() -> tuple[Status, ...]:
    """All status names, in the order of their numbers."""
    return tuple(_rows())


def canonical(spelling: str | int) -> Status:
    """The name of a status given by name (in any case, or a retired name) or by number (an int, or its digits).

    Raises:
        UnknownNameError: unknown; the nearest name is named.
    """
    if isinstance(spelling, str):
        word = spelling.strip().lower() if len(spelling) <= LONGEST else ""
        if word in _spellings():
            return _spellings()[word]
    elif isinstance(spelling, int) and not isinstance(spelling, bool) and abs(spelling) < 2**63:
        if str(spelling) in _spellings():
            return _spellings()[str(spelling)]
    else:
        message = f"expected the name or number of a status, found {shown(spelling)}"
        raise UnknownNameError(message, subject="status", name=spelling)
    raise unknown("status", spelling, names(), "; expected a name such as ACLNN_ERR_PARAM_INVALID, or its number")


def outcome(expect: str) -> str:
    """What a recorded call expects: the name of a status, or ``REJECT``: any but success.

    Raises:
        UnknownNameError: no such status.
    """
    return _OUTCOMES.get(expect) or canonical(expect)


def is_outcome(found: str, expected: str) -> bool:
    """Whether the name of a status is what ``outcome`` expects."""
    return found != name(SUCCESS) if expected == REJECT else found == expected


def number(spelling: str | int) -> int:
    """The number of a status given by name or number.

    Raises:
        UnknownNameError: unknown.
    """
    if isinstance(spelling, str) and spelling in _numbers():
        return _numbers()[spelling]
    return _numbers()[canonical(spelling)]


def is_inner(code: int) -> bool:
    """Whether a status is one of 561xxx, of which it is not known for certain which an inner failure gets."""
    return code // 1000 == INNER // 1000


def is_of_first_phase(code: int) -> bool:
    """Whether first phases return a status that refuse a call: for its arguments, or for what is not installed."""
    return is_inner(code) or code in OF_ARGUMENTS


def known_of(code: int) -> int:
    """What is certain of a status: itself, and of an inner failure's that it is one."""
    return INNER if is_inner(code) else code


def name(code: int) -> Status:
    """The name of a status number.

    Raises:
        UnknownNameError: no such status.
    """
    return canonical(code)


def meaning(code: int, lang: Lang) -> str:
    """What a status means, in one line.

    Args:
        code: the number (or name) of a status.
        lang: ``en`` or ``zh``.

    Raises:
        OpspecError: unknown status or language.
    """
    if lang not in ("en", "zh"):
        raise OpspecError(f"expected language 'en' or 'zh', found {shown(lang)}")
    text: str = _rows()[canonical(code)][lang]
    return text
