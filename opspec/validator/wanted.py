"""Tensors of which only some is known: outputs that a call leaves out, while its rules say what they must be.

To an expression such a tensor looks like any other; what is not known yet of it is undefined for want of data.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import prod

from opspec.language.runtime import NoData
from opspec.later import typing

State = tuple[bool, dict[str, tuple[object, ...]], int | None, dict[int, int], int | None]

MOST_RANK = 64  # of what a rule may demand; more is none of an output's
SHAPE, DTYPE, FORMAT = "shape", "dtype", "format"


class Contradiction(Exception):
    """Two rules demand different things of an output: the inputs do not go together."""


class Wanted:
    """A tensor to be found.

    Attributes:
        among: of shape, dtype and format, the values that all rules so far leave, in the order of the first rule that
            names any; none said, no entry.
        rank: the number of dims, where it is known.
        dims: size by index; as rules name it, from the end where it is negative.
        known_numel: the number of elements, where a rule says it.
        absent: the rules demand null in its place.
        sure: what of shape, dtype and format was known before anything was guessed.
    """

    __slots__ = ("absent", "among", "dims", "known_numel", "rank", "sure")

    offset = 0
    strides = storage_shape = storage_format = values = None

    def __init__(self) -> None:
        self.absent = False
        self.among: dict[str, tuple[object, ...]] = {}
        self.rank: int | None = None
        self.dims: dict[int, int] = {}
        self.known_numel: int | None = None
        self.sure: tuple[str, ...] = ()

    @property
    def state(self) -> State:
        """All that is known of it, for :meth:`restore`."""
        return self.absent, dict(self.among), self.rank, dict(self.dims), self.known_numel

    def restore(self, state: State) -> None:
        """Know again what was known before."""
        self.absent, self.among, self.rank, self.dims, self.known_numel = state

    @property
    def known(self) -> tuple[str, ...]:
        """What of shape, dtype and format is known."""
        left = (facet for facet in (DTYPE, FORMAT) if len(self.among.get(facet, ())) == 1)
        return (*([SHAPE] if self.known_shape() is not None else []), *left)

    @property
    def shape(self) -> tuple[int, ...]:
        """Its shape, once it is known."""
        known = self.known_shape()
        return _lacking() if known is None else known

    @property
    def known_rank(self) -> int | None:
        """Its number of dims, where that is known."""
        return self.rank

    @property
    def dtype(self) -> str:
        """Its dtype, once one is left."""
        return self._only(DTYPE)

    @property
    def format(self) -> str:
        """Its format, once one is left."""
        return self._only(FORMAT)

    def _only(self, facet: str) -> str:
        left = self.among.get(facet, ())
        return str(*left) if len(left) == 1 else _lacking()

    def known_shape(self) -> tuple[int, ...] | None:
        """Its shape; None where some of it is not known."""
        found = self._by_dims()
        left = self.shapes_left() if found is None else []
        return left[0] if len(left) == 1 else found

    def shapes_left(self) -> list[tuple[int, ...]]:
        """Of the shapes that the rules leave, those with the dims that are known."""
        return [shape for shape in self.among.get(SHAPE, ()) if isinstance(shape, tuple) and self._fits(shape)]

    def _fits(self, shape: tuple[int, ...]) -> bool:
        alike = all(-len(shape) <= i < len(shape) and shape[i] == size for i, size in self.dims.items())
        return alike and self.rank in (None, len(shape)) and self.known_numel in (None, prod(shape))

    def _by_dims(self) -> tuple[int, ...] | None:
        if self.rank is None:
            return None
        places = [self.dims.get(i, self.dims.get(i - self.rank)) for i in range(self.rank)]
        found = tuple(size for size in places if size is not None)
        if len(found) == self.rank:
            return found
        rest = prod(found)
        if len(found) + 1 < self.rank or self.known_numel is None or not rest or self.known_numel % rest:
            return None
        return tuple(self.known_numel // rest if size is None else size for size in places)

    def limit(self, facet: str, values: Iterable[object]) -> bool:
        """Leave only these values of dtype or format; whether that says anything new.

        Raises:
            Contradiction: none is left.
        """
        allowed = dict.fromkeys(values)
        before = self.among.get(facet)
        left = tuple(allowed) if before is None else tuple(value for value in before if value in allowed)
        if not left:
            raise Contradiction
        self.among[facet] = left
        return left != before

    def limit_rank(self, rank: object) -> bool:
        """Set the number of dims.

        Raises:
            Contradiction: it is another one.
        """
        if not isinstance(rank, int) or not 0 <= rank <= MOST_RANK or self.rank not in (None, rank):
            raise Contradiction
        new = self.rank is None
        self.rank = rank
        return new

    def limit_dim(self, index: object, size: object) -> bool:
        """Set the size of a dim.

        Raises:
            Contradiction: it is another one, or no size.
        """
        if not isinstance(index, int) or not isinstance(size, int) or size < 0:
            raise Contradiction
        known = self.dims.get(index)
        if known not in (None, size):
            raise Contradiction
        self.dims[index] = size
        return known is None

    def limit_numel(self, count: object) -> bool:
        """Set the number of elements.

        Raises:
            Contradiction: it is another one.
        """
        if not isinstance(count, int) or count < 0 or self.known_numel not in (None, count):
            raise Contradiction
        new = self.known_numel is None
        self.known_numel = count
        return new

    def limit_shape(self, shape: object) -> bool:
        """Set the shape.

        Raises:
            Contradiction: it is another one.
        """
        if not isinstance(shape, tuple):
            raise Contradiction
        if self.known_shape() == shape:
            return False
        self.limit_rank(len(shape))
        for i, size in enumerate(shape):
            other = self.dims.get(i - len(shape), size)
            if other != size:
                raise Contradiction
            self.limit_dim(i, size)
        return True


class WantedList:
    """A list of tensors to be found.

    Attributes:
        items: its tensors, once their number is known.
        absent: the rules demand null in its place.
    """

    __slots__ = ("absent", "items")

    def __init__(self) -> None:
        self.absent = False
        self.items: tuple[Wanted, ...] | None = None

    def limit_count(self, count: object) -> bool:
        """Set the number of tensors.

        Raises:
            Contradiction: it is another one.
        """
        if not isinstance(count, int) or not 0 <= count <= MOST_TENSORS:
            raise Contradiction
        if self.items is None:
            self.items = tuple(Wanted() for _ in range(count))
            return True
        if len(self.items) != count:
            raise Contradiction
        return False

    def __iter__(self) -> Iterator[Wanted]:
        return iter(_lacking() if self.items is None else self.items)

    def __len__(self) -> int:
        return len(_lacking() if self.items is None else self.items)

    def __getitem__(self, index: int) -> Wanted:
        return (_lacking() if self.items is None else self.items)[index]


MOST_TENSORS = 4096  # of a list that a rule may demand


def _lacking() -> typing.NoReturn:
    raise NoData
