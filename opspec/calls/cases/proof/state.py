"""What is known of a call that nobody has seen: which values each of its facets may have, and which of them are equal.

A facet is a :class:`Sym`: a dtype, a rank, a dim, an attribute, or an expression that nothing more is known of. All
that is derived is sound: a :class:`Conflict` means that no call is like this.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, replace

INFINITE = math.inf


class Conflict(Exception):
    """No call is like this."""


@dataclass(frozen=True, slots=True)
class Sym:
    """A value that is not known; the key says whose it is."""

    key: tuple[Hashable, ...]


@dataclass(frozen=True, slots=True)
class Domain:
    """What a value may be.

    Args:
        values: one of these; None where there is no end of them.
        low, high: bounds of a number.
        out: what it is not.
        whole: whether it is an integer.
    """

    values: frozenset[object] | None = None
    low: float = -INFINITE
    high: float = INFINITE
    out: frozenset[object] = frozenset()
    whole: bool = False

    def meet(self, other: Domain) -> Domain:
        """What is in both."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        out, whole = self.out | other.out, self.whole or other.whole
        values = self.values
        if other.values is not None:
            values = other.values if values is None else values & other.values
        if values is not None:
            kept = frozenset(value for value in values if value not in out and _between(value, low, high))
            return Domain(kept)
        while whole and low in out:
            low += 1
        while whole and high in out:
            high -= 1
        return Domain(None, low, high, frozenset(value for value in out if _between(value, low, high)), whole)

    @property
    def empty(self) -> bool:
        """Whether nothing is in it."""
        return not self.values if self.values is not None else self.low > self.high

    @property
    def one(self) -> tuple[object] | None:
        """The only value, where there is one."""
        if self.values is not None:
            return (next(iter(self.values)),) if len(self.values) == 1 else None
        return (int(self.low),) if self.whole and self.low == self.high else None

    def choices(self, most: int) -> list[object]:
        """All that it may be, where that are few."""
        if self.values is not None:
            return sorted(self.values, key=repr) if len(self.values) <= most else []
        if not self.whole or self.high - self.low >= most:
            return []
        return [value for value in range(int(self.low), int(self.high) + 1) if value not in self.out]

    def bounds(self) -> tuple[float, float]:
        """The least and the greatest number."""
        if self.values is None:
            return self.low, self.high
        numbers = [value for value in self.values if isinstance(value, (int, float))]
        return (min(numbers), max(numbers)) if len(numbers) == len(self.values) > 0 else (-INFINITE, INFINITE)


def _between(value: object, low: float, high: float) -> bool:
    return not isinstance(value, (int, float)) or isinstance(value, bool) or low <= value <= high


ANY = Domain()


class State:
    """Facets, what they may be, and which are equal.

    Attributes:
        picked: the length of the lists of which one element stands for any.
        picker: number of the expression that has picked it.
        version: grows with whatever becomes known.
    """

    __slots__ = ("apart", "domains", "parents", "picked", "picker", "version")

    def __init__(self) -> None:
        self.parents: dict[Sym, Sym] = {}
        self.domains: dict[Sym, Domain] = {}
        self.apart: set[frozenset[Sym]] = set()
        self.picked: Sym | None = None
        self.picker: int | None = None
        self.version = 0

    def copy(self) -> State:
        """A state that may be told more."""
        made = State()
        made.parents, made.domains, made.apart = dict(self.parents), dict(self.domains), set(self.apart)
        made.picked, made.picker = self.picked, self.picker
        return made

    def find(self, sym: Sym) -> Sym:
        """The one that stands for all that are equal to it."""
        while sym in self.parents:
            sym = self.parents[sym]
        return sym

    def new(self, sym: Sym, domain: Domain) -> Sym:
        """A facet with what it may be, unless it is known already."""
        found = self.find(sym)
        if found == sym and sym not in self.domains:
            self.domains[sym] = domain
        return found

    def domain(self, sym: Sym) -> Domain:
        """What it may be."""
        return self.domains.get(self.find(sym), ANY)

    def meet(self, sym: Sym, domain: Domain) -> None:
        """It is one of these, too."""
        sym = self.find(sym)
        old = self.domains.get(sym, ANY)
        new = old.meet(domain)
        if new.empty:
            raise Conflict
        if new != old:
            self.domains[sym] = new
            self.version += 1

    def known(self, value: object) -> object:
        """The value, where only one is left."""
        if not isinstance(value, Sym):
            return value
        one = self.domain(value).one
        return self.find(value) if one is None else one[0]

    def same(self, left: object, right: object) -> None:
        """Two scalars are equal."""
        left, right = self.known(left), self.known(right)
        if isinstance(left, Sym) and isinstance(right, Sym):
            if left == right:
                return
            if frozenset((left, right)) in self.apart:
                raise Conflict
            self.parents[right] = left
            self.version += 1
            self.meet(left, self.domains.get(right, ANY))
            self.apart = {frozenset(map(self.find, pair)) for pair in self.apart}
            if any(len(pair) == 1 for pair in self.apart):
                raise Conflict
        elif isinstance(left, Sym) or isinstance(right, Sym):
            sym, value = (left, right) if isinstance(left, Sym) else (right, left)
            assert isinstance(sym, Sym)  # one of them is
            self.meet(sym, exactly(value))
        elif left != right:
            raise Conflict

    def differ(self, left: object, right: object) -> None:
        """Two scalars are not equal."""
        left, right = self.known(left), self.known(right)
        if isinstance(left, Sym) and isinstance(right, Sym):
            pair = frozenset((left, right))
            if left == right:
                raise Conflict
            if pair not in self.apart:
                self.apart.add(pair)
                self.version += 1
        elif isinstance(left, Sym) or isinstance(right, Sym):
            sym, value = (left, right) if isinstance(left, Sym) else (right, left)
            assert isinstance(sym, Sym)  # one of them is
            self.meet(sym, replace(ANY, out=frozenset((value,))))
        elif left == right:
            raise Conflict


def exactly(value: object) -> Domain:
    """This value alone."""
    return Domain(frozenset((value,)))
