"""What is known of a call that nobody has seen: which values its terms may have, which of them are equal, what holds.

A term is an expression as a tree: the dtype of a tensor, a rank, an attribute, a product of dims. Each has a set of
values. Of integers and texts these are the constants that rules compare with and one value of each gap between them:
what is compared with constants alone cannot tell the values of a gap apart. All that is derived is sound: a
:class:`Conflict` means that no call is like this.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import lru_cache

from opspec.calls.cases.proof.outcomes import FALSE, TRUE
from opspec.language import ranges, runtime, tree
from opspec.language.types import BOOL, DTYPE, FORMAT, INT, STR, Type
from opspec.vocabulary import dtypes, formats

Values = frozenset[object]

HIGHEST_RANK = 9  # stands for all that no tensor may have
OTHER_TEXT = "\0"  # stands for every text that no rule names
#: what lists that are equal have in common
_OF_SHAPES = {"rank": INT, "numel": INT}
_FINITE: dict[Type, Values] = {
    BOOL: frozenset((True, False)),
    DTYPE: frozenset(dtypes.names()),
    FORMAT: frozenset(formats.names()),
}
_RANKS: Values = frozenset(range(HIGHEST_RANK + 1))


class Conflict(Exception):
    """No call is like this."""


class Spent(Exception):
    """The proof takes too long."""


class Constants:
    """The integers and texts that rules name, and what stands for all others.

    Args:
        nodes: the rules' conditions and checks, derived values included.
    """

    def __init__(self, nodes: Iterable[tree.Node]) -> None:
        named = frozenset().union(*map(_named_in, nodes))
        self.points = frozenset(value for value in named if isinstance(value, str) or type(value) is int)
        self._gaps = list(_gaps(sorted(value for value in self.points if isinstance(value, int))))
        self._texts: Values = frozenset(value for value in self.points if isinstance(value, str)) | {OTHER_TEXT}
        self._known: dict[tree.Node, Values | None] = {}

    def values(self, term: tree.Node) -> Values | None:
        """What a term may be; None where no few values stand for all."""
        if term not in self._known:
            self._known[term] = self._values(term)
        return self._known[term]

    def _values(self, term: tree.Node) -> Values | None:
        if isinstance(term, tree.Attr) and term.name == "rank":
            return _RANKS
        if isinstance(term, tree.IsNone) and isinstance(term.operand, tree.Param) and not term.operand.nullable:
            return frozenset((term.negated,))
        if term.type == INT:
            low, high = (0, runtime.HIGH) if isinstance(term, tree.Var) else ranges.range_of(term)  # a dim
            named = {value for value in self.points if isinstance(value, int) and low <= value <= high}
            return frozenset(named) | {value for value, first, last in self._gaps if first <= high and last >= low}
        return self._texts if term.type == STR else _FINITE.get(term.type)

    def tell_apart(self, condition: tree.Node) -> bool:
        """Whether a condition compares with none but the constants that are named."""
        return all(
            type(part.value) not in (int, str) or part.type not in (INT, STR) or part.value in self.points
            for part in tree.walk(condition)
            if isinstance(part, tree.Const)
        )

    def exact(self, term: tree.Node, value: object) -> bool:
        """Whether a value of a term stands for itself alone."""
        ranked = isinstance(term, tree.Attr) and term.name == "rank"
        return ranked or term.type not in (INT, STR) or value in self.points


@lru_cache(maxsize=4096)
def _named_in(node: tree.Node) -> frozenset[object]:
    """The constants of a rule: proofs look at the same rules over and over."""
    return frozenset(value for part in tree.walk(node) for value in _named(part))


def _gaps(named: list[int]) -> Iterator[tuple[int, float, float]]:
    """A value of each gap between integers, the same for every term, with the first and the last one of the gap."""
    if not named:
        yield 0, -math.inf, math.inf
        return
    yield named[0] - 1, -math.inf, named[0] - 1
    for value, following in zip(named, [*named[1:], math.inf], strict=True):
        if value + 1 < following:
            yield value + 1, value + 1, following - 1


def _named(part: tree.Node) -> Iterable[object]:
    if isinstance(part, tree.Const):
        return (part.value,)
    return (value for row in part.rows for cell in row for value in cell or ()) if isinstance(part, tree.Table) else ()


class State:
    """Terms, what they may be, and which are equal.

    Attributes:
        held: conditions that are not understood, and what they come to.
        picked: the length of the lists of which one element stands for any.
        picker: the expression that has picked it.
        version: grows with whatever becomes known.
    """

    __slots__ = ("constants", "domains", "held", "parents", "picked", "picker", "version")

    def __init__(self, constants: Constants) -> None:
        self.constants = constants
        self.parents: dict[tree.Node, tree.Node] = {}
        self.domains: dict[tree.Node, Values] = {}
        self.held: dict[tree.Node, int] = {}
        self.picked: tree.Node | None = None
        self.picker: tree.Node | None = None
        self.version = 0

    def copy(self) -> State:
        """A state that may be told more."""
        made = State(self.constants)
        made.parents, made.domains, made.held = dict(self.parents), dict(self.domains), dict(self.held)
        made.picked, made.picker = self.picked, self.picker
        return made

    @property
    def mark(self) -> tuple[int, tree.Node | None]:
        """Another one whenever more is known."""
        return self.version, self.picked

    def find(self, term: tree.Node) -> tree.Node:
        """The one that stands for all that are equal to it."""
        while term in self.parents:
            term = self.parents[term]
        return term

    def values(self, term: tree.Node) -> Values | None:
        """What a term may be; None where there is no end of it."""
        term = self.find(term)
        return self.domains[term] if term in self.domains else self.constants.values(term)

    def known(self, term: tree.Node) -> tree.Node:
        """The constant that a term is, else the term that stands for it."""
        values = self.values(term)
        if values is not None and len(values) == 1:
            (value,) = values
            if self.constants.exact(term, value) and isinstance(value, (bool, int, str)):
                return tree.Const(value, term.type)
        return self.find(term)

    def meet(self, term: tree.Node, values: Values) -> None:
        """It is one of these."""
        old = self.values(term)
        new = values if old is None else old & values
        if not new:
            raise Conflict
        if new != old:
            self.domains[self.find(term)] = new
            self.version += 1

    def hold(self, condition: tree.Node, outcome: int) -> None:
        """A condition that is not understood comes to this."""
        if self.held.get(condition, outcome) != outcome:
            raise Conflict
        if condition not in self.held:
            self.held[condition] = outcome
            self.version += 1

    def same(self, left: tree.Node, right: tree.Node) -> None:
        """Two terms are equal, and what they are made of with them."""
        left, right = self.find(left), self.find(right)
        if left == right:
            return
        if isinstance(left, tree.Const):
            left, right = right, left
        if isinstance(right, tree.Const):
            if isinstance(left, tree.Const):
                if left.value != right.value:
                    raise Conflict
            elif right.value in (self.constants.values(left) or (right.value,)):
                self.meet(left, frozenset((right.value,)))
            return
        if isinstance(left, tree.Seq) and isinstance(right, tree.Seq) and not any(left.starred + right.starred):
            if len(left.items) != len(right.items):
                raise Conflict
            for one, other in zip(left.items, right.items, strict=True):
                self.same(one, other)
        else:
            for one, other in zip(sizes_of(left), sizes_of(right), strict=False):
                self.same(one, other)
        if not isinstance(left, tree.Seq) and not isinstance(right, tree.Seq):
            values = self.values(right)
            self.parents[right] = left
            self.version += 1
            if values is not None:
                self.meet(left, values)

    def differ(self, left: tree.Node, right: tree.Node) -> bool:
        """Whether two terms have no value in common."""
        one, other = self.values(left), self.values(right)
        return one is not None and other is not None and not one & other


def sizes_of(term: tree.Node) -> list[tree.Node]:
    """The length of a list and, of a shape, the product of its dims; nothing of other terms."""
    if term.type.item is None:
        return []
    if isinstance(term, tree.Seq):
        return [] if any(term.starred) else [tree.Const(len(term.items), INT)]
    if isinstance(term, tree.Attr) and term.name == "shape":
        return [tree.Attr(term.base, name, type_) for name, type_ in _OF_SHAPES.items()]
    return [tree.Length(term, INT)]


def outcome(value: bool) -> int:
    """The outcome of a condition that has a value."""
    return TRUE if value else FALSE


@lru_cache(maxsize=4096)
def presence(param: tree.Param) -> tree.Node:
    """The term that a param is there."""
    return tree.IsNone(param, True, BOOL)
