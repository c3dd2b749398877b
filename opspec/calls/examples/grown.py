"""A legal call whose tensors are no toys: sizes that somebody would run, where the rules leave them open.

A search begins with sizes of 2 and keeps them where nothing forbids it. Tilings are written for sizes that fill blocks:
multiples of 16 and 32 come through where 2 and 3 do not.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from opspec.calls.examples.call import Call, Place, elements, items, put, tensors
from opspec.calls.examples.roles import words
from opspec.language.values import Tensor
from opspec.model.definition import ParamDef

FEW = 64  # elements: a tensor with fewer is a toy
FEW_ROWS = 9  # of a tensor of more than two dims: two heads of two sequences of two tokens are a toy, too
SMALL = 8  # a dim below this may grow
MOST_GROWN = 2**20  # elements of all tensors of a call
MOST_TRIED = 6  # dims of one call
_MATRICES = 3  # dims at most of tensors that are matrices: those of more may be windows
_WINDOWS = frozenset({"weight", "filter", "kernel"})
_COUNTS = frozenset({"count", "counts", "numel"})
LISTED = 16  # times that the dims of tensors in lists become larger
#: sizes by axis from the last one; the first of each is that of a plain call
SIZES = ((128, 64, 256), (32, 16, 64), (16, 8, 32), (4, 8, 2))

Mended = Callable[[Call, Call, Callable[[Call], bool]], "Call | None"]


@dataclass(frozen=True, slots=True)
class Growth:
    """How the tensors of one operator's calls grow.

    Args:
        measured: the params of whose dims some rule speaks. Another one may have a meaning that no rule tells, and
            stays as the example has it, unless nothing else of the call has more than one element.
        mended: (a call, the legal one it was made of, what it has to keep) -> a legal one like it, or None.
        chance: which of the sizes are taken; None: the first ones.
    """

    params: Mapping[str, ParamDef]
    measured: frozenset[str]
    mended: Mended
    chance: random.Random | None

    def of(self, call: Call) -> Call:
        """A call in which no required input of the highest rank is a toy, as far as rules let it grow."""
        for name, axis in list(self._toys(call))[:MOST_TRIED]:
            now = call[name]
            if (
                isinstance(now, Tensor) and -axis <= len(now.shape) and now.shape[axis] < _most(now.shape)
            ):  # one may bring others
                size = self._size(axis)
                call = self._grown(call, name, axis, size) or call
        return self._lists_grown(call)

    def varied(self, call: Call) -> Call:
        """A call whose first input has another size along an axis where it has more than one element."""
        name = next((name for name in call if name in self.measured and isinstance(call[name], Tensor)), None)
        if name is None or self.chance is None:
            return call
        shape = call[name].shape
        axes = [axis - len(shape) for axis, dim in enumerate(shape) if dim > 1]
        for axis in self.chance.sample(axes, len(axes)):
            size = self._size(axis)
            if size != shape[axis] and (found := self._grown(call, name, axis, size)) is not None:
                return found
        return call

    def _size(self, axis: int) -> int:
        sizes = SIZES[min(-axis, len(SIZES)) - 1]
        return sizes[0] if self.chance is None else self.chance.choice(sizes)

    def _toys(self, call: Call) -> Iterator[tuple[str, int]]:
        """The dims of toys that may grow, as param and axis from the end; those of the first input come first.

        Of the others those that are data of its dtype: not indices, nor windows over it. A dim of 1 may be there to be
        broadcast, except in the first input.
        """
        inputs = [name for name, param in self.params.items() if param.io != "out" and isinstance(call[name], Tensor)]
        rank = max((len(call[name].shape) for name in inputs), default=0)
        alike = len({item.shape for item in tensors(call) if math.prod(item.shape) > 1}) == 1
        for name in inputs:
            shape = call[name].shape
            known = alike or name in self.measured
            if name != inputs[0] and (call[name].dtype != call[inputs[0]].dtype or rank > _MATRICES):
                continue
            required = name == inputs[0] or not self.params[name].nullable
            if known and len(shape) == rank and _is_toy(shape) and required:
                least = 1 if name == inputs[0] or set(shape) == {1} else 2
                yield from ((name, -axis) for axis in range(1, rank + 1) if least <= shape[-axis] < _most(shape))

    def _grown(self, call: Call, name: str, axis: int, size: int) -> Call | None:
        """The call with another size along an axis; what is as large, or of a size that is given, follows."""
        shape = call[name].shape
        kept = {dim for at, dim in enumerate(shape) if dim >= SMALL and at - len(shape) != axis}
        numbers = [other for other, param in self.params.items() if param.kind == "int"]
        arrays = [other for other, param in self.params.items() if param.kind == "int_array"]

        def held(new: Call) -> bool:
            now = getattr(new[name], "shape", ())
            larger = len(now) == len(shape) and now[axis] == size and kept <= set(now)
            moved = [other for other in numbers if new[other] != call[other]]
            return (
                larger
                and all(
                    _is_counted(other, call, new) or (_is_size(other, call) and _is_size(other, new)) for other in moved
                )
                and all(
                    new[other] == call[other] or (_are_sizes(other, call) and _are_sizes(other, new))
                    for other in arrays
                )
                and all(_window(other, new) == _window(other, call) for other in call)
            )

        same = [(other, axis) for other in call if _shape(call[other]) == shape and not _is_window(other, shape, axis)]
        scaled, together = self._scaled(call, name, axis, size), [*_following(call, shape, axis)]
        grown = self._put(call, together, size)
        for new in (scaled, grown and self._counted(call, grown), grown, self._put(call, same, size)):
            found = None if new is None else self.mended(new, call, held)
            if found is not None and elements(found) <= max(MOST_GROWN, elements(call)):
                return found
        return None

    def _put(self, call: Call, places: Iterable[tuple[str, int]], size: int) -> Call | None:
        new: Call | None = call
        for name, axis in places:
            new = None if new is None else put(new, Place(name, "dim", index=axis), size, self.params)
        return new

    def _counted(self, call: Call, grown: Call) -> Call | None:
        """With the counts that were all elements of a tensor; None where there is none."""
        new: Call | None = grown
        for name in [name for name, param in self.params.items() if param.kind == "int" and words(name) & _COUNTS]:
            whole = {
                math.prod(grown[other].shape)
                for other, value in call.items()
                if isinstance(value, Tensor) and math.prod(value.shape) == call[name] > 1
            }
            new = None if new is None or len(whole) != 1 else put(new, Place(name, "value"), whole.pop(), self.params)
        return None if new is grown else new

    def _scaled(self, call: Call, name: str, axis: int, size: int) -> Call | None:
        """With outputs of the same rank larger in the same ratio, and the arrays that say their sizes.

        None where there is no such array.
        """
        shape, new, arrays = call[name].shape, self._put(call, [(name, axis)], size), 0
        for other, value in call.items():
            old = _shape(value)
            if new is None or other == name or old is None or len(old) != len(shape):
                continue
            wanted, rest = divmod(old[axis] * size, shape[axis])
            if old != shape and self.params[other].io != "out":
                continue
            if rest:
                return None
            new = self._put(new, [(other, axis)], wanted)
            for array in [item for item, sizes in call.items() if _says(sizes, old) and new is not None]:
                if new is not None and len(call[array]) >= -axis:
                    new = put(new, Place(array, "element", index=axis), wanted, self.params)
                    arrays += 1
        return new if arrays else None

    def _lists_grown(self, call: Call) -> Call:
        """With larger tensors in all lists of tensors, where rules say nothing against it."""
        new: Call | None = call
        alone = not any(isinstance(value, Tensor) for value in call.values())
        for name, value in call.items():
            if new is None or not (alone or name in self.measured) or not isinstance(value, tuple):
                continue
            for at, item in enumerate(value):
                if isinstance(item, Tensor) and _is_toy(item.shape):
                    larger = tuple(dim if dim == 1 else dim * LISTED for dim in item.shape)
                    new = None if new is None else put(new, Place(name, "shape", at), larger, self.params)
        found = None if new is None or new is call else self.mended(new, call, lambda _: True)
        return call if found is None or elements(found) > MOST_GROWN else found


def _following(call: Call, shape: tuple[int, ...], axis: int) -> Iterator[tuple[str, int]]:
    """The dims that look as if they followed an axis of a shape, whether a rule says so or not.

    Those of tensors of the shape itself or of one that is broadcast to it, and of vectors along its first or last axes.
    """
    for name, value in call.items():
        its = _shape(value)
        if its is None:
            continue
        if len(its) == len(shape):
            if (
                its[axis] == shape[axis]
                and not _is_window(name, its, axis)
                and all(dim in (1, whole) for dim, whole in zip(its, shape, strict=True))
            ):
                yield name, axis
        elif its and len(its) >= -axis and its == shape[-len(its) :]:
            yield name, axis
        elif len(its) > len(shape) + axis and its == shape[: len(its)]:
            yield name, len(shape) + axis


def _is_window(name: str, shape: tuple[int, ...], axis: int) -> bool:
    """Whether an axis of a tensor is one of a window that goes over the data."""
    return len(shape) > _MATRICES and axis >= 2 - len(shape) and bool(_WINDOWS & words(name))


def _window(name: str, call: Call) -> tuple[int, ...]:
    """The sizes of a window that a param says or has."""
    value = call[name]
    if not _WINDOWS & words(name):
        return ()
    if isinstance(value, Tensor):
        return value.shape[2:] if len(value.shape) > _MATRICES else ()
    return tuple(item for item in items(value) if isinstance(item, int))


def _most(shape: tuple[int, ...]) -> int:
    """What a dim of a toy is below where it may grow."""
    return SMALL if len(shape) > 1 else FEW


def _is_toy(shape: tuple[int, ...]) -> bool:
    """Whether a tensor has few elements, or is few rows, however long."""
    numel = math.prod(shape)
    return numel > 0 and (numel < FEW or (len(shape) > 2 and math.prod(shape[:-1]) < FEW_ROWS))


def _is_counted(name: str, call: Call, new: Call) -> bool:
    """Whether a number goes on saying how many elements some tensor has."""
    pairs = [(call[other], new[other]) for other in call if isinstance(call[other], Tensor) and new[other] is not None]
    return any((math.prod(a.shape), math.prod(b.shape)) == (call[name], new[name]) for a, b in pairs)


def _is_size(name: str, call: Call) -> bool:
    """Whether a number says how large some dim is; a count of groups or a mode is not what makes a tensor larger."""
    return any(call[name] == dim for item in tensors(call) for dim in item.shape)


def _are_sizes(name: str, call: Call) -> bool:
    """Whether each number of an array says how large some dim is; a stride is not what makes a tensor larger."""
    dims = {dim for item in tensors(call) for dim in item.shape}
    return all(item in dims for item in items(call[name]))


def _shape(value: object) -> tuple[int, ...] | None:
    return value.shape if isinstance(value, Tensor) else None


def _says(sizes: object, shape: tuple[int, ...]) -> bool:
    """Whether an array has the last dims of a shape."""
    return isinstance(sizes, tuple) and len(sizes) > 0 and sizes == shape[-len(sizes) :]
