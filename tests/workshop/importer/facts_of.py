"""The facts of a spec, product by product, so that two specs of one operator can be compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from opspec.vocabulary import products

Facts = dict[str, dict[str, Any]]  # param -> fact -> value
ABSENT = "not stated"
#: A fact that a table and a bullet both can state.
NAMES = ("ctype", "io", "optional", "dtype", "format", "rank", "strided")


def facts(spec: Mapping[str, Any], on: str) -> Facts:
    """The facts of each param in a call on a product; what is said by pointing at another param is looked up there."""
    sets = spec.get("sets", {})
    found = {
        param["name"]: {name: _fact(spelled_out(param, sets), name, on) for name in NAMES} for param in spec["params"]
    }
    for values in found.values():
        for name in ("dtype", "format", "rank"):
            if isinstance(values[name], str) and values[name].startswith("same as "):
                values[name] = found[values[name].removeprefix("same as ")][name]
    return found


def spelled_out(param: Mapping[str, Any], sets: Mapping[str, Any]) -> dict[str, Any]:
    """A param with the members of a named set, and with what is so of a tensor by default; without the unknown."""
    made = dict(param)
    if isinstance(made.get("dtype"), str):
        made["dtype"] = sets.get(made["dtype"], made["dtype"])
    if made["ctype"].removeprefix("const ") in ("aclTensor*", "aclTensorList*"):
        made = {"format": ["ND"], "strided": "yes", **made}
    unknown = {"format": "any", "strided": "unknown"}
    return {name: value for name, value in made.items() if value != unknown.get(name, ())}


def supported(spec: Mapping[str, Any]) -> set[str]:
    """The products that a spec is for."""
    return {name for name, value in spec["products"].items() if _yes(value)}


def _yes(value: Any) -> bool:
    return str(value).lower() in ("yes", "true")


def _fact(param: Mapping[str, Any], name: str, on: str) -> Any:
    value = param.get(name)
    match name:
        case "ctype":
            return value
        case "io":
            return value or "in"
        case "optional":
            return "yes" if value is not None and str(value).lower() not in ("no", "false") else "no"
        case "dtype" | "format":
            return _set(value, on)
        case "rank":
            return _ranks(value, on)
    return ABSENT if value is None else "yes" if _yes(value) else str(value)


def _set(value: Any, on: str) -> Any:
    """The members on a product."""
    if value is None:
        return ABSENT
    if isinstance(value, str):
        return value if value.startswith("same as ") else frozenset((value,))
    if not isinstance(value, Mapping):
        return frozenset(value)
    now = set(value["any"])
    for change in value.get("changes", ()):
        if on in change["on"] or any(products.owner(name) == on for name in change["on"]):
            now = set(change["replace"]) if "replace" in change else now
            now = (now | set(change.get("add", ()))) - set(change.get("subtract", ()))
    return frozenset(now)


def _ranks(value: Any, on: str) -> Any:
    """The ranks on a product as numbers; 8 is the most that a tensor has."""
    if value is None:
        return ABSENT
    if isinstance(value, list) and value and isinstance(value[0], Mapping):
        return next((_ranks(case["is"], on) for case in value if on in case["on"]), ABSENT)
    if isinstance(value, str) and value.startswith("same as "):
        return value
    found: set[int] = set()
    for part in value if isinstance(value, list) else [value]:
        text = str(part)
        low, _, high = text.removeprefix(">= ").partition("-")
        found |= set(range(int(low), int(high or (8 if text.startswith(">") else low)) + 1))
    return frozenset(found)
