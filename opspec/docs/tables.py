"""Tables of which a call must match a row: of a rule, of alternatives, of the kernel of a generated interface."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from opspec.docs.saying import Sayings, capital
from opspec.language import tree
from opspec.model.definition import RuleDef
from opspec.model.kernels import PLAIN
from opspec.vocabulary import products


@dataclass(frozen=True, slots=True)
class Combinations:
    """A table of which a call must match a row.

    Args:
        rule: the rule that holds it.
        title: what links to it are called, in code: its rule, or the kernel and its products.
        alternative: what the alternative that it belongs to is called.
        on: when it counts: on which products, under which condition, in which alternative.
    """

    rule: str
    title: str
    alternative: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    on: str = ""


def combinations(rule: RuleDef, sayings: Sayings) -> Iterator[Combinations]:
    """The tables of combinations that a rule, or an alternative of it, refers to."""
    if rule.is_lookup:
        yield from _supported(rule, sayings)
        return
    parts = [("", rule.check)] if not rule.alternatives else []
    parts += [(sayings.called(item), check) for item in rule.alternatives for check in item.checks]
    for name, check in parts:
        for node in tree.walk(check):
            if isinstance(node, tree.Choice):
                columns = _headings(node.columns, sayings)
                rows = tuple(tuple(_cell(cell, sayings) for cell in row) for row in node.rows)
                yield Combinations(rule.id, rule.id, name, columns, rows, _caption(rule, name, sayings))


def _supported(rule: RuleDef, sayings: Sayings) -> Iterator[Combinations]:
    """What a kernel takes, by product that has the operator; formats other than those that count as ND."""
    node = rule.check
    while isinstance(node, tree.If):
        named = sorted(str(value) for value in _constants(node.condition))
        named = [name for name in named if _has(sayings, name)]
        on = sayings.products(named)
        columns: list[tree.Node] = []
        shared: list[frozenset[object]] = []
        rows: tuple[tuple[frozenset[object] | None, ...], ...] = ((),)
        for check in node.then.items if isinstance(node.then, tree.Logic) else (node.then,):
            if isinstance(check, tree.Choice):
                columns += check.columns
                rows = check.rows
            elif isinstance(check, tree.Compare) and PLAIN not in _constants(check):
                columns.insert(len(shared), check.operands[0])
                shared.append(_constants(check))
        cells = tuple(tuple(_cell(cell, sayings) for cell in (*shared, *row)) for row in rows)
        if named:
            title = f"{sayings.spec.kernel}: {on}"
            yield Combinations(rule.id, title, "", _headings(tuple(columns), sayings), cells, on)
        node = node.other


def _has(sayings: Sayings, product: str) -> bool:
    """Whether the page says of a product, or of a part of it, that it has the operator."""
    return any(sayings.spec.products.get(name) == "yes" for name in (product, *products.members(product)))


def _headings(columns: tuple[tree.Node, ...], sayings: Sayings) -> tuple[str, ...]:
    """What stands above the columns; of data types, which are what most tables are of, their tensors alone."""
    plain = [column.base if isinstance(column, tree.Attr) and column.name == "dtype" else column for column in columns]
    return tuple(map(sayings.phrase, plain))


def _caption(rule: RuleDef, name: str, sayings: Sayings) -> str:
    """When a table counts: the condition of its rule, and the name of the alternative that it belongs to."""
    told = sayings.words["alternative"].format(name) if name else sayings.words["any_row"]
    if rule.when is None:
        return capital(told) if name else ""
    return capital(sayings.under(rule.when, told))


def _cell(cell: frozenset[object] | None, sayings: Sayings) -> str:
    """A cell of such a table: one value, several, or any."""
    if cell is None:
        return sayings.words["any_rank"]
    return sayings.listed(sorted(sayings.words["null"] if value is None else str(value) for value in cell))


def _constants(node: tree.Node) -> frozenset[object]:
    """The constants that a tree names."""
    return frozenset(part.value for part in tree.walk(node) if isinstance(part, tree.Const))
