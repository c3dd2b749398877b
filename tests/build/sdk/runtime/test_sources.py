"""The sources with another compiler, and with the real headers."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from opspec.codegen.entries import findings
from opspec.codegen.rules.library import runtime_files
from opspec.csrc import RULES
from opspec.csrc import SHARED as NATIVE
from opspec.csrc import SIMULATOR as RUNTIME
from tests.paths import ACL_HEADERS

from .programs import INCLUDE, PARTS, WARNINGS


@pytest.mark.parametrize("library", sorted(PARTS))
def test_definitions_agree_with_the_real_headers_where_there_are_some(library: str, tmp_path: Path) -> None:
    for path, text in {**runtime_files(), **findings.files()}.items():
        (tmp_path / Path(path).name).write_text(text)
    # The real headers come before ours, as system headers: their own warnings are not this project's.
    headers = [str(ACL_HEADERS)] if ACL_HEADERS and library in ("opspec_sim", "ascendcl") else []
    folders = [f"-I{folder}" for folder in (tmp_path, RULES, NATIVE, RUNTIME)]
    folders += [f"-isystem{folder}" for folder in (*headers, INCLUDE)]
    done = subprocess.run(
        ["clang", *WARNINGS, "-fsyntax-only", *folders, *PARTS[library]], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-4000:]
