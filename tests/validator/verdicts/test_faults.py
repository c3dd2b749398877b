"""Promise: a fault of opspec is never read as a verdict; it is an error that names operator and rule.

Every function of the library and every helper of compiled rules is broken in turn.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from opspec.cli.main import main
from opspec.errors import InternalError
from opspec.language import runtime
from opspec.language.functions import FUNCTIONS
from opspec.language.python import helper_names
from opspec.language.values import Scalar, Tensor
from opspec.model.load import load_text
from opspec.registry.compile import compile_operator
from opspec.registry.registry import Form
from opspec.validator.judge import judge
from opspec.validator.verdict import Verdict
from opspec.vocabulary import promotion, shapes
from tests.model.building import spec

SAYS = r"aclnnX: internal error while judging (broken-rule|L|product|\w+\.(private-)?format): .*broken"
ERRORS = (TypeError, AttributeError, KeyError, IndexError, ZeroDivisionError, OverflowError, ValueError)

PARAMS = """
params:
  - {name: x, ctype: const aclTensor*, optional: yes}
  - {name: y, ctype: const aclTensor*, optional: yes}
  - {name: xs, ctype: const aclTensorList*, optional: yes}
  - {name: s, ctype: const aclScalar*, optional: yes}
  - {name: ints, ctype: const aclIntArray*, optional: yes}
  - {name: floats, ctype: const aclFloatArray*, optional: yes}
  - {name: n, ctype: int64_t}
  - {name: d, ctype: double}
  - {name: word, ctype: char*, optional: yes}
"""
T = Tensor((2, 3), "FLOAT", values=range(6))
U = Tensor((3,), "FLOAT16", values=range(3))
ARGS = (T, U, (T, U), Scalar("FLOAT", 1.0), (1, 0), (0.5, 1.5), 2, 0.5, "none")

#: function of the library -> a statement that reaches it and holds
OF_FUNCTIONS = {
    "abs": "abs(n) == 2", "min": "min(ints) == 0", "max": "max(ints) == 1",
    "sum": "sum(ints) == 1", "prod": "prod(ints) == 0", "ceil_div": "ceil_div(n, 2) == 1",
    "align_up": "align_up(n, 2) == 2", "floor": "floor(d) == 0", "ceil": "ceil(d) == 1",
    "broadcast": "broadcast(x.shape, y.shape) == (2, 3)", "broadcastable": "broadcastable(x.shape, y.shape)",
    "broadcastable_to": "broadcastable_to(y.shape, x.shape)",
    "promote": "promote(x.dtype, y.dtype) == FLOAT",
    "promotable": "promotable(x.dtype, y.dtype)", "promote_scalar": "promote_scalar(x.dtype, s.dtype) == FLOAT",
    "castable": "castable(x.dtype, y.dtype)", "bits": "bits(x.dtype) == 32", "is_floating": "is_floating(x.dtype)",
    "is_integer": "not is_integer(x.dtype)", "is_complex": "not is_complex(x.dtype)",
    "is_private": "not is_private(x.format)", "contiguous": "contiguous(x)",
    "transposed_last2": "not transposed_last2(x)", "increasing": "increasing(floats)",
    "nondecreasing": "nondecreasing(floats)", "distinct": "distinct(ints)", "axis": "axis(n, 3) == 2",
    "permuted": "permuted(x.shape, ints) == (3, 2)", "reduced": "reduced(x.shape, (0,), False) == (3,)",
    "starts_with": "starts_with(word, 'no')",
}  # fmt: skip

#: helper -> a statement that reaches it
OF_HELPERS = {
    "strict": "x.storage_shape[n - 2] == y.values[0] + n // (n - 1)", "equal": "floats == (d, 1.5)",
    "contains": "d in floats", "conjunction": "x.shape[0] == 2 and y.shape[0] == 3 or n == 3",
    "disjunction": "x.shape[0] == 3 or y.shape[0] == 3", "for_all": "all(ints[v] >= 0 for v in range(n)) and n == 2",
    "for_any": "any(ints[v] > 0 for v in range(n))", "each": "len([t.shape[0] for t in xs]) == 2",
    "given": "given(x.rank == 2) and n == 2", "implies": "implies(x.rank == 2, y.rank == 1) and n == 2",
    "in_table": "table((x.dtype, n), (FLOAT, 2))", "present": "(x is None or x.rank == 2) and n == 2",
    "int64": "n + 1 == 3", "let": "L == 2", "numel": "x.numel == 6", "strides": "x.strides == (3, 1)",
    "storage_shape": "x.storage_shape == (2, 3)", "storage_format": "x.storage_format == ND",
    "values": "x.values[0] == 0", "value": "s.value == 1.0", "is_one_of_products": "product in ('950pr', '910b')",
    "known": "product == '910b'", "shift_left": "n << 1 == 4", "shift_right": "n >> 1 == 1", "divide": "d / 2 == 0.25",
    "differing": "all(all(t.rank > s.rank - 3 for t in xs) for s in xs)",
    "chain": "x.shape[0] < y.shape[0] < x.numel < 7", "item": "x.shape[0] == n", "quotient": "4 // n == 2",
    "remainder": "4 % n == 0", "bounded_range": "len(range(n)) == 2", "zipped": "len(zip(ints, floats)) == 2",
}  # fmt: skip


def broken(error: type[Exception]) -> Callable[..., object]:
    """A function that fails."""

    def fail(*_: object) -> object:
        raise error("broken")

    return fail


@functools.cache
def source_of(check: str) -> str:
    """The compiled form of an operator with one rule of its own."""
    body = PARAMS + f"let: {{L: 'x.shape[0]'}}\nrules:\n  broken-rule: {{check: {json.dumps(check)}}}\n"
    return compile_operator(load_text(spec(body), "x.yaml").definitions[0]).source


def form_of(check: str) -> Form:
    """The form, loaded with whatever is broken now."""
    space: dict[str, Any] = {}
    exec(compile(source_of(check), "<x>", "exec"), space)  # noqa: S102 - generated from typed trees
    return Form(space)


def verdict(check: str) -> Verdict:
    """The verdict on the call."""
    return judge(form_of(check), ARGS, "910b")


def assert_loud(check: str) -> None:
    """Whoever asks for a verdict gets an error."""
    with pytest.raises(InternalError, match=SAYS):
        verdict(check)


def test_there_is_a_statement_for_each() -> None:
    assert OF_FUNCTIONS.keys() == FUNCTIONS.keys()
    assert OF_HELPERS.keys() == {target for _, target in helper_names()} - {
        "undefined",  # which only raises
        "broadcast_or_none",  # of the quick form
    }
    for name, check in OF_FUNCTIONS.items():
        assert f"_{name}" in source_of(check)
    for name, check in OF_HELPERS.items():
        assert re.search(rf"_r\.{name}\b", source_of(check))


@pytest.mark.parametrize("name", OF_FUNCTIONS)
def test_a_broken_function_of_the_library_is_loud(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    check = OF_FUNCTIONS[name]
    sound = verdict(check)
    assert sound.legal
    assert not sound.undecided
    assert getattr(runtime, FUNCTIONS[name].python.__name__) is FUNCTIONS[name].python
    for error in ERRORS:
        monkeypatch.setattr(runtime, FUNCTIONS[name].python.__name__, broken(error))
        monkeypatch.setattr(runtime, "broadcast_or_none", broken(error))
        assert_loud(check)


@pytest.mark.parametrize("name", OF_HELPERS)
def test_a_broken_helper_is_loud(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the detailed form, which decides whatever the quick one does not."""
    for error in ERRORS:
        monkeypatch.setattr(runtime, name, broken(error))
        report: list[tuple[int, int]] = []
        with pytest.raises(InternalError, match=SAYS):
            form_of(OF_HELPERS[name]).judge(ARGS, "910b", None, report.append)
        monkeypatch.undo()


@pytest.mark.parametrize("error", ERRORS)
def test_what_the_library_rests_on_is_loud(error: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shapes, "broadcast_pair", broken(error))
    monkeypatch.setattr(runtime, "broadcast_or_none", shapes.broadcast_pair)
    monkeypatch.setattr(promotion, "promote", broken(error))
    assert_loud("broadcast(x.shape, y.shape) == (2, 3)")
    assert_loud("broadcastable(x.shape, y.shape)")
    assert_loud("promote(x.dtype, y.dtype) == FLOAT")
    assert_loud("n == 3 or promotable(x.dtype, y.dtype)")
    assert verdict("n == 2 or promotable(x.dtype, y.dtype)").legal  # needs no promotion


def test_a_fault_in_an_explanation_is_loud(monkeypatch: pytest.MonkeyPatch) -> None:
    found = verdict("n == 3")
    assert [finding.rule for finding in found.violations] == ["broken-rule"]
    monkeypatch.setattr("opspec.validator.explain.explain", broken(TypeError))
    with pytest.raises(InternalError, match=SAYS):
        _ = found.violations[0].message


def test_the_command_line_says_so_and_judges_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPSPEC_CACHE", str(tmp_path / "cache"))
    (tmp_path / "specs" / "9.9").mkdir(parents=True)
    body = "params: [{name: n, ctype: int64_t}]\nrules:\n  of-n: {check: abs(n) == 2}\n"
    (tmp_path / "specs" / "9.9" / "aclnnX.yaml").write_text(spec(body), encoding="utf-8")
    call = {"op": "aclnnX", "product": "910b", "args": {"n": 2}}
    (tmp_path / "calls.jsonl").write_text(json.dumps(call) + "\n", encoding="utf-8")
    words = ["check", str(tmp_path / "calls.jsonl"), "--specs", str(tmp_path / "specs"), "--lang", "en"]
    monkeypatch.setattr(runtime, "absolute", broken(AttributeError))
    assert main(words) == 2
    said = capsys.readouterr()
    assert "legal" not in said.out
    assert "aclnnX: internal error while judging of-n: AttributeError: broken" in said.err
