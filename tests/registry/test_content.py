"""Promise: what is read out of a spec's bytes is what the spec says, also where it has it from one that it extends."""

from __future__ import annotations

import os

from opspec.model.beside import first_operator
from opspec.model.load import spec_file
from opspec.model.raw import said, with_extended
from opspec.registry.content import header
from tests.committed import SPECS, with_parents


def test_the_header_of_a_spec_is_found_without_reading_yaml() -> None:
    """Its own, that of the nearest spec that it extends and that has another than its name tells, or its name's."""
    heirs = [path for path in SPECS if "/" not in (said(path.read_bytes(), "extends") or "/")]
    silent = [path for path in heirs if not said(path.read_bytes(), "header")]
    assert silent
    for path in (*silent[::8], *heirs[::40]):
        assert header(str(path)) == (spec_file(str(path)).header or ""), path


def test_a_spec_is_read_with_all_that_it_extends() -> None:
    for path in SPECS[::60]:
        found = with_extended(str(path))
        assert next(iter(found)) == str(path)
        assert {os.path.realpath(name) for name in found} == {os.path.realpath(name) for name in with_parents([path])}
        assert len({first_operator(name) for name in found}) >= 1
