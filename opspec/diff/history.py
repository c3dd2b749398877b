"""The history of an operator: in which releases it is, and what changed for programs from each to the next.

A comparison of two releases tells all that differs between their specs. Of that, much is no change: a limit that only
one of two pages states was there on both sides, for all one knows. A history tells what both speak of, and counts the
rest.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from opspec import archive
from opspec.diff.change import Change
from opspec.diff.compare import compared_in_short
from opspec.diff.details import Told, told
from opspec.errors import OpspecError
from opspec.model.definition import Definition
from opspec.registry.folders import registry_folder
from opspec.registry.registry import Registry, definition_of

#: what became of the operator in a release: it is in the oldest that is known, came, stayed, changed, or went
State = Literal["oldest", "new", "same", "changed", "gone"]
#: the definition of an operator in a release; None where its spec cannot be read
Read = Callable[[str, str], Definition | None]

#: kinds of changes that a program notices, in the order in which they are told
TOLD = (
    "operator-deprecated", "operator-kept", "interface", "header", "product-added", "product-removed", "param-added",
    "param-removed", "param-renamed", "params-reordered", "param-type", "param-required", "param-optional", "narrowed",
    "widened", "replaced", "rule-changed", "rule-stricter", "rule-looser", "runtime-refuses", "runtime-accepts",
)  # fmt: skip
#: kinds of what one of two pages alone may say
ALONE = frozenset(
    {
        "values-stated", "rule-stated", "product-excluded", "values-open", "rule-open", "product-named",
        "product-unlisted", "rule-not-checked",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Step:
    """A release, as it differs from the one before it that has the operator.

    Args:
        since: that release; of an operator that came, the one that does not have it; empty where there is none.
        told: the changes, in the order of :data:`TOLD`.
        alone: how many statements stand on the page of one of the two releases alone.
    """

    release: str
    since: str
    state: State
    told: tuple[Told, ...] = ()
    alone: int = 0


@dataclass(frozen=True, slots=True)
class Past:
    """The history of an operator, in no language.

    Args:
        releases: those that have it, oldest first.
        steps: a step for each, and for the first without it behind one that has it; oldest first.
    """

    operator: str
    releases: tuple[str, ...]
    steps: tuple[Step, ...]


def past_of(definition: Definition, known: Registry) -> Past:
    """The history of an operator, of which one release is read already; a faulty spec of another has no part in it."""

    def read(operator: str, release: str) -> Definition | None:
        if release == definition.spec.release:
            return definition
        try:
            return definition_of(known.find(operator, release))
        except OpspecError:
            return None

    return past(definition.name, known, read)


def past(operator: str, known: Registry, read: Read, counted: bool = True) -> Past:
    """The history of an operator in a registry.

    Args:
        read: gives definitions; each is asked for once.
        counted: whether all is counted that stands on one page alone, and not just until something is known to differ.
    """
    having, whole = _releases(operator, known)
    found = {release: read(operator, release) for release in having}
    steps: list[Step] = []
    rest: list[Iterator[Change]] = []
    for release in known.releases():
        if release in having:
            step, more = _step(release, having[: having.index(release)], whole, found)
            steps.append(step)
            rest.append(more)
        elif release in whole and steps and steps[-1].state != "gone":
            steps.append(Step(release, steps[-1].release, "gone"))
            rest.append(iter(()))
    for i, more in enumerate(rest):
        if counted or not any(step.told or step.alone for step in steps):
            steps[i] = replace(steps[i], alone=steps[i].alone + _alone(more))
    return Past(operator, tuple(having), tuple(steps))


def _releases(operator: str, known: Registry) -> tuple[list[str], list[str]]:
    """The releases that have an operator, and the whole ones of its folders: those tell where it is not."""
    entries = {name: found[operator] for name in known.releases() if operator in (found := known.entries(name))}
    roots = {registry_folder(entry.path) for entry in entries.values()}
    whole = [name for name in known.whole() if any(archive.is_folder(os.path.join(root, name)) for root in roots)]
    return [*entries], whole


def _step(
    release: str, before: list[str], whole: list[str], found: Mapping[str, Definition | None]
) -> tuple[Step, Iterator[Change]]:
    """A release that has the operator, where these have it before it, and what more one page alone may say."""
    if not before:
        earlier = whole[: whole.index(release)] if release in whole else []
        return Step(release, earlier[-1], "new") if earlier else Step(release, "", "oldest"), iter(())
    old, new = found[before[-1]], found[release]
    if old is None or new is None:
        return Step(release, before[-1], "same"), iter(())
    differ, more = compared_in_short(old, new)
    changes = _sorted(differ, old, new)
    return Step(release, before[-1], "changed" if changes else "same", changes, _alone(differ)), more


def _alone(differ: Iterable[Change]) -> int:
    """How much one page alone says."""
    return sum(change.kind in ALONE for change in differ)


def _sorted(differ: Iterable[Change], old: Definition, new: Definition) -> tuple[Told, ...]:
    """What is told of what differs."""
    found = [each for change in differ if change.kind in TOLD for each in told(change, old, new)]
    return tuple(sorted(found, key=lambda each: TOLD.index(each.change.kind)))
