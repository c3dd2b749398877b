"""Which size of a call is out of place: the one that no other size of the call is like.

Of ``x[2, 5120]`` and ``out[2, 64]`` beside ``weight[64, 2]`` it is 5120 that somebody got wrong: 64 stands elsewhere.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator

from opspec.assist.repair.changes import Change
from opspec.assist.repair.sizes import LEAST_ATTRIBUTE
from opspec.calls.examples.call import Call, items
from opspec.language.values import Tensor

_ODD = 0.5  # how unlike all others a size is that is no power of two: those are what people choose


class Sizes:
    """The sizes of a call: dims of its tensors, large integers of its attributes and lists."""

    def __init__(self, call: Call) -> None:
        self._all = sorted(size for value in call.values() for size in _sizes(value))

    def gain(self, changes: Iterable[Change]) -> float:
        """How much more like the others new sizes are than old ones, from -1 to 1."""
        pairs = {pair for change in changes for pair in _resized(change)}
        gained = sum(self._unlike(pair[0], pair) - self._unlike(pair[1], pair) for pair in pairs)
        return max(-1.0, min(1.0, gained))

    def _unlike(self, size: int, without: tuple[int, int]) -> float:
        """How far a size is from the nearest of the others: the two that are weighed do not speak for themselves."""
        others = self._all.copy()
        for one in without:
            at = bisect_left(others, one)
            if at < len(others) and others[at] == one:
                del others[at]
        at = bisect_left(others, size)
        near = min((_apart(size, other) for other in others[max(0, at - 1) : at + 1]), default=1.0)
        return near + (_ODD if size & (size - 1) else 0.0)


def _apart(one: int, other: int) -> float:
    """How many doublings are between two sizes, at most one: 0 and 1 are like nothing but themselves."""
    if one == other or min(one, other) < 2:
        return float(one != other)
    return min(1.0, abs(math.log2(one / other)))


def _sizes(value: object) -> Iterator[int]:
    for item in items(value):
        if isinstance(item, Tensor):
            yield from item.shape
        elif type(item) is int and item >= LEAST_ATTRIBUTE:
            yield item


def _resized(change: Change) -> Iterator[tuple[int, int]]:
    old, new = (value if isinstance(value, tuple) else (value,) for value in (change.old, change.new))
    least = {"shape": 0, "value": LEAST_ATTRIBUTE}.get(change.kind)
    if least is not None and len(old) == len(new):
        for one, other in zip(old, new, strict=True):
            if type(one) is int and type(other) is int and one != other and max(one, other) >= least:
                yield one, other
