"""What differs between two sides, counted: by level, by what it rests on, by kind and by family."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from opspec.diff.change import BREAKING, KINDS, LEVELS, Change
from opspec.diff.release import Differences

#: what a breaking change rests on, the surest first: a compiler or a page that says no, calls of both releases, the
#: pages and calls of the newer release (refused, or let through), the pages alone
GROUNDS = ("interface", "both", "refused", "through", "pages")

_INTERFACE = frozenset({
    "operator-removed", "interface", "param-removed", "param-added", "params-reordered", "param-type", "header",
    "product-removed",
})  # fmt: skip


def ground(change: Change) -> str:
    """What a breaking change rests on: one of :data:`GROUNDS`."""
    return "interface" if change.kind in _INTERFACE else change.seen or "pages"


@dataclass(frozen=True, slots=True)
class Count:
    """How many changes there are of something, and of how many operators."""

    changes: int
    operators: int


class Summary:
    """The counts.

    Attributes:
        levels, kinds, grounds: by level, by kind, of breaking changes by what they rest on; what there is none of is
            left out.
        families: family -> level -> count, those with most that breaks first.
        worst: operators with most that breaks, and how much that is.
    """

    def __init__(self, found: Differences) -> None:
        changes = found.changes
        self.added = _operators(change for change in changes if change.kind == "operator-added")
        self.removed = _operators(change for change in changes if change.kind == "operator-removed")
        self.levels = _counted((change.level, change) for change in changes)
        self.kinds = _counted((change.kind, change) for change in changes)
        breaking = [change for change in changes if change.level == BREAKING]
        self.grounds = _counted((ground(change), change) for change in breaking)
        by_family: defaultdict[str, list[Change]] = defaultdict(list)
        for change in changes:
            by_family[found.family(change)].append(change)
        counts = {name: _counted((one.level, one) for one in group) for name, group in by_family.items()}
        none = Count(0, 0)
        order = sorted(counts, key=lambda name: (-counts[name].get(BREAKING, none).changes, name))
        self.families = {name: counts[name] for name in order}
        self.worst = Counter(change.operator for change in breaking).most_common(_MOST_WORST)

    def of_level(self, level: str) -> Iterator[tuple[str, Count]]:
        """The kinds of a level that there are, in their order."""
        for kind, about in KINDS.items():
            if about.level == level and kind in self.kinds:
                yield kind, self.kinds[kind]


_MOST_WORST = 12


def _operators(changes: Iterable[Change]) -> tuple[str, ...]:
    return tuple(change.operator for change in changes)


def _counted(changes: Iterable[tuple[str, Change]]) -> dict[str, Count]:
    found: defaultdict[str, list[Change]] = defaultdict(list)
    for name, change in changes:
        found[name].append(change)
    order = {name: number for number, name in enumerate((*LEVELS, *KINDS, *GROUNDS))}
    return {
        name: Count(len(found[name]), len({change.operator for change in found[name]}))
        for name in sorted(found, key=order.__getitem__)
    }
