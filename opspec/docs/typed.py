"""Rules on data types alone, tried on those that the table of products has: some refuse none of them, others a few."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from opspec.docs.alike import alike
from opspec.docs.domains import Domains, filled, is_sure, name, valued
from opspec.language import build, tree
from opspec.language.text import write
from opspec.language.types import BOOL, DTYPE
from opspec.model.definition import Definition, RuleDef
from opspec.vocabulary import products

Row = tuple[frozenset[object] | None, ...]
Rows = tuple[Row, ...]

_MOST = 4096  # combinations that are tried on a product


def breaking(rule: RuleDef, domains: Domains) -> Iterator[tuple[str, tuple[str, ...]]] | None:
    """The products and the data types there, in the table, that break a rule; None where it is about more than these,
    or where the table does not say all that programs may use."""
    read = {part for part in tree.walk(rule.check) if isinstance(part, tree.Attr) and part.type == DTYPE}
    may: dict[tree.Node, list[str]] = {
        part: sorted(map(str, domains.values(part, rule.id) or ())) for part in sorted(read, key=write)
    }
    if not may or not 0 < prod(map(len, may.values())) <= _MOST:
        return None
    rest = tree.walk(filled(rule.check, dict.fromkeys(may, build.TRUE)))
    if any(isinstance(part, (tree.Param, tree.Let)) for part in rest):
        return None
    said = [tree.on_products(part) for part in build.conjuncts(rule.when or build.TRUE)]
    on = {product: gone for product, gone in domains.lacking.items() if all(_may_be(one, product) for one in said)}
    return _breaking(rule.check, may, on)


def _may_be(on: tree.OnProducts | None, product: str) -> bool:
    """Whether a condition may hold on a product, or on a member of it; on a member also one on the product."""
    if on is None or on.holds(product):
        return True
    return products.owner(product) in on.ids or any(products.owner(one) == product for one in on.ids)


def _breaking(
    check: tree.Node, may: Mapping[tree.Node, Iterable[str]], lacking: Mapping[str, Collection[tuple[str, object]]]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    parts = tuple(may)
    is_of_product = any(isinstance(part, tree.Product) for part in tree.walk(check))
    types = {value: tree.Const(value, DTYPE) for values in may.values() for value in values}
    for product, gone in lacking.items():
        on = product if is_of_product else None
        here = [[value for value in values if (name(part), value) not in gone] for part, values in may.items()]
        for case in itertools.product(*here):
            if valued(check, parts, tuple(map(types.__getitem__, case)), on) is not True:
                yield product, case


def lawful(columns: tuple[tree.Node, ...], rows: Rows, definition: Definition, domains: Domains) -> Rows:
    """The rows of a table without the data types, and without those that have none left, that other rules refuse on
    every product, whatever attributes are that these rules read."""
    if not domains.of:
        return rows
    known = alike(definition).once(_tables)
    if (columns, rows) not in known:
        known[columns, rows] = _narrowed(columns, rows, definition, domains)
    return known[columns, rows]


def _tables(_: Definition) -> dict[tuple[tuple[tree.Node, ...], Rows], Rows]:
    """Tables that were narrowed, and what of them is left: the same in both languages, and in most releases."""
    return {}


def _narrowed(columns: tuple[tree.Node, ...], rows: Rows, definition: Definition, domains: Domains) -> Rows:
    at = {by: place for place, column in enumerate(columns) if (by := _type_of(column))}
    checks: list[_Check] = []
    read: dict[str, frozenset[object]] = {}
    for rule in definition.rules:
        whole = rule.check if rule.when is None else tree.Implies(rule.when, rule.check, BOOL)
        known = _read(whole, domains) if not rule.is_lookup and is_sure(rule, definition) else {}
        if len(known) > 1 and at.keys() & known.keys():
            checks.append(_Check.of(whole, known))
            read |= known
    kept = [_lawful(row, at, read, checks, [*domains.lacking]) for row in rows] if checks else rows
    return tuple(dict.fromkeys(row for row in kept if row is not None))


@dataclass(frozen=True, slots=True)
class _Check:
    """A statement on data types and attributes, with the nodes that have a value, and what these are called."""

    whole: tree.Node
    parts: tuple[tree.Node, ...]
    names: tuple[str, ...]
    is_of_product: bool

    @classmethod
    def of(cls, whole: tree.Node, known: Collection[str]) -> _Check:
        below = dict.fromkeys(tree.walk(whole))
        parts = tuple(one for one in below if isinstance(one, (tree.Attr, tree.Param)) and name(one) in known)
        return cls(whole, parts, tuple(map(name, parts)), any(isinstance(one, tree.Product) for one in below))

    def holds(self, known: Mapping[str, Any], product: str) -> bool:
        """Whether it may hold where these are known, on a product."""
        values = tuple(tree.Const(known[by], one.type) for by, one in zip(self.names, self.parts, strict=True))
        return valued(self.whole, self.parts, values, product if self.is_of_product else None) is not False


def _type_of(node: tree.Node) -> str:
    return name(node) if isinstance(node, tree.Attr) and node.name == "dtype" else ""


def _read(node: tree.Node, domains: Domains) -> dict[str, frozenset[object]]:
    """The data types and attributes that a statement reads with the values that they may have; none where it reads
    anything else, or what may have many."""
    found: dict[str, frozenset[object]] = {}
    inner = {id(part.base) for part in tree.walk(node) if isinstance(part, tree.Attr)}
    for part in tree.walk(node):
        if isinstance(part, (tree.Choice, tree.Each, tree.IsNone, tree.Let)):
            return {}
        if isinstance(part, (tree.Attr, tree.Param)) and id(part) not in inner:
            values = domains.values(part, "") if isinstance(part, tree.Param) or _type_of(part) else None
            base = part.base if isinstance(part, tree.Attr) else part
            if values is None or (getattr(base, "nullable", True) and domains.is_given(base) is not True):
                return {}  # which says nothing of a call where it is null
            found[name(part)] = values
    return found


def _lawful(
    row: Row,
    at: Mapping[str, int],
    read: Mapping[str, frozenset[object]],
    checks: Sequence[_Check],
    on: Collection[str],
) -> Row | None:
    """A row with the data types that some call has which keeps all that is checked; None where none does."""
    cells = {by: row[at[by]] if by in at and row[at[by]] is not None else values for by, values in read.items()}
    if prod(len(cell or ()) for cell in cells.values()) * len(on) > _MOST or any(
        None in (cell or ()) for cell in cells.values()
    ):
        return row
    left: dict[str, set[object]] = {by: set() for by in cells}
    for case in itertools.product(*(cell or () for cell in cells.values())):
        known = dict(zip(cells, case, strict=True))
        if any(all(check.holds(known, product) for check in checks) for product in on):
            for by, value in known.items():
                left[by].add(value)
    if not all(left.values()):
        return None
    kept = list(row)
    for by, place in at.items():
        cell = row[place]
        if by in left and cell is not None:
            kept[place] = cell & left[by]
    return tuple(kept)
