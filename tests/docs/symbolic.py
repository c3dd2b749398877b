"""Shapes in letters held against the shapes of a call: letters are bound first, then every item is computed."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from opspec.docs.shapes.result import ALONE, OPEN
from opspec.language import runtime
from opspec.model.definition import Definition
from opspec.model.example import example_of

Dims = tuple[int, ...]

_LETTER = re.compile(r"[A-Za-z]\w*")


class Mismatch(AssertionError):
    """A call has another shape than its page shows."""


def _listed(value: Any) -> Dims:
    return tuple(value) if isinstance(value, (list, tuple)) else () if value is None else (value,)


#: what a shape may call, beside its letters and the arguments
_FUNCTIONS: dict[str, Any] = {
    "ceil": math.ceil, "max": max, "min": min, "true": True, "false": False,
    "align_up": lambda value, by: -(-value // by) * by,
    "broadcast": lambda *shapes: runtime.broadcast(*map(tuple, shapes)),
    "reduced": lambda shape, axes, keep: runtime.reduced(tuple(shape), _listed(axes), keep),
    "permuted": lambda shape, order: runtime.permuted(tuple(shape), tuple(order)),
    "numel": lambda tensor: math.prod(tensor["tensor"]["shape"]),
    "rank": lambda tensor: len(tensor["tensor"]["shape"]),
    "len": lambda value: len(value["tensor_list"]) if isinstance(value, dict) else len(value),
}  # fmt: skip


@dataclass
class Env:
    """Arguments of a call, and what names in shapes stand for there."""

    args: Mapping[str, Any]
    attributes: Mapping[str, Any]
    names: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        self.names = {**self.attributes, **_FUNCTIONS}


def environment(definition: Definition) -> Env | None:
    """What an operator's example passes; axes are counted from the start."""
    if definition.spec.example is None:
        return None
    _, args = example_of(definition)
    most = max((len(shape) for value in args.values() for shape in shapes_of(value)), default=0)
    plain = {name: _plain(value) for name, value in args.items()}
    for name, value in plain.items():
        if re.search("dim$|axis$", name, re.I) and isinstance(value, int) and value < 0:
            plain[name] = value + most
    return Env(args, plain)


def _plain(value: Any) -> Any:
    if isinstance(value, dict) and not value.keys() & {"tensor", "tensor_list"}:
        return next(iter(value.values()))
    return value


def shapes_of(value: Any) -> list[Dims]:
    """The shape of a tensor, or those of a list of tensors."""
    if not isinstance(value, dict):
        return []
    tensors = [value["tensor"]] if "tensor" in value else value.get("tensor_list", [])
    return [tuple(tensor.get("shape", ())) for tensor in tensors if tensor is not None]


def bound(items: Sequence[str], shape: Dims, env: Env) -> None:
    """Bind the letters that stand alone in a shape, each where it stands first."""
    stars = [i for i, item in enumerate(items) if item == OPEN or item.startswith("*")]
    if len(stars) > 1 or (stars and items[stars[0]] != OPEN and not _LETTER.fullmatch(items[stars[0]][1:])):
        return
    if len(shape) < len(items) - len(stars) or (not stars and len(shape) != len(items)):
        return
    behind = len(items) - stars[0] - 1 if stars else 0
    if stars and items[stars[0]] != OPEN:
        env.names.setdefault(items[stars[0]][1:], shape[stars[0] : len(shape) - behind])
    front = items[: stars[0]] if stars else items
    pairs = [
        *zip(front, shape, strict=False),
        *zip(items[len(items) - behind :], shape[len(shape) - behind :], strict=True),
    ]
    for item, dim in pairs:
        if _LETTER.fullmatch(item):
            env.names.setdefault(item, dim)


def matched(items: Sequence[str], shape: Dims, env: Env) -> bool:
    """Whether a shape is what its items come to; true where they name what the call does not have."""
    if {ALONE, OPEN} & set(items):
        return len(shape) == len(items) if OPEN not in items and "*" not in "".join(items) else True
    found: list[int] = []
    for item in items:
        try:
            value = eval(item.removeprefix("*"), {"__builtins__": {}}, env.names)  # noqa: S307 what our pages show
        except (NameError, TypeError, IndexError, KeyError):  # a letter that words explain, an argument that is null
            return True
        found += value if item.startswith("*") else [value]
    return tuple(found) == shape
