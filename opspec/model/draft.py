"""A rule as a spec writes it, before its expressions are read."""

from __future__ import annotations

from dataclasses import dataclass

Path = tuple[str | int, ...]

#: of a scenario: (id, condition, [(part's name, check)])
AlternativeText = tuple[str, str | None, tuple[tuple[str, str], ...]]


@dataclass(frozen=True, slots=True)
class Draft:
    """A rule in text; what each field means is said at :class:`opspec.model.definition.RuleDef`.

    What is None was not said: :mod:`opspec.model.expand` fills it in.
    """

    id: str
    kind: str
    check: str
    path: Path
    when: str | None = None
    param: str | None = None
    step: str | None = None
    status: str | None = None
    stage: str | None = None
    enforced: str | None = None
    basis: str = "documented"
    evidence: tuple[str, str] | None = None
    contradicts: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    in_row: bool = False
    alternatives: tuple[AlternativeText, ...] = ()
