"""Rules on data types alone, tried on those that the table of products has: some refuse none of them, others a few."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping
from math import prod

from opspec.docs.domains import Domains, filled, name
from opspec.language import build, tree
from opspec.language.interpret import Env, evaluate
from opspec.language.text import write
from opspec.language.types import DTYPE
from opspec.model.definition import RuleDef
from opspec.vocabulary import products

_MOST = 4096  # combinations that are tried on a product


def breaking(rule: RuleDef, domains: Domains) -> Iterator[tuple[str, tuple[str, ...]]] | None:
    """The products and the data types there, in the table, that break a rule; None where it is about more than these,
    or where the table does not say all that programs may use."""
    read = {part for part in tree.walk(rule.check) if isinstance(part, tree.Attr) and part.type == DTYPE}
    may: dict[tree.Node, list[str]] = {
        part: sorted(map(str, domains.values(part, rule.id) or ())) for part in sorted(read, key=write)
    }
    rest = tree.walk(filled(rule.check, dict.fromkeys(may, build.TRUE)))
    if not may or any(isinstance(part, (tree.Param, tree.Let)) for part in rest):
        return None
    if not 0 < prod(map(len, may.values())) <= _MOST:
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
    for product, gone in lacking.items():
        owner = products.owner(product)
        env = Env({}, product=owner, member=None if owner == product else product)
        here = [[value for value in values if (name(part), value) not in gone] for part, values in may.items()]
        for case in itertools.product(*here):
            known = {part: tree.Const(value, DTYPE) for part, value in zip(may, case, strict=True)}
            if evaluate(filled(check, known), env) is not True:
                yield product, case
