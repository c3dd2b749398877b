"""The cases of an operator: legal calls first, then a call for each rule that one breaks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from opspec.model.definition import Definition
from opspec.registry.registry import Form
from opspec.workshop.cases.isolate import IDLE, IMPLIED, SHADOWED, Isolated, Isolation
from opspec.workshop.cases.spread import spread
from opspec.workshop.examples.call import Call, to_json


@dataclass(frozen=True, slots=True)
class Case:
    """A call, and what is to become of it.

    Args:
        name: no other case of the operator has it.
        expect: the status code that the first phase is expected to return.
        breaks: the rules that it breaks; none of a legal call.
        note: what it was made for.
    """

    name: str
    definition: Definition
    product: str
    call: Call
    expect: str
    breaks: tuple[str, ...]
    note: str

    def record(self) -> dict[str, Any]:
        """The case as ``opspec check`` reads it."""
        kinds = {param.name: param.kind for param in self.definition.params}
        return {
            "id": f"{self.definition.name}/{self.name}", "op": self.definition.name,
            "release": self.definition.spec.release, "product": self.product, "args": to_json(self.call, kinds),
            "expect": self.expect, "note": self.note, "x-breaks": list(self.breaks),
        }  # fmt: skip


@dataclass(slots=True)
class Cases:
    """The cases of an operator.

    Args:
        product: of all calls, an id or a member; None: the common one, and one legal call for each other.
        seed: the same seed makes the same cases.

    Attributes:
        findings: what was found for each rule, once the illegal cases are made.
    """

    definition: Definition
    form: Form
    product: str | None = None
    seed: int = 0
    findings: list[Isolated] = field(default_factory=list)
    _isolation: Isolation = field(init=False)

    def __post_init__(self) -> None:
        self._isolation = Isolation(self.definition, self.form, self.product, self.seed)

    def legal(self) -> Iterator[Case]:
        """Legal calls."""
        for number, found in enumerate(spread(self.definition, self.form, self._isolation, self.seed), 1):
            yield self._case(f"legal-{number:03}", found.product, found.call, f"legal: {found.says}")

    def illegal(self, rule: str | None = None) -> Iterator[Case]:
        """A call for each rule, or for one: it breaks that alone, where a call does."""
        for one in self.definition.rules:
            if rule is not None and one.id != rule:
                continue
            found = self._isolation.of(one)
            self.findings.append(found)
            if found.call is not None and found.product is not None:
                more = f"; besides {', '.join(found.besides)}" if found.besides else " alone"
                yield self._case(f"breaks-{one.id}", found.product, found.call, f"breaks {one.id}{more}")

    def _case(self, name: str, product: str, call: Call, note: str) -> Case:
        verdict = self._isolation.verdict(call, product)
        breaks = tuple(finding.rule for finding in (*verdict.violations, *verdict.warnings))
        return Case(name, self.definition, product, call, verdict.status, breaks, note)


def why(found: Isolated) -> str:
    """Why no call breaks a rule alone, as far as the search went."""
    by = ", ".join(found.by)
    match found.reason:
        case None:
            return "isolated"
        case reason if reason == IMPLIED:
            return f"implied: every call found that breaks it breaks {'' if len(found.by) == 1 else 'one of '}{by}, too"
        case reason if reason == SHADOWED:
            return f"shadowed: what breaks it is reported as {by}"
        case reason if reason == IDLE:
            return "idle: no legal call was found to which it applies: its condition contradicts other rules, or is rare"
        case _:
            return "unbroken: whatever a call says keeps it, as far as the search went"
