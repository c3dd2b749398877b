"""Promise: attention in PyTorch's own words is judged as the operator that a device runs, and computes the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn import functional

import opspec.torch
from tests.torch.calls import keeping

FUSED, GRADIENT = "aclnnFlashAttentionScore", "aclnnFlashAttentionScoreGrad"
TOKENS, KEYS = 16, 20

MASKS: dict[str, dict[str, Any]] = {
    "none": {},
    "causal": {"is_causal": True},
    "for all": {"attn_mask": torch.ones(TOKENS, KEYS, dtype=torch.bool).tril(3)},
    "for a batch": {"attn_mask": (torch.arange(KEYS) < torch.tensor([[8], [KEYS]]))[:, None, None]},
    "for a head": {"attn_mask": torch.arange(4 * TOKENS * KEYS).view(1, 4, TOKENS, KEYS) % 3 > 0},
}


@pytest.fixture
def operators(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, Any]]]:
    """What the calls come to that are judged."""
    return keeping(monkeypatch)


def parts(dtype: torch.dtype, device: str, heads: int = 4) -> list[torch.Tensor]:
    torch.manual_seed(1)
    shapes = ((2, 4, TOKENS, 8), (2, heads, KEYS, 8), (2, heads, KEYS, 8))
    return [torch.randn(shape, dtype=dtype).to(device).requires_grad_() for shape in shapes]


def attended(given: list[torch.Tensor], **options: Any) -> list[torch.Tensor]:
    """The output, and the gradients of query, key and value."""
    output = functional.scaled_dot_product_attention(*given, **options)
    (output * output).sum().backward()
    return [output.detach(), *(part.grad for part in given if part.grad is not None)]


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16], ids=str)
@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_forward_and_backward_are_one_operator_each(
    device: str, dtype: torch.dtype, mask: str, operators: list[tuple[str, dict[str, Any]]]
) -> None:
    """In each dtype and with each mask, which has the form that the page wants; nothing is illegal or unknown."""
    options = {name: value.to(device) if name == "attn_mask" else value for name, value in MASKS[mask].items()}
    with opspec.torch.check(product="910b") as report:
        attended(parts(dtype, device), **options)
    assert report, str(report)
    assert (report.unmapped, report.not_judged) == ({}, {})
    found = dict(operators)
    assert {FUSED, GRADIENT} <= found.keys()
    assert (found[FUSED]["inputLayout"], found[FUSED]["headNum"]) == ("BNSD", 4)
    shape = {"none": None, "causal": (2048, 2048), "for all": (TOKENS, KEYS), "for a batch": (2, 1, TOKENS, KEYS)}
    given = found[FUSED]["attenMaskOptional"]
    assert (None if given is None else given.shape) == shape.get(mask, (2, 4, TOKENS, KEYS))


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("heads", [4, 2])
def test_it_computes_what_pytorch_computes(heads: int, mask: str) -> None:
    """Values and gradients, with heads that share keys and values, too."""
    options = {**MASKS[mask], "enable_gqa": heads != 4}
    plain = attended(parts(torch.float32, "cpu", heads), **options)
    with opspec.torch.check(product="910b"):
        watched = attended(parts(torch.float32, "cpu", heads), **options)
    for one, other in zip(plain, watched, strict=True):
        torch.testing.assert_close(one, other)


def test_dropout_is_the_same_in_both_passes(operators: list[tuple[str, dict[str, Any]]]) -> None:
    """What is left out has no gradient; a device is given a bit for each score."""
    query, key, value = (part.detach() for part in parts(torch.float64, "cpu"))
    query, key = torch.zeros_like(query), torch.zeros_like(key)
    value = torch.eye(KEYS, dtype=torch.float32).expand(2, 4, KEYS, KEYS).clone().requires_grad_()
    with opspec.torch.check(product="910b") as report:
        output = functional.scaled_dot_product_attention(
            query.float()[..., :1].expand(2, 4, TOKENS, KEYS), key.float()[..., :1].expand(2, 4, KEYS, KEYS), value,
            dropout_p=0.5,
        )  # fmt: skip
        output.sum().backward()
    assert report, str(report)
    assert 0 < (output == 0).sum() < output.numel()
    torch.testing.assert_close(value.grad, output.sum(2)[..., None].expand_as(value))
    assert dict(operators)[FUSED]["dropMaskOptional"].shape == (2 * 4 * TOKENS * KEYS // 8,)


def test_attention_that_no_device_fuses_is_taken_apart(operators: list[tuple[str, dict[str, Any]]]) -> None:
    """With a mask of numbers: products and a softmax, and no call of processors alone."""
    with opspec.torch.check(product="910b") as report:
        attended(parts(torch.float32, "cpu"), attn_mask=torch.zeros(TOKENS, KEYS))
    assert report, str(report)
    assert report.unmapped == {}
    assert "aclnnSoftmax" in dict(operators)
    assert FUSED not in dict(operators)


@pytest.mark.parametrize("mode", [torch.enable_grad, torch.no_grad, torch.inference_mode])
def test_layers_of_pytorch_come_to_it(mode: Callable[[], Any], operators: list[tuple[str, dict[str, Any]]]) -> None:
    """In inference, too, where PyTorch takes nothing apart of itself, and processors run a whole layer as one call."""
    layer, given = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True).eval(), torch.rand(1, 4, 8)
    with mode(), opspec.torch.check(product="910b") as report:
        layer(given)
    assert report, str(report)
    assert report.unmapped == {}
    assert FUSED in dict(operators)


def test_autocast_is_heeded(operators: list[tuple[str, dict[str, Any]]]) -> None:
    """What it casts is cast before the operator is called."""
    with opspec.torch.check(product="910b"), torch.autocast("cpu", torch.bfloat16):
        functional.scaled_dot_product_attention(*parts(torch.float32, "cpu"))
    assert dict(operators)[FUSED]["query"].dtype == "BFLOAT16"


def test_nothing_is_left_behind() -> None:
    """After the check PyTorch is as it was, and what it refuses it refuses within, too."""
    with opspec.torch.check(), opspec.torch.check():
        assert not torch.backends.mha.get_fastpath_enabled()
        with pytest.raises(RuntimeError, match="attn_mask"):
            attended(parts(torch.float32, "cpu"), is_causal=True, attn_mask=torch.ones(TOKENS, KEYS, dtype=torch.bool))
    assert torch.backends.mha.get_fastpath_enabled()
    assert len(attended(parts(torch.float32, "cpu"))) == 4
