"""Promise: whatever a spec says, lint and a check of its operator end soon, and say where the spec asks too much."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from opspec.errors import OpspecError
from opspec.language import cost, runtime
from opspec.model.load import load_file, load_text
from opspec.registry.compile import compile_operator
from opspec.workshop.lint import lint
from tests import committed
from tests.model.building import spec
from tests.model.test_places import word_at

PARAMS = "params:\n  - {name: n, ctype: int64_t}\n  - {name: a, ctype: const aclIntArray*}\n"


@contextmanager
def work(most: int) -> Iterator[None]:
    """Fails when more functions are called inside than ``most``: time would depend on the machine."""
    calls = 0

    def count(frame: object, event: str, arg: object) -> None:
        nonlocal calls
        calls += event == "call"
        if calls > most:
            raise AssertionError(f"more than {most} calls")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        yield
    finally:
        sys.setprofile(before)


def chain(length: int, form: str, start: str, *, backwards: bool = False) -> str:
    """Derived values, each made from the one before it, and a rule that reads the last."""
    lines = [f'  v0: "{start}"', *(f'  v{i}: "{form.format(f"v{i - 1}")}"' for i in range(1, length))]
    return f"let:\n{chr(10).join(lines[::-1] if backwards else lines)}\n"


def refused(text: str) -> OpspecError:
    """The one error of a text."""
    with pytest.raises(OpspecError) as caught:
        load_text(text, "x.yaml")
    assert str(caught.value).startswith("x.yaml:")
    return caught.value


@pytest.mark.parametrize("start", ["1", "n"])
@pytest.mark.parametrize("backwards", [False, True])
def test_derived_values_that_double_cost_no_more_than_they_are(start: str, backwards: bool) -> None:
    """Written out, the last of them has 2**60 parts."""
    rule = 'rules:\n  r: "v59 > n"\n  q: "v59 > 5"\n  p: "v59 > v58"\n'
    text = spec(PARAMS + chain(60, "{0} + {0}", start, backwards=backwards) + rule)
    with work(1_000_000):
        loaded = load_text(text, "x.yaml")
        lint(loaded, "x.yaml")
        compile_operator(loaded.definitions[0])


@pytest.mark.parametrize("backwards", [False, True])
def test_a_chain_of_derived_values_that_is_too_long_says_where(backwards: bool) -> None:
    text = spec(PARAMS + chain(3000, "{0} + 1", "n", backwards=backwards) + 'rules:\n  r: "v2999 > 0"\n')
    for error in refused(text).faults:
        assert "levels deep, derived values included" in error.message
        assert word_at(text, error.where).startswith("v")


def test_a_fault_in_a_derived_value_that_others_read_first_is_told_once_and_where_it_is() -> None:
    text = spec(PARAMS + 'let:\n  b: "n + n + a0"\n  a0: "c0"\n  c0: "n + nope"\n')
    error = refused(text)
    assert error.message.startswith("unknown name 'nope'")
    assert word_at(text, error.where) == "nope"


EVERY = "all({} for {} in {})"


@pytest.mark.parametrize(
    "rule",
    [
        "all(all(i * j >= 0 for i in range(1000000)) for j in range(1000000))",
        "all(all(i * j >= 0 for i in range(n)) for j in range(n))",
        "all(i in range(1000000) for i in range(1000000))",
        "len([i for i in range(1000000) if sum([j for j in range(i)]) > 0]) == n",
        "all(all(all(all(i == j + k + m for i in a) for j in a) for k in a) for m in a)",
        "sum([1 if any(i == j for i in range(n, n + 100000)) else 0 for j in range(100000)]) == 2",
    ],
)
def test_iterations_that_multiply_too_far_are_refused(rule: str) -> None:
    text = spec(PARAMS + f'rules:\n  r: "{rule}"\n')
    error = refused(text)
    assert "steps to evaluate this" in error.message
    assert f"{cost.MOST_STEPS:,}" in error.message
    assert error.where.startswith("x.yaml:9:")


def test_iterations_are_counted_through_derived_values() -> None:
    """A list that is made once is gone through as often as a rule says."""
    text = spec(PARAMS + 'let:\n  big: "[i for i in range(1000000)]"\nrules:\n  r: "all(i in big for i in big)"\n')
    assert "steps" in refused(text).message
    grown = spec(PARAMS + chain(40, "{0} + {0}", "a") + 'rules:\n  r: "len(v39) > 0"\n')
    assert "steps" in refused(grown).message


@pytest.mark.parametrize(
    "rule",
    [
        "all(i * n >= 0 for i in range(n))",
        "all(all(a[i] != a[j] for i in range(j)) for j in range(len(a)))",
        "all(all(i != j for i in range(len(a))) for j in range(1, len(a) - 1))",
        "all(all(i == j for i in a) for j in range(1000))",
    ],
)
def test_what_a_range_over_a_list_needs_is_fine(rule: str) -> None:
    """A range whose ends are known counts what it has."""
    load_text(spec(PARAMS + f'rules:\n  r: "{rule}"\n'), "x.yaml")


def test_types_that_double_are_refused() -> None:
    text = spec(PARAMS + chain(60, "zip({0}, {0})", "a") + 'rules:\n  r: "len(v59) > 0"\n')
    assert "a type has at most" in refused(text).message


def test_the_longest_range_is_the_runtimes() -> None:
    """One over an argument is always affordable."""
    assert cost.MOST_STEPS > 100 * runtime.MAX_RANGE


@pytest.mark.parametrize("paths", committed.EVERY)
def test_no_committed_expression_comes_near_the_bounds(paths: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the bounds would be in the way of those who write specs."""
    monkeypatch.setattr(cost, "MOST_STEPS", cost.MOST_STEPS // 10)
    monkeypatch.setattr(cost, "MOST_LEVELS", cost.MOST_LEVELS // 3)
    for path in paths:
        load_file(str(path))
