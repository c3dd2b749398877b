"""Promise: each param of each operator can be given by name from Python, whatever it is called."""

from __future__ import annotations

import inspect
import keyword
import re
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

import opspec
from opspec.registry.registry import Form
from opspec.validator.arguments import arguments
from opspec.validator.python_args import OPTIONS, by_name
from tests.committed import in_turn

FUNCTIONS: tuple[Callable[..., object], ...] = (opspec.check, opspec.infer, opspec.repair)
X = opspec.Tensor((2, 3), "FLOAT")


def test_options_are_those_of_the_functions() -> None:
    """A new option of any of them makes its name one that takes an underscore."""
    own = {
        name
        for function in FUNCTIONS
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY
    }
    assert own == OPTIONS


def _check_names(form: Form) -> None:
    """All params given by name at once: each function hands them on, and each is found in its place."""
    params = by_name(form.params)
    given = {spellings[-1] if spellings else name: number for number, (name, *_, spellings, _, _) in enumerate(params)}
    assert not any(keyword.iskeyword(name) for name in given)
    for function in FUNCTIONS:
        bound = inspect.signature(function).bind(form.operator, **given)
        assert bound.kwargs == given
        assert bound.arguments["named"] == given
    found = arguments(form.operator, params, given, read=lambda kind, value, low, high: value)  # type: ignore[arg-type, return-value]
    assert list(found) == list(given.values())


def _colliding() -> Iterable[tuple[str, str]]:
    """(Operator, release) of specs that name a param as an option or a keyword is named."""
    known = opspec.Registry()
    words = [*OPTIONS, *keyword.kwlist]
    pattern = re.compile(rf"\bname: ['\"]?({'|'.join(words)})\b")
    for release in known.releases():
        for name, entry in known.entries(release).items():
            if pattern.search(Path(entry.path).read_text(encoding="utf-8")):
                yield name, release


def test_params_named_as_options_and_keywords_are_given_with_an_underscore() -> None:
    """Those operators that have any."""
    found = list(_colliding())
    assert {name for name, _ in found} >= {"aclnnHeaviside", "aclnnInplaceUniform"}
    for name, release in found:
        _check_names(opspec.Registry().form(name, release))


@pytest.mark.slow
def test_every_param_of_every_operator_can_be_given_by_name() -> None:
    """All operators of all releases, a half in turn."""
    known = opspec.Registry()
    for release in known.releases():
        for name in in_turn(known.entries(release)):
            _check_names(known.form(name, release))


def test_the_ways_mean_the_same() -> None:
    """By name with an underscore, in ``args`` as it is called: for check, infer and repair."""
    for function in FUNCTIONS:
        named = function("aclnnHeaviside", input=X, values_=X, out=X, product="910b")
        mapped = function("aclnnHeaviside", args={"input": X, "values": X, "out": X}, product="910b")
        assert str(named) == str(mapped)
    assert opspec.check("aclnnHeaviside", input=X, values_=X, out=X, product="910b")
    assert opspec.infer("aclnnSort", self=X, stable=False, dim=0, descending=False).outputs.keys() == {
        "valuesOut", "indicesOut"
    }  # fmt: skip


def test_an_option_in_place_of_a_param_is_told_how_it_is_spelt() -> None:
    """``values=`` is the option: what is given there is no switch, and the param is missing."""
    with pytest.raises(opspec.ArgumentError, match="given as values_"):
        opspec.check("aclnnHeaviside", input=X, values=X, out=X)  # type: ignore[call-overload]
    with pytest.raises(opspec.ArgumentError, match="by name it is given as values_"):
        opspec.check("aclnnHeaviside", input=X, out=X)
    with pytest.raises(opspec.ArgumentError, match="given twice"):
        opspec.check("aclnnHeaviside", args={"input": X, "values": X, "values_": X, "out": X})
