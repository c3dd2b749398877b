"""What of a flat spec means nothing is left out, one fault at a time, until the rest loads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import ValidationError

from opspec.errors import OpspecError, SpecError

ATTEMPTS = 60  # pieces that a single spec may lose before it is given up

#: what a spec can do without, whole
_OPTIONAL = ("example", "remarks", "early_success", "results", "generated_from", "looks_up", "kernel_parts")


def loaded(value: dict[str, Any], ids: Callable[[], set[str]]) -> tuple[set[str], list[str]]:
    """The ids of all rules that a spec has once it loads, and what was left out of it for that.

    Args:
        value: the flat spec, which is changed.
        ids: loads it as it is then.

    Raises:
        OpspecError: too much of it means nothing.
    """
    left_out: list[str] = []
    for _ in range(ATTEMPTS):
        try:
            return ids(), left_out
        except SpecError as error:
            path, message = error.path, error.message
        except ValidationError as error:
            path, message = tuple(error.errors()[0]["loc"]), error.errors()[0]["msg"]
        left_out.append(f"{'/'.join(map(str, path))}: {message}")
        if not _drop(value, path):
            raise OpspecError(left_out[-1], where=value["operator"])
    raise OpspecError("too many of its rules mean nothing", where=value["operator"])


def _drop(value: dict[str, Any], path: tuple[str | int, ...]) -> bool:
    """Leave out the rule, the derived value or the property that a fault is in, with all that rests on it."""
    if not path:
        return False
    key, *rest = path
    if key in ("rules", "let", "results", "scenarios", "twin") and rest:
        part = value.get(str(key), {})
        if key == "twin":
            part, rest = part.get(str(rest[0]), {}), rest[1:]
        return bool(rest) and isinstance(part, dict) and part.pop(rest[0], None) is not None
    if key == "params" and len(rest) > 1 and isinstance(rest[0], int):
        return value["params"][rest[0]].pop(str(rest[1]), None) is not None
    return key in _OPTIONAL and value.pop(str(key), None) is not None
