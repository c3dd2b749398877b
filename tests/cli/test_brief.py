"""Promise: what an operator takes on a card is one command and one screen."""

from __future__ import annotations

import pytest

from opspec.cli.brief import MOST
from opspec.cli.main import main
from opspec.registry.registry import definition_of, registry


def shown(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    assert main(["show", *words, "--brief", "--lang", "en"]) == 0
    return capsys.readouterr().out.splitlines()


def test_it_says_dtypes_formats_and_shapes_of_the_product(capsys: pytest.CaptureFixture[str]) -> None:
    """Those of this product alone, and conditions that hold there."""
    lines = shown(capsys, "aclnnMatmul", "--product", "Ascend910B3")
    assert lines[0].startswith("aclnnMatmul  CANN 9.1.0  910b")
    assert "out[*broadcast(A, B), M, N] = aclnnMatmul(" in lines[1]
    assert any(line.split() == ["self", "BFLOAT16", "FLOAT16", "FLOAT", "ND", "[*A,", "M,", "K]"] for line in lines)
    older = shown(capsys, "aclnnMatmul", "--product", "310p")
    assert not any("BFLOAT16" in line for line in older if line.startswith("self"))


@pytest.mark.parametrize("op", ["aclnnFusedInferAttentionScoreV3", "aclnnGroupedMatmulV5", "aclnnSoftmax"])
def test_it_is_one_screen(op: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A row a param and some conditions; of more it says how many, and where."""
    lines = shown(capsys, op, "--product", "910b")
    params = len(definition_of(registry().find(op)).params)
    assert len(lines) <= params + MOST + 8


def test_a_product_without_it_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """And one that is none is told; a product alone narrows nothing."""
    assert "not supported" in "".join(shown(capsys, "aclnnAdd", "--product", "310p"))
    assert main(["show", "aclnnAdd", "--brief", "--product", "abacus"]) == 2
    assert main(["show", "aclnnAdd", "--product", "910b"]) == 2


def test_conditions_are_those_of_the_product_alone(capsys: pytest.CaptureFixture[str]) -> None:
    """Who asks for one card need not read which others a condition is not about."""
    for op, product in (("aclnnMatmul", "910b"), ("aclnnLayerNorm", "910"), ("aclnnMoeDistributeDispatchV2", "A3")):
        said = [line for line in shown(capsys, op, "--product", product) if line.startswith("- ")]
        assert said
        assert not [line for line in said if "On " in line or "the product is" in line]
