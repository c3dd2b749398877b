"""Legal calls of an operator, as records that ``opspec check`` reads."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from opspec.cases.call import to_json
from opspec.cases.search import Search
from opspec.registry.registry import Form
from opspec.spec.definition import Definition
from opspec.vocabulary import products

#: The product that is tried first: the one that most pages and most recorded calls are about.
COMMON = "910b"


def legal_calls(
    definition: Definition, form: Form, product: str | None = None, seed: int = 0, count: int = 1
) -> Iterator[dict[str, Any]]:
    """Up to ``count`` calls that the registry calls legal and portable, each with another seed.

    Args:
        product: a product or a member of one; None for any that the page lists as supported.
        seed: 0 starts from the plainest call, others from calls as various as the seeds.
    """
    supported = [name for name, support in form.support.items() if support == "yes"]
    supported.sort(key=lambda name: name != COMMON)
    kinds = {param.name: param.kind for param in definition.params}
    for number in range(seed, seed + count):
        for name in supported if product is None else [product]:
            owner = products.owner(name)
            member = name if name != owner else None
            found = Search(definition, form, owner, member, random.Random(number)).legal(plain=not number)
            if found is not None:
                args = to_json(found, kinds)
                yield {"op": definition.name, "release": form.release, "product": name, "args": args}
                break
