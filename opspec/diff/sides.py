"""The sides of a comparison: releases, spec files, or operators of a release; and what stands face to face."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from opspec import archive
from opspec.errors import OpspecError, did_you_mean, shown
from opspec.model.beside import is_release
from opspec.model.definition import Definition
from opspec.model.load import load_file
from opspec.registry.folders import Entry
from opspec.registry.names import matches, unknown_release
from opspec.registry.registry import Registry, definition_in


@dataclass(frozen=True, slots=True)
class Side:
    """One side: the operators that it has, read when they are asked for.

    Args:
        whole: it is a release; otherwise one spec.
        release: whose operators they are; None of a spec file.
        entries: where its specs lie; of a release.
    """

    name: str
    whole: bool
    operators: tuple[str, ...]
    read: Callable[[str], Definition]
    release: str | None = None
    entries: Mapping[str, Entry] = field(default_factory=dict)


def side(known: Registry, text: str) -> Side:
    """The side that a word names: a release, ``RELEASE/OPERATOR``, or a spec file.

    Raises:
        OpspecError: there is no such thing.
    """
    release, slash, operator = text.partition("/")
    if not is_release(release):
        if not archive.is_file(text):
            raise OpspecError(f"expected a release, RELEASE/OPERATOR or a spec file, found {shown(text)}")
        found = {item.name: item for item in load_file(text).definitions}
        return Side(text, False, tuple(found), found.__getitem__)
    releases = known.releases()
    if release not in releases:
        raise unknown_release(release, releases)
    entries = known.entries(release)
    if not slash:
        return Side(text, True, tuple(entries), _Reader(entries), release, entries)
    entry = known.find(operator, release)
    return Side(text, False, (entry.operator,), _Reader({entry.operator: entry}), release, {entry.operator: entry})


class _Reader:
    """Reads operators of a release, each file once: twins stand in one."""

    def __init__(self, entries: dict[str, Entry]) -> None:
        self._entries = entries
        self._twins: dict[str, Definition] = {}

    def __call__(self, operator: str) -> Definition:
        if operator in self._twins:
            return self._twins.pop(operator)
        entry = self._entries[operator]
        loaded = load_file(entry.path)
        found = definition_in(loaded, entry)
        self._twins.update({item.name: item for item in loaded.definitions if item.name != operator})
        return found


def names(before: Side, after: Side, pattern: str) -> list[tuple[str | None, str | None]]:
    """The operators that are compared: of the same name, or the only ones that the sides have.

    Raises:
        OpspecError: there are none.
    """
    if not before.whole and not after.whole and not set(before.operators) & set(after.operators):
        return [(before.operators[0], after.operators[0])]  # two versions
    old, new = ({name for name in one.operators if matches(name, pattern)} for one in (before, after))
    if not (before.whole and after.whole):  # of a release only what the other side is about
        about = set(after.operators if before.whole else before.operators)
        old, new = old & about, new & about
    found = sorted(old | new)
    if not found:
        hint = did_you_mean(pattern, (*before.operators, *after.operators))
        raise OpspecError(f"no operator of {before.name} or {after.name} is named {shown(pattern)}{hint}")
    return [(name if name in old else None, name if name in new else None) for name in found]
