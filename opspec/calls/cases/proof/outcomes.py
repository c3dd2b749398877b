"""What a condition may come to, as bits; and the three-valued connectives over them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from opspec.language.interpret import Undef
from opspec.language.outcome import ABSENT, NEITHER, NO_DATA

TRUE, FALSE, BROKEN, LACKING, NULL = 1, 2, 4, 8, 16  # the undefined ones by cause, the heaviest last
ALL = 31
UNDEFINED = BROKEN | LACKING | NULL
OF_CAUSE = {NEITHER: BROKEN, NO_DATA: LACKING, ABSENT: NULL}


def of(value: object) -> int:
    """The bit of a value that a condition has."""
    if isinstance(value, Undef):
        return OF_CAUSE[value.cause]
    return TRUE if value is True else FALSE


def bits(mask: int) -> list[int]:
    """The bits of a mask one by one."""
    return [bit for bit in (TRUE, FALSE, BROKEN, LACKING, NULL) if mask & bit]


def both(one: int, other: int) -> int:
    """``and``."""
    return _paired(_and, one, other)


def implied(condition: int, then: int) -> int:
    """``implies``."""
    return _paired(_implies, condition, given(then))


def denied(mask: int) -> int:
    """``not``."""
    return mask & UNDEFINED | (FALSE if mask & TRUE else 0) | (TRUE if mask & FALSE else 0)


def given(mask: int) -> int:
    """True where it is undefined for want of an argument."""
    return mask & ~NULL | TRUE if mask & NULL else mask


def every(masks: Iterable[int]) -> int:
    """All of them, joined by ``and``."""
    found = TRUE
    for mask in masks:
        found = both(found, mask)
    return found


@lru_cache(maxsize=4096)
def _paired(join: Callable[[int, int], int], one: int, other: int) -> int:
    found = 0
    for a in bits(one):
        for b in bits(other):
            found |= join(a, b)
    return found


def _and(a: int, b: int) -> int:
    return FALSE if FALSE in (a, b) else max(a if a != TRUE else 0, b if b != TRUE else 0) or TRUE


def _implies(a: int, b: int) -> int:
    if a == LACKING:
        return TRUE if b == TRUE else LACKING
    return b if a == TRUE else TRUE
