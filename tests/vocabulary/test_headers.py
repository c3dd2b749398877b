"""Promise: numbers of dtypes and formats are those of the real ACL headers, and none is missing or invented."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from opspec.vocabulary import dtypes, formats
from opspec.vocabulary.tables import table
from tests.paths import ACL_HEADERS, needs_headers
from tests.vocabulary.pages import enum

ENUMS = {"aclDataType": "dtypes", "aclFormat": "formats"}


def _ours(source: str) -> dict[str, int]:
    rows: list[dict[str, Any]] = table(source)[source]
    return {row["enum"]: row["number"] for row in rows}


@needs_headers
@pytest.mark.parametrize("name", ENUMS)
def test_every_enumerator_is_here_and_no_other(name: str) -> None:
    assert ACL_HEADERS is not None
    header = (ACL_HEADERS / "acl" / "acl_base_rt.h").read_text(encoding="utf-8")
    assert _ours(ENUMS[name]) == enum(header, name)


@needs_headers
def test_a_c_compiler_agrees_with_every_number(tmp_path: Path) -> None:
    """The functions' answers, not the data file's, are compiled against the headers."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    lines = ['#include "acl/acl.h"']
    for source, number in (("dtypes", dtypes.number), ("formats", formats.number)):
        lines += [f'_Static_assert({name} == {number(name)}, "{name}");' for name in _ours(source)]
    assert len(lines) > 45
    assert _compile(compiler, tmp_path, lines).returncode == 0
    wrong = [*lines, '_Static_assert(ACL_FLOAT == 1, "a wrong number is noticed");']
    assert "a wrong number is noticed" in _compile(compiler, tmp_path, wrong).stderr


def _compile(compiler: str, folder: Path, lines: list[str]) -> subprocess.CompletedProcess[str]:
    source = folder / "numbers.c"
    source.write_text("\n".join(lines) + "\n", encoding="utf-8")
    include = [f"-I{ACL_HEADERS}", f"-I{ACL_HEADERS}/acl"]
    command = [compiler, "-x", "c", "-std=c11", "-fsyntax-only", *include, str(source)]
    return subprocess.run(command, capture_output=True, text=True, check=False)
