"""Promise: what a first phase enforces is settled by what explains recorded calls best, never worse than before."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opspec.model.ends import REFUSED_WRONGLY
from opspec.model.evidence import Recorded
from opspec.vocabulary import status
from opspec.workshop.conformance.count import Known, recorded
from opspec.workshop.conformance.seen import ALL_STAGES, FIRST_STAGES, REACHED, SUCCESS, Seen
from opspec.workshop.conformance.settle import settled

RULES = ("a", "b", "c", "d", "e")
INVALID = "ACLNN_ERR_PARAM_INVALID"
OUTCOMES = (SUCCESS, INVALID, "ACLNN_ERR_INNER_NULLPTR", "REJECT")


def call(broken: Collection[str], expected: str, product: str = "910b", ran: bool = False, stage: str = "") -> Seen:
    """A recorded call that breaks these rules, and where it ended."""
    name = f"{'+'.join(broken)} {expected} {stage}"
    stages = REACHED.get(stage, FIRST_STAGES)
    return Seen("aclnnX", product, name, name, ran, stage, stages, expected, SUCCESS, tuple(sorted(broken)))


SETS = st.frozensets(st.sampled_from(RULES))
CALLS = st.lists(
    st.builds(call, SETS, st.sampled_from(OUTCOMES), st.sampled_from(["910b", "A3"]), st.booleans()), max_size=40
)
#: calls of whole first phases: as they end, with the status that goes with it
ENDS = {
    "ok": SUCCESS, "weak": SUCCESS, "unknown": SUCCESS, "params": INVALID, "kernel": "ACLNN_ERR_INNER_NULLPTR",
    "tiling": "ACLNN_ERR_INNER_TILING_ERROR",
}  # fmt: skip
WHOLE = st.lists(
    st.builds(lambda broken, stage: call(broken, ENDS[stage], stage=stage), SETS, st.sampled_from([*ENDS])), max_size=40
)


OWN = dict.fromkeys(RULES, status.INVALID)


@given(CALLS, SETS, SETS)
def test_of_what_calls_cannot_tell_nothing_changes(
    calls: list[Seen], start: frozenset[str], settleable: frozenset[str]
) -> None:
    assert settled(calls, start, settleable, OWN) ^ start <= settleable
    assert settled([], start, settleable, OWN) == start


@given(CALLS, SETS)
def test_calls_that_break_one_rule_each_settle_it_by_their_number(calls: list[Seen], start: frozenset[str]) -> None:
    """Where nothing is ambiguous, a rule is enforced where refusals outweigh acceptances."""
    plain = [one for one in calls if len(one.broken) == 1]
    found = settled(plain, start, frozenset(RULES), OWN)
    for rule in RULES:
        alone = [one.accepted for one in plain if one.broken == (rule,)]
        if alone:
            assert (rule in found) == (len(alone) - sum(alone) > REFUSED_WRONGLY * sum(alone))
        else:
            assert (rule in found) == (rule in start)


@given(CALLS, SETS, SETS, SETS)
def test_the_counts_are_of_calls_that_break_the_rule(
    calls: list[Seen], start: frozenset[str], settleable: frozenset[str], late: frozenset[str]
) -> None:
    """No more than there are on each product; programs that ran are counted, each once however often it ran."""
    known = Known(start, settleable, settleable, late, OWN)
    found = recorded(calls, known)
    first_phases = [one for one in calls if not one.ran]
    for product in {one.product for one in calls}:
        own = [one for one in first_phases if one.product == product]
        for rule in RULES:
            one = found.get(rule, {}).get(product or "")
            programs = {
                (one.name.partition("#")[0], one.broken)
                for one in calls
                if one.ran and one.product == product and one.accepted
            }
            assert (one.ran if one else 0) == sum(rule in broken for _, broken in programs)
            if one and (one.accepted or one.refused):
                assert rule in settleable
                assert one.accepted <= sum(call.accepted and rule in call.broken for call in own)
                assert one.refused <= sum(not call.accepted and rule in call.broken for call in own)


def settle(*calls: Seen, refused: str = "", late: str = "") -> dict[str, tuple[int, int, int]]:
    """What calls on one product come to: rule -> accepted, refused, ran."""
    every = frozenset(RULES)
    known = Known(frozenset(refused), every, every, frozenset(late), OWN)
    return {
        rule: (one.accepted, one.refused, one.ran) for rule, on in recorded(calls, known).items() for one in on.values()
    }


def test_the_rule_that_alone_explains_a_refusal_is_found() -> None:
    """Of two that a refused call breaks, the one that accepted calls do not break."""
    assert settle(call("ab", INVALID), call("a", SUCCESS), refused="a") == {"a": (1, 0, 0), "b": (0, 1, 0)}


def test_rules_that_accepted_calls_always_break_together_are_let_go_together() -> None:
    """None of them alone decides, so that no single switch would tell."""
    assert settle(call("ab", SUCCESS), call("ab", SUCCESS), refused="ab") == {"a": (2, 0, 0), "b": (2, 0, 0)}


def test_the_status_tells_rules_apart_that_are_always_broken_together() -> None:
    """Here b is known by calls that break it alone, to have another status than those that break both."""
    inner = "ACLNN_ERR_INNER_NULLPTR"
    found = settle(*[call("b", inner)] * 3, call("ab", INVALID), call("ab", INVALID), refused="b")
    assert found == {"a": (0, 2, 0), "b": (0, 3, 0)}


def known_of(*calls: Seen, refused: str = "", late: str = "") -> Recorded:
    """What calls on one product say of the rule a."""
    every = frozenset(RULES)
    (one,) = recorded(calls, Known(frozenset(refused), every, every, frozenset(late), OWN))["a"].values()
    return one


TILING = "ACLNN_ERR_INNER_TILING_ERROR"
ENDED = {
    "ok": call("a", SUCCESS, stage="ok"), "weak": call("a", SUCCESS, stage="weak"),
    "unknown": call("a", SUCCESS, stage="unknown"), "": call("a", SUCCESS), "tiling": call("a", TILING, stage="tiling"),
}  # fmt: skip


@pytest.mark.parametrize("stage", ["weak", "unknown", ""])
def test_a_rule_that_is_refused_behind_the_checks_is_not_spoken_against_by_who_did_not_come_there(stage: str) -> None:
    """However many there are: what is known of them is that they passed the checks, and so it is counted."""
    passed = [ENDED[stage]] * 9
    one = known_of(*passed, ENDED["tiling"], late="a", refused="a")
    assert (one.through, one.passed, one.refused, one.stage) == (0, 9, 1, "tiling")
    assert (one.checked, one.is_late) == (True, True)
    one = known_of(*passed, late="a", refused="a")
    assert (one.through, one.passed, one.refused, one.checked) == (0, 9, 0, False)


def test_a_call_that_came_through_speaks_against_it() -> None:
    one = known_of(ENDED["ok"], ENDED["ok"], ENDED["tiling"], late="a", refused="a")
    assert (one.through, one.passed, one.checked) == (2, 0, False)


def test_runs_of_one_program_are_one() -> None:
    """A run of each device is no second opinion."""
    runs = [replace(call("a", SUCCESS, ran=True), name=f"program#{number}") for number in range(5)]
    assert known_of(*runs).ran == 1
    assert known_of(*runs, replace(runs[0], name="other")).ran == 2


@given(WHOLE, SETS, SETS)
def test_calls_are_counted_by_how_far_they_came(calls: list[Seen], start: frozenset[str], late: frozenset[str]) -> None:
    """Through counts those alone that end with ``ok``; passed, those that end no earlier than behind the checks;
    refused, those that end at a stage, of which one is told."""
    every = frozenset(RULES)
    for rule, products in recorded(calls, Known(start, every, every, late, OWN)).items():
        for one in products.values():
            ends = [call.stage for call in calls if rule in call.broken]
            assert one.through <= ends.count("ok")
            assert one.passed <= sum(end in ("weak", "unknown", "kernel", "tiling") for end in ends)
            assert one.through + one.passed + one.refused <= len(ends)
            assert one.refused <= sum(end in ALL_STAGES for end in ends)
            assert not one.stage or (one.refused and one.stage in ends)


@given(WHOLE, SETS, SETS, st.sampled_from(["weak", "unknown"]))
def test_what_did_not_come_behind_the_checks_changes_nothing_there(
    calls: list[Seen], start: frozenset[str], late: frozenset[str], stage: str
) -> None:
    """Of a rule that no check refuses, further calls that passed them leave what came through and what was refused
    behind them as it was."""
    every = frozenset(RULES)
    known = Known(start - {"a"} & late, every, every, late | {"a"}, OWN)
    behind = [one for one in calls if one.stage not in ("params",)]
    before = recorded(behind, known).get("a", {}).get("910b", Recorded())
    after = recorded([*behind, *[ENDED[stage]] * 3], known)["a"]["910b"]
    if not before.refused or before.is_late:
        assert (after.through, after.refused, after.stage) == (before.through, before.refused, before.stage)
        assert after.passed == before.passed + 3


def test_the_status_is_written_where_it_is_not_the_rules_own() -> None:
    a = frozenset("a")
    known = Known(a, a, a, frozenset(), {"a": status.INVALID})
    for expected, number in (("ACLNN_ERR_INNER_NULLPTR", status.number("ACLNN_ERR_INNER_NULLPTR")), (INVALID, 0)):
        (one,) = recorded([call("a", expected)], known)["a"].values()
        assert one.status == number


def _cost(calls: Collection[Seen], on: Collection[str]) -> int:
    """What calls cost that are explained wrongly when these rules are enforced."""
    wrong = [one for one in calls if any(rule in on for rule in one.broken) == one.accepted]
    return sum(REFUSED_WRONGLY if one.accepted else 1 for one in wrong)


@given(CALLS, SETS)
def test_settling_never_explains_less(calls: list[Seen], start: frozenset[str]) -> None:
    """Of calls that say only whether they were accepted, what is settled explains as much as what it started from."""
    plain = [replace(one, expected=SUCCESS if one.accepted else status.REJECT) for one in calls]
    assert _cost(plain, settled(plain, start, frozenset(RULES), OWN)) <= _cost(plain, start)


@given(CALLS, SETS)
def test_no_rule_alone_explains_more_the_other_way(calls: list[Seen], start: frozenset[str]) -> None:
    """What is settled is the best that switching one rule can reach, be it by switching others with it."""
    plain = [replace(one, expected=SUCCESS if one.accepted else status.REJECT) for one in calls]
    found = settled(plain, start, frozenset(RULES), OWN)
    assert all(_cost(plain, found ^ {rule}) >= _cost(plain, found) for rule in RULES)


@pytest.mark.parametrize("start", [frozenset("ab"), frozenset("b"), frozenset()])
def test_of_two_rules_the_narrower_one_is_enforced(start: frozenset[str]) -> None:
    """Data types outside of a list are refused, others than another param's are not: each refused call breaks both
    rules, and those that break the second alone are accepted."""
    calls = [call("ab", INVALID)] * 5 + [call("b", SUCCESS)] * 2
    assert settled(calls, start, frozenset("ab"), OWN) == {"a"}


def test_what_accepted_calls_break_together_is_no_reason_for_a_refusal() -> None:
    """Calls made of one base break what the base breaks: where it is accepted, what else they break explains them."""
    calls = [call("bde", SUCCESS)] * 2 + [call("bcd", INVALID)] * 6
    assert settled(calls, (), frozenset(RULES), OWN) == {"c"}
