"""Models that run everywhere have no fault by any release, and the release is the machine's unless one is named."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import nn

import opspec
import opspec.torch
from opspec.registry.registry import Registry
from opspec.registry.toolkit import NAMED
from tests.torch.models import HALF, HIDDEN, Decoder, Experts, decoder_step
from tests.torch.plain import TOKENS, WIDTH, Gpt, Llama, Mlp, step

RELEASES = Registry().whole()
MODELS = (Mlp, Gpt, Llama)


def trained(model: type[nn.Module], dtype: torch.dtype, product: str, release: str) -> opspec.torch.Report:
    """What is said of a model that runs once and is trained for a step."""
    shape, kind = ((4, WIDTH), dtype) if model is Mlp else ((2, TOKENS), torch.int64)
    with torch.device("meta"):
        made, given = model().to(dtype), torch.zeros(shape, dtype=kind)
    with opspec.torch.check(product=product, release=release) as report:
        with torch.no_grad():
            made.eval()(given)
        step(made.train(), given)
    assert report.judged > 20
    assert (report.unmapped, report.not_judged) == ({}, {})
    return report


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32], ids=str)
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("release", RELEASES)
def test_plain_models_have_no_fault(release: str, model: type[nn.Module], dtype: torch.dtype) -> None:
    """Every call is judged, and none is illegal."""
    report = trained(model, dtype, "910b", release)
    assert report, str(report)


@pytest.mark.parametrize("product", ["A3", "950", "910"])
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("release", RELEASES)
def test_elsewhere_pages_leave_operators_out_and_nothing_else(
    release: str, model: type[nn.Module], product: str
) -> None:
    """A table of products that says no is the law; beside that no call is illegal."""
    report = trained(model, HALF, product, release)
    broken = {finding.rule for fault in report.faults for finding in fault.verdict.violations}
    assert broken <= {"product", "product.excluded"}, str(report)


@pytest.mark.parametrize("release", RELEASES)
def test_models_of_torch_npu_have_no_fault(release: str) -> None:
    """A step of a paged decoder, and a mixture of experts."""
    with torch.device("meta"):
        decoder, experts, tokens = Decoder(), Experts(), torch.zeros(16, HIDDEN, dtype=HALF)
    with torch.no_grad(), opspec.torch.check(product="910b", release=release) as report:
        decoder(*decoder_step("meta"))
        experts(tokens)
    assert report, str(report)
    assert (report.unmapped, report.not_judged) == ({}, {})


def negated(release: str | None = None) -> opspec.torch.Report:
    given = torch.ones(2)
    with opspec.torch.check(product="910b", release=release) as report:
        torch.neg(given)
    return report


def test_without_a_word_the_newest_counts() -> None:
    """As before, and nothing is said of it."""
    report = negated()
    assert report.reading is None
    assert str(report) == "1 calls judged on 910b, 0 illegal"
    assert (report.to_dict()["release"], report.to_dict()["version"]) == (None, None)


def test_the_release_is_that_of_the_toolkit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What the environment points to is read; the report says what and as which release; a name wins."""
    home = tmp_path / "latest"
    (home / "aarch64-linux").mkdir(parents=True)
    (home / "aarch64-linux" / "ascend_toolkit_install.info").write_text("package_name=x\nversion=8.2.RC1\n")
    monkeypatch.setenv("ASCEND_TOOLKIT_HOME", str(home))
    report = negated()
    assert report.to_dict()["release"] == "8.5.0"
    assert report.to_dict()["version"] == "8.2.RC1"
    first, second = str(report).splitlines()
    assert first == "1 calls judged on 910b by CANN 8.5.0 (ASCEND_TOOLKIT_HOME), 0 illegal"
    assert second.startswith("CANN 8.2.RC1 (ASCEND_TOOLKIT_HOME) is none of the releases here")
    monkeypatch.setenv(NAMED, "9.0.0")
    assert str(negated()) == "1 calls judged on 910b by CANN 9.0.0 (OPSPEC_RELEASE), 0 illegal"
    assert str(negated("9.1.0")) == "1 calls judged on 910b by CANN 9.1.0, 0 illegal"
    assert negated("9.0.1").to_dict()["release"] == "9.0.0"
    monkeypatch.setenv(NAMED, "newest")
    with pytest.raises(opspec.UnknownReleaseError, match=NAMED):
        negated()
