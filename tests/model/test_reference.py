"""Promise: a reference is an expression of a closed language, and what it names is there."""

from __future__ import annotations

import ast

import pytest

from opspec.errors import SpecError
from opspec.model.reference import MOST, check, parsed, targets


@pytest.mark.parametrize(
    "text",
    [
        "relu(self + alpha * other)",
        "[a + b * alpha for a, b in zip(self, other)]",
        "where(self > 0, self, 0 * self)[..., :self.shape[-1] // 2]",
        "self if alpha is None else -self",
    ],
)
def test_what_references_say_is_read(text: str) -> None:
    """Arithmetic, functions, elements, lists and conditions."""
    assert isinstance(parsed(text, ["self", "other", "alpha"]), ast.expr)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("relu(slef)", "unknown name 'slef'; did you mean 'self'"),
        ("rleu(self)", "unknown function 'rleu'; did you mean 'relu'"),
        ("self.__class__", "a tensor is not asked for '__class__'"),
        ("__import__('os')", "unknown function '__import__'"),
        ("self.relu()", "a reference calls functions by their names"),
        ("lambda: self", "a reference has no Lambda"),
        ("(x := self)", "a reference has no NamedExpr"),
        ("self +", "not an expression"),
        ("self + " * MOST, f"a reference has at most {MOST} characters"),
    ],
)
def test_anything_else_is_refused(text: str, said: str) -> None:
    """With what was found, and the nearest that there is."""
    with pytest.raises(SpecError, match="^" + said.replace("(", r"\(")):
        parsed(text, ["self"])


def test_a_line_may_read_those_above() -> None:
    """And no other; a line may name several values."""
    assert targets("values, indices") == ("values", "indices")
    check({"h": "self * 2", "out": "relu(h)"}, [], ["self", "out"])
    with pytest.raises(ValueError, match="reference of out: unknown name 'h'"):
        check({"out": "relu(h)", "h": "self * 2"}, [], ["self"])
    with pytest.raises(ValueError, match="small: there is no param 'slef'; did you mean 'self'"):
        check({}, ["slef"], ["self"])
