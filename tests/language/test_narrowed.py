"""A statement on one product says there what it said before, and nothing of others."""

from __future__ import annotations

import pytest

from opspec.calls.examples.call import example
from opspec.language import tree
from opspec.language.interpret import Env, evaluate
from opspec.language.narrowed import on_product
from opspec.registry.registry import definition_of, registry
from opspec.vocabulary import products

OPERATORS = (
    "aclnnMatmul", "aclnnLayerNorm", "aclnnQuantMatmulV5", "aclnnGroupedMatmulV5", "aclnnMoeDistributeDispatchV2",
    "aclnnFusedInferAttentionScoreV3", "aclnnCtcLoss", "aclnnCast",
)  # fmt: skip


@pytest.mark.parametrize("operator", OPERATORS)
def test_what_holds_of_a_call_on_a_product_holds_when_it_is_narrowed(operator: str) -> None:
    """Conditions, requirements and what they derive, of a legal call and of one that has nothing."""
    form = registry().form(operator)
    definition = definition_of(registry().find(operator))
    calls = [call for call in (example(form), dict.fromkeys(form.param_infos)) if call is not None]
    for product in products.ids():
        lets = {name: on_product(node, product) for name, node in definition.lets.items()}
        for call in calls:
            before, after = Env(call, definition.lets, product, None), Env(call, lets, product, None)
            for rule in definition.rules:
                for node in (rule.check, *(() if rule.when is None else (rule.when,))):
                    assert evaluate(on_product(node, product), after) == evaluate(node, before), rule.id


@pytest.mark.parametrize("operator", OPERATORS)
def test_no_product_is_named_any_more(operator: str) -> None:
    """But members of products, which a product does not decide."""
    for rule in definition_of(registry().find(operator)).rules:
        for part in tree.walk(on_product(rule.check, "910b")):
            found = tree.on_products(part)
            assert found is None or not found.ids or set(found.ids) - set(products.ids())
