"""What conditions may come to in a call of which only some is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opspec.calls.cases.proof import outcomes
from opspec.calls.cases.proof.outcomes import ALL, FALSE, LACKING, NULL, TRUE, UNDEFINED
from opspec.calls.cases.proof.shared import FIRST, SOME
from opspec.calls.cases.proof.state import Domain, Sym
from opspec.calls.cases.proof.values import NEVER, Bound, Value, Values
from opspec.language import tree
from opspec.language.interpret import Env, evaluate
from opspec.language.types import PRODUCT

OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "in": "not in", "not in": "in"}


class Truths(Values):
    """Reads conditions, too."""

    def truth(self, node: tree.Node, bound: Bound) -> int:
        """What a condition may come to."""
        tried = self._tried(node, bound, ALL)
        if tried is not None:
            return tried
        read = _TRUTHS.get(type(node))
        if read is not None:
            found: int = read(self, node, bound)
            return found
        value, mask = self.value(node, bound)
        if value is NEVER:
            return mask
        return mask | (outcomes.of(value) if isinstance(value, bool) else TRUE | FALSE)

    def _true_let(self, node: tree.Let, bound: Bound) -> int:
        return self.truth(self.lets[node.name], {})

    def _true_logic(self, node: tree.Logic, bound: Bound) -> int:
        masks = [self.truth(item, bound) for item in node.items]
        if node.op == "and":
            return outcomes.every(masks)
        return outcomes.denied(outcomes.every(map(outcomes.denied, masks)))

    def _true_not(self, node: tree.Unary, bound: Bound) -> int:
        return outcomes.denied(self.truth(node.operand, bound))

    def _true_none(self, node: tree.IsNone, bound: Bound) -> int:
        if not isinstance(node.operand, tree.Param):
            return TRUE | FALSE | UNDEFINED
        there = self.there(node.operand.name)
        return TRUE | FALSE if there is None else outcomes.of(there is node.negated)

    def _true_if(self, node: tree.If, bound: Bound) -> int:
        condition = self.truth(node.condition, bound)
        found = condition & UNDEFINED
        found |= self.truth(node.then, bound) if condition & TRUE else 0
        return found | (self.truth(node.other, bound) if condition & FALSE else 0)

    def _true_given(self, node: tree.Given, bound: Bound) -> int:
        return outcomes.given(self.truth(node.operand, bound))

    def _true_implies(self, node: tree.Implies, bound: Bound) -> int:
        condition = self.truth(node.condition, bound)
        return TRUE if not condition & (TRUE | LACKING) else outcomes.implied(condition, self.truth(node.then, bound))

    def _true_each(self, node: tree.Each, bound: Bound) -> int:
        inner = self._elements(node, bound)
        joined = tree.conditioned(node)
        if inner is None:
            masks = [self.truth(joined, {**bound, **one}) for one in self._samples(node)]
            decisive = FALSE if node.quantifier == "all" else TRUE
            return decisive if decisive in masks else ALL
        masks = [self.truth(joined, around) for around in inner]
        if node.quantifier == "all":
            return outcomes.every(masks)
        return outcomes.denied(outcomes.every(map(outcomes.denied, masks)))

    def _samples(self, node: tree.Each) -> list[dict[str, Any]]:
        """Some elements of a list that has more."""
        if node.quantifier == "list" or not self._alike(node.source):
            return []
        lists = self._lists(node.source) or ()
        picked = None if self.state.picked is None else self.state.known(self.state.picked)
        same = all(self.state.known(self.facet(param.name, "length")) == picked for param in lists)
        found = (self.some(node.source, node.variables, which) for which in ((FIRST, SOME) if same else (FIRST,)))
        return [one for one in found if one is not None]

    def _true_compare(self, node: tree.Compare, bound: Bound) -> int:
        if any(operand.type == PRODUCT for operand in node.operands):
            return outcomes.of(evaluate(node, Env({}, self.lets, *self.shared.product)))
        values = [self.value(operand, bound) for operand in node.operands]
        return outcomes.every(
            self._compared(op, a, b) for op, a, b in zip(node.ops, values, values[1:], strict=False)
        )  # fmt: skip

    def _compared(self, op: str, left: Value, right: Value) -> int:
        mask = left[1] | right[1]
        if left[0] is NEVER or right[0] is NEVER:
            return mask
        return mask | self.relation(op, left[0], right[0])

    def relation(self, op: str, left: Any, right: Any) -> int:
        """What a comparison of two defined values may come to."""
        if op in ("!=", "not in"):
            return outcomes.denied(self.relation(OPPOSITE[op], left, right))
        if op == "==":
            return self._equal(left, right)
        if op == "in":
            if not isinstance(right, tuple):
                return TRUE | FALSE
            return outcomes.denied(outcomes.every(outcomes.denied(self._equal(left, item)) for item in right))
        (low, high), (least, greatest) = self._numbers(left), self._numbers(right)
        if op in (">", ">="):
            low, high, least, greatest = least, greatest, low, high
        if isinstance(left, Sym) and left == right:
            return outcomes.of(op in ("<=", ">=")) if self.state.domain(left).whole else TRUE | FALSE
        always = high < least or (high == least and op in ("<=", ">="))
        never = low > greatest or (low == greatest and op in ("<", ">"))
        return TRUE if always else FALSE if never else TRUE | FALSE

    def _true_table(self, node: tree.Table, bound: Bound) -> int:
        values, mask = [], 0
        for column in node.columns:
            value, undefined = self._column(column, bound)
            mask |= undefined
            values.append(value)
        if NEVER in values:
            return mask
        fitting = [row for row in node.rows if self._fits(row, values)]
        if not fitting:
            return mask | FALSE
        sure = any(all(cell is None or within(cell, value) for cell, value in zip(row, values, strict=True))
                   for row in fitting)  # fmt: skip
        return mask | TRUE if sure else mask | TRUE | FALSE

    def _column(self, column: tree.Node, bound: Bound) -> Value:
        root = tree.root(column)
        if isinstance(root, tree.Param):
            there = self.there(root.name)
            if there is False:
                return None, 0
            if there is None:
                return self._opaque(column, bound), UNDEFINED & ~NULL
        return self.value(column, bound)

    def _fits(self, row: tuple[frozenset[object] | None, ...], values: list[Any]) -> bool:
        return all(
            cell is None
            or isinstance(value, tuple)
            or (value in cell if not isinstance(value, Sym) else self._may(value, cell))
            for cell, value in zip(row, values, strict=True)
        )

    def _may(self, sym: Sym, cell: frozenset[object]) -> bool:
        return not self.state.domain(sym).meet(Domain(cell)).empty


def within(cell: frozenset[object], value: Any) -> bool:
    return not isinstance(value, (Sym, tuple)) and value in cell


_TRUTHS: dict[type, Callable[..., int]] = {
    tree.Let: Truths._true_let, tree.Logic: Truths._true_logic, tree.IsNone: Truths._true_none,
    tree.If: Truths._true_if, tree.Given: Truths._true_given, tree.Implies: Truths._true_implies,
    tree.Compare: Truths._true_compare, tree.Table: Truths._true_table, tree.Unary: Truths._true_not,
    tree.Each: Truths._true_each,
}  # fmt: skip
