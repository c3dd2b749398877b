"""Rules that require the same under several conditions: a page says them as one, under what these come to."""

from __future__ import annotations

import itertools
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opspec.docs.covering import any_of
from opspec.docs.narrowing import domains
from opspec.docs.page import Page, page
from opspec.language.interpret import Env, evaluate
from opspec.language.text import write
from opspec.language.values import Tensor
from opspec.model.definition import Definition
from opspec.model.load import load_text
from opspec.registry.registry import Registry, definition_of

PRODUCTS = ("910b", "A3", "950")
SPEC = """\
operator: aclnnX
release: 9.1.0
products: {910b: yes, A3: yes, 950: yes}
params:
  - {name: x, ctype: const aclTensor*, dtype: [FLOAT, INT8], rank: 1}
  - {name: y, ctype: const aclTensor*, optional: yes, dtype: FLOAT, rank: 1}
  - {name: mode, ctype: int64_t, enum: [0, 1, 2]}
  - {name: n, ctype: int64_t}
rules:
"""
PARTS = (
    "x.numel == 0", "x.numel > 0", "0 in x.shape", "x.numel != 1", "x.numel == 1", "mode == 0", "mode in (1, 2)",
    "mode != 1", "y is None", "y is not None", "product == '950'", "product != '950'", "product in ('910b', 'A3')",
    "n < 3", "n >= 3", "n == 3", "x.dtype == INT8", "x.dtype != INT8", "n > x.numel",
)  # fmt: skip


@cache
def under(*conditions: str) -> Definition:
    """An operator with rules that require the same under these conditions."""
    rules = "".join(f'  r{i}: {{check: "x.shape == y.shape", when: "{when}"}}\n' for i, when in enumerate(conditions))
    return load_text(SPEC + rules, "x.yaml").definitions[0]


def calls(definition: Definition) -> list[Env]:
    """Arguments that tell the parts of conditions apart, each on each product."""
    tensors = [Tensor((size,), dtype) for size, dtype in itertools.product((0, 1, 4), ("FLOAT", "INT8"))]
    return [
        Env({"x": x, "y": y, "mode": mode, "n": n}, definition.lets, product)
        for x, y, mode, n, product in itertools.product(tensors, (None, tensors[0]), (0, 1, 2), (2, 3, 4), PRODUCTS)
    ]


@given(
    st.lists(
        st.lists(st.sampled_from(PARTS), min_size=1, max_size=3, unique=True).map(" and ".join), min_size=2, max_size=3
    )
)
def test_the_one_condition_holds_where_one_of_them_does(conditions: list[str]) -> None:
    """In every call, whatever its product, as the interpreter has it."""
    definition = under(*conditions)
    whens = [rule.when for rule in definition.rules if rule.id.startswith("r") and rule.id[1:].isdigit()]
    found = any_of(whens, definition, domains(definition))
    if found is None:
        return
    for env in calls(definition):
        wanted = any(when is None or evaluate(when, env) is True for when in whens)
        assert (found[0] is None or evaluate(found[0], env) is True) == wanted


@pytest.mark.parametrize(
    ("conditions", "one"),
    [
        (("x.numel > 0", "x.numel == 0"), ""),
        (("x.numel != 1 and mode == 0", "x.numel == 1 and mode == 0"), "mode == 0"),
        (("mode == 0", "mode in (1, 2)"), ""),
        (("product == '950' and n < 3", "product != '950' and n < 3"), "n < 3"),
        (("product == '910b'", "product == 'A3'"), "product in ('910b', 'A3')"),
        (("y is None", "y is not None and mode == 1"), None),
        (("n < 3", "n > 4"), None),
    ],
)
def test_which_condition_that_is(conditions: tuple[str, ...], one: str | None) -> None:
    """None where one holds in every call; there is none where it would take an 'or'."""
    definition = under(*conditions)
    found = any_of((rule.when for rule in definition.rules if rule.id in ("r0", "r1")), definition, domains(definition))
    assert (None if found is None else "" if found[0] is None else write(found[0])) == one


def of(op: str) -> Page:
    """The page of an operator of 9.1.0."""
    return page(definition_of(Registry().find(op, "9.1.0")), "en")


def texts(op: str) -> list[tuple[str, str]]:
    """What the page of an operator requires beside its table: sentences with their marks."""
    return [(item.text, item.mark) for group in of(op).requirements for item in group.items]


def test_what_is_checked_in_some_calls_is_required_once() -> None:
    """The mark tells that only some of them are checked; the shape that all have stands in the table."""
    assert ("self, out and outGelu must have the same data type.", "(†)") in texts("aclnnGeGlu")
    made = of("aclnnLayerNorm")
    row = next(param for param in made.params if param.name == "meanOutOptional")
    assert row.shape.startswith("[*A, *B]")
    assert not any("meanOutOptional must equal" in text for text, _ in texts("aclnnLayerNorm"))


def test_one_that_stands_for_several_is_numbered_for_each() -> None:
    """Return codes name the requirement that says a rule, be it together with others."""
    made = of("aclnnInplaceMaskedScatter")
    said = {rule: item.text for group in made.requirements for item in group.items for rule in item.rules}
    assert said["mask-rank"] == said["mask-rank-single"] == "The rank of mask must be at most that of selfRef."


def test_a_condition_on_what_no_call_has_is_none() -> None:
    """Formats that params do not take are not named, be it in a derived value; nor is emptiness of what is not."""
    found = [text for text, _ in texts("aclnnUpsampleBilinear2dBackwardV2")]
    assert not any("NDHWC" in text or "empty" in text for text in found)
    whole = of("aclnnUpsampleBilinear2dBackwardV2").glance
    assert whole.startswith("out[inputSize[0], inputSize[1], inputSize[2], inputSize[3]]")
