"""A message names the element of a list that breaks a rule, not the variable that the rule's author chose for it."""

from __future__ import annotations

import re

import pytest

from opspec.language import tree
from opspec.language.values import Tensor
from opspec.registry.registry import registry
from opspec.validator.elements import names
from opspec.validator.explain import terms_of
from opspec.validator.judge import judge
from tests.model.building import form

BODY = """
params:
  - {name: x, ctype: const aclTensorList*, dtype: [FLOAT, INT8]}
  - {name: y, ctype: const aclTensorList*}
  - {name: sizes, ctype: const aclIntArray*}
rules:
  alike: {check: "all(b.shape == a.shape for a, b in zip(x, y))", param: y}
  rise: {check: "all(b >= a for a, b in zip(sizes[:-1], sizes[1:]))", param: sizes}
  far: {check: "all(b >= 0 for b in sizes[2:])", param: sizes}
  dims: {check: "all(all(d > 1 for d in t.shape) for t in x)", param: x}
  axes: {check: "all(all(t.shape[i] < 9 for i in range(t.rank)) for t in x)", param: x}
  where: {check: "all(t.rank == 2 if t.dtype == INT8 else t.rank < 4 for t in x)", param: x}
  told: {check: "all(t.numel < 90 for t in x)", param: x, say: {en: no tensor is large, zh: Tensor都不大}}
  rows: {check: "all(table((t.dtype, t.format), (FLOAT, ND), (INT8, NCHW)) for t in x)", param: x}
"""
T = Tensor((2, 3), "FLOAT")


@pytest.mark.parametrize(
    ("changes", "rule", "said", "path"),
    [
        ({"y": (T, Tensor((2, 4), "FLOAT"))}, "alike",
         "y[1] must have the same shape as x[1]; found y[1].shape = [2, 4], x[1].shape = [2, 3]", "y[1]"),
        ({"sizes": (1, 5, 3)}, "rise", "sizes[2] must be at least sizes[1]; found sizes[2] = 3, sizes[1] = 5", None),
        ({"sizes": (-9, -8, -7)}, "far", "sizes[2:][0]: b must be at least 0; found b = -7", "sizes[2:][0]"),
        ({"x": (T, Tensor((2, 1), "FLOAT"))}, "dims",
         "x[1].shape[1] must be greater than 1; found x[1].shape[1] = 1", "x[1].shape[1]"),
        ({"x": (T, Tensor((2, 9), "FLOAT"))}, "axes",
         "dimension i of x[1] must be less than 9; found x[1].shape = [2, 9], i = 1", None),
        ({"x": (Tensor((2,), "INT8"), T)}, "where",
         "the rank of x[0] must be 2; found x[0].rank = 1 (because x[0] is INT8)", "x[0]"),
        ({"x": (T, Tensor((2, 90), "FLOAT"))}, "told", "x[1]: no tensor is large; found x[1].numel = 180", "x[1]"),
        ({"x": (T, Tensor((2, 3), "INT8"))}, "rows",
         "in the nearest supported combination, the data type of x[1] must be FLOAT; found x[1].dtype = INT8", "x[1]"),
    ],
)  # fmt: skip
def test_the_element_is_named(changes: dict[str, object], rule: str, said: str, path: str | None) -> None:
    args = {"x": (T, T), "y": (T, T), "sizes": (1, 2, 3), **changes}
    verdict = judge(form(BODY), tuple(args[name] for name in ("x", "y", "sizes")), "910b", None)
    (found,) = [finding for finding in verdict.violations if finding.rule == rule]
    assert found.message == said
    assert path is None or found.param == path


@pytest.mark.slow  # all operators
def test_no_variable_of_a_rule_over_arguments_is_left_to_the_reader() -> None:
    """Of all rules of all operators: what runs through an argument itself, or through a tensor's shape."""
    count = 0
    for name in registry().entries("9.1.0"):
        for rule in registry().form(name).info.rules:
            for node in tree.walk(rule.check):
                plain = isinstance(node, tree.Each) and isinstance(node.source, tree.Param)
                if plain and isinstance(node, tree.Each):
                    count += 1
                    assert re.fullmatch(r"\w+\[\x01\]", names(node, {}, 1)[node.variables[0]])
    assert count > 500


SHORT = """
params:
  - {name: x, ctype: const aclTensor*, dtype: FLOAT}
  - {name: how, ctype: const char*, optional: yes}
let:
  fast: how is not None and how == 'fast'
rules:
  limit: {check: "x.rank <= (2 if fast else 4)"}
"""


def test_what_a_condition_reads_is_shown_and_not_its_code() -> None:
    """Of one that has no words of its own."""
    made = form(SHORT)
    (found,) = judge(made, (Tensor((1, 2, 3), "FLOAT"), "fast"), "910b", None).violations
    assert found.message.endswith('; found x.rank = 3, how = "fast", required 2')


def test_messages_know_what_the_operator_runs_on() -> None:
    """As pages do: of a product of which but a member has it they name the member."""
    runs = terms_of(registry().form("aclnnMoeDistributeCombineAddRmsNorm", "9.1.0").info).products
    assert "950dt" in runs
    assert "950" not in runs
