"""What a call hands on: views, numbers, private formats; what is said of those that are not judged."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

import opspec.torch
from opspec.errors import OpspecError
from opspec.language.values import Scalar, Tensor
from opspec.torch.binding import Signature
from opspec.torch.values import Layouts
from tests.paths import REPOSITORY
from tests.torch.calls import overload


def given(name: str, *args: Any) -> dict[str, Any]:
    """What expressions of the table read of a call."""
    called = overload(name)
    numbers = frozenset({"other"} if isinstance(args[-1], (int, float)) else ())
    signature = Signature(called._schema, numbers)
    return signature.values(signature.given(args, {}), called(*args), Layouts())


def test_a_view_carries_its_strides_and_offset() -> None:
    """As the device would be given it; a new result lies in rows, whatever the processor's order."""
    base = torch.zeros(4, 6)
    found = given("aten::add.Tensor", base[1:, 2:4].t(), torch.zeros(2, 3))
    assert (found["self"].shape, found["self"].strides, found["self"].offset) == ((2, 3), (1, 6), 8)
    assert found["other"].strides is None
    assert found["result"] == Tensor((2, 3), "FLOAT")


def test_the_result_of_a_call_in_place_is_its_argument() -> None:
    """Strides and all."""
    found = given("aten::mul_.Tensor", torch.zeros(3, 2).t(), 2)
    assert found["result"].strides == found["self"].strides == (1, 2)
    assert found["other"] == Scalar("INT64", 2)


def test_a_rank_tells_the_format() -> None:
    """What torch_npu names tensors of three to five dims."""
    for rank, name in {2: "ND", 3: "NCL", 4: "NCHW", 5: "NCDHW", 6: "ND"}.items():
        assert given("aten::neg", torch.zeros((1,) * rank))["self"].format == name


def test_views_of_a_cast_weight_keep_its_format() -> None:
    """The format decides which operator stands for the call; a new tensor is made in rows."""
    weight, x = torch.zeros(64, 32, dtype=torch.int8), torch.zeros(16, 64, dtype=torch.int8)
    scale, tokens = torch.ones(32), torch.ones(16)
    with opspec.torch.check(product="910b") as report:
        cast = torch.ops.npu.npu_format_cast(weight, 29)
        torch.ops.npu.npu_quant_matmul(x, cast[:], scale, pertoken_scale=tokens, output_dtype=torch.float16)
        torch.ops.npu.npu_quant_matmul(x, weight.float(), scale, pertoken_scale=tokens, output_dtype=torch.float16)
        cast.float()
    assert [fault.operator for fault in report.faults] == ["aclnnQuantMatmulV4", "aclnnCast"]


def test_equal_faults_of_a_place_are_one() -> None:
    """With the number of calls."""
    x = torch.zeros(2, 3, dtype=torch.float16)
    with opspec.torch.check(product="910b") as report:
        for _ in range(3):
            torch.ops.npu.npu_rms_norm(x, torch.ones(4, dtype=torch.float16))
    (fault,) = report.faults
    assert fault.count == 3
    assert "3 calls, " not in str(report)
    assert "in no module, 3 calls" in str(report)


def test_what_is_not_judged_is_said() -> None:
    """Calls without an entry, and those that have no counterpart in an aclnn call."""
    with opspec.torch.check(product="910b") as report:
        torch.linalg.eigvalsh(torch.eye(2))
        torch.eye(2).to_sparse().sin()
    assert report
    assert "aten::_linalg_eigh" in report.without_operator
    assert "no operator does: " in str(report)
    assert report.to_dict()["unmapped"] == dict(report.unmapped)


def test_a_call_whose_operator_the_release_lacks_is_not_judged() -> None:
    """The report says so, and where it is known."""
    with opspec.torch.check(product="910b", release="8.0") as report:
        torch.zeros(2, 3).neg()
    ((call, reason),) = (item for item in report.not_judged if item[0] == "aten::neg")
    assert (call, report.judged) == ("aten::neg", 0)
    assert "aclnnNeg" in reason
    assert f"not judged: aten::neg: {reason} (1)" in str(report)


def test_a_stand_in_without_a_tensor_is_told() -> None:
    """As opspec's own error, with the call."""
    with pytest.raises(OpspecError, match="npu::npu_grouped_matmul: a tensor is expected"):
        torch.ops.npu.npu_grouped_matmul([], [])


def test_an_output_that_cannot_be_made_is_told() -> None:
    """With the expression that has no value."""
    with pytest.raises(OpspecError, match="npu::npu_swiglu: no output can be made"):
        torch.ops.npu.npu_swiglu(torch.zeros(2, 4), dim=5)


def test_a_module_that_fails_is_left() -> None:
    """What comes after it is not told to be in it."""

    class Failing(nn.Module):
        def forward(self) -> None:
            raise ValueError("on purpose")

    with opspec.torch.check(product="910b") as report:
        with pytest.raises(ValueError, match="on purpose"):
            Failing()()
        torch.ops.npu.npu_rms_norm(torch.zeros(2, 3), torch.ones(4))
    assert [fault.module for fault in report.faults] == [""]


def test_backward_is_judged() -> None:
    """What autograd calls, too."""
    layer = nn.Linear(4, 4)
    with opspec.torch.check(product="910b") as report:
        layer(torch.ones(2, 4)).relu().sum().backward()
    assert report, str(report)
    assert report.judged > 5


@pytest.mark.parametrize(("key", "value"), [("product", "911b"), ("release", "newest")])
def test_bad_input_is_told_before_anything_runs(key: str, value: Any) -> None:
    """An unknown product or release."""
    with pytest.raises(OpspecError, match=value), opspec.torch.check(**{key: value}):
        raise AssertionError("never comes here")


def test_torch_npu_is_stood_in_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that imports it runs where it is not installed."""
    monkeypatch.delitem(sys.modules, "torch_npu", raising=False)
    opspec.torch.install()
    module = sys.modules["torch_npu"]
    y, rstd = module.npu_rms_norm(torch.zeros(2, 3, 8), torch.ones(8))
    assert (y.shape, rstd.shape, rstd.dtype) == ((2, 3, 8), (2, 3, 1), torch.float32)
    monkeypatch.delitem(sys.modules, "torch_npu")


@pytest.mark.parametrize("page", ["docs/torch.md", "docs/zh/torch.md"])
def test_the_page_shows_what_its_example_prints(
    page: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It runs as it stands, as the file that it is told to be."""
    text = (REPOSITORY / page).read_text(encoding="utf-8")
    source, shown = (text.split(f"```{kind}\n", 1)[1].split("```", 1)[0] for kind in ("python", "text"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "torch_npu", raising=False)
    (tmp_path / "block.py").write_text(source, encoding="utf-8")
    exec(compile(source, str(tmp_path / "block.py"), "exec"), {"__name__": "__main__"})  # noqa: S102 - our own example
    assert capsys.readouterr().out == shown
    monkeypatch.delitem(sys.modules, "torch_npu")
