"""What a condition comes to in all calls that differ in what it reads, where that is few values: each is tried."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from opspec.calls.cases.proof import outcomes
from opspec.calls.cases.proof.known import Values
from opspec.language import tree
from opspec.language.facts import reads_lets
from opspec.language.interpret import Env, evaluate
from opspec.language.types import SCALAR, TENSOR, Type
from opspec.language.values import Scalar, Tensor

#: outcome -> of each term the values with which a condition comes to it
Worlds = Mapping[int, tuple[Values, ...]]


@dataclass(frozen=True, slots=True)
class Read:
    """A param that a condition reads.

    Args:
        there: whether it is there, where no facet tells.
        facets: each facet that is read, and the number of the term that it is.
    """

    name: str
    type: Type
    there: bool
    facets: tuple[tuple[str, int], ...]

    def argument(self, values: tuple[object, ...]) -> object:
        """An argument for it where the terms have these values."""
        known: dict[str, Any] = {facet: values[at] for facet, at in self.facets}
        if not known.get("presence", self.there):
            return None
        if self.type.name == TENSOR.name:
            return Tensor((1,) * known.get("rank", 1), known.get("dtype", "FLOAT"), known.get("format", "ND"))
        if self.type.name == SCALAR.name:
            return Scalar(known.get("dtype", "FLOAT"), None)
        return known.get("value", ())


@dataclass(frozen=True, slots=True)
class Asked:
    """What a condition comes to where each term has one of some values.

    Args:
        read: the params that it reads.
        domains: the values of each term.
        product: and its member; it may be any where the condition does not ask for it.
    """

    node: tree.Node
    read: tuple[Read, ...]
    domains: tuple[Values, ...]
    product: tuple[str | None, str | None]


def worlds(asked: Asked, lets: Mapping[str, tree.Node]) -> Worlds:
    """The answer; ``lets``: derived values."""
    return _tried(asked, lets) if reads_lets(asked.node) else _known(asked)


@lru_cache(maxsize=4096)
def _known(asked: Asked) -> Worlds:
    """That without derived values: releases of an operator say much the same."""
    return _tried(asked, {})


def _tried(asked: Asked, lets: Mapping[str, tree.Node]) -> Worlds:
    found: dict[int, list[set[object]]] = {}
    for values in itertools.product(*asked.domains):
        args = {one.name: one.argument(values) for one in asked.read}
        result = outcomes.of(evaluate(asked.node, Env(args, lets, *asked.product)))
        kept = found.get(result)
        if kept is None:
            kept = found[result] = [set() for _ in asked.domains]
        for own, value in zip(kept, values, strict=True):
            own.add(value)
    return {bit: tuple(map(frozenset, kept)) for bit, kept in found.items()}
