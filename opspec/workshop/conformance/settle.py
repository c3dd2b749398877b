"""Which rules a first phase enforces, as recorded calls tell.

A call tells only that it was accepted or refused. Of the rules that it breaks, an accepted one says of all that they
are not enforced; a refused one, of one of them at least that it is. What explains the calls best is looked for: each
rule is switched where that explains more calls than it loses, a wrong refusal weighing more than a miss, and rules that
accepted calls break together are let go where others explain what they explained, until nothing is gained. It starts at
the general default, and with all rules that no accepted call breaks; of these, those that turn out to explain nothing
alone go back to the default, so that what calls leave open stays as it was. Then statuses have their say, and of rules
that still explain calls only together one is kept.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from opspec.model.ends import REFUSED_WRONGLY
from opspec.vocabulary import status
from opspec.workshop.conformance.seen import Seen

_OTHER_STATUS = 0.5  # what a refusal is worth that is foreseen with another status
_ROUNDS = 40  # of looking at every rule and group: in practice a handful suffices


def settled(
    calls: Sequence[Seen], enforced: Iterable[str], settleable: frozenset[str], statuses: Mapping[str, int]
) -> frozenset[str]:
    """The rules that explain these calls best when a first phase enforces them.

    Args:
        enforced: those that count as enforced so far.
        settleable: those of which the calls can tell.
        statuses: the rules' own status codes.
    """
    before = frozenset(enforced)
    accepted = {rule for call in calls if call.accepted for rule in call.broken}
    refused = {rule for call in calls if not call.accepted for rule in call.broken}
    state = _State(calls, before | ((refused - accepted) & settleable), settleable)
    state.settle()
    state.let_idle_go(before)
    state.settle()
    state.fit_statuses(statuses)
    state.let_redundant_go(statuses)
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
        self.lost = sum(self._loss(i) for i in range(len(calls)))

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

    def fit_statuses(self, own: Mapping[str, int]) -> None:
        """Switch rules where the statuses of refusals are explained better so: of rules that are always broken
        together it is the status that tells them apart."""
        statuses = {**own, **usual_statuses(self.calls, frozenset(self.on), own)}
        for _ in range(_ROUNDS):
            if not sum(self._fit_status(rule, statuses) for rule in sorted(self.settleable)):
                break

    def let_redundant_go(self, own: Mapping[str, int]) -> None:
        """Let rules go that alone explain nothing, no status either: of those that explain calls together the calls
        then speak for one."""
        statuses = {**own, **usual_statuses(self.calls, frozenset(self.on), own)}
        for rule in sorted(self.settleable & self.on):
            if not any(self.hits[i] == 1 for i in self.by_rule[rule]) and self._gain(rule, statuses) >= 0:
                self._switch(rule)

    def _fit_status(self, rule: str, statuses: Mapping[str, int]) -> bool:
        is_better = self._gain(rule, statuses) > 0
        if is_better:
            self._switch(rule)
        return is_better

    def _gain(self, rule: str, statuses: Mapping[str, int]) -> float:
        """What switching a rule is worth, statuses of refusals counted."""
        gain = 0.0
        for i in self.by_rule[rule]:
            call = self.calls[i]
            now = next((one for one in call.broken if one in self.on), None)
            then = next((one for one in call.broken if (one in self.on) != (one == rule)), None)
            if now != then:
                gain += _worth(call, then, statuses) - _worth(call, now, statuses)
        return gain

    def switch_rules(self) -> bool:
        """Switch each rule where the calls that it alone decides are explained better so; whether any was."""
        any_switched = False
        for rule in sorted(self.settleable):
            others = 1 if rule in self.on else 0  # hits of a call that this rule alone decides
            alone = [self.calls[i].accepted for i in self.by_rule[rule] if self.hits[i] == others]
            accepted = sum(alone)
            if alone and (rule in self.on) != (len(alone) - accepted > REFUSED_WRONGLY * accepted):
                self._switch(rule)
                any_switched = True
        return any_switched

    def let_groups_go(self) -> bool:
        """Let rules go that accepted calls break together, so that none of them alone decides, for others that explain
        the refusals that are left; whether any were.

        One group at a time: letting it go changes what decides the other calls.
        """
        accepted: Counter[frozenset[str]] = Counter()
        for call, hits in zip(self.calls, self.hits, strict=True):
            if hits and call.accepted:
                accepted[frozenset(rule for rule in call.broken if rule in self.on) & self.settleable] += 1
        return any(
            self._is_better_without(group)
            for group in sorted(accepted, key=lambda rules: (-accepted[rules], *sorted(rules)))
        )

    def _is_better_without(self, group: frozenset[str]) -> bool:
        """Let a group go if that explains more, or as much with fewer rules; whether it was."""
        before, lost = frozenset(self.on), self.lost
        for rule in sorted(group):
            self._switch(rule)
        self._explain_rest()
        if (self.lost, len(self.on)) < (lost, len(before)):
            return True
        for rule in sorted(before ^ self.on):
            self._switch(rule)
        return False

    def _explain_rest(self) -> None:
        """Switch on what explains most of the refusals that nothing explains, one rule after the other."""
        for _ in range(_ROUNDS):
            gains: Counter[str] = Counter()
            for call, hits in zip(self.calls, self.hits, strict=True):
                if not hits:
                    gains.update(dict.fromkeys(call.broken, -REFUSED_WRONGLY if call.accepted else 1))
            rule = max(sorted(self.settleable & gains.keys()), key=gains.__getitem__, default="")
            if gains[rule] <= 0:
                return
            self._switch(rule)

    def _switch(self, rule: str) -> None:
        step = -1 if rule in self.on else 1
        self.on ^= {rule}
        for i in self.by_rule[rule]:
            self.lost -= self._loss(i)
            self.hits[i] += step
            self.lost += self._loss(i)

    def _loss(self, i: int) -> int:
        """What a call costs that is explained wrongly, else 0."""
        accepted = self.calls[i].accepted
        if bool(self.hits[i]) != accepted:
            return 0
        return REFUSED_WRONGLY if accepted else 1


def _worth(call: Seen, rule: str | None, statuses: Mapping[str, int]) -> float:
    """What it is worth to refuse a call for a rule, or for none."""
    if call.accepted:
        return 0.0 if rule is None else -REFUSED_WRONGLY
    if rule is None:
        return 0.0
    return 1.0 if call.expected == status.REJECT or statuses[rule] == status.number(call.expected) else _OTHER_STATUS


def usual_statuses(calls: Iterable[Seen], on: frozenset[str], own: Mapping[str, int]) -> dict[str, int]:
    """Of each enforced rule, the status that most refusals have for which it alone is to blame."""
    found: dict[str, Counter[int]] = defaultdict(Counter)
    for call in calls:
        enforced = [rule for rule in call.broken if rule in on]
        if len(enforced) == 1 and not call.accepted and call.expected != status.REJECT:
            found[enforced[0]][status.number(call.expected)] += 1
    return {rule: most_of(counts, own[rule]) for rule, counts in found.items()}


def most_of(counts: Counter[int], own: int) -> int:
    """The commonest status; the rule's own where there is none, or as many."""
    most = max(counts.values(), default=0)
    return own if counts[own] == most else counts.most_common(1)[0][0]
