"""Definitions of operators, the last ones kept: reading a spec costs more than searching by it."""

from __future__ import annotations

import functools

from opspec.model.definition import Definition
from opspec.registry.registry import Registry, definition_of


@functools.lru_cache(maxsize=64)
def definition(known: Registry, operator: str, release: str) -> Definition:
    """The definition of an operator in a release."""
    return definition_of(known.find(operator, release))
