"""Tables of which a call must match a row: of a rule, of alternatives, of the kernel of a generated interface."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from opspec.docs.saying import Sayings
from opspec.language import tree
from opspec.model.definition import RuleDef
from opspec.model.kernels import PLAIN


@dataclass(frozen=True, slots=True)
class Combinations:
    """A table of which a call must match a row; ``rule`` is the rule that holds it."""

    rule: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def combinations(rule: RuleDef, sayings: Sayings) -> Iterator[Combinations]:
    """The tables of combinations that a rule, or an alternative of it, refers to."""
    if rule.is_lookup:
        yield from _supported(rule, sayings)
        return
    parts = [("", rule.check)] if not rule.alternatives else []
    parts += [(item.id, check) for item in rule.alternatives for _, check in item.parts]
    for name, check in parts:
        for node in tree.walk(check):
            if isinstance(node, tree.Table):
                columns = tuple(map(sayings.phrase, node.columns))
                rows = tuple(tuple(_cell(cell, sayings) for cell in row) for row in node.rows)
                yield Combinations(rule.id, f"{rule.id} {name}".strip(), columns, rows)


def _supported(rule: RuleDef, sayings: Sayings) -> Iterator[Combinations]:
    """What a kernel takes, by product; formats where they are others than those that count as ND."""
    node = rule.check
    while isinstance(node, tree.If):
        on = sayings.products(str(value) for value in sorted(_constants(node.condition), key=str))
        columns: list[tree.Node] = []
        shared: list[frozenset[object]] = []
        rows: tuple[tuple[frozenset[object] | None, ...], ...] = ((),)
        for check in node.then.items if isinstance(node.then, tree.Logic) else (node.then,):
            if isinstance(check, tree.Table):
                columns += check.columns
                rows = check.rows
            elif isinstance(check, tree.Compare) and PLAIN not in _constants(check):
                columns.insert(len(shared), check.operands[0])
                shared.append(_constants(check))
        cells = tuple(tuple(_cell(cell, sayings) for cell in (*shared, *row)) for row in rows)
        yield Combinations(rule.id, f"{sayings.spec.generated_from}: {on}", tuple(map(sayings.phrase, columns)), cells)
        node = node.other


def _cell(cell: frozenset[object] | None, sayings: Sayings) -> str:
    """A cell of such a table: one value, several, or any."""
    if cell is None:
        return sayings.words["any_rank"]
    return sayings.listed(sorted(sayings.words["null"] if value is None else str(value) for value in cell))


def _constants(node: tree.Node) -> frozenset[object]:
    """The constants that a tree names."""
    return frozenset(part.value for part in tree.walk(node) if isinstance(part, tree.Const))
