"""What recorded calls say against documented rules: which of them a first phase does not enforce.

The document stays the law: a rule that accepted calls break is kept, with a warning in place of a refusal, and names
the calls as evidence. A rule is let go only if that explains more recorded calls than it loses.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from opspec.calls.convert import arguments
from opspec.calls.files import BrokenCall
from opspec.calls.read import Call
from opspec.conformance.measure import FIRST_STAGES, SUCCESS
from opspec.errors import OpspecError
from opspec.registry.registry import Registry
from opspec.spec.evidence import said
from opspec.validator.api import resolved
from opspec.validator.judge import judge
from opspec.vocabulary import status

REFUSED_WRONGLY = 2  # how much a wrong refusal weighs against a miss: it costs a user's trust


@dataclass(slots=True)
class Record:
    """The recorded calls of one operator: for each, the rules that it breaks, by whether it was accepted."""

    accepted: list[frozenset[str]] = field(default_factory=list)
    refused: list[frozenset[str]] = field(default_factory=list)

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

    def evidence(self, rule: str) -> str:
        """What is said of a rule that is let go."""
        broken = sum(rule in rules for rules in self.accepted)
        alone = sum(rules == {rule} for rules in self.refused)
        return said(broken, alone)


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
        broken = _broken(registry, call, release, stages)
        if broken is not None and call.expect is not None:
            accepted = call.expect != "REJECT" and status.canonical(call.expect) == SUCCESS
            (found[call.op].accepted if accepted else found[call.op].refused).append(broken)
    return dict(found)


def _broken(registry: Registry, call: Call, release: str | None, stages: tuple[str, ...]) -> frozenset[str] | None:
    try:
        form = registry.form(call.op, release or call.release)
        args = arguments(call.op, form.params, call.args)
    except OpspecError:
        return None
    verdict = judge(form, args, *resolved(call.product))
    return frozenset(finding.rule for finding in verdict.violations if finding.stage in stages)


def contradicted(found: dict[str, Record]) -> Iterator[tuple[str, str, str]]:
    """(operator, rule, evidence) of every rule that recorded calls speak against."""
    for operator, record in sorted(found.items()):
        for rule in sorted(record.let_go()):
            if rule not in ("product",):
                yield operator, rule, record.evidence(rule)


def summary(found: dict[str, Record]) -> Counter[str]:
    """How many rules of each kind are let go: by what follows the param's name."""
    return Counter(rule.partition(".")[2] or rule for _, rule, _ in contradicted(found))
