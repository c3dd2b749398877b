"""A rule where only some of a call is known: what a message says of arguments stands in the rule, the rest is unknown.

The interpreter reads the rule as it reads any; an argument of which nothing is known is undefined for want of data.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Mapping

from opspec.assist.explain.stated import Stated
from opspec.calls.examples.aim import place_of
from opspec.calls.examples.call import Place
from opspec.language import tree
from opspec.language.facts import expanded
from opspec.language.interpret import Env, Undef, evaluate
from opspec.language.outcome import NO_DATA
from opspec.language.types import INT
from opspec.registry.info import RuleInfo
from opspec.registry.registry import Form

MOST_NODES = 4000  # of a rule with what it derives; what is larger is not read


class Known:
    """What is known of a call of an operator.

    Attributes:
        params: those of which anything is known.
    """

    def __init__(self, form: Form, facts: Iterable[Stated], product: str | None, member: str | None) -> None:
        self._facts = {item.place: item.value for item in facts}
        absent = {place.param for place in self._facts if place.facet == "present"}
        self.params = frozenset(place.param for place in self._facts)
        self._there = self.params - absent
        for place, value in [*self._facts.items()]:
            if place.facet == "shape":
                self._facts.setdefault(Place(place.param, "rank", place.item), len(value))
        args = {name: None if name in absent else Undef(NO_DATA) for name, *_ in form.params}
        self._env = Env(args, form.info.lets, product, member)
        self._lets: dict[str, tree.Node] = {}

    def reads(self, rule: RuleInfo) -> bool:
        """Whether a rule, or its guard, reads anything that is known."""
        return not self.params.isdisjoint([*(name for name, _ in rule.facts), *rule.guarded_by])

    def breaks(self, rule: RuleInfo) -> tuple[bool | None, bool | None]:
        """Whether a rule applies, and whether its requirement fails; None of each where that is not known."""
        applies = None if rule.when is None else self._truth(rule.when)
        holds = self._truth(rule.check)
        return True if rule.when is None else applies, None if holds is None else not holds

    def _truth(self, node: tree.Node) -> bool | None:
        nodes = expanded(node, self._env.lets)
        if sum(1 for _, _ in zip(nodes, range(MOST_NODES), strict=False)) == MOST_NODES:
            return None
        found = evaluate(self._with(node), self._env)
        return found if isinstance(found, bool) else None

    def _with(self, node: tree.Node) -> tree.Node:
        """A tree with what is known in it."""
        if isinstance(node, tree.Index):
            node = tree.Index(node.base, self._with(node.index), node.type)
        if isinstance(node, tree.Binder) and node.quantifier == "all" and self._told_whole(node):
            return self._with(tree.substituted(tree.conditioned(node), {node.variables[0]: _first(node)}))
        if isinstance(node, tree.Choice):
            return self._chosen(node)
        bound = any(isinstance(part, tree.Var) for part in tree.walk(node))
        if isinstance(node, (tree.Param, tree.Attr, tree.Index)) and not bound:
            place = place_of(node, self._env)
            if place is not None and place in self._facts and place.facet != "present":
                return tree.Const(self._facts[place], node.type)
            if isinstance(node, tree.Attr) and node.name == "numel":
                return self._numel(node)
        if isinstance(node, tree.IsNone) and isinstance(node.operand, tree.Param) and node.operand.name in self._there:
            return tree.Const(node.negated, node.type)
        if isinstance(node, tree.Let):
            if node.name not in self._lets:
                self._lets[node.name] = self._with(self._env.lets[node.name])
            return self._lets[node.name]
        return tree.rebuilt(node, self._with)

    def _told_whole(self, node: tree.Binder) -> bool:
        """Whether a statement is of every element of a list, of which a message speaks as of one."""
        source = node.source
        items = {place.item for place in self._facts if isinstance(source, tree.Param) and place.param == source.name}
        return items == {0} and len(node.variables) == 1

    def _chosen(self, node: tree.Choice) -> tree.Node:
        """A choice, or that it fails where no row has what is known."""
        told = tree.rebuilt(node, self._with)
        rows = told.alternatives if isinstance(told, tree.Choice) else []
        return told if any(all(_may_be(*item) for item in row) for row in rows) else tree.Const(False, node.type)

    def _numel(self, node: tree.Attr) -> tree.Node:
        base = place_of(node.base, self._env)
        shape = None if base is None else self._facts.get(Place(base.param, "shape", base.item))
        return tree.rebuilt(node, self._with) if shape is None else tree.Const(math.prod(shape), node.type)


def _first(node: tree.Binder) -> tree.Node:
    """The first element of the list that a statement is of."""
    item = node.source.type.item
    assert item is not None  # only lists have elements
    return tree.Index(node.source, tree.Const(0, INT), item)


def _may_be(column: tree.Node, cell: frozenset[object]) -> bool:
    """Whether a column's value is one of a cell's, as far as it is known."""
    return not isinstance(column, tree.Const) or column.value in cell


@functools.lru_cache(maxsize=64)
def texts_of(form: Form) -> Mapping[str, frozenset[str]]:
    """Param -> the texts in its rules, of params that are strings."""
    strings = {name for name, kind, *_ in form.params if kind == "string"}
    found: dict[str, set[str]] = {name: set() for name in strings}
    for rule in form.info.rules if strings else ():
        read = strings & {name for name, _ in rule.facts}
        for node in expanded(rule.check, form.info.lets) if read else ():
            if isinstance(node, tree.Const) and isinstance(node.value, str):
                for name in read:
                    found[name].add(node.value)
    return {name: frozenset(values) for name, values in found.items()}
