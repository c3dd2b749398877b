"""A model is checked on a machine without a device: a mistake is found where it was made, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import nn

import opspec.torch
from tests.torch import models
from tests.torch.models import HALF, HIDDEN, Decoder, Experts, decoder_step

SOURCE = Path(models.__file__)


def line_of(mistake: str) -> int:
    """The line of the models that says so."""
    lines = SOURCE.read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.endswith(f"# MISTAKE: {mistake}"))


def decode(device: str, wrong: int | None = None) -> opspec.torch.Report:
    with torch.device(device):
        model = Decoder(wrong=wrong)
    with torch.no_grad(), opspec.torch.check(product="910b") as report:
        model(*decoder_step(device))
    return report


def mix(device: str, wrong: bool = False) -> opspec.torch.Report:
    with torch.device(device):
        model, tokens = Experts(wrong), torch.zeros(16, HIDDEN, dtype=HALF)
    with torch.no_grad(), opspec.torch.check(product="910b") as report:
        model(tokens)
    return report


@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_models_that_are_right_pass(device: str) -> None:
    """Every call of them that starts something on a device is judged."""
    for report in (decode(device), mix(device)):
        assert report, str(report)
        assert report.judged > 8
        assert (report.unmapped, report.not_judged) == ({}, {})


@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_a_block_table_of_the_wrong_dtype_is_found_in_its_layer(device: str) -> None:
    """The runtime would not tell: its checks let the call pass."""
    (fault,) = decode(device, wrong=1).faults
    assert (fault.call, fault.operator) == ("npu::npu_fused_infer_attention_score", "aclnnFusedInferAttentionScoreV3")
    assert (fault.module, fault.file, fault.line) == ("Decoder.layers.1.attention", str(SOURCE), line_of("attention"))
    (sentence,) = fault.sentences
    assert "blockTableOptional must be INT32" in sentence


@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_groups_of_the_wrong_dtype_are_found_at_the_call(device: str) -> None:
    """With the status that a device would give."""
    (fault,) = mix(device, wrong=True).faults
    assert (fault.operator, fault.status) == ("aclnnGroupedMatmulV5", "ACLNN_ERR_PARAM_INVALID")
    assert (fault.module, fault.file, fault.line) == ("Experts", str(SOURCE), line_of("groups"))
    assert fault.to_dict()["line"] == fault.line


def test_a_product_without_the_operator_is_told() -> None:
    """The same model, elsewhere: what the page does not support there."""
    with torch.no_grad(), opspec.torch.check(product="910") as report:
        Experts()(torch.zeros(16, HIDDEN, dtype=HALF))
    assert "aclnnMoeInitRouting" in {fault.operator for fault in report.faults}


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("product", ["910b", "A3", "950"])
@pytest.mark.parametrize("release", ["8.5.0", "9.1.0"])
def test_training_a_small_network_is_right_in_each_release(release: str, product: str, dtype: torch.dtype) -> None:
    """Layers with a bias, clipped gradients and an optimizer that updates lists of tensors: no page forbids any."""
    model = nn.Sequential(nn.Linear(64, 128), nn.GELU(), nn.LayerNorm(128), nn.Linear(128, 10)).to(dtype)
    optimizer = torch.optim.AdamW(model.parameters(), foreach=True)
    with opspec.torch.check(product=product, release=release) as report:
        model(torch.zeros(4, 64, dtype=dtype)).float().sum().backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    assert report, str(report)


def test_products_of_float_on_cards_that_round_them() -> None:
    """What torch_npu asks for by itself there is no fault of the model."""
    with torch.no_grad(), opspec.torch.check(product="310p", release="8.5.0") as report:
        nn.Linear(64, 128)(torch.zeros(4, 64))
    assert report, str(report)


@pytest.mark.parametrize("mode", [torch.enable_grad, torch.inference_mode])
def test_lengths_in_tensors_are_read_as_a_device_reads_them(mode: type) -> None:
    """The operator takes lists: the call with tensors is the one with their elements, in the backward pass, too."""
    rows = torch.zeros(12, 2, 7).log_softmax(-1)
    targets, lengths = torch.ones(2, 3, dtype=torch.long), (torch.tensor([12, 12]), torch.tensor([3, 2]))
    plain = nn.functional.ctc_loss(rows, targets, *lengths)
    with mode(), opspec.torch.check(product="910b") as report:
        if torch.is_grad_enabled():
            rows = rows.clone().requires_grad_()
        loss = nn.functional.ctc_loss(rows, targets, *lengths)
        if loss.requires_grad:
            loss.backward()
    assert torch.equal(loss, plain)
    assert (bool(report), report.unmapped, report.not_judged) == (True, {}, {})
