"""All that differs between two sides, operator by operator, in several processes where there are many."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from opspec.build.processes import Task, results
from opspec.diff.change import Change
from opspec.diff.compare import compared
from opspec.diff.shown import with_calls
from opspec.diff.sides import Side, names, side
from opspec.registry.registry import Registry, registry

PIECE = 24  # operators that a process compares at a time
MOST_JOBS = 8

Names = tuple[str | None, str | None]


@dataclass(frozen=True, slots=True)
class Differences:
    """What differs between two sides.

    Args:
        before, after: their names.
        changes: operator by operator.
        families: operator -> its family, empty where none is known.
        both: how many operators both sides have.
        partial: the side whose release the registry holds only some operators of: what it lacks is neither new nor
            gone; empty where both are whole.
    """

    before: str
    after: str
    changes: tuple[Change, ...]
    families: dict[str, str]
    both: int
    partial: str = ""

    def family(self, change: Change) -> str:
        """The family of a change's operator."""
        return self.families.get(change.operator, "")


def differences(
    specs: Sequence[str], words: tuple[str, str], pattern: str, calls: bool, advance: Callable[[str], None]
) -> Differences:
    """What differs between the sides that two words name.

    Args:
        specs: folders of specs of one's own.
        calls: look for calls that show what breaks.
        advance: is told the names of operators.

    Raises:
        OpspecError: there is no such side or operator, or a spec is faulty.
    """
    before, after = _sides(tuple(specs), words)
    pairs = names(before, after, pattern)
    partial = _partial(registry(tuple(specs)), before, after)
    both = [pair for pair in pairs if None not in pair]
    found = dict(_all(tuple(specs), words, both, calls, advance))
    changes: list[Change] = []
    for old, new in pairs:
        if old is not None and new is not None:
            changes += found[old, new]
        elif not partial:
            changes.append(Change(new, "operator-added") if new is not None else Change(str(old), "operator-removed"))
    entries = {**before.entries, **after.entries}
    told = {name: entries[name].family for name in {change.operator for change in changes} if name in entries}
    return Differences(before.name, after.name, tuple(changes), told, len(both), partial)


def _partial(known: Registry, before: Side, after: Side) -> str:
    """The release of the two that the registry holds in part, if one is and both are compared whole."""
    if not (before.whole and after.whole):
        return ""
    return next((one.name for one in (before, after) if known.is_partial(str(one.release))), "")


def _all(
    specs: tuple[str, ...], words: tuple[str, str], pairs: list[Names], calls: bool, advance: Callable[[str], None]
) -> Iterator[tuple[Names, list[Change]]]:
    """The changes of each pair of operators; twins, which share files, are compared by one process."""
    jobs = min(MOST_JOBS, os.cpu_count() or 1, -(-len(pairs) // PIECE))
    if jobs < 2:
        for pair in pairs:
            advance(str(pair[1]))
            yield pair, _between(_sides(specs, words), pair, calls)
        return
    before, _ = _sides(specs, words)
    pairs = sorted(pairs, key=lambda pair: before.entries[str(pair[0])].path)
    pieces = [pairs[at : at + PIECE] for at in range(0, len(pairs), PIECE)]
    tasks = [Task(str(piece[0][1]), _piece, (specs, words, piece, calls)) for piece in pieces]
    for piece, found in zip(pieces, results(tasks, jobs, advance), strict=True):
        yield from zip(piece, found, strict=True)


def _piece(specs: tuple[str, ...], words: tuple[str, str], pairs: list[Names], calls: bool) -> list[list[Change]]:
    return [_between(_sides(specs, words), pair, calls) for pair in pairs]


@functools.lru_cache(maxsize=1)
def _sides(specs: tuple[str, ...], words: tuple[str, str]) -> tuple[Side, Side]:
    known = registry(specs)
    return side(known, words[0]), side(known, words[1])


def _between(sides: tuple[Side, Side], pair: Names, calls: bool) -> list[Change]:
    before, after = (one.read(str(name)) for one, name in zip(sides, pair, strict=True))
    changes = compared(before, after)
    return with_calls(before, after, changes) if calls else changes
