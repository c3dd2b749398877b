"""Promise: what a first phase enforces is settled by what explains recorded calls best, never worse than before."""

from __future__ import annotations

from collections.abc import Collection

from hypothesis import given
from hypothesis import strategies as st

from opspec.model.evidence import REFUSED_WRONGLY
from opspec.vocabulary import status
from opspec.workshop.conformance.seen import SUCCESS, Seen
from opspec.workshop.conformance.settle import Known, recorded, settled

RULES = ("a", "b", "c", "d", "e")
INVALID = "ACLNN_ERR_PARAM_INVALID"
OUTCOMES = (SUCCESS, INVALID, "ACLNN_ERR_INNER_NULLPTR", "REJECT")


def call(broken: Collection[str], expected: str, product: str = "910b", ran: bool = False) -> Seen:
    """A recorded call that breaks these rules."""
    name = f"{'+'.join(broken)} {expected}"
    return Seen("aclnnX", product, name, name, ran, expected, SUCCESS, tuple(sorted(broken)))


SETS = st.frozensets(st.sampled_from(RULES))
CALLS = st.lists(
    st.builds(call, SETS, st.sampled_from(OUTCOMES), st.sampled_from(["910b", "A3"]), st.booleans()), max_size=40
)


def cost(calls: list[Seen], on: Collection[str]) -> int:
    """Calls that are explained wrongly when these rules are enforced, wrong refusals weighed."""
    wrong = sum(one.accepted and any(rule in on for rule in one.broken) for one in calls)
    missed = sum(not one.accepted and bool(one.broken) and not any(rule in on for rule in one.broken) for one in calls)
    return REFUSED_WRONGLY * wrong + missed


@given(CALLS, SETS, SETS)
def test_what_is_settled_explains_no_worse_than_what_was_there(
    calls: list[Seen], start: frozenset[str], settleable: frozenset[str]
) -> None:
    """And of what calls cannot tell nothing changes; settled again, it stays."""
    found = settled(calls, start, settleable)
    assert cost(calls, found) <= cost(calls, start)
    assert found ^ start <= settleable
    assert settled(calls, found, settleable) == found


@given(CALLS, SETS)
def test_no_single_switch_would_explain_more(calls: list[Seen], start: frozenset[str]) -> None:
    found = settled(calls, start, frozenset(RULES))
    assert all(cost(calls, found) <= cost(calls, found ^ {rule}) for rule in RULES)


@given(CALLS, SETS, SETS, SETS)
def test_the_counts_say_what_was_settled(
    calls: list[Seen], start: frozenset[str], settleable: frozenset[str], late: frozenset[str]
) -> None:
    """Read back they give the same rules, on each product; programs that ran are counted, and contradict."""
    known = Known(start, settleable, settleable, late, dict.fromkeys(RULES, status.INVALID))
    found = recorded(calls, known)
    first_phases = [one for one in calls if not one.ran]
    everywhere = settled(first_phases, start, settleable)
    for product in {one.product for one in calls}:
        own = [one for one in first_phases if one.product == product]
        on = settled(own, everywhere, settleable)
        for rule in RULES:
            one = found.get(rule, {}).get(product or "")
            programs = [one for one in calls if one.ran and one.product == product and one.accepted]
            assert (one.ran if one else 0) == sum(rule in program.broken for program in programs)
            if one and (one.accepted or one.refused):
                assert one.checked == (rule in on)
                assert rule in settleable
                assert one.accepted <= sum(call.accepted and rule in call.broken for call in own)
                assert one.refused <= sum(not call.accepted and rule in call.broken for call in own)
                assert rule in on or rule not in late or one.accepted == one.refused == 0


def settle(*calls: Seen, refused: str = "", late: str = "") -> dict[str, tuple[int, int, int]]:
    """What calls on one product come to: rule -> accepted, refused, ran."""
    every = frozenset(RULES)
    known = Known(frozenset(refused), every, every, frozenset(late), dict.fromkeys(RULES, status.INVALID))
    return {
        rule: (one.accepted, one.refused, one.ran) for rule, on in recorded(calls, known).items() for one in on.values()
    }


def test_the_rule_that_alone_explains_a_refusal_is_found() -> None:
    """Of two that a refused call breaks, the one that accepted calls do not break."""
    assert settle(call("ab", INVALID), call("a", SUCCESS), refused="a") == {"a": (1, 0, 0), "b": (0, 1, 0)}


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
