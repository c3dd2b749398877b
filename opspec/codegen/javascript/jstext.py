"""Values as JavaScript: plain ASCII, whatever goes in."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable

MAX_SAFE = 2**53 - 1  #: a number of JavaScript holds no larger integer exactly


def literal(value: object) -> str:
    """A literal of the one form that the run time has for a value."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, int):
        text = str(value) if -MAX_SAFE <= value <= MAX_SAFE else f"{value}n"
        return f"({text})" if value < 0 else text
    if isinstance(value, float):
        return _real(value)
    raise TypeError(f"no literal of JavaScript: {type(value).__name__}")


def _real(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    text = "Infinity" if math.isinf(value) else repr(abs(value))
    return f"(-{text})" if math.copysign(1.0, value) < 0 else text


def array(items: Iterable[str]) -> str:
    """An array of expressions."""
    return f"[{','.join(items)}]"


def data(value: object) -> str:
    """JSON data as an expression of one line; safe inside HTML, too."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")
