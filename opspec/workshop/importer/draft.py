"""An operator's spec in the making: plain values that the facts, notes and patterns fill in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from opspec.language.text import spelled
from opspec.vocabulary import ctypes_

TENSORS = ("tensor", "tensor_list")


@dataclass(slots=True)
class ParamDraft:
    """A param: what the prototype says of it, and the properties found so far, by their names in a spec."""

    name: str
    ctype: str
    io: str = "in"
    also: list[str] = field(default_factory=list)
    properties: dict[str, Any] = field(default_factory=dict)
    marks: dict[str, set[str]] = field(default_factory=dict)  # dtype or format -> footnotes at it

    @property
    def kind(self) -> str:
        """Kind of its C type."""
        return ctypes_.parse(self.ctype).kind

    @property
    def is_pointer(self) -> bool:
        """Whether null may stand for it."""
        return self.ctype.endswith("*")

    @property
    def is_tensor(self) -> bool:
        """A tensor or a list of tensors."""
        return self.kind in TENSORS


@dataclass(slots=True)
class RuleDraft:
    """A rule that a statement yielded."""

    name: str
    check: str
    param: str | None = None
    when: str | None = None


@dataclass(slots=True)
class ClauseDraft:
    """A statement of the page in the ledger: where it stands, its fingerprint and what became of it.

    Args:
        on: the products that it is limited to; none where it is about all.
    """

    at: str
    text: str
    rules: list[str] = field(default_factory=list)
    not_checkable: str | None = None
    on: tuple[str, ...] = ()


@dataclass(slots=True)
class Draft:
    """An operator's spec in the making."""

    operator: str
    document: str
    params: dict[str, ParamDraft] = field(default_factory=dict)
    products: dict[str, str] = field(default_factory=dict)
    rules: dict[str, RuleDraft] = field(default_factory=dict)
    clauses: list[ClauseDraft] = field(default_factory=list)
    passed: list[tuple[int, ClauseDraft]] = field(default_factory=list)  # those that only describe, before which clause
    formulas: list[str] = field(default_factory=list)
    deprecated: list[str] | None = None
    deterministic: Any = None
    stream: str = "aclrtStream"
    interface: str = "two-phase"
    missing: list[str] = field(default_factory=list)  # what could not be read: it makes the spec partial
    faults: list[tuple[int, str]] = field(default_factory=list)  # (line, what) else could not be read

    def named(self, name: str) -> ParamDraft | None:
        """The param of a name or of one of its other spellings."""
        for param in self.params.values():
            if name == param.name or name in param.also:
                return param
        return None

    def add(self, rule: RuleDraft) -> str:
        """Adds a rule unless the same check is there; returns the id of the one that is."""
        for known in self.rules.values():
            if (known.check, known.when) == (rule.check, rule.when):
                return known.name
        name, number = rule.name, 2
        while name in self.rules:
            name, number = f"{rule.name}-{number}", number + 1
        rule.name = name
        self.rules[name] = rule
        return name


def equal(a: ParamDraft, b: ParamDraft, what: str) -> str:
    """The check that two tensors, or the elements of lists, agree in a facet."""
    left, right = spelled(a.name), spelled(b.name)
    match a.kind == "tensor_list", b.kind == "tensor_list":
        case True, True:
            return f"all(a.{what} == b.{what} for a, b in zip({left}, {right}))"
        case True, False:
            return f"all(t.{what} == {right}.{what} for t in {left})"
        case False, True:
            return f"all({left}.{what} == t.{what} for t in {right})"
    return f"{left}.{what} == {right}.{what}"
