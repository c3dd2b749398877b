"""Which arguments may give a function of the library the result that is wanted: what the search for examples asks.

Each takes the result and the values of the arguments, None for one that is undefined, and yields likely answers first;
none is promised to be enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from opspec.vocabulary import dtypes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Solutions: TypeAlias = Iterator[tuple[int, object]]
    """(number of an argument, the value that it should have)"""
    Solve: TypeAlias = Callable[[object, Sequence[object]], Solutions]


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
