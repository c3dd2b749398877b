"""A size of a call is one thing: who changes it changes it wherever it stands, in tensors and in attributes.

``D = 320`` stands in the shapes of query, key, value and output; a block of 17 in a cache's shape and in ``blockSize``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from opspec.calls.examples.call import Call, Param, Place, items, put
from opspec.language.values import Tensor

LEAST = 2  # of a size that is told from chance by where it stands, in shapes alone
LEAST_ATTRIBUTE = 8  # and in attributes and lists, where small numbers stand for other things


def resized(shape: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, int] | None:
    """The one size that is another in another shape of as many dims; None where shapes differ otherwise."""
    if len(shape) != len(other):
        return None
    pairs = {(old, new) for old, new in zip(shape, other, strict=True) if old != new}
    return pairs.pop() if len(pairs) == 1 else None


def everywhere(old: Call, new: Call, name: str, params: Mapping[str, Param]) -> Iterator[Call]:
    """The call in which the size that was changed in one argument is changed in all of them.

    Args:
        old, new: before and after the change of that argument.
    """
    change = _change(old[name], new[name])
    if change is None or change[0] < LEAST or change[1] < 1:
        return
    made: Call | None = new
    for other in params:
        if made is not None and other != name:
            made = _in_argument(made, other, *change, params)
    if made is not None and any(made[other] is not new[other] for other in params):
        yield made


def _change(old: object, new: object) -> tuple[int, int] | None:
    if type(old) is int and type(new) is int:
        return (old, new) if old >= LEAST_ATTRIBUTE else None
    found = [
        resized(one.shape, other.shape)
        for one, other in zip(items(old), items(new), strict=False)
        if isinstance(one, Tensor) and isinstance(other, Tensor) and one.shape != other.shape
    ]
    return found[0] if len(found) == 1 else None


def _in_argument(call: Call, name: str, old: int, new: int, params: Mapping[str, Param]) -> Call | None:
    value = call[name]
    if type(value) is int and value == old >= LEAST_ATTRIBUTE:
        return put(call, Place(name, "value"), new, params)
    made: Call | None = call
    for number, item in enumerate(items(value)):
        if isinstance(item, Tensor) and old in item.shape and made is not None:
            shape = tuple(new if dim == old else dim for dim in item.shape)
            place = Place(name, "shape", number if isinstance(value, tuple) else None)
            made = put(made, place, shape, params)
    return made
