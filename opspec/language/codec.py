"""Typed trees as JSON values and back, exactly but for the columns of the source: what a compiled form keeps of them.

A tree is a row of a table: the number of its kind, its fields, its type. A field that is a tree is the number of
another row, so what occurs twice stands once, and reading one rule reads no other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from opspec.language import tree
from opspec.language.types import Type
from opspec.later import typing

_TREES = frozenset(name for kind in tree.KINDS for name in kind.parts)
_TUPLES = frozenset({"ops", "starred", "variables"})
_FIELDS: dict[type, tuple[str, ...]] = {
    kind: tuple(name for name in kind.__match_args__ if name != "column") for kind in tree.KINDS
}


class Writer:
    """Collects trees.

    Attributes:
        rows: the table, as JSON values.
    """

    def __init__(self) -> None:
        self.rows: list[list[object]] = []
        self._places: dict[str, int] = {}

    def add(self, node: tree.Node) -> int:
        """The number of a tree's row."""
        kind = type(node)
        row = [tree.KINDS.index(kind), *(self._field(name, getattr(node, name)) for name in _FIELDS[kind])]
        place = self._places.setdefault(repr(row), len(self.rows))
        if place == len(self.rows):
            self.rows.append(row)
        return place

    def _field(self, name: str, value: typing.Any) -> object:
        if name in _TREES:
            return self._part(value)
        if name in _TUPLES:
            return list(value)
        if name == "rows":
            return [[None if cell is None else sorted(cell, key=repr) for cell in row] for row in value]
        return _type_row(value) if name == "type" else value

    def _part(self, part: tree.Node | tuple[tree.Node, ...] | None) -> object:
        if part is None:
            return None
        return [self.add(item) for item in part] if isinstance(part, tuple) else self.add(part)


class Trees:
    """Reads the trees of a table, each when it is asked for; who asks twice gets the same tree."""

    __slots__ = ("_known", "_rows")

    def __init__(self, rows: Sequence[Sequence[typing.Any]]) -> None:
        self._rows = rows
        self._known: dict[int, tree.Node] = {}

    def node(self, place: int) -> tree.Node:
        """The tree of a row."""
        known = self._known.get(place)
        if known is None:
            number, *values = self._rows[place]
            kind = tree.KINDS[number]
            make: Callable[..., tree.Node] = kind
            known = self._known[place] = make(*map(self._value, _FIELDS[kind], values), 0)
        return known

    def _value(self, name: str, value: typing.Any) -> typing.Any:
        if name in _TREES:
            return self._part(value)
        if name in _TUPLES:
            return tuple(value)
        if name == "rows":
            return tuple(tuple(None if cell is None else frozenset(cell) for cell in row) for row in value)
        return _type(value) if name == "type" else value

    def _part(self, part: int | Sequence[int] | None) -> tree.Node | tuple[tree.Node, ...] | None:
        if part is None:
            return None
        return self.node(part) if isinstance(part, int) else tuple(map(self.node, part))


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
