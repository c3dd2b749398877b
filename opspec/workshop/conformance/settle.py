"""Which rules a first phase enforces, as recorded calls tell.

A call tells only that it was accepted or refused. Of the rules that it breaks, an accepted one says of all that they
are not enforced; a refused one, of one of them at least that it is. What explains the calls best is looked for: each
rule, and rules that accepted calls break together, are switched where that explains more calls than it loses, a wrong
refusal weighing more than a miss, until none is worth it. It starts at the general default, and with all rules that no
accepted call breaks; of these, those that turn out to explain nothing alone go back to the default, so that what calls
leave open stays as it was.

That is done twice: of all calls for what the checks refuse, to which a call that came to kernel lookup or tiling is an
accepted one; then, of calls that came so far and passed the checks, for what is refused behind them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as changed
from typing import Literal

from opspec.language.record import replace
from opspec.model.evidence import REFUSED_WRONGLY, Recorded
from opspec.vocabulary import status
from opspec.vocabulary.literals import Stage
from opspec.workshop.conformance.seen import ALL_STAGES, FIRST_STAGES, REJECT, SUCCESS, Seen

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

    def fit_statuses(self, own: Mapping[str, int]) -> None:
        """Switch rules where the statuses of refusals are explained better so: of rules that are always broken
        together it is the status that tells them apart."""
        statuses = {**own, **_usual_statuses(self.calls, frozenset(self.on), own)}
        for _ in range(_ROUNDS):
            if not sum(self._fit_status(rule, statuses) for rule in sorted(self.settleable)):
                break

    def _fit_status(self, rule: str, statuses: Mapping[str, int]) -> bool:
        gain = 0.0
        for i in self.by_rule[rule]:
            call = self.calls[i]
            now = next((one for one in call.broken if one in self.on), None)
            then = next((one for one in call.broken if (one in self.on) != (one == rule)), None)
            if now != then:
                gain += _worth(call, then, statuses) - _worth(call, now, statuses)
        if gain > 0:
            self._switch(rule)
        return gain > 0

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
        #: enforced rules broken -> calls refused, accepted
        decided: dict[frozenset[str], list[int]] = defaultdict(lambda: [0, 0])
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


def _worth(call: Seen, rule: str | None, statuses: Mapping[str, int]) -> float:
    """What it is worth to refuse a call for a rule, or for none."""
    if call.accepted:
        return 0.0 if rule is None else -REFUSED_WRONGLY
    if rule is None:
        return 0.0
    return 1.0 if call.expected == REJECT or statuses[rule] == status.number(call.expected) else _OTHER_STATUS


def _usual_statuses(calls: Iterable[Seen], on: frozenset[str], own: Mapping[str, int]) -> dict[str, int]:
    """Of each enforced rule, the status that most refusals have for which it alone is to blame."""
    found: dict[str, Counter[int]] = defaultdict(Counter)
    for call in calls:
        enforced = [rule for rule in call.broken if rule in on]
        if len(enforced) == 1 and not call.accepted and call.expected != REJECT:
            found[enforced[0]][status.number(call.expected)] += 1
    return {rule: _most(counts, own[rule]) for rule, counts in found.items()}


def _most(counts: Counter[int], own: int) -> int:
    """The commonest status; the rule's own where there is none, or as many."""
    most = max(counts.values(), default=0)
    return own if counts[own] == most else counts.most_common(1)[0][0]


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of an operator's rules before the calls speak.

    Args:
        refused: rules that count as enforced.
        settleable: rules of which recorded calls can tell: not those that read device data, nor observed ones.
        counted: those, and the observed ones: what calls say of them is recorded.
        late: rules of kernel lookup and tiling.
        statuses: the rules' own status codes.
        checks: the stages of the checks: a generated interface looks its kernel up itself.
    """

    refused: frozenset[str]
    settleable: frozenset[str]
    counted: frozenset[str]
    late: frozenset[str]
    statuses: Mapping[str, int]
    checks: tuple[Stage, ...] = FIRST_STAGES


def recorded(calls: Sequence[Seen], known: Known) -> dict[str, dict[str, Recorded]]:
    """Rule -> product -> what the calls of an operator say of it.

    All products together first; a product's own calls then say where it differs.
    """
    first_phases = [call for call in calls if not call.ran]
    everywhere = _enforced(first_phases, known, _Enforced(known.refused - known.late, known.refused & known.late))
    found: dict[str, dict[str, Recorded]] = defaultdict(dict)
    for product in sorted({call.product or "" for call in calls}):
        own = [call for call in first_phases if (call.product or "") == product]
        for rule, one in _counted(own, _enforced(own, known, everywhere), known).items():
            found[rule][product] = one
        programs = [call for call in calls if call.ran and call.accepted and (call.product or "") == product]
        for rule, one in _of_programs(programs, found, product).items():
            found[rule][product] = one
    return dict(found)


@dataclass(frozen=True, slots=True)
class _Enforced:
    """The rules that the checks enforce, and those that are enforced behind them."""

    checks: frozenset[str]
    behind: frozenset[str]


def _enforced(calls: Sequence[Seen], known: Known, before: _Enforced) -> _Enforced:
    """What explains the calls best: of the checks, then of what comes behind them."""
    seen_by_checks = [_as_checks_see(call, known) for call in calls]
    checks = settled(seen_by_checks, before.checks, known.settleable, known.statuses)
    further = [call for call in calls if _came_behind(call, known) and checks.isdisjoint(call.broken)]
    behind = settled(further, before.behind - checks, known.settleable - checks, known.statuses)
    return _Enforced(checks, behind)


def _as_checks_see(call: Seen, known: Known) -> Seen:
    """The call as if the first phase had ended with its checks."""
    passed = not call.accepted and call.stage in ALL_STAGES and call.stage not in known.checks
    return changed(call, expected=SUCCESS) if passed else call


def _came_behind(call: Seen, known: Known) -> bool:
    """Whether it passed the checks, and what comes behind had its say."""
    whole = set(ALL_STAGES) <= {*call.stages}
    return whole and (call.accepted or (call.stage in ALL_STAGES and call.stage not in known.checks))


def _counted(calls: Sequence[Seen], on: _Enforced, known: Known) -> dict[str, Recorded]:
    """Of each rule, how far the calls came that break it, and those refused for which it alone is to blame."""
    through, passed = defaultdict[str, list[Seen]](list), defaultdict[str, list[Seen]](list)
    refused: dict[str, list[Seen]] = defaultdict(list)
    as_checks_see = [_as_checks_see(call, known) for call in calls]
    of_checks = {**known.statuses, **_usual_statuses(as_checks_see, on.checks, known.statuses)}
    of_behind = {**known.statuses, **_usual_statuses(calls, on.behind, known.statuses)}
    for call, seen in zip(calls, as_checks_see, strict=True):
        enforced = [rule for rule in call.broken if rule in on.checks]
        if not seen.accepted:
            for rule in _blamed(call, enforced, of_checks):
                refused[rule].append(call)
            continue
        for rule in enforced[:1] if len(enforced) == 1 else () if enforced else call.broken:
            (through if call.accepted and _came_behind(call, known) else passed)[rule].append(call)
        if not call.accepted and not enforced:
            behind = [rule for rule in call.broken if rule in on.behind]
            for rule in _blamed(call, behind, of_behind):
                passed[rule].remove(call)
                refused[rule].append(call)
    found = {
        rule: _one(through[rule], passed[rule], refused[rule], known.statuses[rule])
        for rule in sorted(through.keys() | passed.keys() | refused.keys())
        if rule in known.counted
    }
    return {rule: one for rule, one in found.items() if one != Recorded()}


def _blamed(call: Seen, enforced: Sequence[str], statuses: Mapping[str, int]) -> Sequence[str]:
    """The rule that alone explains a refusal; of one that is not enforced only if the call breaks no other."""
    if enforced:
        return enforced[:1] if _is_to_blame(enforced, call, statuses) else ()
    return call.broken if len(call.broken) == 1 else ()  # of several that are not enforced nobody knows which


def _is_to_blame(enforced: Sequence[str], call: Seen, statuses: Mapping[str, int]) -> bool:
    """Whether the first enforced rule alone explains a call: there is no other, or the next has another status."""
    if len(enforced) == 1:
        return True
    if call.expected == REJECT:
        return False
    return statuses[enforced[0]] == status.number(call.expected) != statuses[enforced[1]]


def _one(through: Sequence[Seen], passed: Sequence[Seen], refused: Sequence[Seen], own: int) -> Recorded:
    statuses = Counter(status.number(call.expected) for call in refused if call.expected != REJECT)
    most = _most(statuses, own)
    calls = (*(call.name for call in [*through, *passed][:1]), *(call.name for call in refused[:1]))
    return Recorded(len(through), len(passed), len(refused), 0, _stage_of(refused), 0 if most == own else most, calls)


def _stage_of(refused: Sequence[Seen]) -> Stage | Literal[""]:
    """Where most refusals were, empty for the checks of arguments; the earlier of two with as many."""
    stages = Counter(call.stage for call in refused)
    most = max((stages[name] for name in ALL_STAGES), default=0)
    return next((name for name in ALL_STAGES[1:] if most and stages[name] == most > stages["params"]), "")


def _of_programs(
    programs: Iterable[Seen], found: Mapping[str, Mapping[str, Recorded]], product: str
) -> dict[str, Recorded]:
    """What programs that ran say, beside what else was recorded of the rules that they break. Runs of one program with
    the same text, one of each device, are one."""
    ran: dict[str, dict[str, str]] = defaultdict(dict)
    for call in programs:
        for rule in call.broken:
            ran[rule].setdefault(call.name.partition("#")[0], call.name)
    result = {}
    for rule, names in ran.items():
        one = found.get(rule, {}).get(product, Recorded())
        result[rule] = replace(one, ran=len(names), calls=(*list(names.values())[:1], *one.calls[-1:]))
    return result
