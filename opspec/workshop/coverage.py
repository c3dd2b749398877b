"""How much of the pages the registry has made executable: the ledgers of all specs, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from opspec.model.enforcement import is_refused
from opspec.model.load import Loaded
from opspec.model.spec import NOT_SAID

#: Properties whose cell on the page is a clause of its own; the property is the rule that formalises it.
CELLS = ("dtype", "format", "rank", "shape", "strided", "optional")


@dataclass(slots=True)
class Count:
    """The clauses of one or more specs.

    Args:
        cells: clauses that are facts in cells, each a property of a param.
        rules: statements that rules formalise.
        not_checkable: statements that no check of arguments can decide, by kind.
        not_yet: statements that wait.
    """

    operators: int = 0
    cells: int = 0
    rules: int = 0
    not_checkable: Counter[str] = field(default_factory=Counter)
    not_yet: int = 0
    own_rules: int = 0
    observed: int = 0
    not_enforced: int = 0
    partial: int = 0
    summaries: int = 0
    formulas: int = 0
    examples: int = 0

    @property
    def clauses(self) -> int:
        """All clauses that are accounted for."""
        return self.cells + self.rules + self.not_checkable.total() + self.not_yet

    @property
    def checkable(self) -> int:
        """Those that a check of arguments could decide."""
        return self.clauses - self.not_checkable.total()

    @property
    def formalised(self) -> float:
        """Share of the checkable clauses that are executable."""
        return (self.cells + self.rules) / self.checkable if self.checkable else 1.0

    @property
    def statements_formalised(self) -> float:
        """The same without the facts in cells: the prose alone."""
        prose = self.rules + self.not_yet
        return self.rules / prose if prose else 1.0

    def add(self, other: Count) -> None:
        """Add the counts of others."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def to_dict(self) -> dict[str, object]:
        """As JSON values."""
        return {
            "operators": self.operators, "clauses": self.clauses, "facts": self.cells, "formalised": self.rules,
            "not_checkable": dict(sorted(self.not_checkable.items())), "not_yet": self.not_yet,
            "share_of_checkable": round(self.formalised, 4),
            "share_of_statements": round(self.statements_formalised, 4),
            "own_rules": self.own_rules, "observed": self.observed, "not_enforced": self.not_enforced,
            "partial": self.partial, "summaries": self.summaries, "formulas": self.formulas, "examples": self.examples,
        }  # fmt: skip


def count(loaded: Loaded) -> Count:
    """The counts of one spec file; an operator and its twin share its clauses."""
    spec = loaded.spec
    clauses = loaded.clauses
    explicit = {clause.at for clause in clauses}
    cells = {
        f"params/{param.name}/{name}"
        for param in spec.params
        for name in CELLS
        if getattr(param, name) not in (None, False, NOT_SAID.get(name))
    }
    twin = spec.twin
    return Count(
        operators=len(loaded.definitions),
        cells=len(cells - explicit) + ("products" not in explicit),
        rules=sum(bool(clause.rules) for clause in clauses),
        not_checkable=Counter(clause.not_checkable for clause in clauses if clause.not_checkable),
        not_yet=sum(bool(clause.not_yet) for clause in clauses),
        own_rules=sum(rule.check is not None for rule in spec.rules.values()),
        observed=sum(rule.basis == "observed" for rule in loaded.definitions[0].rules),
        not_enforced=sum(not is_refused(rule, loaded.definitions[0]) for rule in loaded.definitions[0].rules),
        partial=len(loaded.definitions) if spec.partial else 0,
        summaries=(spec.summary is not None) + (twin is not None and twin.summary is not None),
        formulas=len(loaded.definitions) if spec.formula else 0,
        examples=len(loaded.definitions) if spec.example else 0,
    )


def total(counts: Iterable[Count]) -> Count:
    """The sum of counts."""
    result = Count()
    for item in counts:
        result.add(item)
    return result
