"""Which rules a first phase enforces, as recorded calls tell.

A call tells only that it was accepted or refused. Of the rules that it breaks, an accepted one says of all that they
are not enforced; a refused one, of one of them at least that it is. What explains the calls best is looked for: each
rule, and rules that accepted calls break together, are switched where that explains more calls than it loses, a wrong
refusal weighing more than a miss, until none is worth it. It starts at the general default, and with all rules that no
accepted call breaks; of these, those that turn out to explain nothing alone go back to the default, so that what calls
leave open stays as it was.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from opspec.model.evidence import Recorded
from opspec.vocabulary import status
from opspec.workshop.conformance.seen import REJECT, Seen

_ROUNDS = 40  # of looking at every rule and group: in practice a handful suffices


def settled(calls: Sequence[Seen], enforced: Iterable[str], settleable: frozenset[str]) -> frozenset[str]:
    """The rules that explain these calls best when a first phase enforces them.

    Args:
        enforced: those that count as enforced so far.
        settleable: those of which the calls can tell.
    """
    before = frozenset(enforced)
    accepted = {rule for call in calls if call.accepted for rule in call.broken}
    refused = {rule for call in calls if not call.accepted for rule in call.broken}
    state = _State(calls, before | ((refused - accepted) & settleable), settleable)
    state.settle()
    state.let_idle_go(before)
    state.settle()
    return frozenset(state.on)


class _State:
    """Rules that are taken to be enforced, and of each call how many of these it breaks."""

    def __init__(self, calls: Sequence[Seen], enforced: Iterable[str], settleable: frozenset[str]) -> None:
        self.on = set(enforced)
        self.calls = calls
        self.by_rule: dict[str, list[int]] = defaultdict(list)
        for i, call in enumerate(calls):
            for rule in call.broken:
                self.by_rule[rule].append(i)
        self.settleable = settleable & self.by_rule.keys()
        self.hits = [sum(rule in self.on for rule in call.broken) for call in calls]

    def settle(self) -> None:
        """Switch rules until no switch explains more."""
        for _ in range(_ROUNDS):
            if not self.switch_rules() and not self.let_groups_go():
                break

    def let_idle_go(self, before: frozenset[str]) -> None:
        """Let rules go that were not enforced before and that alone explain nothing."""
        for rule in sorted((self.settleable & self.on) - before):
            if not any(self.hits[i] == 1 for i in self.by_rule[rule]):
                self._switch(rule)

    def switch_rules(self) -> bool:
        """Switch each rule where the calls that it alone decides are explained better so; whether any was."""
        any_switched = False
        for rule in sorted(self.settleable):
            others = 1 if rule in self.on else 0  # hits of a call that this rule alone decides
            alone = [self.calls[i].accepted for i in self.by_rule[rule] if self.hits[i] == others]
            accepted = sum(alone)
            if alone and (rule in self.on) != Recorded(accepted, len(alone) - accepted).checked:
                self._switch(rule)
                any_switched = True
        return any_switched

    def let_groups_go(self) -> bool:
        """Let rules go that accepted calls break together, so that none of them alone decides; whether any were.

        One group at a time: letting it go changes what decides the other calls.
        """
        decided: dict[frozenset[str], list[int]] = defaultdict(
            lambda: [0, 0]
        )  # enforced rules broken -> refused, accepted
        for call, hits in zip(self.calls, self.hits, strict=True):
            if hits:
                decided[frozenset(rule for rule in call.broken if rule in self.on)][call.accepted] += 1
        for group in sorted(decided, key=lambda rules: (-decided[rules][True], sorted(rules))):
            if len(group) < 2 or not decided[group][True] or not group <= self.settleable:
                continue
            inside = [counts for rules, counts in decided.items() if rules <= group]
            refused, accepted = (sum(counts[i] for counts in inside) for i in (False, True))
            if not Recorded(accepted, refused).checked:
                for rule in sorted(group):
                    self._switch(rule)
                return True
        return False

    def _switch(self, rule: str) -> None:
        step = -1 if rule in self.on else 1
        self.on ^= {rule}
        for i in self.by_rule[rule]:
            self.hits[i] += step


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of an operator's rules before the calls speak.

    Args:
        refused: rules that count as enforced.
        settleable: rules of which recorded calls can tell: not those that read device data, nor observed ones.
        counted: those, and the observed ones: what calls say of them is recorded.
        late: rules of stages that the calls did not reach: only a refusal tells anything of them.
        statuses: the rules' own status codes.
    """

    refused: frozenset[str]
    settleable: frozenset[str]
    counted: frozenset[str]
    late: frozenset[str]
    statuses: Mapping[str, int]


def recorded(calls: Sequence[Seen], known: Known) -> dict[str, dict[str, Recorded]]:
    """Rule -> product -> what the calls of an operator say of it.

    All products together first; a product's own calls then say where it differs.
    """
    everywhere = settled([call for call in calls if not call.ran], known.refused, known.settleable)
    found: dict[str, dict[str, Recorded]] = defaultdict(dict)
    for product in sorted({call.product or "" for call in calls}):
        own = [call for call in calls if (call.product or "") == product]
        first_phases = [call for call in own if not call.ran]
        on = settled(first_phases, everywhere, known.settleable)
        for rule, one in _counted(first_phases, on, known).items():
            found[rule][product] = one
        for rule, one in _of_programs(own, found, product).items():
            found[rule][product] = one
    return dict(found)


def _counted(calls: Iterable[Seen], on: frozenset[str], known: Known) -> dict[str, Recorded]:
    """Of each rule, the calls that break no other enforced one."""
    accepted: dict[str, list[str]] = defaultdict(list)
    refused: dict[str, list[Seen]] = defaultdict(list)
    for call in calls:
        enforced = [rule for rule in call.broken if rule in on]
        speaking = call.broken if not enforced else enforced if len(enforced) == 1 else ()
        for rule in speaking:
            if call.accepted:
                accepted[rule].append(call.name)
            elif rule in on or len(call.broken) == 1:  # one of several that are not enforced: nobody knows which
                refused[rule].append(call)
    return {
        rule: _one(accepted[rule], refused[rule], known.statuses[rule])
        for rule in sorted(accepted.keys() | refused.keys())
        if rule in known.counted and (rule in on or rule not in known.late)
    }


def _one(accepted: Sequence[str], refused: Sequence[Seen], own: int) -> Recorded:
    statuses = Counter(status.number(call.expected) for call in refused if call.expected != REJECT)
    most = statuses.most_common(1)[0][0] if statuses else own
    calls = (*accepted[:1], *(call.name for call in refused[:1]))
    return Recorded(len(accepted), len(refused), 0, 0 if most == own else most, calls)


def _of_programs(
    calls: Iterable[Seen], found: Mapping[str, Mapping[str, Recorded]], product: str
) -> dict[str, Recorded]:
    """What programs that ran say: each rule that they break is contradicted, whatever else was recorded of it."""
    ran: dict[str, list[str]] = defaultdict(list)
    for call in calls:
        if call.ran and call.accepted:
            for rule in call.broken:
                ran[rule].append(call.name)
    result = {}
    for rule, names in ran.items():
        one = found.get(rule, {}).get(product, Recorded())
        result[rule] = Recorded(one.accepted, one.refused, len(names), one.status, (*names[:1], *one.calls[-1:]))
    return result
