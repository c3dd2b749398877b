"""The cases of an operator: legal calls first, then a call for each rule that one breaks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from opspec.calls.cases.isolate import CONTRADICTORY, IMPLIED, NOT_FOUND, SHADOWED, Isolated, Isolation, broken_by
from opspec.calls.cases.spread import spread
from opspec.calls.examples.call import Call, to_json
from opspec.model.definition import Definition
from opspec.registry.registry import Form


@dataclass(frozen=True, slots=True)
class Case:
    """A call, and what is to become of it.

    Args:
        name: no other case of the operator has it.
        expect: the status code that the first phase is expected to return.
        breaks: the rules that it breaks; none of a legal call.
        note: what it was made for.
        stage: where the first phase refuses it, if it does.
    """

    name: str
    definition: Definition
    product: str
    call: Call
    expect: str
    breaks: tuple[str, ...]
    note: str
    stage: str

    def record(self) -> dict[str, Any]:
        """The case as ``opspec check`` reads it."""
        kinds = {param.name: param.kind for param in self.definition.params}
        return {
            "id": f"{self.definition.name}/{self.name}", "op": self.definition.name,
            "release": self.definition.spec.release, "product": self.product, "args": to_json(self.call, kinds),
            "expect": self.expect, **({"stage": self.stage} if self.stage not in ("", "params") else {}),
            "note": self.note, "x-breaks": list(self.breaks),
        }  # fmt: skip


@dataclass(slots=True)
class Cases:
    """The cases of an operator.

    Args:
        product: of all calls, an id or a member; None: the common one, and one legal call for each other.
        seed: the same seed makes the same cases.

    Attributes:
        findings: what was found for each rule, once the illegal cases are made.
        isolation: the search that they come from.
    """

    definition: Definition
    form: Form
    product: str | None = None
    seed: int = 0
    findings: list[Isolated] = field(default_factory=list)
    isolation: Isolation = field(init=False)

    def __post_init__(self) -> None:
        self.isolation = Isolation(self.definition, self.form, self.product, self.seed)

    def legal(self) -> Iterator[Case]:
        """Legal calls."""
        for number, found in enumerate(spread(self.definition, self.form, self.isolation, self.seed), 1):
            yield self._case(f"legal-{number:03}", found.product, found.call, f"legal: {found.says}")

    def illegal(self, rule: str | None = None) -> Iterator[Case]:
        """A call for each rule, or for one: it breaks that alone, where a call does."""
        for one in self.definition.rules:
            if rule is not None and one.id != rule:
                continue
            found = self.isolation.of(one)
            self.findings.append(found)
            if found.call is not None and found.product is not None:
                more = f"; besides {', '.join(found.besides)}" if found.besides else " alone"
                yield self._case(f"breaks-{one.id}", found.product, found.call, f"breaks {one.id}{more}")

    def like(self, case: Case, call: Call) -> Case:
        """A case in which another call stands."""
        return self._case(case.name, case.product, call, case.note)

    def _case(self, name: str, product: str, call: Call, note: str) -> Case:
        verdict = self.isolation.verdict(call, product)
        stage = next((one.stage for one in verdict.violations if one.enforcement == "refused"), "")
        return Case(name, self.definition, product, call, verdict.status, broken_by(verdict), note, stage)


def why(found: Isolated) -> str:
    """Why no call breaks a rule alone: by proof, or as far as the search went."""
    none, one, many = _REASONS[found.reason]
    return (none, one)[len(found.by)].format(*found.by) if len(found.by) < 2 else many.format(", ".join(found.by))


#: by reason, where no other rule is the cause, where one is, and where several are
_REASONS: dict[str | None, tuple[str, str, str]] = {
    None: ("isolated", "isolated", "isolated"),
    IMPLIED: (
        "implied: whatever a call says keeps it",
        "implied: what breaks it breaks {0}, too",
        "implied: what breaks it breaks one of {0}, too",
    ),
    SHADOWED: ("", "shadowed: what breaks it is reported as {0}", "shadowed: what breaks it is reported as one of {0}"),
    CONTRADICTORY: (
        "contradictory: there is no call to which it applies",
        "contradictory: what it applies to breaks {0}",
        "contradictory: what it applies to breaks one of {0}",
    ),
    NOT_FOUND: (
        "not found: no call was found that breaks it",
        "not found: each call found that breaks it breaks {0}, too",
        "not found: each call found that breaks it breaks one of {0}, too",
    ),
}
