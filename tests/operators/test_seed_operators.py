"""The five seed operators judge calls as their pages and the known observations say, in both releases.

Every case starts from the spec's own example, which is legal, and changes what the case names: so that a verdict shows
the effect of that change alone. Expectations are written from a reading of the pages.
"""

from __future__ import annotations

from typing import Any

import pytest

from opspec.model.example import example_of
from opspec.registry.registry import definition_of, registry
from opspec.validator.api import resolved
from opspec.validator.arguments import arguments
from opspec.validator.judge import judge, judge_by_interpreter
from opspec.validator.verdict import Verdict
from opspec.vocabulary import status
from opspec.vocabulary.enforcement import CONTRADICTED, REFUSED

OK, NULL, INVALID = status.SUCCESS, status.NULLPTR, status.INVALID
OPERATORS = (
    "aclnnAdaptiveAvgPool2dBackward",
    "aclnnBatchNormElemtBackward",
    "aclnnGeluBackwardV2",
    "aclnnGroupedBiasAddGrad",
    "aclnnPreluBackward",
)
RELEASES = ("8.0", "9.1.0")
Change = dict[str, Any]


def example(op: str, release: str) -> dict[str, Any]:
    """The arguments of the spec's example."""
    return dict(example_of(definition_of(registry().find(op, release)))[1])


def changed(args: dict[str, Any], change: Change) -> dict[str, Any]:
    """``{"self.dtype": "INT8", "weight": None}`` applied to arguments; ``*.dtype`` changes every tensor."""
    for path, value in change.items():
        name, _, key = path.partition(".")
        for target in args if name == "*" else [name]:
            if not key:
                args[target] = value
            elif isinstance(args[target], dict):
                args[target]["tensor"][key] = value
    return args


def verdict(op: str, release: str, change: Change, product: str | None = "910b") -> Verdict:
    """The verdict on the changed example; both back ends must give it."""
    form = registry().form(op, release)
    typed = arguments(op, form.params, changed(example(op, release), change))
    result = judge(form, typed, *resolved(product))
    assert result.to_dict() == judge_by_interpreter(form, typed, *resolved(product)).to_dict()
    return result


def check(
    op: str, release: str, change: Change, code: int, refused: str, accepted: str = "", product: str = "910b"
) -> None:
    """Assert what is broken, status and legality.

    Recorded calls of 9.1.0 say what is refused for it; in 8.0 it is what is by default, so that the page's rules are
    asserted, and that there is no other status than the page's.
    """
    found = verdict(op, release, change, product)
    ways = {finding.rule: finding.enforcement for finding in (*found.violations, *found.warnings)}
    assert sorted(ways) == sorted((*refused.split(), *accepted.split()))
    assert found.legal is (set(ways.values()) <= {CONTRADICTED})
    if release == "8.0":
        assert found.code in (code, OK)
        return
    assert {rule for rule, way in ways.items() if way == REFUSED} == set(refused.split())
    assert found.code == code


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("op", OPERATORS)
def test_the_example_is_legal(op: str, release: str) -> None:
    check(op, release, {}, OK, "")


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("op", OPERATORS)
def test_every_null_pointer_that_no_page_allows_gives_161001(op: str, release: str) -> None:
    optional = {"weight"} if op == "aclnnBatchNormElemtBackward" else {"groupIdxOptional"}
    for name in example(op, release):
        if name not in optional:
            found = verdict(op, release, {name: None})
            assert (found.code, found.violations[0].rule) == (NULL, f"{name}.null")
            assert [finding.rule for finding in found.violations] == [f"{name}.null"]


SUPPORT = {
    ("aclnnAdaptiveAvgPool2dBackward", "8.0"): "310p 910 910b",
    ("aclnnBatchNormElemtBackward", "8.0"): "910 910b",
    ("aclnnGeluBackwardV2", "8.0"): "310p 910 910b",
    ("aclnnGroupedBiasAddGrad", "8.0"): "910b",
    ("aclnnPreluBackward", "8.0"): "910 910b",
    ("aclnnAdaptiveAvgPool2dBackward", "9.1.0"): "950 A3 910b 310p 910",
    ("aclnnBatchNormElemtBackward", "9.1.0"): "950 A3 910b 910",
    ("aclnnGeluBackwardV2", "9.1.0"): "950 A3 910b 310p 910",
    ("aclnnGroupedBiasAddGrad", "9.1.0"): "950 A3 910b",
    ("aclnnPreluBackward", "9.1.0"): "950 A3 910b 910",
}


@pytest.mark.parametrize(("op", "release"), SUPPORT)
def test_products_are_those_that_the_page_lists(op: str, release: str) -> None:
    for product in ("950", "A3", "910b", "310b", "310p", "910"):
        found = verdict(op, release, {}, product)
        if product in SUPPORT[op, release].split():
            assert found.legal
            assert not found.warnings
        elif release == "8.0" and product in ("950", "A3"):  # that page's release knew nothing of them
            assert found.legal
            assert [finding.rule for finding in found.warnings] == ["product.unknown"]
        else:
            assert (found.code, found.violations[0].rule) == (INVALID, "product")


BOTH = [
    # aclnnGeluBackwardV2: dtypes promote, the output has exactly the promoted one
    ("aclnnGeluBackwardV2", {"gradOutput.dtype": "FLOAT"}, INVALID, "out-dtype", ""),
    ("aclnnGeluBackwardV2", {"gradOutput.dtype": "FLOAT", "gradInput.dtype": "FLOAT"}, OK, "", ""),
    ("aclnnGeluBackwardV2", {"self.dtype": "BF16", "gradInput.dtype": "FLOAT"}, OK, "", ""),
    ("aclnnGeluBackwardV2", {"gradOutput.dtype": "INT32"}, OK, "", "gradOutput.dtype"),  # promotes to FLOAT16
    ("aclnnGeluBackwardV2", {"gradOutput.dtype": "UINT16"}, INVALID, "inputs-promote", "gradOutput.dtype"),
    ("aclnnGeluBackwardV2", {"self.shape": [16]}, OK, "", ""),
    ("aclnnGeluBackwardV2", {"self.shape": [1, 16], "gradOutput.shape": [4, 1]}, OK, "", ""),
    ("aclnnGeluBackwardV2", {"self.shape": [5, 16]}, INVALID, "inputs-broadcast", ""),
    ("aclnnGeluBackwardV2", {"gradInput.shape": [4, 15]}, INVALID, "out-shape", ""),
    ("aclnnGeluBackwardV2", {"*.shape": [0, 3]}, OK, "", ""),
    ("aclnnGeluBackwardV2", {"*.shape": []}, OK, "", ""),
    ("aclnnGeluBackwardV2", {"approximate": "tanh"}, OK, "", ""),
    ("aclnnGeluBackwardV2", {"approximate": "erf"}, INVALID, "approximate.enum", ""),
    ("aclnnGeluBackwardV2", {"approximate": ""}, INVALID, "approximate.enum", ""),
    ("aclnnGeluBackwardV2", {"self.strides": [1, 4]}, OK, "", ""),
    # aclnnBatchNormElemtBackward
    ("aclnnBatchNormElemtBackward", {"gradOut.shape": [2, 3]}, INVALID, "gradOut.shape", ""),
    ("aclnnBatchNormElemtBackward", {"gradInput.shape": [2, 3]}, INVALID, "gradInput.shape", ""),
    ("aclnnBatchNormElemtBackward", {"mean.shape": [4]}, INVALID, "mean.shape", ""),
    ("aclnnBatchNormElemtBackward", {"weight.shape": [1]}, INVALID, "weight.shape", ""),
    ("aclnnBatchNormElemtBackward", {"gradOut.dtype": "FLOAT16", "mean.dtype": "FLOAT16"}, OK, "", ""),
    ("aclnnBatchNormElemtBackward", {"counter.dtype": "INT64"}, INVALID, "counter.dtype", ""),
    ("aclnnBatchNormElemtBackward", {"counter.dtype": "FLOAT"}, OK, "", ""),
    ("aclnnBatchNormElemtBackward", {"mean.dtype": "DOUBLE"}, INVALID, "mean.dtype", ""),
    ("aclnnBatchNormElemtBackward", {"gradOut.format": "NCL"}, OK, "", "gradOut.format"),
    ("aclnnBatchNormElemtBackward", {"gradOut.shape": [3], "input.shape": [3], "gradInput.shape": [3]}, INVALID,
     "gradOut.rank input.rank gradInput.rank", ""),
    # aclnnAdaptiveAvgPool2dBackward
    ("aclnnAdaptiveAvgPool2dBackward", {"gradOutput.dtype": "FLOAT16"}, INVALID, "same-dtype", ""),
    ("aclnnAdaptiveAvgPool2dBackward", {"*.dtype": "INT8"}, INVALID, "gradOutput.dtype self.dtype", "out.dtype"),
    ("aclnnAdaptiveAvgPool2dBackward", {"gradOutput.shape": [2, 3, 1, 1], "out.dtype": "INT8"}, OK, "", "out.dtype"),
    ("aclnnAdaptiveAvgPool2dBackward", {"gradOutput.shape": [2, 4, 1, 1]}, INVALID, "leading-dims", ""),
    ("aclnnAdaptiveAvgPool2dBackward", {"gradOutput.shape": [1, 3, 1, 1]}, INVALID, "leading-dims", ""),
    ("aclnnAdaptiveAvgPool2dBackward", {"*.format": "NCL", "gradOutput.shape": [3, 1, 1], "self.shape": [3, 8, 8],
                                        "out.shape": [3, 8, 8]}, OK, "", ""),
    # aclnnGroupedBiasAddGrad
    ("aclnnGroupedBiasAddGrad", {"groupIdxOptional": None}, INVALID, "grad-rank out-shape", ""),
    ("aclnnGroupedBiasAddGrad", {"groupIdxOptional": None, "gradY.shape": [10, 100, 30], "out.shape": [10, 30]}, OK, "", ""),
    ("aclnnGroupedBiasAddGrad", {"gradY.shape": [10, 100, 30]}, INVALID, "grad-rank", "group-end"),
    ("aclnnGroupedBiasAddGrad", {"*.dtype": "FLOAT16", "groupIdxOptional.dtype": "INT64"}, OK, "", ""),
    ("aclnnGroupedBiasAddGrad", {"out.shape": [3, 31]}, INVALID, "out-shape", ""),
    ("aclnnGroupedBiasAddGrad", {"groupIdxOptional.values": [400, 300, 1000]}, OK, "", "group-order"),
    ("aclnnGroupedBiasAddGrad", {"groupIdxOptional.values": [400, 600, 999]}, OK, "", "group-end"),
    ("aclnnGroupedBiasAddGrad", {"groupIdxOptional.values": [-400, 600, 1000]}, OK, "", "group-values"),
    # aclnnPreluBackward
    ("aclnnPreluBackward", {"*.dtype": "BF16"}, OK, "", ""),
    ("aclnnPreluBackward", {"*.dtype": "DOUBLE"}, INVALID,
     "gradOutput.dtype self.dtype weight.dtype gradInput.dtype gradWeight.dtype", ""),
    ("aclnnPreluBackward", {"gradOutput.shape": [1, 3, 4]}, OK, "", ""),
    ("aclnnPreluBackward", {"gradOutput.shape": [2, 3, 5]}, INVALID, "grad-broadcast out-broadcast", ""),
    ("aclnnPreluBackward", {"gradInput.shape": [2, 3, 5]}, INVALID, "gradInput.shape out-broadcast", ""),
    ("aclnnPreluBackward", {"weight.shape": [1], "gradWeight.shape": [3]}, INVALID, "gradWeight-one", "weight"),
]  # fmt: skip


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize(("op", "change", "code", "violated", "warned"), BOTH)
def test_what_both_releases_say(op: str, change: Change, code: int, violated: str, warned: str, release: str) -> None:
    if warned == "weight":  # one element for C channels: the page of 8.0 does not take it
        warned = "weight-count" if release == "8.0" else ""
    check(op, release, change, code, violated, warned)


LATER = [
    ("aclnnPreluBackward", {"weight.dtype": "FLOAT16"}, INVALID, "weight-dtype", ""),
    ("aclnnBatchNormElemtBackward", {"weight": None}, OK, "", ""),
    ("aclnnBatchNormElemtBackward", {"mean.dtype": "BF16"}, OK, "", ""),
    ("aclnnBatchNormElemtBackward", {"*.shape": [0], "gradOut.shape": [2, 0], "input.shape": [2, 0], "gradInput.shape": [2, 0]},
     INVALID, "channel-not-empty", ""),
    ("aclnnAdaptiveAvgPool2dBackward", {"gradOutput.shape": [0, 3, 4, 4], "self.shape": [0, 3, 8, 8], "out.shape": [0, 3, 8, 8]},
     OK, "", "gradOutput.empty self.empty"),
    ("aclnnAdaptiveAvgPool2dBackward", {"gradOutput.format": "ND"}, INVALID, "same-format", ""),
    ("aclnnAdaptiveAvgPool2dBackward", {"*.format": "NHWC"}, OK, "", "gradOutput.format self.format out.format"),
    ("aclnnAdaptiveAvgPool2dBackward", {"gradOutput.shape": [3, 4, 4]}, INVALID, "same-rank leading-dims", ""),
    ("aclnnPreluBackward", {"self.shape": [4], "gradOutput.shape": [4], "gradInput.shape": [4], "weight.shape": [1],
                            "gradWeight.shape": [1]}, OK, "", ""),
    ("aclnnPreluBackward", {"self.shape": [4], "gradOutput.shape": [4], "gradInput.shape": [4], "weight.shape": [4],
                            "gradWeight.shape": [4]}, INVALID, "weight-count gradWeight-flat", "weight-shape"),
    ("aclnnPreluBackward", {"weight.shape": [1, 3, 1], "gradWeight.shape": [3]}, OK, "", "gradWeight-shape"),
    ("aclnnPreluBackward", {"weight.shape": [1, 3, 1], "gradWeight.shape": [1, 3, 1]}, INVALID, "gradWeight-flat", ""),
    ("aclnnPreluBackward", {"weight.shape": [4], "gradWeight.shape": [4]}, INVALID, "weight-count gradWeight-flat", "weight-shape"),
    # rows of return codes leave these rules out, or say no more than that a format is not supported
    ("aclnnGeluBackwardV2", {"*.dtype": "INT32"}, INVALID, "gradInput.dtype computed-dtype", "gradOutput.dtype self.dtype"),
    ("aclnnGeluBackwardV2", {"*.dtype": "DOUBLE"}, INVALID, "gradInput.dtype computed-dtype", "gradOutput.dtype self.dtype"),
    ("aclnnBatchNormElemtBackward", {"invstd.shape": [3, 1]}, INVALID, "invstd.shape", "invstd.rank"),
    ("aclnnBatchNormElemtBackward", {"input.format": "NC1HWC0"}, INVALID, "gradInput-format input.private-format", ""),
    ("aclnnGroupedBiasAddGrad", {"out.dtype": "FLOAT16"}, INVALID, "out-dtype", ""),
    ("aclnnGroupedBiasAddGrad", {"groupIdxOptional.dtype": "INT8"}, INVALID, "groupIdxOptional.dtype", ""),
]  # fmt: skip


@pytest.mark.parametrize(("op", "change", "code", "violated", "warned"), LATER)
def test_what_9_1_0_says(op: str, change: Change, code: int, violated: str, warned: str) -> None:
    check(op, "9.1.0", change, code, violated, warned)


EARLIER = [
    ("aclnnPreluBackward", {"weight.dtype": "FLOAT16"}, INVALID, "weight-dtype gradWeight-weight-dtype", ""),
    ("aclnnGeluBackwardV2", {"*.dtype": "INT32"}, INVALID, "gradInput.dtype computed-dtype", "gradOutput.dtype self.dtype"),
    ("aclnnGeluBackwardV2", {"*.dtype": "DOUBLE"}, INVALID, "gradInput.dtype computed-dtype", "gradOutput.dtype self.dtype"),
    ("aclnnBatchNormElemtBackward", {"invstd.shape": [3, 1]}, INVALID, "invstd.rank invstd.shape", ""),
    ("aclnnBatchNormElemtBackward", {"input.format": "NC1HWC0"}, INVALID, "input.private-format", ""),
    ("aclnnGroupedBiasAddGrad", {"out.dtype": "FLOAT16"}, INVALID, "out-dtype", ""),
    ("aclnnGroupedBiasAddGrad", {"groupIdxOptional.dtype": "INT8"}, INVALID, "groupIdxOptional.dtype", ""),
    ("aclnnBatchNormElemtBackward", {"weight": None}, OK, "", "weight.null"),
    ("aclnnBatchNormElemtBackward", {"mean.dtype": "BF16"}, INVALID, "mean.dtype", ""),
    ("aclnnAdaptiveAvgPool2dBackward", {"gradOutput.shape": [2, 3, 4, 4]}, OK, "", "hw-broadcast"),
    ("aclnnAdaptiveAvgPool2dBackward", {"gradOutput.shape": [2, 3, 8, 1]}, OK, "", ""),
    ("aclnnAdaptiveAvgPool2dBackward", {"out.shape": [2, 3, 8, 9]}, INVALID, "out.shape", ""),
    ("aclnnAdaptiveAvgPool2dBackward", {"gradOutput.format": "ND"}, INVALID, "same-format", "gradOutput.format"),
    ("aclnnPreluBackward", {"weight.shape": [1, 3, 1]}, OK, "", ""),
    ("aclnnPreluBackward", {"weight.shape": [4], "gradWeight.shape": [4]}, INVALID, "weight-count-observed", "weight-count"),
]  # fmt: skip


@pytest.mark.parametrize(("op", "change", "code", "violated", "warned"), EARLIER)
def test_what_8_0_says(op: str, change: Change, code: int, violated: str, warned: str) -> None:
    check(op, "8.0", change, code, violated, warned)


_ALL_OF_GELU = "gradOutput.dtype self.dtype gradInput.dtype computed-dtype"
_ALL_OF_PRELU = "gradOutput.dtype self.dtype weight.dtype gradInput.dtype gradWeight.dtype"


@pytest.mark.parametrize(
    ("op", "release", "violated"),
    [
        ("aclnnGeluBackwardV2", "8.0", _ALL_OF_GELU),
        ("aclnnGeluBackwardV2", "9.1.0", _ALL_OF_GELU),
        ("aclnnPreluBackward", "8.0", _ALL_OF_PRELU),
        ("aclnnPreluBackward", "9.1.0", _ALL_OF_PRELU),
    ],
)
def test_the_training_series_has_no_bfloat16(op: str, release: str, violated: str) -> None:
    found = verdict(op, release, {"*.dtype": "BF16"}, "Atlas 训练系列产品")
    assert [finding.rule for finding in found.violations] == violated.split()


@pytest.mark.parametrize("release", RELEASES)
def test_the_worked_example_of_grouped_bias_add_grad(release: str) -> None:
    """Both halves of the page's example: three groups that end at rows 400, 600, 1000, and ten equal ones without ends."""
    op = "aclnnGroupedBiasAddGrad"
    ends = {"gradY.shape": [1000, 30], "groupIdxOptional.values": [400, 600, 1000], "out.shape": [3, 30]}
    check(op, release, ends, OK, "")
    whole = {"gradY.shape": [10, 100, 30], "groupIdxOptional": None, "out.shape": [10, 30]}
    check(op, release, whole, OK, "")
    wrong = verdict(op, release, {**whole, "out.shape": [100, 30]})
    assert wrong.violations[0].expected == "[10, 30]"
    assert wrong.violations[0].actual == "[100, 30]"


@pytest.mark.parametrize("release", RELEASES)
def test_more_than_2048_groups_are_refused(release: str) -> None:
    change = {
        "groupIdxOptional": {"tensor": {"shape": [2049], "dtype": "INT32", "format": "ND"}},
        "out.shape": [2049, 30],
    }
    found = verdict("aclnnGroupedBiasAddGrad", release, change)
    assert [finding.rule for finding in found.violations] == ["group-count"]
    assert [finding.rule for finding in found.undecided] == ["group-order", "group-end", "group-values"]


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("op", OPERATORS)
def test_every_finding_names_its_clause(op: str, release: str) -> None:
    """A documented rule's finding says from which document and place it comes."""
    found = verdict(op, release, {"*.dtype": "STRING", "*.shape": [1] * 10, "*.format": "FRACTAL_NZ"}, "310b")
    for finding in (*found.violations, *found.warnings):
        assert finding.basis in ("inferred", "observed") or (finding.source is not None and ": " in finding.source)
