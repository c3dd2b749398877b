"""Promise: what a first phase enforces is settled by what explains recorded calls best, never worse than before."""

from __future__ import annotations

from collections.abc import Collection

from hypothesis import given
from hypothesis import strategies as st

from opspec.model.evidence import REFUSED_WRONGLY
from opspec.vocabulary import status
from opspec.workshop.conformance.seen import FIRST_STAGES, SUCCESS, Seen
from opspec.workshop.conformance.settle import Known, recorded, settled

RULES = ("a", "b", "c", "d", "e")
INVALID = "ACLNN_ERR_PARAM_INVALID"
OUTCOMES = (SUCCESS, INVALID, "ACLNN_ERR_INNER_NULLPTR", "REJECT")


def call(broken: Collection[str], expected: str, product: str = "910b", ran: bool = False) -> Seen:
    """A recorded call that breaks these rules."""
    name = f"{'+'.join(broken)} {expected}"
    return Seen("aclnnX", product, name, name, ran, "", FIRST_STAGES, expected, SUCCESS, tuple(sorted(broken)))


SETS = st.frozensets(st.sampled_from(RULES))
CALLS = st.lists(
    st.builds(call, SETS, st.sampled_from(OUTCOMES), st.sampled_from(["910b", "A3"]), st.booleans()), max_size=40
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
    """No more than there are on each product; programs that ran are counted, and contradict."""
    known = Known(start, settleable, settleable, late, OWN)
    found = recorded(calls, known)
    first_phases = [one for one in calls if not one.ran]
    for product in {one.product for one in calls}:
        own = [one for one in first_phases if one.product == product]
        for rule in RULES:
            one = found.get(rule, {}).get(product or "")
            programs = [one for one in calls if one.ran and one.product == product and one.accepted]
            assert (one.ran if one else 0) == sum(rule in program.broken for program in programs)
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


def test_a_rule_of_a_stage_that_was_not_reached_is_not_spoken_against() -> None:
    """Tiling never ran: that such a call was accepted says nothing of it."""
    assert settle(call("a", SUCCESS), late="a") == {}
    assert settle(call("a", INVALID), late="a") == {"a": (0, 1, 0)}


def test_the_status_is_written_where_it_is_not_the_rules_own() -> None:
    a = frozenset("a")
    known = Known(a, a, a, frozenset(), {"a": status.INVALID})
    for expected, number in (("ACLNN_ERR_INNER_NULLPTR", status.number("ACLNN_ERR_INNER_NULLPTR")), (INVALID, 0)):
        (one,) = recorded([call("a", expected)], known)["a"].values()
        assert one.status == number
