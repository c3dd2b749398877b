"""The table names what there is, and its examples are legal calls."""

from __future__ import annotations

import pytest
import torch

import opspec.torch
from opspec.errors import OpspecError
from opspec.registry.registry import Form, registry
from opspec.torch.binding import Binding, Signature
from opspec.torch.table import Entry, merged, table
from opspec.yamltext.reader import read
from tests.torch.calls import example, overload, variants

ENTRIES = {name: entry for name, entry in table().entries.items() if entry.cases}
ALL = table().entries.values()

#: calls that models of these kinds live of
WANTED = {
    "npu_add_rms_norm",
    "npu_dynamic_quant",
    "npu_format_cast",
    "npu_fused_infer_attention_score",
    "npu_fusion_attention",
    "npu_grouped_matmul",
    "npu_mla_prolog",
    "npu_moe_distribute_combine",
    "npu_moe_distribute_dispatch",
    "npu_moe_finalize_routing",
    "npu_moe_gating_top_k_softmax",
    "npu_moe_init_routing",
    "npu_quant_matmul",
    "npu_rms_norm",
    "npu_rotary_mul",
    "npu_scatter_nd_update_",
    "npu_swiglu",
}

#: what meta tensors cannot do: what has no result without data, and what PyTorch takes apart there
NOT_ON_META = {
    "aten::_ctc_loss_backward",
    "aten::_unique2",
    "aten::equal",
    "aten::unique_consecutive",
    "aten::bincount",
    "aten::masked_select",
    "aten::mish_backward",
    "aten::nonzero",
    "aten::repeat_interleave.Tensor",
    "aten::take",
    "aten::unique_dim",
}


def supported(form: Form) -> str:
    """A product where there is the operator, the most common one if it is among them."""
    found = [product for product, support in form.support.items() if support == "yes"]
    return "910b" if "910b" in found else found[0]


def test_the_table_holds_what_models_call() -> None:
    """As many calls of ATen as models make, and those of torch_npu that large language models are made of."""
    assert sum(name.startswith("aten::") for name in ENTRIES) >= 120
    assert {f"npu::{name}" for name in WANTED} <= ENTRIES.keys()


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES)
def test_an_entry_names_operators_and_their_params(entry: Entry) -> None:
    """Each case of it binds every param that the operator needs, and its expressions are of the call's arguments."""
    schema = overload(entry.name)._schema
    for numbers in variants(entry):
        signature = Signature(schema, numbers, entry.let)
        cases = entry.number[",".join(numbers)] if numbers else entry.cases
        assert cases
        for case in cases:
            Binding(signature, case, registry().form(case.operator), table().defaults)


@pytest.mark.parametrize("device", ["cpu", "meta"])
@pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES)
def test_an_example_is_a_legal_call(entry: Entry, device: str) -> None:
    """It runs without a device of the product, is judged, and nothing is wrong with it."""
    if device == "meta" and entry.name in NOT_ON_META:
        return
    product = supported(registry().form(entry.cases[0].operator))
    for numbers in variants(entry):
        with opspec.torch.check(product=product) as report:
            args, kwargs = example(entry, numbers, device)
            before = report.judged
            overload(entry.name)(*args, **kwargs)
        assert report, str(report)
        assert (report.judged, report.not_judged) == (before + 1, {}), str(report)


@pytest.mark.parametrize("entry", [entry for entry in ALL if entry.schema], ids=lambda entry: entry.name)
def test_a_stand_in_has_the_schema_that_the_table_states(entry: Entry) -> None:
    """And as many outputs as it says."""
    schema = overload(entry.name)._schema
    assert len(schema.returns) == len(entry.returns)
    assert [argument.name for argument in schema.arguments] == [
        argument.name for argument in torch._C.parse_schema(entry.name + (entry.schema or "")).arguments
    ]


def test_a_stand_in_of_no_operator_runs_and_is_said() -> None:
    """A step of a server with a paged cache goes on; what was not judged is named."""
    key, cache, out = torch.zeros(4, 2, 128), torch.zeros(8, 16, 2, 128), torch.zeros(4, 8, 128)
    lengths, blocks = torch.ones(4, dtype=torch.int32), torch.zeros(4, 2, dtype=torch.int32)
    with opspec.torch.check(product="910b") as report:
        torch.ops.npu._npu_reshape_and_cache(key, key, cache, cache, slot_indices=lengths)
        torch.ops.npu._npu_paged_attention(
            out, cache, cache, num_kv_heads=2, num_heads=8, scale_value=1.0, block_table=blocks, context_lens=lengths,
            out=out,
        )  # fmt: skip
    assert report
    assert report.without_operator == {"npu::_npu_reshape_and_cache": 1, "npu::_npu_paged_attention": 1}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("calls: [a]", "a mapping is expected"),
        ("calls: {aten::x: {operater: aclnnX}}", "unknown key 'operater'; did you mean 'operator'?"),
        ("calls: {aten::x: {args: {a: b}}}", "a text is expected, found None"),
        ("calls: {aten::x: {operator: aclnnX, args: {a: {shape: a}}}}", "a text is expected, found None"),
        ("quiet: {a: b}", "a list is expected"),
        ("more: 1", "unknown key 'more'"),
    ],
)
def test_a_fault_of_the_table_is_told(text: str, told: str) -> None:
    """With the entry that it stands in."""
    with pytest.raises(OpspecError, match=told.replace("?", r"\?")):
        merged(iter([read(text, "table.yaml").value]))


def test_a_param_that_is_none_is_told() -> None:
    """With the nearest that there is."""
    faulty = merged(iter([read("calls: {aten::abs: {operator: aclnnAbs, args: {selv: self}}}", "x").value]))
    entry = faulty.entries["aten::abs"]
    with pytest.raises(OpspecError, match="no param 'selv'; did you mean 'self'"):
        Binding(Signature(overload("aten::abs")._schema), entry.cases[0], registry().form("aclnnAbs"), {})
