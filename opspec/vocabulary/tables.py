"""The data files of the vocabulary, each read once when first needed."""

from __future__ import annotations

import json
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
_READ: dict[str, Any] = {}


def table(name: str) -> Any:
    """The content of ``data/<name>.json``."""
    if name not in _READ:
        with open(os.path.join(_FOLDER, f"{name}.json"), encoding="utf-8") as file:
            _READ[name] = json.load(file)
    return _READ[name]
