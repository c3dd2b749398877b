"""Promise: the examples in docstrings of the language and the model say what happens."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import opspec.language
import opspec.model

MODULES = [
    name for room in (opspec.language, opspec.model)
    for _, name, _ in pkgutil.walk_packages(room.__path__, f"{room.__name__}.")
]  # fmt: skip


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_hold(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples() -> None:
    """What builds trees has some."""
    assert doctest.testmod(importlib.import_module("opspec.language.build")).attempted > 3
