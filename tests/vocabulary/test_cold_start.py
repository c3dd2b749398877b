"""Promise: the vocabulary is cheap to import and reads no data file before it is asked."""

from __future__ import annotations

import subprocess
import sys

import pytest

MODULES = ("dtypes", "formats", "products", "status", "ctypes_", "promotion", "shapes")
HEAVY = ("dataclasses", "enum", "pathlib", "typing", "inspect", "yaml", "pydantic", "difflib", "unicodedata", "numpy")

_PROGRAM = """
import sys
import functools, json, os  # what the vocabulary may use, and what these bring along
before = set(sys.modules)
import opspec.vocabulary.{module}
from opspec.vocabulary.tables import table
print(*sorted(set(sys.modules) - before))
print(table.cache_info().currsize)
"""


@pytest.mark.parametrize("module", MODULES)
def test_an_import_brings_nothing_heavy_and_reads_nothing(module: str) -> None:
    command = [sys.executable, "-S", "-c", _PROGRAM.format(module=module)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    imported, read = done.stdout.splitlines()
    assert [name for name in imported.split() if name in HEAVY] == []
    assert read == "0"


def test_shapes_needs_no_data_file_reader() -> None:
    program = "import sys, opspec.vocabulary.shapes; print('json' in sys.modules)"
    done = subprocess.run([sys.executable, "-S", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
