"""Shapes of which some are the last dims of others: ``x[*A, *B]`` and ``gamma[*B]``, not slices of one letter."""

from __future__ import annotations

import dataclasses
import re
from itertools import chain

from opspec.docs.shapes.result import Shape, Shapes

_PART = re.compile(r"\*([A-Z]\d?)\[(?::-(?P<before>[^\[\]]+)|-(?P<behind>[^\[\]]+):)\]")
_WORD = re.compile(r"[A-Za-z_]\w*")
_POOL = "BCEFG"


def parted(found: Shapes) -> Shapes:
    """Shapes with a letter for each of the two parts of a shape, where all that is said of it is said of these."""
    items = _items(found)
    for letter in sorted({part[1] for item in items if (part := _PART.fullmatch(item)) is not None}):
        found = _in_two(letter, found)
    return found


def _items(found: Shapes) -> set[str]:
    return {item for own in found.of.values() for shape in own for item in shape.items}


def _in_two(letter: str, found: Shapes) -> Shapes:
    """Shapes with two letters for what one stands for."""
    items, formulas = _items(found), {name: one.formula for name, one in found.letters.items()}
    parts = [_PART.fullmatch(item) for item in items if letter in _WORD.findall(item) and item != f"*{letter}"]
    counts = {part and (part["before"] or part["behind"]) for part in parts}
    counts -= {"1"} if len(counts) > 1 else set()
    if len(counts) != 1 or any(letter in _WORD.findall(formula) for formula in formulas.values()):
        return found
    (count,) = counts
    array = re.fullmatch(r"len\((\w+)\)", formulas.get(count or "", ""))
    if array is not None and f"*{array[1]}" in items:
        tail = array[1]
    elif any(part is not None and part["behind"] for part in parts):
        used = {word for text in (*items, *formulas, *found.named) for word in _WORD.findall(text)}
        tail = next(name for name in _POOL if name not in used)
    else:
        return found
    pieces = {
        f"*{letter}": (f"*{letter}", f"*{tail}"),
        f"*{letter}[:-1]": (f"*{letter}", f"*{tail}[:-1]"),
        f"*{letter}[:-{count}]": (f"*{letter}",),
        f"*{letter}[-{count}:]": (f"*{tail}",),
    }
    of = {
        name: tuple(
            Shape(tuple(chain.from_iterable(pieces.get(item, (item,)) for item in shape.items))) for shape in own
        )
        for name, own in found.of.items()
    }
    return dataclasses.replace(found, of=of, free=found.free | {tail} if letter in found.free else found.free)
