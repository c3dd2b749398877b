"""Promise: generated phases compile without a warning, against opspec's headers and against CANN's own."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from opspec import csrc
from opspec.codegen.entries.simulator import phases_file
from opspec.codegen.prototypes import by_header
from opspec.codegen.rules.library import runtime_files
from opspec.registry.registry import Registry, definition_of
from tests.build.sdk.phases.build import STRICT
from tests.committed import MANY
from tests.paths import ACL_HEADERS, needs_headers

#: rare types of params: pointers to pointers, integers of all widths, strings, dtypes
RARE = (
    "aclnnTransSparse4to2Para", "aclnnTransQuantParam", "aclnnNpuFormatCast", "aclnnEinsum", "aclnnSplitTensor",
    "aclnnFlashAttentionScoreV4", "aclnnCast", "aclnnForeachAddScalarList", "aclnnFFNV3",
    "aclnnTransMatmulWeight", "aclnnTransConvolutionWeight",
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Headers, and one C file with the phases of a sample; of all operators in a long run."""
    known = Registry()
    others = sorted(set(known.entries("9.1.0")) - set(RARE))
    chosen = [*RARE, *random.Random(3).sample(others, min(60 * MANY, len(others)))]
    definitions = [definition_of(known.find(name, "9.1.0")) for name in chosen]
    target = tmp_path_factory.mktemp("all")
    files = {Path(name).name: text for name, text in runtime_files().items()} | by_header(definitions)
    phases = [
        phases_file(one, one.header or f"{definition.name}.h")
        for definition in definitions
        for one in (definition, *definition.helpers)
    ]
    files["all.c"] = "\n".join(phases)
    for name, text in files.items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_text(text)
    return target


@pytest.mark.parametrize("headers", ["own", pytest.param("real", marks=needs_headers)])
@pytest.mark.parametrize("cc", ["gcc", "clang"])
def test_phases_compile(folder: Path, cc: str, headers: str) -> None:
    if shutil.which(cc) is None:
        pytest.skip(f"{cc} is not installed")
    first = [ACL_HEADERS] if headers == "real" else []
    rest = [Path(csrc.INCLUDE), folder, Path(csrc.SHARED), Path(csrc.RULES), Path(csrc.SIMULATOR)]
    words = [cc, *STRICT, "-O0", "-fsyntax-only", *(f"-I{one}" for one in [*first, *rest]), str(folder / "all.c")]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:4000]
