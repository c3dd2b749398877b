"""What recorded calls say of documented rules: which of them a first phase does not enforce, and which it does.

The document stays the law: a rule that accepted calls break is kept, with a warning in place of a refusal, and names
the calls as evidence. A rule is let go only if that explains more recorded calls than it loses. A rule that the
general default does not take as enforced is, where calls that break no other fail and none that breaks it succeeds.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from opspec.errors import OpspecError
from opspec.model.evidence import Recorded, said
from opspec.registry.registry import Registry
from opspec.validator.api import resolved
from opspec.validator.arguments import arguments
from opspec.validator.files import BrokenCall
from opspec.validator.judge import judge
from opspec.validator.read import Call
from opspec.validator.verdict import Verdict
from opspec.vocabulary import status
from opspec.workshop.conformance.measure import FIRST_STAGES, REJECT, SUCCESS

INVALID = "ACLNN_ERR_PARAM_INVALID"
REFUSED_WRONGLY = 2  # how much a wrong refusal weighs against a miss: it costs a user's trust


@dataclass(slots=True)
class Record:
    """The recorded calls of one operator: for each, the rules that it breaks, by whether it was accepted.

    Args:
        passed, missed: for accepted calls, and for refused ones that break no enforced rule: the documented rules that
            they break and that only the general default takes as not enforced.
    """

    accepted: list[frozenset[str]] = field(default_factory=list)
    refused: list[frozenset[str]] = field(default_factory=list)
    passed: list[frozenset[str]] = field(default_factory=list)
    missed: list[frozenset[str]] = field(default_factory=list)

    def cost(self, let_go: frozenset[str]) -> int:
        """Calls explained wrongly when these rules are not enforced, wrong refusals weighed."""
        wrong = sum(bool(rules - let_go) for rules in self.accepted)
        missed = sum(bool(rules) and rules <= let_go for rules in self.refused)
        return REFUSED_WRONGLY * wrong + missed

    def let_go(self) -> frozenset[str]:
        """The rules that these calls speak against: from all that accepted calls break, those that are worth it."""
        chosen = frozenset(rule for rules in self.accepted for rule in rules)
        while True:
            best = min((chosen - {rule} for rule in sorted(chosen)), key=self.cost, default=chosen)
            if best == chosen or self.cost(best) > self.cost(chosen):
                return chosen
            chosen = best

    def checked(self) -> dict[str, int]:
        """The rules that these calls show to be enforced, and how many refusals each explains: the most first."""
        harmless = frozenset(rule for rules in self.passed for rule in rules)
        left = [rules - harmless for rules in self.missed]
        found: dict[str, int] = {}
        while any(left):
            counted = Counter(rule for rules in left for rule in sorted(rules))
            rule, count = counted.most_common(1)[0]
            found[rule] = count
            left = [rules for rules in left if rule not in rules]
        return found

    def recorded(self, rule: str) -> Recorded:
        """The counts for a rule that these calls speak against or for."""
        accepted = sum(rule in rules for rules in self.accepted) if rule in self.let_go() else 0
        if not accepted:
            return Recorded(0, self.checked().get(rule, 0))
        return Recorded(accepted, sum(rules == {rule} for rules in self.refused))


def records(
    registry: Registry,
    calls: Iterable[Call | BrokenCall],
    release: str | None,
    stages: tuple[str, ...] = FIRST_STAGES,
) -> dict[str, Record]:
    """Recorded calls by operator, with the documented rules of these stages that each breaks.

    Raises:
        OpspecError: a record is broken.
    """
    found: dict[str, Record] = defaultdict(Record)
    for call in calls:
        if isinstance(call, BrokenCall):
            raise call.error
        verdict = _verdict(registry, call, release)
        if verdict is None or call.expect is None:
            continue
        expected = REJECT if call.expect == REJECT else status.canonical(call.expect)
        record, accepted = found[call.op], expected == SUCCESS
        broken = frozenset(finding.rule for finding in verdict.violations if finding.stage in stages)
        (record.accepted if accepted else record.refused).append(broken)
        if accepted or (not broken and expected in (REJECT, INVALID)):
            (record.passed if accepted else record.missed).append(_unsaid(registry, call, release, verdict))
    return dict(found)


def _verdict(registry: Registry, call: Call, release: str | None) -> Verdict | None:
    try:
        form = registry.form(call.op, release or call.release)
        args = arguments(call.op, form.params, call.args)
    except OpspecError:
        return None
    return judge(form, args, *resolved(call.product))


def _unsaid(registry: Registry, call: Call, release: str | None, verdict: Verdict) -> frozenset[str]:
    """The documented rules that a call breaks and of whose enforcement only the general default says anything."""
    form = registry.form(call.op, release or call.release)
    rules = {rule.id: rule for rule in form.info.rules}
    warned = (rules[finding.rule] for finding in verdict.warnings if finding.rule in rules)
    return frozenset(
        rule.id
        for rule in warned
        if not rule.said and rule.basis == "documented" and not any(facet == "values" for _, facet in rule.facts)
    )


def contradicted(found: dict[str, Record]) -> Iterator[tuple[str, str, str]]:
    """(operator, rule, evidence) of every rule that recorded calls speak against."""
    for operator, record in sorted(found.items()):
        for rule in sorted(record.let_go()):
            if rule not in ("product",):
                yield operator, rule, said(record.recorded(rule))[0]


def summary(found: dict[str, Record]) -> Counter[str]:
    """How many rules of each kind are let go: by what follows the param's name."""
    return Counter(rule.partition(".")[2] or rule for _, rule, _ in contradicted(found))
