"""Shapes of which some are the last dims of others: ``x[*A, *B]`` and ``gamma[*B]``, not slices of one letter."""

from __future__ import annotations

import dataclasses
import re
from itertools import chain

from opspec.docs.shapes.result import Shape, Shapes

_PART = re.compile(r"\*([A-Z]\d?)\[(?::-([^\[\]]+)|-([^\[\]]+):)\]")  # all but the last, or the last, of some dims
_WORD = re.compile(r"[A-Za-z_]\w*")
_POOL = "BCEFG"


def parted(found: Shapes) -> Shapes:
    """Shapes with a letter for each of the two parts of a shape, where all that is said of it is said of these."""
    items = {item for own in found.of.values() for shape in own for item in shape.items}
    formulas = {name: one.formula for name, one in found.letters.items()}
    used = {word for text in (*items, *formulas, *found.named) for word in _WORD.findall(text)}
    pieces: dict[str, tuple[str, ...]] = {}
    for letter in sorted({part[1] for item in items if (part := _PART.fullmatch(item)) is not None}):
        parts = [_PART.fullmatch(item) for item in items if letter in _WORD.findall(item) and item != f"*{letter}"]
        counts = {part and (part[2] or part[3]) for part in parts if not part or part[2] != "1" or len(parts) == 1}
        count = counts.pop() or ""
        array = re.fullmatch(r"len\((\w+)\)", formulas.get(count, ""))
        tail = array[1] if array is not None and f"*{array[1]}" in items else None
        if tail is None and any(part is not None and part[3] for part in parts):
            tail = next(name for name in _POOL if name not in used)
        if tail and count and not counts and all(letter not in _WORD.findall(text) for text in formulas.values()):
            used.add(tail)
            pieces |= {f"*{letter}": (f"*{letter}", f"*{tail}"), f"*{letter}[:-1]": (f"*{letter}", f"*{tail}[:-1]")}
            pieces |= {f"*{letter}[:-{count}]": (f"*{letter}",), f"*{letter}[-{count}:]": (f"*{tail}",)}
    made = {item: pieces.get(item, (item,)) for item in items}
    of = {
        name: tuple(Shape(tuple(chain.from_iterable(made[item] for item in shape.items))) for shape in own)
        for name, own in found.of.items()
    }
    return dataclasses.replace(found, of=of, free=found.free | {own[-1].strip("*") for own in pieces.values()})
