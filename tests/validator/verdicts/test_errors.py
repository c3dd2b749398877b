"""Promises of the errors of the Python API: each kind of mistake has a class, with what programs need of it."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import opspec
from opspec.errors import several

OP = "aclnnGeluBackwardV2"
X = opspec.Tensor((2, 3), "FLOAT")
ARGS = {"gradOutput": X, "self": X, "approximate": "tanh", "gradInput": X}
FUNCTIONS = (opspec.check, opspec.infer, opspec.repair)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_each_kind_of_mistake_has_a_class_of_its_own(function: Callable[..., object]) -> None:
    """Whatever function is called: the class says which argument was wrong, its attributes what was given and meant."""
    with pytest.raises(opspec.UnknownOperatorError) as operator:
        function("aclnnGeluBackwardV22", args=ARGS)
    assert operator.value.name == "aclnnGeluBackwardV22"
    assert operator.value.suggestions == (OP,)
    with pytest.raises(opspec.UnknownReleaseError) as release:
        function(OP, release="9.1", args=ARGS)
    assert (release.value.name, "9.1.0" in release.value.suggestions) == ("9.1", True)
    with pytest.raises(opspec.UnknownProductError) as product:
        function(OP, product="Ascend910X", args=ARGS)
    assert (product.value.subject, product.value.name) == ("product", "Ascend910X")
    with pytest.raises(opspec.ArgumentError) as argument:
        function(OP, args={**ARGS, "self": 5})
    assert (argument.value.operator, argument.value.param) == (OP, "self")
    with pytest.raises(opspec.ArgumentError) as own:
        function(OP, lang="fr", args=ARGS)
    assert (own.value.operator, own.value.param) == (None, "lang")


def test_an_operator_of_another_release_says_which(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not a misspelling: ``releases`` has those to ask for."""
    known = opspec.Registry()
    newer = next(name for name in known.entries("9.1.0") if name not in known.entries("8.5.0"))
    with pytest.raises(opspec.UnknownOperatorError) as error:
        opspec.check(newer, release="8.5.0", args={})
    assert "9.1.0" in error.value.releases
    assert error.value.suggestions == ()


@pytest.mark.parametrize(
    ("args", "param"),
    [({"selv": X}, "selv"), ({"self": None, "self2": 1}, "self2"), ({"approximate": 1}, "approximate"),
     ({"self": opspec.Tensor((2,), "FLOAT17")}, "self"),
     ({"self": {"tensor": {"shape": [1.5], "dtype": "FLOAT"}}}, "self")],
)  # fmt: skip
def test_a_bad_argument_names_the_param(args: dict[str, Any], param: str) -> None:
    """Unknown, of another kind, with an unknown dtype or a faulty shape: always the param that it was given for."""
    with pytest.raises(opspec.ArgumentError) as error:
        opspec.check(OP, args={**ARGS, **args})
    assert (error.value.operator, error.value.param) == (OP, param)


def test_a_faulty_spec_is_told_from_a_faulty_call(tmp_path: Path) -> None:
    """Its place is in ``where``."""
    folder = tmp_path / "9.1.0"
    folder.mkdir()
    (folder / "aclnnX.yaml").write_text("operator: aclnnX\nrelease: '9.1.0'\nparams: 5\n")
    with pytest.raises(opspec.SpecError) as error:
        opspec.check("aclnnX", args={}, specs=str(tmp_path))
    assert all("aclnnX.yaml:" in fault.where for fault in error.value.faults)


def test_all_classes_are_below_one_and_travel_between_processes() -> None:
    """A worker's error arrives with class, words, place and attributes."""
    for name in opspec.__all__:
        kind = getattr(opspec, name)
        if isinstance(kind, type) and issubclass(kind, Exception):
            assert issubclass(kind, opspec.OpspecError)
            error = kind("words", where="place")
            again = pickle.loads(pickle.dumps(error))  # noqa: S301 - made here
            assert (type(again), str(again), vars(again)) == (kind, "place: words", vars(error))
            assert type(error.at("file")) is kind


def test_faults_of_specs_together_are_a_fault_of_a_spec() -> None:
    """Several faults are one error of the same class."""
    faults = [opspec.SpecError("a"), opspec.SpecError("b")]
    assert type(several(faults)) is opspec.SpecError
    assert type(several([*faults, opspec.OpspecError("c")])) is opspec.OpspecError


def test_an_unknown_rule_says_that_it_is_one() -> None:
    """Strategies and ``opspec explain`` tell rules from operators by ``subject``."""
    calls = pytest.importorskip("opspec.hypothesis")
    with pytest.raises(
        opspec.UnknownNameError, match=f"{OP} has no rule 'out-shpe'; did you mean 'out-shape'"
    ) as error:
        calls.illegal(OP, "out-shpe")
    assert (error.value.subject, error.value.name, error.value.suggestions) == ("rule", "out-shpe", ("out-shape",))
