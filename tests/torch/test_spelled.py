"""Promise: of an operator's call there is a program for torch_npu that makes just this call, or none."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import opspec.torch
from opspec.language.values import Argument
from opspec.registry.registry import registry
from opspec.torch.spelled import python_of
from opspec.torch.table import Entry, table
from opspec.torch.values import without_ranks
from opspec.validator.python_args import python_arguments
from tests.torch.calls import example, keeping, overload

PRODUCT = "910b"
ENTRIES = {name: entry for name, entry in table().entries.items() if entry.cases}
#: shares of the table's examples that are written; the others have an argument that no call of PyTorch tells, data, or
#: a layout of its own
WRITTEN = 0.85
#: calls whose programs a processor does not run: it looks at values, which no call has
LOOKED_AT = {"aten::_embedding_bag", "aten::_embedding_bag_forward_only"}


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, Any]]]:
    """What the calls come to that are judged."""
    return keeping(monkeypatch)


def typed(call: tuple[str, dict[str, Any]]) -> dict[str, Argument]:
    operator, arguments = call
    form = registry().form(operator)
    return dict(
        zip((param[0] for param in form.params), python_arguments(operator, form.params, arguments), strict=True)
    )


def test_the_program_makes_the_call_that_it_was_written_of(seen: list[tuple[str, dict[str, Any]]]) -> None:
    """For the examples of the whole table, run on the processor in place of a device."""
    opspec.torch.install()
    written = 0
    for entry in ENTRIES.values():
        text, expected = program(entry, seen)
        if text is None:
            continue
        written += 1
        if entry.name in LOOKED_AT:
            continue
        seen.clear()
        with opspec.torch.check(product=PRODUCT):
            exec(text.replace("device='npu'", "device='cpu'").replace("print(", "("), {})  # noqa: S102 - of our own making
        assert str(without_ranks(typed(seen[-1]))) == str(without_ranks(expected)), text
    assert written > WRITTEN * len(ENTRIES)


def program(entry: Entry, seen: list[tuple[str, dict[str, Any]]]) -> tuple[str | None, dict[str, Argument]]:
    """The program of an entry's example, and the arguments of its operator."""
    args, kwargs = example(entry, frozenset(), "cpu")
    seen.clear()
    with opspec.torch.check(product=PRODUCT):
        overload(entry.name)(*args, **kwargs)
    if not seen:  # no case of it is of this product
        return None, {}
    arguments = typed(seen[-1])
    return python_of(registry().form(seen[-1][0]), arguments, PRODUCT), arguments


def test_a_call_that_torch_refuses_is_none_of_torch_npu() -> None:
    """It checks shapes of its own before it comes to the operator."""
    form = registry().form("aclnnMatmul")
    shapes = {"self": torch.empty(2, 3), "mat2": torch.empty(4, 5), "out": torch.empty(2, 5), "cubeMathType": 0}
    arguments = python_arguments("aclnnMatmul", form.params, shapes)
    assert python_of(form, dict(zip((param[0] for param in form.params), arguments, strict=True)), PRODUCT) is None
