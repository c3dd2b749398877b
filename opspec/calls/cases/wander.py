"""From one call to others like it: random changes of any argument, each of which leaves what the call breaks."""

from __future__ import annotations

import random
from itertools import islice

from opspec.calls.cases.around import around
from opspec.calls.cases.isolate import Isolation, broken_by
from opspec.calls.examples.call import Call
from opspec.calls.examples.search import Search
from opspec.vocabulary import products
from opspec.vocabulary.literals import Facet

TRIES = 12  # changes that are tried for one step
MEND_STEPS = 12  # of the search that mends what a change broke, of a legal call
MOST_AROUND = 400
_FACETS: tuple[Facet, ...] = ("presence", "dtype", "format", "shape", "layout", "value")


def wandered(isolation: Isolation, call: Call, product: str, steps: int, chance: random.Random) -> Call:
    """A call that breaks the same rules, up to so many changes away; the call itself where each breaks another rule."""
    kept = broken_by(isolation.verdict(call, product))
    for _ in range(steps):
        for _ in range(TRIES):
            changed = _changed(isolation, call, chance)
            if changed is None:
                continue
            if not kept and not _same(isolation, changed, product, kept):
                changed = _mended(isolation, changed, product, chance)
            if changed is not None and _same(isolation, changed, product, kept):
                call = changed
                break
    return call


def _changed(isolation: Isolation, call: Call, chance: random.Random) -> Call | None:
    name = chance.choice(list(call))
    nearby = list(islice(around(isolation.definition, call, frozenset({(name, chance.choice(_FACETS))})), MOST_AROUND))
    return chance.choice(nearby) if nearby else None


def _mended(isolation: Isolation, call: Call, product: str, chance: random.Random) -> Call | None:
    search = Search(isolation.definition, isolation.form, *products.resolve(product), chance)
    return search.legal(MEND_STEPS, start=call)


def _same(isolation: Isolation, call: Call, product: str, kept: tuple[str, ...]) -> bool:
    return broken_by(isolation.verdict(call, product)) == kept
