"""Promise: the numbers of pages are those of legal calls, as many as their tensors have elements."""

from __future__ import annotations

import json
from math import prod
from typing import Any

import pytest

from opspec.docs.example import described, example, outcome
from opspec.docs.saying import Sayings
from opspec.model.worked import FILE
from opspec.registry.registry import definition_of, registry
from tests.paths import REPOSITORY

RELEASE = "9.1.0"
SHARE = 12
LINES = [json.loads(line) for line in (REPOSITORY / "specs" / RELEASE / FILE).read_text(encoding="utf-8").splitlines()]
WORKED = [line for line in LINES if "args" in line]
FEWEST = 500  # operators with numbers


def tensors(body: Any) -> list[dict[str, Any]]:
    """The tensors of an argument as JSON has them."""
    if not isinstance(body, dict):
        return []
    return [body["tensor"]] if "tensor" in body else body.get("tensor_list", [])


def test_hundreds_of_operators_have_numbers() -> None:
    """Each operator once, in the order of their names."""
    names = [line["operator"] for line in LINES]
    assert names == sorted(set(names))
    assert set(names) <= set(registry().entries(RELEASE))
    assert len(WORKED) >= FEWEST


@pytest.mark.parametrize("line", WORKED, ids=lambda line: line["operator"])
def test_each_tensor_has_its_numbers(line: dict[str, Any]) -> None:
    """Inputs and outputs; all are finite, as JSON has no others."""
    for name, values in line["out"].items():
        made = tensors(line["args"][name])
        each = values if "tensor_list" in line["args"][name] else [values]
        assert [len(one) for one in each] == [prod(one["shape"]) for one in made], name
    for name, body in line["args"].items():
        for one in tensors(body):
            assert name in line["out"] or len(one.get("values", ())) == prod(one["shape"]), name


@pytest.mark.parametrize("share", [pytest.param(SHARE), pytest.param(1, marks=pytest.mark.slow)])
def test_their_calls_are_legal(share: int) -> None:
    """So the page shows them."""
    entries = registry().entries(RELEASE)
    for line in WORKED[::share]:
        definition = definition_of(entries[line["operator"]])
        found = outcome(definition)
        assert found is not None, definition.name
        assert found.worked is not None, definition.name
        shown = example(Sayings(definition, "en"), found)
        assert shown is not None
        assert shown.values
        assert not shown.verdict


def test_numbers_are_written_as_people_write_them() -> None:
    """In brackets by dims; whole ones without a point; what is changed in place before and after."""
    definition = definition_of(registry().find("aclnnInplaceAddRelu", RELEASE))
    shown = example(Sayings(definition, "en"), outcome(definition))
    assert shown is not None
    assert dict(shown.values) == {
        "selfRef": "[[0.5, -1], [1.5, -0.25], [2, -0.75]] → [[0.2, 1.4], [0.6, 0], [3.2, 0]]",
        "other": "[[-0.25, 2], [-0.75, 0.125], [1, 0.5]]",
    }
    assert shown.python == ("selfRef = torch.relu(selfRef + alpha * other)",)


@pytest.mark.parametrize(
    ("operator", "values"),
    [
        ("aclnnGroupedMatmulV5", {"groupListOptional": "[256, 512]"}),
        ("aclnnNsaSelectedAttention", {"topkIndices": "[[[0, 1], [0, 1]], [[0, 1], [0, 1]]]"}),
        ("aclnnSparseFlashAttentionGrad", {"sparseIndices": "[0, 1, 0, 1, 0, 1, 0, 1, …]"}),
    ],
)
def test_without_numbers_places_are_shown(operator: str, values: dict[str, str]) -> None:
    """What indices and ends of groups are in the stub's program, where the call is legal with them."""
    definition = definition_of(registry().find(operator, RELEASE))
    shown = example(Sayings(definition, "en"), outcome(definition))
    assert shown is not None
    assert dict(shown.values) == values


def test_python_is_shown_with_its_numbers_alone() -> None:
    """A line that was not run with the arguments of the example may be another call: its function alone is named."""
    assert all("python" not in line and line["calls"] for line in LINES if "args" not in line)
    definition = definition_of(registry().find("aclnnConvolutionBackward", RELEASE))
    found = outcome(definition)
    shown = example(Sayings(definition, "en"), found)
    assert shown is not None
    assert not shown.python
    assert [name for name, _ in described(found)] == ["torch.ops.aten.convolution_backward"]
