"""Typed trees as JSON values and back, exactly but for the columns of the source: what a compiled form keeps of them.

A tree is a row: the number of its kind, its fields, its type. A field that is a tree is its row. What occurs twice
stands once, as a row of a table; then the field says how many rows before its own that stands. So reading one rule
reads no other, and what operators have in common is written alike in the tables of all, which compresses them best.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from opspec.language import tree
from opspec.language.types import Type
from opspec.later import typing

_TREES = frozenset(name for kind in tree.KINDS for name in kind.parts)
_MANY = frozenset({"args", "columns", "items", "operands"})  # trees, one behind the other
_TUPLES = frozenset({"ops", "starred", "variables"})
_FIELDS: dict[type, tuple[str, ...]] = {
    kind: tuple(name for name in kind.__match_args__ if name != "column") for kind in tree.KINDS
}


class Writer:
    """Collects trees."""

    def __init__(self) -> None:
        self._rows: list[list[typing.Any]] = []  # of all trees, each once; a field that is a tree is a number
        self._numbers: dict[str, int] = {}
        self._uses: list[int] = []
        self._asked: set[int] = set()

    def add(self, node: tree.Node) -> int:
        """The number of a tree, which :meth:`table` turns into its place."""
        number = self._number(node)
        self._asked.add(number)
        return number

    def table(self) -> tuple[list[list[object]], dict[int, int]]:
        """The table of all that was added, as JSON values, and the places of trees in it by their numbers."""
        uses = enumerate(self._uses)
        places = {number: place for place, number in enumerate(n for n, u in uses if u > 1 or n in self._asked)}
        return [self._written(number, place, places) for number, place in places.items()], places

    def _number(self, node: tree.Node) -> int:
        kind = type(node)
        row = [tree.KINDS.index(kind), *(self._field(name, getattr(node, name)) for name in _FIELDS[kind])]
        number = self._numbers.setdefault(repr(row), len(self._rows))
        if number == len(self._rows):
            self._rows.append(row)
            self._uses.append(0)
            for part in _parts(row):
                self._uses[part] += 1
        return number

    def _field(self, name: str, value: typing.Any) -> object:
        if name in _MANY:
            return list(map(self._number, value))
        if name in _TREES:
            return None if value is None else self._number(value)
        if name in _TUPLES:
            return list(value)
        if name == "rows":
            return [[None if cell is None else sorted(cell, key=repr) for cell in row] for row in value]
        return _type_row(value) if name == "type" else value

    def _written(self, number: int, own: int, places: dict[int, int]) -> list[object]:
        """The row of a tree, as it stands in the row of the table that has the place ``own``."""

        def part(other: int) -> object:
            return own - places[other] if other in places else self._written(other, own, places)

        kind, *values = self._rows[number]
        row: list[object] = [kind]
        for name, value in zip(_FIELDS[tree.KINDS[kind]], values, strict=True):
            if name in _MANY:
                row.append(list(map(part, value)))
            else:
                row.append(part(value) if name in _TREES and value is not None else value)
        return row


def _parts(row: list[typing.Any]) -> Iterator[int]:
    """The numbers of the trees in a row."""
    for name, value in zip(_FIELDS[tree.KINDS[row[0]]], row[1:], strict=True):
        if name in _MANY:
            yield from value
        elif name in _TREES and value is not None:
            yield value


class Trees:
    """Reads the trees of a table, each when it is asked for; who asks twice gets the same tree."""

    __slots__ = ("_known", "_rows")

    def __init__(self, rows: Sequence[Sequence[typing.Any]]) -> None:
        self._rows = rows
        self._known: dict[int, tree.Node] = {}

    def node(self, place: int) -> tree.Node:
        """The tree at a place in the table."""
        known = self._known.get(place)
        if known is None:
            known = self._known[place] = self._made(self._rows[place], place)
        return known

    def _made(self, row: Sequence[typing.Any], own: int) -> tree.Node:
        """The tree of a row, which stands in the row of the table that has the place ``own``."""
        number, *values = row
        kind = tree.KINDS[number]
        make: Callable[..., tree.Node] = kind
        return make(*[self._value(name, value, own) for name, value in zip(_FIELDS[kind], values)], 0)  # noqa: B905

    def _value(self, name: str, value: typing.Any, own: int) -> typing.Any:
        if name in _MANY:
            return tuple([self._part(part, own) for part in value])
        if name in _TREES:
            return None if value is None else self._part(value, own)
        if name in _TUPLES:
            return tuple(value)
        if name == "rows":
            return tuple(tuple(None if cell is None else frozenset(cell) for cell in row) for row in value)
        return _type(value) if name == "type" else value

    def _part(self, part: int | Sequence[typing.Any], own: int) -> tree.Node:
        return self.node(own - part) if type(part) is int else self._made(part, own)  # type: ignore[arg-type]


def _type_row(kind: Type) -> object:
    """``"int"``, ``["int"]`` for a list of them, ``[]`` for the empty list, ``{"pair": […]}``."""
    if kind.name == "pair":
        return {"pair": list(map(_type_row, kind.members))}
    if kind.name == "list":
        return [] if kind.item is None else [_type_row(kind.item)]
    return kind.name


def _type(row: typing.Any) -> Type:
    if isinstance(row, str):
        return Type(row)
    if isinstance(row, list):
        return Type("list", _type(row[0]) if row else None)
    return Type("pair", None, tuple(map(_type, row["pair"])))
