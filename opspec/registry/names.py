"""Finding operators: by their names, by what logs and people call them, and what an unknown name may have meant.

The usual name is found without listing a thousand others. Anything else is looked up in a catalogue that is read once,
and again when a folder has changed: a file of calls may name operators that are not there a hundred thousand times.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence

from opspec.errors import OpspecError, UnknownOperatorError, UnknownReleaseError, shown, swapped
from opspec.model.beside import is_release
from opspec.registry import folders
from opspec.registry.folders import Entry

PREFIX, SUFFIX = "aclnn", "GetWorkspaceSize"
LONGEST = 80  #: of a name that is compared with others
_CLOSEST = 6  #: names by what they have in common with a word: these are compared with it letter by letter
_TICK = 100_000_000  #: nanoseconds, more than the steps in which file systems tell time
_ALIKE = 0.7  #: of the letters of two names that are near each other


def spellings(name: str) -> list[str]:
    """What an operator may be called that is meant by a name: itself first, then ``aclnnX`` for ``X`` and for the
    first phase's function ``aclnnXGetWorkspaceSize``."""
    bare = name.removesuffix(SUFFIX)
    return list(dict.fromkeys((name, bare, bare if bare.startswith(PREFIX) else PREFIX + bare)))


def matches(name: str, pattern: str) -> bool:
    """Whether an operator's name is one that a pattern with ``*`` and ``?`` means; case is ignored."""
    from fnmatch import fnmatchcase  # imported late: it compiles regular expressions, which no check needs

    return any(fnmatchcase(name.lower(), spelled.lower()) for spelled in spellings(pattern))


class Catalogue:
    """All operators of some registry folders."""

    def __init__(self, roots: Sequence[str]) -> None:
        self.roots = tuple(roots)
        self._seen: tuple[tuple[str, int], ...] = ()
        self._settled = False
        self._entries: dict[str, dict[str, Entry]] = {}
        self._near: dict[str | None, Near] = {}

    def find(self, operator: str, release: str | None = None) -> Entry:
        """The entry of an operator in a release, by default the newest that has it.

        Raises:
            UnknownOperatorError: no such operator, or not in this release; the nearest spelling is named.
            UnknownReleaseError: no such release.
        """
        if not self._seen:
            found = self._usual(operator, release)
            if found is not None:
                return found
        self._refresh()
        known = list(self._entries)
        if release is not None and release not in known:
            raise unknown_release(release, known)
        for spelled in spellings(operator):
            for candidate in reversed(known) if release is None else [release]:
                if spelled in self._entries[candidate]:
                    return self._entries[candidate][spelled]
        if not known:
            where = " or ".join(self.roots)
            raise OpspecError(f"no specs in {where}: expected folders named by release, such as 9.1.0")
        elsewhere = [other for other in known if any(name in self._entries[other] for name in spellings(operator))]
        raise self._unknown(operator, release, elsewhere)

    def _unknown(self, operator: str, release: str | None, elsewhere: list[str]) -> UnknownOperatorError:
        near = None if elsewhere else self._nearest(operator, release)
        hint = f"; it is in {', '.join(elsewhere)}" if elsewhere else f"; did you mean {near!r}?" if near else ""
        said = f"unknown operator {shown(operator)}{f' in release {release}' if release else ''}{hint}"
        error = UnknownOperatorError(said, name=operator, suggestions=() if near is None else (near,))
        error.releases = tuple(elsewhere)
        return error

    def meant(self, operator: str, release: str | None = None) -> str:
        """``"; did you mean 'aclnnX'?"`` for the nearest operator of a release or of all, or an empty string."""
        self._refresh()
        near = self._nearest(operator, release)
        return f"; did you mean {near!r}?" if near else ""

    def _nearest(self, operator: str, release: str | None) -> str | None:
        near = self._near.get(release)
        if near is None:
            wanted = [release] if release in self._entries else self._entries
            near = self._near[release] = Near(name for each in wanted for name in self._entries[each or ""])
        return near.to(operator)

    def _usual(self, operator: str, release: str | None) -> Entry | None:
        """The entry whose file has the operator's own name."""
        if len(self.roots) != 1:
            return None
        for candidate in reversed(folders.releases(self.roots)):
            if release in (None, candidate):
                found = folders.named(self.roots[0], candidate, operator)
                if found is not None:
                    return found
        return None

    def _refresh(self) -> None:
        """Read the folders where one of them has changed, or none was read."""
        if self._settled and all(_changed(path) == when for path, when in self._seen):
            return
        now = time.time_ns()
        seen = tuple((path, _changed(path)) for path in self._folders())  # before they are read
        self._entries = {each: folders.entries(self.roots, each) for each in folders.releases(self.roots)}
        self._near.clear()
        self._seen = seen
        self._settled = max(when for _, when in seen) < now - _TICK  # else a change of now might have the same time

    def _folders(self) -> Iterator[str]:
        for root in self.roots:
            yield root
            for name, path in folders.below(root):
                if is_release(name):
                    yield path
                    yield from (family for _, family in folders.below(path))


def unknown_release(release: str, known: Iterable[str]) -> UnknownReleaseError:
    """The error that there is no such release."""
    there = tuple(known)
    said = f"unknown release {shown(release)}; there are {', '.join(there) or 'none'}"
    return UnknownReleaseError(said, name=release, suggestions=there)


def _changed(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return -1


class Near:
    """Names, and which is nearest to a word: by the groups of letters that they share, then letter by letter."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = list(dict.fromkeys(names))
        self.keys = [_key(name) for name in self.names]
        self.named = dict(zip(self.keys, self.names, strict=True))
        self.sizes: list[int] = []
        self.having: dict[str, list[int]] = {}
        for number, key in enumerate(self.keys):
            groups = _groups(key)
            self.sizes.append(len(groups))
            for group in groups:
                self.having.setdefault(group, []).append(number)

    def to(self, word: str) -> str | None:
        """The nearest name, or None where none is near. Case, and what names have in common, do not count."""
        key = _key(word[:LONGEST])
        for one in swapped(key):
            if one in self.named:
                return self.named[one]
        groups = _groups(key)
        shared: dict[int, int] = {}
        for group in groups:
            for number in self.having.get(group, ()):
                shared[number] = shared.get(number, 0) + 1
        size, sizes = len(groups), self.sizes
        alike = [(-n / (size + sizes[number]), number) for number, n in shared.items() if n * 4 > size + sizes[number]]
        if not alike:
            return None
        from difflib import SequenceMatcher  # imported late: only an error needs it

        compared = SequenceMatcher(b=key)
        best, found = _ALIKE, None
        for _, number in sorted(alike)[:_CLOSEST]:
            compared.set_seq1(self.keys[number])
            ratio = compared.ratio()
            if ratio > best:
                best, found = ratio, self.names[number]
        return found


def _key(name: str) -> str:
    return name.removesuffix(SUFFIX).lower().removeprefix(PREFIX)


def _groups(key: str) -> set[str]:
    """The groups of two letters, the ends marked: a wrong letter costs two of them."""
    marked = f"<{key}>"
    return {marked[place : place + 2] for place in range(len(marked) - 1)}
