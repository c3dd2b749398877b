"""Operators that are compiled together: each once, with others of its family, and known by name to the compiler."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import pytest

from opspec.build import together
from opspec.build.compiler import find_compiler
from opspec.errors import OpspecError
from opspec.registry.registry import Registry

SPECS = list(Registry().entries("9.1.0").values())


def test_each_operator_is_in_one_batch() -> None:
    """Of a whole release; with the others of its file, and with its family alone."""
    batches = together.batches(SPECS)
    names = [spec.operator for spec in chain.from_iterable(batches)]
    assert sorted(names) == sorted(spec.operator for spec in SPECS)
    assert all(len({spec.family for spec in few}) == 1 for few in batches)
    files = [path for few in batches for path in {spec.path for spec in few}]
    assert len(files) == len(set(files))


def test_batches_do_not_depend_on_the_order_of_operators() -> None:
    """So that builds find each other's objects."""
    assert together.batches(SPECS) == together.batches(reversed(SPECS))


def test_the_compiler_names_the_operator_of_a_fault(tmp_path: Path) -> None:
    source = tmp_path / "several.c"
    source.write_text(together.source({"aclnnGood": "int good;\n", "aclnnBad": "\nint bad = ;\n"}))
    with pytest.raises(OpspecError, match=r"aclnnBad\.c:2"):
        find_compiler(None).compile(str(source), str(tmp_path / "several.o"), [])
