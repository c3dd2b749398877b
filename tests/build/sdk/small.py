"""A simulator SDK of a few operators, built once for all tests, or the one that ``OPSPEC_SDK`` names."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from opspec.build.layout import read_mark
from opspec.cli.main import main
from tests.once import once

#: What the tests' host programs call, of every group, and of single-phase helpers.
OPERATORS = (
    "aclnnAdd", "aclnnAdds", "aclnnAllGatherMatmul", "aclnnApplyAdam", "aclnnCalculateConvolutionWeightSize",
    "aclnnCalculateMatmulWeightSize", "aclnnCalculateMatmulWeightSizeV2", "aclnnCat", "aclnnConvolutionBackward",
    "aclnnForeachAddcdivScalarList", "aclnnGeluV2", "aclnnGridSampler2D", "aclnnInplaceAdd", "aclnnInplaceFillScalar",
    "aclnnInplaceMul", "aclnnMatmul", "aclnnMatmulAllReduce", "aclnnMatmulWeightNz", "aclnnMul",
    "aclnnNonMaxSuppression", "aclnnNormalFloatFloat", "aclnnNpuFormatCast", "aclnnPermute", "aclnnReduceSum",
    "aclnnRelu", "aclnnSoftmax", "aclnnSplitTensor", "aclnnTransConvolutionWeight", "aclnnTransMatmulWeight",
    "aclnnTransQuantParam", "aclnnTransSparse4to2Para",
)  # fmt: skip

LIBRARIES = ("-lopapi_nn", "-lopapi_math", "-lopapi_cv", "-lopapi_transformer", "-lascendcl", "-lnnopbase")


@pytest.fixture(scope="session")
def small_sdk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an SDK with at least :data:`OPERATORS`, of release 9.1.0 for 910b; do not change it."""
    given = os.environ.get("OPSPEC_SDK")
    if given:
        assert read_mark(given)["release"] == "9.1.0"
        return Path(given).resolve()
    return built_once(tmp_path_factory, "small-sdk", OPERATORS)


def built_once(
    factory: pytest.TempPathFactory, name: str, operators: Sequence[str], options: tuple[str, ...] = ()
) -> Path:
    """The folder of an SDK that the first test that asks for it builds, whichever worker that is in."""
    if shutil.which("cc") is None:
        pytest.skip("no C compiler here")

    def make(folder: Path) -> None:
        assert build_small(folder, *operators, options=options) == 0

    return once(factory, name, make)


def build_small(folder: Path, *operators: str, options: tuple[str, ...] = ()) -> int:
    """Build an SDK; the command's exit status."""
    command = ["sdk", "build", "--release", "9.1.0", "--product", "910b", "--out", str(folder), *options]
    return main([*command, *(operators or OPERATORS)])


def flags(sdk: Path) -> tuple[str, ...]:
    """Compiler options that find the SDK's headers and libraries, and the libraries again when the program runs."""
    include, libraries = sdk / "include", sdk / "lib64"
    return (f"-I{include}", f"-I{include / 'aclnnop'}", f"-L{libraries}", "-Xlinker", f"-rpath={libraries}")
