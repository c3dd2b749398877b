"""Which dtypes and formats the rules leave each param on one product, whatever the others are.

Each param starts with all that its own rules let pass. A value goes when some rule cannot hold with it, whatever of
theirs the other params have; what a rule reads beside dtypes, formats and presence may be anything. That is repeated
until nothing goes. What is left may still have no call; what went has none for certain.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from opspec.calls.examples.chances import EITHER, connected, denied, joined, tried
from opspec.language import tree
from opspec.language.facts import Facts
from opspec.language.interpret import Env, Undef, column_value
from opspec.language.values import Tensor
from opspec.model.definition import Definition, ParamDef, RuleDef
from opspec.vocabulary import products

MOST = 2_000  # combinations that are tried of a condition; with more it may be either
FACETS = ("dtype", "format")

Listed = Mapping[tuple[str, str], Sequence[str]]  # by param and facet
Pair = tuple[str, ...] | None  # dtype and format, or those of them that are read; None: null
Left = dict[str, Set[Pair]]  # by param

_KINDS = ("tensor", "scalar", "tensor_list", "scalar_list")
_ANY = ""  # of a facet that is not followed


class Narrowed:
    """The dtypes, formats and absence that rules leave the params of an operator.

    Args:
        listed: what each param may be by itself.
        rules: those that count.
    """

    def __init__(self, definition: Definition, product: str, listed: Listed, rules: Iterable[RuleDef]) -> None:
        self._ways = Ways(definition, products.resolve(product))
        self._rules = {rule.id: (rule, _facets(definition.read_by(rule))) for rule in rules}
        self._first: Left = {param.name: _all(param, listed) for param in definition.params if param.kind in _KINDS}
        self._left = dict(self._first)
        self._gone: dict[tuple[str, Pair], str] = {}
        self._narrow()

    def has(self, name: str, facet: str, value: str) -> bool:
        """Whether a param may have a dtype or format."""
        return name not in self._left or any(_is(pair, facet, value) for pair in self._left[name])

    def without(self, name: str, facet: str, value: str) -> list[str]:
        """The rules that leave a param without a dtype or format."""
        found = [rule for (other, pair), rule in self._gone.items() if other == name and _is(pair, facet, value)]
        return list(dict.fromkeys(found))

    def null(self, name: str) -> bool:
        """Whether a rule by itself says that a param is null."""
        if None not in self._first.get(name, ()):
            return False
        there = {**self._first, name: self._first[name] - {None}}
        return any(name in facets and not self._ways.hold(rule, there) for rule, facets in self._rules.values())

    def _narrow(self) -> None:
        pending = dict.fromkeys(self._rules)
        while pending:
            rule, facets = self._rules[next(iter(pending))]
            del pending[rule.id]
            narrowed = {name for name in facets if name in self._left and self._taken(rule, name, facets[name])}
            pending.update(dict.fromkeys(key for key, (_, others) in self._rules.items() if narrowed & others.keys()))

    def _taken(self, rule: RuleDef, name: str, facets: tuple[str, ...]) -> bool:
        """Takes the values of a param that a rule cannot hold with; whether there were any."""
        pairs = self._left[name]
        kinds: dict[Pair, set[Pair]] = {}
        for pair in pairs:
            kinds.setdefault(_projected(pair, facets), set()).add(pair)
        taken = [kind for kind in kinds.values() if not self._ways.hold(rule, {**self._left, name: kind})]
        gone = set[Pair]().union(*taken)
        self._gone.update(((name, pair), rule.id) for pair in gone)
        self._left[name] = pairs - gone
        return bool(gone)


def _is(pair: Pair, facet: str, value: str) -> bool:
    return pair is not None and pair[FACETS.index(facet)] in (value, _ANY)


def _all(param: ParamDef, listed: Listed) -> Set[Pair]:
    """A scalar has no format; it is read as a tensor is. What is in a list is not followed."""
    kinds = [_ANY] if param.kind.endswith("_list") else listed[param.name, "dtype"]
    layouts = listed[param.name, "format"] if param.kind == "tensor" else [_ANY]
    pairs = frozenset(itertools.product(kinds, layouts))
    return pairs | {None} if param.nullable and param.pointer else pairs


def _facets(read: Facts) -> dict[str, tuple[str, ...]]:
    return {name: tuple(facet for facet in FACETS if (name, facet) in read) for name, _ in read if name}


def _projected(pair: Pair, facets: tuple[str, ...]) -> Pair:
    return None if pair is None else tuple(pair[FACETS.index(facet)] for facet in facets)


@dataclass(frozen=True, slots=True)
class Ways:
    """What conditions may come to on a product, where params have some of the values that are left of them."""

    definition: Definition
    product: tuple[str, str | None]

    def hold(self, rule: RuleDef, found: Left) -> bool:
        """Whether some call that has these may satisfy a rule."""
        return (rule.when is not None and False in self.of(rule.when, found)) or True in self.of(rule.check, found)

    def of(self, node: tree.Node, found: Left) -> frozenset[bool]:
        """What a condition may come to; undefined, it may be either."""
        envs = self._envs(node, found)
        if envs is not None:
            return tried(node, envs)
        parts = connected(node, self.definition.lets, lambda part: self.of(part, found))
        if parts is not None:
            return parts
        if isinstance(node, tree.Implies):
            return joined(True, [denied(self.of(node.condition, found)), self.of(node.then, found) | {True}])
        if isinstance(node, tree.Choice):
            rows = node.alternatives
            return frozenset({False}) | {any(all(self._meets(*item, found) for item in row) for row in rows)}
        return EITHER

    def _meets(self, column: tree.Node, cell: frozenset[object], found: Left) -> bool:
        envs = self._envs(column, found)
        values = None if envs is None else (column_value(column, env) for env in envs)
        return values is None or any(isinstance(value, (Undef, tuple)) or value in cell for value in values)

    def _followed(self, name: str, facet: str, found: Left) -> bool:
        return name in found and (facet == "presence" or (facet in FACETS and (_ANY, _ANY) not in found[name]))

    def _envs(self, node: tree.Node, found: Left) -> Iterable[Env] | None:
        """A call for each combination of what a node reads; None where that is more than is known, or too many."""
        read = self.definition.facts(node)
        if not all(facet == "product" or self._followed(name, facet, found) for name, facet in read):
            return None
        facets = _facets(read)
        domains = [list({_projected(pair, wanted) for pair in found[name]}) for name, wanted in facets.items()]
        if math.prod(map(len, domains)) > MOST:
            return None
        return (
            Env(dict(zip(facets, map(_value, combination, facets.values()), strict=True)), self.definition.lets,
                *self.product)
            for combination in itertools.product(*domains)
        )  # fmt: skip


def _value(item: Pair, facets: tuple[str, ...]) -> Tensor | None:
    known = dict(zip(facets, item or (), strict=False))
    return None if item is None else Tensor((1,), known.get("dtype", "FLOAT"), known.get("format", "ND"))
