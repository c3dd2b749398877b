"""What the checks look at, and what they yield."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import wraps

from opspec.model.definition import Definition
from opspec.model.draft import Path
from opspec.model.load import Loaded


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault in a spec: where it is, which check found it, and what it is.

    Args:
        about: operator and rule, param or facet, with a slash between: what a list of accepted problems names.
    """

    where: str
    check: str
    message: str
    about: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.message} [{self.check}]"


@dataclass(frozen=True, slots=True)
class Fault:
    """What a check yields.

    Args:
        about: the rule, param or facet.
        operator: by default the spec's own, not its twin.
    """

    path: Path
    about: str
    message: str
    operator: str = ""


Found = Iterator[Fault]


@dataclass(frozen=True, slots=True)
class Subject:
    """What the checks look at."""

    loaded: Loaded
    path: str
    retired: frozenset[str]

    @property
    def definitions(self) -> tuple[Definition, ...]:
        """The operators of the spec."""
        return self.loaded.definitions

    @property
    def own(self) -> Definition:
        """The operator that the spec is written for; its twin is made from it."""
        return self.loaded.definitions[0]


def of_each(check: Callable[[Subject, Definition], Found]) -> Callable[[Subject], Found]:
    """A check of one operator as one of all operators of a spec.

    What is found of the first operator is not said again of its twin.
    """

    @wraps(check)
    def run(subject: Subject) -> Found:
        said: set[tuple[Path, str]] = set()
        for definition in subject.definitions:
            for fault in check(subject, definition):
                if (fault.path, fault.about) not in said:
                    said.add((fault.path, fault.about))
                    yield replace(fault, operator=definition.name)

    return run


@dataclass(frozen=True, slots=True)
class Check:
    """A row of the table of checks.

    Args:
        means: what a finding says about the spec.
        deep: it searches for calls, which takes minutes over a registry: it runs where it is asked for.
        asked: it finds what may stay, for those who look for work: it runs where it is asked for by its name.
    """

    id: str
    means: str
    run: Callable[[Subject], Found]
    deep: bool = False
    asked: bool = False
