"""A spec's example: one legal call, written as ``opspec check`` reads it."""

from __future__ import annotations

from typing import Any


def json_values(value: Any) -> Any:
    """Text scalars of a spec's example as JSON would type them: numbers and booleans where they look like one."""
    if isinstance(value, dict):
        return {key: json_values(item) for key, item in value.items()}
    if isinstance(value, list):
        return [json_values(item) for item in value]
    if isinstance(value, str):
        return _json_scalar(value)
    return value


def _json_scalar(text: str) -> object:
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text) if not text.startswith(("i", "n", "+", "_")) and "_" not in text else text
        except ValueError:
            continue
    return text
