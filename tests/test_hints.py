"""Promise: ``typing.get_type_hints`` works on everything that opspec offers, so that what builds schemas of it can."""

from __future__ import annotations

import importlib
import inspect
import subprocess
import sys
import typing
from collections.abc import Iterator
from types import FunctionType

import pytest

import opspec


def _inside(hint: object) -> Iterator[object]:
    """A hint and whatever it is made of."""
    yield hint
    for part in typing.get_args(hint):
        yield from _inside(part)


def _own_hints(thing: object) -> Iterator[tuple[object, dict[str, object]]]:
    """A function, or a class and its methods and properties, each with what ``get_type_hints`` says of it."""
    if isinstance(thing, FunctionType):
        yield thing, typing.get_type_hints(thing)
    elif isinstance(thing, type):
        yield thing, typing.get_type_hints(thing)
        for name, part in vars(thing).items():
            method = part.fget if isinstance(part, property) else getattr(part, "__func__", part)
            if isinstance(method, FunctionType) and method.__module__.startswith("opspec"):
                hints = typing.get_type_hints(method)
                assert name.startswith("_") or "return" in hints, f"{method.__qualname__} says not what it returns"
                yield method, hints


def _all_hints(module: str) -> list[object]:
    """What was reached from a module's names: through methods, and the classes of opspec that their hints name."""
    home = importlib.import_module(module)
    todo = [getattr(home, name) for name in home.__all__]
    seen: list[object] = []
    while todo:
        thing = inspect.unwrap(todo.pop()) if callable(todo[-1]) else todo.pop()
        if any(thing is other for other in seen):
            continue
        seen.append(thing)
        for _, hints in _own_hints(thing):
            for hint in hints.values():
                todo += [
                    part
                    for part in _inside(hint)
                    if isinstance(part, type) and str(getattr(part, "__module__", "")).startswith("opspec")
                ]
    return seen


def test_hints_resolve() -> None:
    """Functions, classes, methods and properties, and those of the classes that they give and take."""
    reached = _all_hints("opspec")
    assert {opspec.check, opspec.infer, opspec.repair, opspec.Verdict, opspec.Registry} <= {*map(_hashable, reached)}
    assert len(reached) > len(opspec.__all__)


def test_what_public_functions_give_is_public() -> None:
    """The functions, and the methods of Registry: each class of opspec that they return can be imported from it."""
    public = [getattr(opspec, name) for name in opspec.__all__]
    methods = [method for name, method in vars(opspec.Registry).items() if not name.startswith("_")]
    for function in (opspec.check, opspec.infer, opspec.repair, *methods):
        for part in _inside(typing.get_type_hints(function)["return"]):
            if isinstance(part, type) and part.__module__.startswith("opspec"):
                assert part in public, f"{part} of {function}"


def _hashable(thing: object) -> object:
    return thing if isinstance(thing, (type, FunctionType)) else id(thing)


@pytest.mark.parametrize(("module", "needs"), [("opspec.frames", "pyarrow"), ("opspec.hypothesis", "hypothesis")])
def test_hints_of_extras_resolve(module: str, needs: str) -> None:
    """Those of what comes with an extra, where it is installed."""
    pytest.importorskip(needs)
    assert _all_hints(module)


@pytest.mark.torch
def test_hints_of_torch_resolve() -> None:
    """Those of opspec.torch."""
    assert _all_hints("opspec.torch")


def test_hints_cost_nothing_until_they_are_asked_for() -> None:
    """A check loads no ``typing``: that takes longer than judging does."""
    program = (
        "import sys, opspec\n"
        "opspec.check('aclnnAbs', args={'self': opspec.Tensor((2,), 'FLOAT'), 'out': opspec.Tensor((2,), 'INT8')})\n"
        "print('typing' in sys.modules)"
    )
    made = [subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True) for _ in "ab"]
    assert made[-1].stdout == "False\n"  # the first may have compiled the spec
