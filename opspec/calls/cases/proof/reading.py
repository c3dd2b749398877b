"""What must be so in a call for a condition to come to one of some outcomes: what the state is told."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from opspec.calls.cases.proof import outcomes
from opspec.calls.cases.proof.outcomes import ALL, BROKEN, FALSE, LACKING, NULL, TRUE, UNDEFINED
from opspec.calls.cases.proof.state import INFINITE, Conflict, Domain, Sym, exactly
from opspec.calls.cases.proof.truths import OPPOSITE, Truths
from opspec.calls.cases.proof.values import NEVER, Bound, is_number
from opspec.language import tree
from opspec.language.types import BOOL
from opspec.model.definition import ParamDef

EXACTLY = ("==", "!=", "in", "not in")


class Reader(Truths):
    """Reads expressions in a state, and tells it what follows."""

    def want(self, node: tree.Node, mask: int, bound: Bound) -> None:
        """The condition comes to one of these.

        Raises:
            Conflict: it cannot.
        """
        now = self.truth(node, bound)
        if not now & mask:
            raise Conflict
        if now & ~mask == 0:
            return
        self._tried(node, bound, mask)
        follow = _FOLLOWING.get(type(node))
        if follow is not None:
            follow(self, node, now & mask, bound)
        elif node.type == BOOL and now & mask in (TRUE, FALSE):
            value, _ = self.value(node, bound)
            if isinstance(value, Sym):
                self.state.meet(value, exactly(now & mask == TRUE))

    def _want_let(self, node: tree.Let, mask: int, bound: Bound) -> None:
        self.want(self.lets[node.name], mask, {})

    def _want_not(self, node: tree.Unary, mask: int, bound: Bound) -> None:
        if node.op == "not":
            self.want(node.operand, outcomes.denied(mask), bound)

    def _want_logic(self, node: tree.Logic, mask: int, bound: Bound) -> None:
        self._want_all([(item, bound) for item in node.items], node.op == "or", mask)

    def _want_all(self, items: list[tuple[tree.Node, Bound]], negated: bool, mask: int) -> None:
        """Conditions joined by ``and``; by ``or`` that is the same of what they deny."""
        if negated:
            mask = outcomes.denied(mask)
        if not mask & FALSE:  # then none of them is false
            allowed = TRUE | mask & UNDEFINED
            for bit in (BROKEN, LACKING):
                allowed |= bit if mask & UNDEFINED & ~(bit - 1) else 0
            for item, around in items:
                self.want(item, outcomes.denied(allowed) if negated else allowed, around)
        elif not mask & TRUE:
            masks = [self.truth(item, around) for item, around in items]
            masks = [outcomes.denied(one) for one in masks] if negated else masks
            still = [item for item, one in zip(items, masks, strict=True) if one != TRUE]
            if len(still) == 1:
                self.want(still[0][0], outcomes.denied(mask) if negated else mask, still[0][1])

    def _want_none(self, node: tree.IsNone, mask: int, bound: Bound) -> None:
        if isinstance(node.operand, tree.Param) and mask in (TRUE, FALSE):
            self.state.meet(self.facet(node.operand.name, "presence"), exactly((mask == TRUE) is node.negated))

    def _want_if(self, node: tree.If, mask: int, bound: Bound) -> None:
        condition = self.truth(node.condition, bound)
        if condition & UNDEFINED & mask:
            return
        for bit, part, other in ((TRUE, node.then, FALSE), (FALSE, node.other, TRUE)):
            if condition == bit:
                self.want(part, mask, bound)
            elif condition & bit and not self.truth(part, bound) & mask:
                self.want(node.condition, other, bound)
                return

    def _want_given(self, node: tree.Given, mask: int, bound: Bound) -> None:
        self.want(node.operand, mask | (NULL if mask & TRUE else 0), bound)

    def _want_implies(self, node: tree.Implies, mask: int, bound: Bound) -> None:
        if not mask & TRUE:
            self.want(node.condition, TRUE | LACKING, bound)
        then = mask | (NULL if mask & TRUE else 0)
        if self.truth(node.condition, bound) == TRUE:
            self.want(node.then, then, bound)
        elif not mask & LACKING and not self.truth(node.then, bound) & then:
            self.want(node.condition, ALL & ~TRUE, bound)

    def _want_each(self, node: tree.Each, mask: int, bound: Bound) -> None:
        inner = self._elements(node, bound)
        joined = tree.conditioned(node)
        if inner is None:
            if not mask & FALSE and not bound:
                self._side_by_side(node.source)
            if not mask & TRUE and not bound:
                self._pick(node, mask)
            if node.quantifier == "all" and not mask & FALSE:
                for one in self._samples(node):
                    self.want(joined, mask | UNDEFINED if mask & (LACKING | BROKEN) else mask, {**bound, **one})
        else:
            self._want_all([(joined, around) for around in inner], node.quantifier == "any", mask)

    def _pick(self, node: tree.Each, mask: int) -> None:
        """Where not all elements of a list are like something, one is not."""
        lengths = [self.facet(param.name, "length") for param in self._lists(node.source) or ()]
        alike = all(self._equal(lengths[0], length) == TRUE for length in lengths)
        one = self.some(node.source, node.variables)
        number = self.shared.about(node).number
        if node.quantifier == "all" and self.state.picker in (None, number) and alike and one is not None:
            self.fill(node.source)
            self.state.picker = number
            self.want(tree.conditioned(node), mask | LACKING | NULL, one)

    def _want_compare(self, node: tree.Compare, mask: int, bound: Bound) -> None:
        if mask not in (TRUE, FALSE):
            return
        values = [self.value(operand, bound)[0] for operand in node.operands]
        pairs = list(zip(node.ops, values, values[1:], strict=False))
        if mask == FALSE:
            if NEVER in values or not all(op in EXACTLY or self._ordered(a, b) for op, a, b in pairs):
                return
            pairs = [(op, a, b) for op, a, b in pairs if self.relation(op, a, b) != TRUE]
            if len(pairs) != 1:
                return
        for op, a, b in pairs:
            if a is not NEVER and b is not NEVER:
                self.hold(op if mask == TRUE else OPPOSITE[op], a, b)

    def _ordered(self, *values: Any) -> bool:
        """Whether what is not less is equal or greater: all but NaN."""
        return all(
            isinstance(value, int) or (isinstance(value, Sym) and self.state.domain(value).whole) for value in values
        )

    def hold(self, op: str, left: Any, right: Any) -> None:
        """Two defined values compare so."""
        if op == "==":
            self._make_equal(left, right)
        elif op == "!=":
            self._make_differ(left, right)
        elif op in ("in", "not in"):
            self._member(op == "in", left, right)
        elif op in (">", ">="):
            self.hold("<" if op == ">" else "<=", right, left)
        else:
            self._below(left, right, op == "<")

    def _make_equal(self, left: Any, right: Any) -> None:
        if isinstance(left, tuple) and isinstance(right, tuple):
            if len(left) != len(right):
                raise Conflict
            for a, b in zip(left, right, strict=True):
                self._make_equal(a, b)
        elif isinstance(left, tuple) or isinstance(right, tuple):
            items, other = (left, right) if isinstance(left, tuple) else (right, left)
            length = self._length_of(other)
            if length is not None:
                self.state.meet(length, exactly(len(items)))
        elif isinstance(left, ParamDef) or isinstance(right, ParamDef):
            return
        else:
            one, other = self._length_of(left), self._length_of(right)
            if one is not None and other is not None:
                self.state.same(one, other)
            self.state.same(left, right)

    def _make_differ(self, left: Any, right: Any) -> None:
        if isinstance(left, tuple) and isinstance(right, tuple):
            if len(left) == len(right):
                pairs = [(a, b) for a, b in zip(left, right, strict=True) if self._equal(a, b) != TRUE]
                if not pairs:
                    raise Conflict
                if len(pairs) == 1:
                    self._make_differ(*pairs[0])
        elif not isinstance(left, (tuple, ParamDef)) and not isinstance(right, (tuple, ParamDef)):
            self.state.differ(left, right)

    def _member(self, wanted: bool, left: Any, right: Any) -> None:
        if not isinstance(right, tuple):
            return
        if not wanted:
            for item in right:
                self._make_differ(left, item)
            return
        items = [item for item in right if self._equal(left, item) != FALSE]
        if not items:
            raise Conflict
        if len(items) == 1:
            self._make_equal(left, items[0])
        elif isinstance(left, Sym) and not any(isinstance(item, (Sym, tuple)) for item in items):
            self.state.meet(left, Domain(frozenset(items)))

    def _below(self, left: Any, right: Any, strict: bool) -> None:
        if not (is_number(left) and is_number(right)):
            return
        if isinstance(left, Sym) and left == right and strict:
            raise Conflict
        (low, _), (_, high) = self._bounds(left), self._bounds(right)
        for value, bound, is_high in ((left, high, True), (right, low, False)):
            if isinstance(value, Sym):
                step = 1 if strict and self.state.domain(value).whole and abs(bound) != INFINITE else 0
                whole = self.state.domain(value).whole and abs(bound) != INFINITE
                limit = (math.floor(bound) if is_high else math.ceil(bound)) if whole else bound
                if step and limit != bound:
                    step = 0
                self.state.meet(value, Domain(None, high=limit - step) if is_high else Domain(None, low=limit + step))
            elif (value > bound if is_high else value < bound) or (strict and value == bound):
                raise Conflict

    def _want_table(self, node: tree.Table, mask: int, bound: Bound) -> None:
        if mask != TRUE:
            return
        values = [self._column(column, bound)[0] for column in node.columns]
        rows = [row for row in node.rows if self._fits(row, values)]
        for at, value in enumerate(values):
            cells = [row[at] for row in rows]
            if isinstance(value, Sym) and None not in cells:
                union = frozenset[object]().union(*(cell for cell in cells if cell is not None))
                self.state.meet(value, Domain(union))


_FOLLOWING: dict[type, Callable[..., None]] = {
    tree.Let: Reader._want_let, tree.Unary: Reader._want_not, tree.Logic: Reader._want_logic,
    tree.IsNone: Reader._want_none, tree.If: Reader._want_if, tree.Given: Reader._want_given,
    tree.Implies: Reader._want_implies, tree.Each: Reader._want_each, tree.Compare: Reader._want_compare,
    tree.Table: Reader._want_table,
}  # fmt: skip
