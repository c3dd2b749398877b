"""Promise: the comparison that CI makes on a million calls works on what an SDK compiled; here on a few operators."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.codegen.rules.million import compared, of_sdk

NAMES = (
    "aclnnAdd",
    "aclnnCat",
    "aclnnForeachAddcdivScalarList",
    "aclnnMatmul",
    "aclnnSoftmax",
    "aclnnConvolutionBackward",
)


@pytest.mark.slow
def test_objects_of_an_sdk_judge_as_python_does(small_sdk: Path, tmp_path: Path) -> None:
    tally = compared(of_sdk(str(small_sdk), str(tmp_path)), calls=1500, jobs=2, names=NAMES)
    assert tally.operators == len(NAMES)
    assert tally.calls >= 1500
    assert tally.legal > tally.calls / 10
    assert not tally.differences, tally.differences[:3]
    assert not tally.in_javascript, tally.in_javascript[:3]
