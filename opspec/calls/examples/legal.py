"""Legal calls of an operator, as records that ``opspec check`` reads."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product as every
from typing import Any

from opspec.calls.examples.call import example, to_json
from opspec.calls.examples.plausible import Plausible
from opspec.calls.examples.said import Said
from opspec.calls.examples.search import Search
from opspec.model.definition import Definition
from opspec.registry.registry import Form
from opspec.vocabulary import products

#: The product that is tried first: the one that most pages and most recorded calls are about.
COMMON = "910b"
ATTEMPTS = 3  # at each seed
#: steps without coming nearer after which another attempt is likelier to find a call. Of 476 searches over the registry
#: that found one three took more; those of FusedInferAttentionScoreV3 that find none went on for 4,000, 3 s each.
PATIENCE = 200
FAR = 4  # each so-manieth call of a series is sought far from the spec's example


def legal_calls(
    definition: Definition, form: Form, product: str | None = None, seed: int = 0, count: int = 1
) -> Iterator[dict[str, Any]]:
    """Up to ``count`` calls that the registry calls legal, with nothing to warn of, each with another seed.

    Args:
        product: a product or a member of one; None for any that the page lists as supported.
        seed: 0 starts from the spec's example, which somebody chose; others from it in another dtype, near it, or both:
            what no rule says, a call like the example is likelier to keep. Some start from calls as various as the
            seeds, for their modes. The second attempt at each starts from the example itself.
    """
    supported = [name for name, support in form.support.items() if support == "yes"]
    supported.sort(key=lambda name: name != COMMON)
    kinds = {param.name: param.kind for param in definition.params}
    said, usual = Said(definition), example(form)
    for number in range(seed, seed + count):
        for attempt, name in every(range(ATTEMPTS), supported if product is None else [product]):
            chance = random.Random(f"{number} {attempt}")
            search = Search(definition, form, *products.resolve(name), chance, words=said.compared, turn=number)
            start = usual if attempt == 1 or not number else None
            if usual is not None and attempt == 0 and number % FAR:
                start = usual if number % FAR == FAR - 1 else search.typed(usual)
                start = start if number % FAR == 1 else search.near(start)
            patience = {} if attempt == ATTEMPTS - 1 else {"patience": PATIENCE}
            found = search.legal(plain=not number and not attempt, start=start, **patience)
            if found is not None:
                args = to_json(Plausible(search, said, usual, plain=not number).of(found), kinds)
                yield {"op": definition.name, "release": form.release, "product": name, "args": args}
                break
