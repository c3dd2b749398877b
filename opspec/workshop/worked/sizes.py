"""Sizes of a call made small: each size that occurs in its tensors becomes another one, wherever it stands."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from math import prod

from opspec.workshop.worked.numbers import MOST

CHOICES = (3, 2, 4, 1, 5, 6, 8)  #: what a size may become
MOST_DISTINCT = 5  #: sizes of one call that are changed
MOST_TRIED = 40
_HELD_FIXED = (0, 1)


def smaller(shapes: Sequence[Sequence[int]]) -> Iterator[dict[int, int]]:
    """Size -> what it becomes, the smallest calls that still show each axis first; nothing changed first of all where
    the call is small."""
    found = sorted({dim for shape in shapes for dim in shape if dim not in _HELD_FIXED})
    if len(found) > MOST_DISTINCT:
        return
    ranked: list[tuple[float, dict[int, int]]] = []
    for chosen in itertools.product(CHOICES, repeat=len(found)):
        changed = dict(zip(found, chosen, strict=True))
        if any(changed[size] > size for size in found):
            continue
        sizes = [[changed.get(dim, dim) for dim in shape] for shape in shapes]
        if max(map(prod, sizes), default=1) <= MOST:
            ranked.append((_worth(changed, sizes), changed))
    ranked.sort(key=lambda item: item[0])
    yield from (changed for _, changed in ranked[:MOST_TRIED])


def _worth(changed: dict[int, int], shapes: Iterable[Sequence[int]]) -> float:
    """How far a choice is from what one would write: few elements, axes of different sizes, none of size 1."""
    shapes = list(shapes)
    largest = max(shapes, key=prod, default=())
    flat = 4 * (prod(largest) < 4) + 3 * (bool(largest) and largest[-1] < 3)
    news = [new for new in changed.values() if new > 1]
    ones, alike = len(changed) - len(news), len(news) - len(set(news))
    return sum(map(prod, shapes)) / 4 + (1 if len(largest) > 3 else 3) * ones + 2 * alike + flat
