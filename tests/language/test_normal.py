"""Promise: the normal form of an expression has its value in every call, and spellings of one statement share it."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from opspec.language import interpret, parse, tree
from opspec.language.interpret import Env, Undef
from opspec.language.normal import key, normal
from opspec.language.outcome import ABSENT
from opspec.language.text import write
from opspec.language.types import BOOL, DTYPE, FLOAT, INT, INTS
from tests.committed import MANY
from tests.language import expressions as random_
from tests.language.differential import same
from tests.language.expressions import Choices, Expressions

KINDS = (BOOL,) * 6 + (INT, FLOAT, INTS, DTYPE)


@st.composite
def choices(draw: st.DrawFn) -> Choices:
    """Choices that Hypothesis makes, so that what fails shrinks."""
    return Choices(lambda n: draw(st.integers(0, n - 1)))


def check_normal(c: Choices) -> None:
    """One random expression: its normal form comes to the same, and is its own."""
    node = parse.parse(Expressions(c).write(c.of(KINDS), 1 + c.below(5)), random_.SCOPE)
    form = normal(node)
    assert form.type == node.type
    assert write(normal(form)) == write(form)
    for _ in range(3):
        args = dict(zip((param.name for param in random_.DEFS), random_.arguments(c), strict=True))
        product = random_.product(c)
        expected, found = (_value(item, Env(args, {}, *product)) for item in (node, form))
        assert same(expected, found), f"{write(node)}\n{write(form)}\n{expected!r}, {found!r}: {args}"


def _value(node: tree.Node, env: Env) -> object:
    value = interpret.evaluate(node, env)
    return Undef(ABSENT) if value is None else value


@settings(max_examples=60 * MANY, deadline=None, suppress_health_check=list(HealthCheck))
@given(choices())
def test_it_keeps_the_meaning(c: Choices) -> None:
    check_normal(c)


@pytest.mark.parametrize("batch", range(4))
def test_it_keeps_the_meaning_of_many_expressions(batch: int) -> None:
    for seed in range(batch, 1200 * MANY, 4):
        check_normal(random_.seeded(seed))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x.dtype == y.dtype", "y.dtype == x.dtype"),
        ("broadcastable(x.shape, y.shape)", "broadcastable(y.shape, x.shape)"),
        ("promotable(x.dtype, y.dtype)", "promotable(y.dtype, x.dtype)"),
        ("x.dtype == promote(y.dtype, z.dtype)", "promote(z.dtype, y.dtype) == x.dtype"),
        ("n > 0 and flag", "flag and n >= 1"),
        ("0 <= n < 8", "n <= 7 and n >= 0"),
        ("not (x.dtype == y.dtype)", "y.dtype != x.dtype"),
        ("not (flag and n == 1)", "n != 1 or not flag"),
        ("n in (2, 1, 2)", "n in (1, 2)"),
        ("x.dtype in (FLOAT,)", "x.dtype == FLOAT"),
        ("n in (3, 4)", "3 <= n <= 4"),
        ("n in (9, 11, 10)", "9 <= n <= 11"),
        ("len(x.shape) == 2", "x.rank == 2"),
        ("product not in ('A3', '910b')", "not (product in ('910b', 'A3'))"),
        ("all(a.dtype == b.dtype for a, b in zip(xs, ys))", "all(t.dtype == u.dtype for t, u in zip(ys, xs))"),
        ("all(t.rank == 2 for t in xs)", "all(other.rank == 2 for other in xs)"),
    ],
)
def test_spellings_of_one_statement_share_it(one: str, other: str) -> None:
    assert key(parse.parse(one, random_.SCOPE)) == key(parse.parse(other, random_.SCOPE))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("castable(x.dtype, y.dtype)", "castable(y.dtype, x.dtype)"),
        ("broadcastable_to(x.shape, y.shape)", "broadcastable_to(y.shape, x.shape)"),
        ("not d < f", "f <= d"),  # NaN is neither
        ("n - u == 1", "u - n == 1"),
        ("x.shape[0] == y.shape[1]", "x.shape[1] == y.shape[0]"),
    ],
)
def test_different_statements_do_not(one: str, other: str) -> None:
    assert key(parse.parse(one, random_.SCOPE)) != key(parse.parse(other, random_.SCOPE))
