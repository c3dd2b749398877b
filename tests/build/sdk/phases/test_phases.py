"""Promise: generated phases judge, run and refuse as documented, and no handle, address or count makes them crash."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.build.sdk.phases.build import build

OPERATORS = (
    "aclnnAdd", "aclnnInplaceAdd", "aclnnCat", "aclnnForeachAddScalarList", "aclnnSplitTensor", "aclnnEinsum",
)  # fmt: skip


@pytest.mark.parametrize(("cc", "sanitizers"), [("gcc", "address,undefined"), ("clang", "thread")])
def test_phases(tmp_path: Path, cc: str, sanitizers: str) -> None:
    if shutil.which(cc) is None:
        pytest.skip(f"{cc} is not installed")
    program = build(tmp_path, cc, (f"-fsanitize={sanitizers}",), "phases_main.c", OPERATORS)
    done = subprocess.run([program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr[-4000:]
