"""Which dtypes and formats the rules between params leave each of them on one product.

Rules that read nothing but dtypes, formats and presence of few params are tried on all that these list; what no
combination lets pass goes, until nothing does. What is left may still have no call; what went has none for certain.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from opspec.language.interpret import Env, evaluate
from opspec.language.values import Tensor
from opspec.model.definition import Definition, ParamDef, RuleDef
from opspec.vocabulary import products
from opspec.workshop.lint.worlds import passes

MOST = 5_000  # combinations that are tried for a rule
FACETS = ("dtype", "format")

Listed = Mapping[tuple[str, str], Sequence[str]]  # by param and facet
Pair = tuple[str, ...] | None  # dtype and format, or those of them that a rule reads; None: null
Left = dict[str, set[Pair]]  # by param


@dataclass(frozen=True, slots=True)
class Bound:
    """A rule that reads nothing but facets of some params."""

    rule: RuleDef
    facets: Mapping[str, tuple[str, ...]]


def left(definition: Definition, product: str, listed: Listed, rules: Iterable[RuleDef]) -> Left:
    """Param -> the pairs of dtype and format, or null, that some combination has.

    Args:
        listed: all that a param may be by itself, where that is known; params of unknown dtypes are left out.
    """
    params = {param.name: param for param in definition.params if param.kind in ("tensor", "scalar")}
    found = {name: _all(param, listed) for name, param in params.items() if (name, "dtype") in listed}
    bounds = [bound for rule in rules if (bound := _bound(definition, rule, found, listed)) is not None]
    owner = products.owner(product)
    member = None if product == owner else product
    pending = bounds
    while pending:
        narrowed: set[str] = set()
        for bound in pending:
            narrowed |= _narrowed(definition, bound, found, (owner, member))
        pending = [bound for bound in bounds if narrowed & bound.facets.keys()]
    return found


def has(pairs: set[Pair], facet: str, value: str) -> bool:
    """Whether a dtype or format is among what is left of a param."""
    return any(pair is not None and pair[FACETS.index(facet)] == value for pair in pairs)


def _all(param: ParamDef, listed: Listed) -> set[Pair]:
    layouts = listed.get((param.name, "format"), ["ND"]) if param.kind == "tensor" else ["ND"]
    pairs = set(itertools.product(listed[param.name, "dtype"], layouts))
    return {*pairs, None} if param.nullable and param.pointer else set(pairs)


def _bound(
    definition: Definition,
    rule: RuleDef,
    found: Left,
    listed: Listed,
) -> Bound | None:
    """The rule, if it reads nothing else."""
    read = definition.facts(rule.check)
    read = read if rule.when is None else read | definition.facts(rule.when)
    facets: dict[str, tuple[str, ...]] = {}
    for name, facet in read:
        if not name:
            continue
        if name not in found or not (facet == "presence" or (name, facet) in listed):
            return None
        facets.setdefault(name, ())
    if rule.alternatives or not facets:
        return None
    return Bound(rule, {name: tuple(facet for facet in FACETS if (name, facet) in read) for name in facets})


def _narrowed(definition: Definition, bound: Bound, found: Left, product: tuple[str, str | None]) -> set[str]:
    """Takes what the rule never lets pass from ``found``; the params of which something went."""
    domains = [list({_projected(pair, facets) for pair in found[name]}) for name, facets in bound.facets.items()]
    if math.prod(map(len, domains)) > MOST:
        return set()
    good: list[set[Pair]] = [set() for _ in domains]
    for combination in itertools.product(*domains):
        if all(item in seen for item, seen in zip(combination, good, strict=True)):
            continue
        values = map(_value, combination, bound.facets.values())
        env = Env(dict(zip(bound.facets, values, strict=True)), definition.lets, *product)
        if (bound.rule.when is not None and evaluate(bound.rule.when, env) is not True) or passes(bound.rule, env):
            for item, seen in zip(combination, good, strict=True):
                seen.add(item)
    narrowed: set[str] = set()
    for (name, facets), seen in zip(bound.facets.items(), good, strict=True):
        kept = {pair for pair in found[name] if _projected(pair, facets) in seen}
        if len(kept) < len(found[name]):
            found[name] = kept
            narrowed.add(name)
    return narrowed


def _projected(pair: Pair, facets: tuple[str, ...]) -> Pair:
    return None if pair is None else tuple(pair[FACETS.index(facet)] for facet in facets)


def _value(item: Pair, facets: tuple[str, ...]) -> Tensor | None:
    """A scalar is read as a tensor is: by its dtype."""
    known = dict(zip(facets, item or (), strict=False))
    return None if item is None else Tensor((1,), known.get("dtype", "FLOAT"), known.get("format", "ND"))
