"""What examples compute with: values that the words of a param ask for and that break no rule."""

from __future__ import annotations

from math import prod

import pytest

from opspec.codegen.stubs.example import typed_arguments
from opspec.codegen.stubs.values import Filling, fillings, with_values
from opspec.language.interpret import Env, outcome
from opspec.language.outcome import VIOLATED
from opspec.language.values import Tensor
from opspec.model.definition import Definition
from opspec.model.example import example_of
from opspec.registry.registry import Registry, all_loaded, definition_of
from opspec.vocabulary import products

#: operators whose example's shapes leave no place that a rule would allow
NO_PLACE = {"aclnnInplaceQuantScatter", "aclnnInplaceQuantScatterV2"}


def filled(definition: Definition) -> dict[str, object]:
    """The arguments of an operator's example, with values."""
    product, args = example_of(definition)
    arguments = typed_arguments(definition, args)
    found = fillings(definition, product, arguments)
    result: dict[str, object] = {}
    for param, value in zip(definition.params, arguments, strict=True):
        chosen = found.get(param.name, [None])[0]
        result[param.name] = _with(value, chosen) if isinstance(value, Tensor) and chosen else value
    return result


def _with(tensor: Tensor, filling: Filling) -> Tensor:
    count = prod(tensor.shape)
    return with_values(tensor, (filling.items * (count // len(filling.items) + 1))[:count]) if count <= 4096 else tensor


@pytest.mark.parametrize(
    ("name", "param", "expected"),
    [
        ("aclnnGroupedMatmulV5", "groupListOptional", (256, 512)),  # ends, for 512 rows
        ("aclnnEmbedding", "indices", (0, 1, 2, 3)),  # rows that there are
        ("aclnnMaskedSelect", "mask", None),
        ("aclnnBucketize", "boundaries", (0.0, 0.5, 1.0)),
    ],
)
def test_values_are_what_the_param_is_for(name: str, param: str, expected: tuple[float, ...] | None) -> None:
    """Of the registry's operators, none of which is known to the code."""
    tensor = filled(definition_of(Registry().find(name, None)))[param]
    assert isinstance(tensor, Tensor)
    assert tensor.values is not None
    assert set(tensor.values) == {False, True} if expected is None else tensor.values == expected


@pytest.mark.slow
def test_values_break_no_rule() -> None:
    """Of any operator of the newest release, but for those whose example leaves no choice."""
    known = Registry()
    broken = set()
    for loaded in all_loaded(known, known.releases()[-1]):
        for definition in loaded.definitions:
            if definition.spec.partial is None and definition.spec.example is not None:
                broken |= {definition.name} if _broken(definition) else set()
    assert broken <= NO_PLACE


def _broken(definition: Definition) -> bool:
    example = definition.spec.example
    product = products.resolve(example.product)[0] if example is not None and example.product else None
    env = Env(filled(definition), definition.lets, product)
    rules = [rule for rule in definition.rules if definition.reads_values(rule.check)]
    return any(outcome(rule.when, rule.check, env) == VIOLATED for rule in rules)
