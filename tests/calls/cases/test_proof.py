"""Promise: what is proved of a rule, that no call breaks it alone, holds; and the usual reasons are found."""

from __future__ import annotations

import pytest

from opspec.calls.cases.isolate import CONTRADICTORY, IMPLIED, SHADOWED, Isolation
from opspec.calls.cases.proof.known import Conflict, Constants, State
from opspec.calls.cases.proof.outcomes import ALL, BROKEN, FALSE, LACKING, NULL, TRUE, bits, both, given, implied
from opspec.calls.cases.proof.refute import Prover
from opspec.language import tree
from opspec.language.types import BOOL, INT, INTS
from opspec.registry.registry import definition_of, registry
from tests.model import building

TENSORS = "params:\n  - {name: x, ctype: const aclTensor*}\n  - {name: y, ctype: const aclTensor*, optional: yes}\n"
NUMBERS = "params:\n  - {name: n, ctype: int64_t}\n  - {name: m, ctype: int64_t}\n"
LISTS = "params:\n  - {name: x, ctype: const aclTensorList*}\n  - {name: y, ctype: const aclTensorList*}\n"


@pytest.mark.parametrize(
    ("params", "rules", "by"),
    [
        (NUMBERS, {"told": "n < 5", "other": "n < 3"}, ["other"]),
        (NUMBERS, {"told": "n == 2 or n > 7", "other": "n == 2"}, ["other"]),
        (NUMBERS, {"told": "n != 3", "same": "n == m", "other": "m in (1, 2)"}, ["same", "other"]),
        (NUMBERS, {"told": "n % 4 == 0", "same": "n == m", "other": "m % 4 == 0"}, ["same", "other"]),
        (TENSORS, {"told": "x.dtype in (FLOAT, INT8)", "other": "x.dtype == FLOAT"}, ["other"]),
        (TENSORS, {"told": "y.rank == 1", "other": "y.shape == (3,)"}, ["other"]),
        (TENSORS, {"told": "0 not in y.shape", "same": "y.shape == x.shape", "other": "0 not in x.shape"},
         ["same", "other"]),
        (TENSORS, {"told": "y.dtype == FLOAT", "other": "y is None"}, ["other"]),
        (TENSORS, {"told": "y.rank <= 2", "made": "y.shape == (*x.shape[:-1], 3)", "other": "x.rank == 2"},
         ["made", "other"]),
        (LISTS, {"told": "all(t.dtype == FLOAT for t in x)",
                 "same": "all(a.dtype == b.dtype and a.shape == b.shape for a, b in zip(x, y))",
                 "other": "all(t.dtype == FLOAT for t in y)"}, ["same", "other"]),
    ],
)  # fmt: skip
def test_what_follows_is_proved(params: str, rules: dict[str, str], by: list[str]) -> None:
    """From the other rules: without any of them there is a call, and no proof."""
    assert core(params, rules) is not None
    for left_out in by:
        assert core(params, {name: rule for name, rule in rules.items() if name != left_out}) is None


def core(params: str, rules: dict[str, str]) -> tuple[str, ...] | None:
    """The rules from which the first one follows."""
    body = params + "rules:\n" + "".join(f'  {name}: "{rule}"\n' for name, rule in rules.items())
    definition = building.definition(body)
    told = definition.rule("told")
    assert told is not None
    found = Prover(definition, "910b").alone(told)
    assert found is None or set(found) <= set(rules) | {"x.elements", "y.elements"}
    return found


@pytest.mark.parametrize(
    "op", ["aclnnAbs", "aclnnMaxDim", pytest.param("aclnnBatchNormGatherStatsWithCounts", marks=pytest.mark.slow)]
)
def test_nothing_is_proved_of_a_rule_that_a_call_breaks_alone(op: str) -> None:
    """The search is the witness against the proof."""
    definition = definition_of(registry().find(op))
    isolation = Isolation(definition, registry().form(op, registry().find(op).release), "910b")
    prover = Prover(definition, "910b")
    for found in isolation.all():
        if found.reason is None and found.product == "910b":
            assert prover.why(found.rule) is None, found.rule.id
        elif found.reason in (IMPLIED, SHADOWED, CONTRADICTORY) and found.call is not None:
            assert found.besides


def test_a_condition_that_breaks_a_rule_is_contradictory() -> None:
    """There is no legal call to which the rule applies."""
    body = NUMBERS + "rules:\n  low: n < 3\n  told: {check: m == 1, when: n > 5}\n"
    definition = building.definition(body)
    told = definition.rule("told")
    assert told is not None
    proof = Prover(definition, "910b").why(told)
    assert proof is not None
    assert (proof.reason, proof.by) == (CONTRADICTORY, ("low",))


def test_connectives_are_those_of_the_language() -> None:
    """Of each outcome with each: what is false decides, else the heaviest cause."""
    assert both(TRUE, FALSE | NULL) == FALSE | NULL
    assert both(FALSE, ALL) == FALSE
    assert both(BROKEN, NULL) == NULL
    assert implied(FALSE, BROKEN) == TRUE
    assert implied(TRUE, NULL) == TRUE
    assert implied(LACKING, FALSE) == LACKING
    assert given(NULL | BROKEN) == TRUE | BROKEN
    assert [bit for mask in (ALL,) for bit in bits(mask)] == [TRUE, FALSE, BROKEN, LACKING, NULL]


def test_what_is_equal_has_what_both_may_have() -> None:
    """Of integers also the one value that stands for those which no rule names."""
    a, b = (tree.Param(name, INT) for name in "ab")
    state = State(Constants([tree.Compare((">=",), (a, tree.Const(9, INT)), BOOL)]))
    state.same(a, b)
    state.meet(b, frozenset((9, 10)))
    assert state.known(a) == state.known(b) == state.find(a)
    with pytest.raises(Conflict):
        state.meet(a, frozenset((8,)))
    state.meet(b, frozenset((9,)))
    assert state.known(a) == tree.Const(9, INT)


def test_a_value_that_stands_for_others_is_no_constant() -> None:
    """That an integer is greater than all that are named does not say which it is."""
    n = tree.Param("n", INT)
    state = State(Constants([tree.Compare((">",), (n, tree.Const(9, INT)), BOOL)]))
    state.meet(n, frozenset((10,)))
    assert state.known(n) == n


def test_one_value_stands_for_a_gap_whatever_the_bounds_of_a_term_are() -> None:
    """A dim and an attribute that are both between two constants may be equal."""
    n, dim = tree.Param("n", INT), tree.Length(tree.Param("x", INTS), INT)
    limits = [tree.Compare(("<=",), (n, tree.Const(value, INT)), BOOL) for value in (-5, 3)]
    state = State(Constants(limits))
    assert state.values(dim) == frozenset((-4, 3, 4))
    state.meet(n, frozenset((-4,)))
    assert not state.differ(n, dim)
    state.same(n, dim)
    assert state.values(dim) == frozenset((-4,))


@pytest.mark.parametrize(
    "rules",
    [
        {"told": "m < 5 or m > 6", "k": "n == 3", "twice": "m <= 2 * n"},
        {"told": "n != m", "low": "n > 3 and n < 12", "other": "m > 3 and m < 12"},
    ],
)
def test_what_a_call_breaks_alone_is_not_proved(rules: dict[str, str]) -> None:
    """Of values that no rule names: m = 5 = 2n - 1, and n = m = 7."""
    assert core(NUMBERS, rules) is None


def test_what_products_have_in_common_is_found_once_and_nothing_else() -> None:
    """What follows on a product does, whichever product was asked about before."""
    rules = {"told": "n < 5", "other": "n < 3 or product == '950'"}
    body = NUMBERS + "rules:\n" + "".join(f'  {name}: "{rule}"\n' for name, rule in rules.items())
    for order in (("950", "910b", "950"), ("910b", "950", "910b")):
        defined = building.definition(body)
        told = defined.rule("told")
        assert told is not None
        for product in order:
            found = Prover(defined, product).alone(told)
            assert found == (None if product == "950" else ("other",))
