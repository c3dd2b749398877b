"""Which arguments may give a function of the library the result that is wanted: what the search for examples asks.

Each takes the result and the values of the arguments, None for one that is undefined, and yields likely answers first;
none is promised to be enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from opspec.language import runtime
from opspec.vocabulary import dtypes
from opspec.vocabulary.limits import MOST_DIMS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Solutions: TypeAlias = Iterator[tuple[int, object]]
    """(number of an argument, the value that it should have)"""
    Solve: TypeAlias = Callable[[object, Sequence[object]], Solutions]
    Ints: TypeAlias = tuple[int, ...]


def unknown(result: object, args: Sequence[object]) -> Solutions:
    """Nothing is known."""
    yield from ()


def alike(result: object, args: Sequence[object]) -> Solutions:
    """What equals the other argument fits it."""
    if result is True:
        yield from ((place, other) for place, other in enumerate(reversed(args)) if other is not None)


def first(result: object, args: Sequence[object]) -> Solutions:
    """The first argument is the result already."""
    yield 0, result


def both(result: object, args: Sequence[object]) -> Solutions:
    """Either of the first two arguments is the result already."""
    yield from ((place, result) for place in range(min(len(args), 2)))


def single(result: object, args: Sequence[object]) -> Solutions:
    """A list of the result alone."""
    yield 0, (result,)


def dividend(result: object, args: Sequence[object]) -> Solutions:
    """The first argument of a division."""
    divisor = args[1]
    if isinstance(result, (int, float)) and isinstance(divisor, (int, float)):
        yield 0, result * divisor


def counted(result: object, args: Sequence[object]) -> Solutions:
    """A list of as many numbers, each greater than the one before."""
    if result is True and isinstance(args[0], tuple):
        yield 0, tuple(range(len(args[0])))


def width(result: object, args: Sequence[object]) -> Solutions:
    """A dtype of as many bits."""
    yield from ((0, name) for name in dtypes.names() if dtypes.bits(name) == result)


def unreduced(result: object, args: Sequence[object]) -> Solutions:
    """Whether reduced axes are kept, other axes, or the shape before: each where the other two are right."""
    shape, axes, keep = args
    if isinstance(result, tuple) and isinstance(shape, tuple) and isinstance(axes, tuple):
        others = combinations(range(min(len(shape), MOST_DIMS)), len(axes))
        if _reduces(shape, axes, not keep, result):
            yield 2, not keep
        yield from ((1, other) for other in others if _reduces(shape, other, keep, result))
        before = _before(result, shape, axes, keep)
        if _reduces(before, axes, keep, result):
            yield 0, before


def _before(result: Ints, shape: Ints, axes: Ints, keep: object) -> Ints:
    """The shape that is reduced to another one: sizes of axes that are gone are those of the shape that there is."""
    rank = len(result) if keep or not axes else len(result) + len(axes)
    gone = {axis + rank if axis < 0 else axis for axis in axes or range(rank)}
    sizes = (1,) * (rank - len(shape)) + shape[max(0, len(shape) - rank) :]
    rest = iter([size for i, size in enumerate(result) if i not in gone] if keep else result)
    return tuple(size if i in gone else next(rest, size) for i, size in enumerate(sizes))


def _reduces(shape: Ints, axes: Ints, keep: object, result: Ints) -> bool:
    try:
        return runtime.reduced(shape, axes, bool(keep)) == result
    except runtime.Undefined:
        return False
