"""Arguments that nobody means: each must end as an OpspecError, at once."""

from __future__ import annotations

from typing import Any

import pytest

_HUGE = 10**5000  # Python refuses to write out an integer this long
_NOT_TEXT: tuple[Any, ...] = (
    *(None, True, 1.5, float("nan"), b"FLOAT", [], {}, ("FLOAT",), object()),
    *(_HUGE, -_HUGE, [_HUGE]),
)
_TEXT = ("", " ", "\0", "FLOAT\0", "x" * 1_000_000, "*" * 100_000, "/" * 100_000, "\ud800", "ＦＬＯ", "aclTensor*\n*;")

NAMES = [pytest.param(value, id=f"absurd{i}") for i, value in enumerate((*_NOT_TEXT, *_TEXT))]
_NUMBERS: tuple[Any, ...] = (_HUGE, -_HUGE, True, 2.0, "2", None, [], [_HUGE], float("nan"))
NUMBERS = [pytest.param(value, id=f"number{i}") for i, value in enumerate(_NUMBERS)]
