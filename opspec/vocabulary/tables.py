"""The data files of the vocabulary, each read once when first needed, and what all its messages share."""

from __future__ import annotations

import functools
import json
import os

from opspec.errors import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_FOLDER = os.path.join(os.path.dirname(__file__), "data")


@functools.cache
def table(name: str) -> Any:
    """The content of ``data/<name>.json``."""
    with open(os.path.join(_FOLDER, f"{name}.json"), encoding="utf-8") as file:
        return json.load(file)


def found(value: object) -> str:
    """A value for a message, whatever it is: a text is cut, a number of ten thousand digits is not written out."""
    if isinstance(value, (str, bytes)):
        return shown(value)
    if isinstance(value, int) and not -(2**64) < value < 2**64:
        return "an integer beyond 64 bits"
    if value is None or isinstance(value, (int, float)):
        return repr(value)
    return f"a {type(value).__name__}"
