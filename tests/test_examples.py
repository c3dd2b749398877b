"""Promise: the examples in docstrings of what ``import opspec`` offers say what happens."""

from __future__ import annotations

import doctest
import importlib

import pytest

import opspec

HOMES = sorted({"opspec", *opspec._HOME.values()})

#: what a program calls, or catches because a call was wrong, and what it gives and gets
SHOWN = (
    "check", "infer", "repair", "Registry", "UnknownOperatorError", "UnknownProductError", "UnknownReleaseError",
    "ArgumentError", "Verdict", "Finding", "Fix", "Inference", "Tensor", "Scalar",
)  # fmt: skip


@pytest.mark.parametrize("name", HOMES)
def test_the_examples_hold(name: str) -> None:
    """Of each module that is the home of a public name."""
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize("name", SHOWN)
def test_what_is_used_has_an_example(name: str) -> None:
    """A reader sees at the name itself how it is used."""
    assert ">>>" in getattr(opspec, name).__doc__
