"""The data files of the vocabulary, each read once when first needed."""

from __future__ import annotations

import functools
import os

from opspec.jsontext import Reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_READER = Reader()
_FOLDER = os.path.join(os.path.dirname(__file__), "data")


@functools.cache
def table(name: str) -> Any:
    """The content of ``data/<name>.json``."""
    with open(os.path.join(_FOLDER, f"{name}.json"), encoding="utf-8") as file:
        return _READER.value(file.read())
