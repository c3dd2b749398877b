"""How far recorded calls came that break a rule, by product.

Which rules a first phase enforces is settled twice: of all calls for what the checks refuse, to which a call that came
to kernel lookup or tiling is an accepted one; then, of calls that came so far, for what is refused behind the checks.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as changed
from typing import Literal

from opspec.language.record import replace
from opspec.model.evidence import Recorded
from opspec.vocabulary import status
from opspec.vocabulary.literals import Stage
from opspec.workshop.conformance.seen import ALL_STAGES, FIRST_STAGES, SUCCESS, Seen
from opspec.workshop.conformance.settle import most_of, settled, usual_statuses


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
        for rule, one in _Counts(own, _enforced(own, known, everywhere), known).recorded().items():
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


class _Counts:
    """Of each rule, the calls that came through, those that only passed the checks, and those that were refused for
    which it alone is to blame."""

    def __init__(self, calls: Sequence[Seen], on: _Enforced, known: Known) -> None:
        self.on, self.known = on, known
        self.through: dict[str, list[Seen]] = defaultdict(list)
        self.passed: dict[str, list[Seen]] = defaultdict(list)
        self.refused: dict[str, list[Seen]] = defaultdict(list)
        as_checks_see = [_as_checks_see(call, known) for call in calls]
        self._of_checks = {**known.statuses, **usual_statuses(as_checks_see, on.checks, known.statuses)}
        self._of_behind = {**known.statuses, **usual_statuses(calls, on.behind, known.statuses)}
        for call, seen in zip(calls, as_checks_see, strict=True):
            (self._add_past_checks if seen.accepted else self._add_refused)(call)

    def _add_refused(self, call: Seen) -> None:
        enforced = [rule for rule in call.broken if rule in self.on.checks]
        for rule in _blamed(call, enforced, self._of_checks):
            self.refused[rule].append(call)

    def _add_past_checks(self, call: Seen) -> None:
        enforced = [rule for rule in call.broken if rule in self.on.checks]
        if len(enforced) > 1:  # against expectation: which of them does not hold nobody knows
            return
        behind = [rule for rule in call.broken if rule in self.on.behind]
        blamed = () if call.accepted or enforced else _blamed(call, behind, self._of_behind)
        for rule in enforced or call.broken:
            whole = call.accepted and _came_behind(call, self.known)
            found = self.refused if rule in blamed else self.through if whole else self.passed
            found[rule].append(call)

    def recorded(self) -> dict[str, Recorded]:
        """What is told of each rule."""
        spoken_of = self.through.keys() | self.passed.keys() | self.refused.keys()
        return {
            rule: _one(self.through[rule], self.passed[rule], self.refused[rule], self.known.statuses[rule])
            for rule in sorted(spoken_of & self.known.counted)
        }


def _blamed(call: Seen, enforced: Sequence[str], statuses: Mapping[str, int]) -> Sequence[str]:
    """The rule that alone explains a refusal; of one that is not enforced only if the call breaks no other."""
    if enforced:
        return enforced[:1] if _is_to_blame(enforced, call, statuses) else ()
    return call.broken if len(call.broken) == 1 else ()  # of several that are not enforced nobody knows which


def _is_to_blame(enforced: Sequence[str], call: Seen, statuses: Mapping[str, int]) -> bool:
    """Whether the first enforced rule alone explains a call: there is no other, or the next has another status."""
    if len(enforced) == 1:
        return True
    if call.expected == status.REJECT:
        return False
    return statuses[enforced[0]] == status.number(call.expected) != statuses[enforced[1]]


def _one(through: Sequence[Seen], passed: Sequence[Seen], refused: Sequence[Seen], own: int) -> Recorded:
    statuses = Counter(status.number(call.expected) for call in refused if call.expected != status.REJECT)
    most = most_of(statuses, own)
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
