"""``opspec freeze``: say that what a frozen release says now is meant."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import partial

from opspec.cli import options
from opspec.errors import UnknownOperatorError, UnknownReleaseError, did_you_mean, printable
from opspec.files import write_files
from opspec.model.beside import first_operator
from opspec.model.load import Source, beside, whole
from opspec.registry import folders
from opspec.workshop import releases
from opspec.workshop.releases import Entries
from opspec.yamltext import read_file


@dataclass(frozen=True, slots=True)
class Accepted:
    """What of an operator is not as it was.

    Args:
        kind: ``changed``, ``new`` or ``gone``: of the operator as a whole.
        entries: entry -> the same, and where it is said; of an operator that is changed.
    """

    name: str
    kind: str
    entries: dict[str, tuple[str, str]] = field(default_factory=dict)


def run(words: list[str]) -> int:
    """The command: 0 it is accepted or there is nothing to accept, 1 with --dry-run and something to accept."""
    target = options.parser(
        "freeze",
        "List what frozen releases say otherwise than when they were frozen, entry by entry, and accept it. A release "
        "that is named and not frozen yet is frozen.",
    )
    target.add_argument(
        "operators", nargs="*", metavar="OPERATOR", help="these alone, such as aclnnAdd, 8.5.0/aclnnAdd, 'aclnnFfn*'"
    )
    target.add_argument("--release", help="this release alone (default: all that are frozen)")
    target.add_argument("--dry-run", action="store_true", help="list what is not as it was, accept nothing")
    target.add_argument("--out", metavar="DIR", help="the registry folder (default: the built-in registry)")
    asked = target.parse_args(words)
    folder = asked.out or folders.built_in()
    there = [_Release(folder, name) for name in folders.releases([folder])]
    if asked.release is not None and asked.release not in (one.name for one in there):
        hint = did_you_mean(asked.release, [one.name for one in there])
        raise UnknownReleaseError(f"no release {asked.release!r} in {folder}{hint}", name=asked.release)
    new = [one for one in there if one.name == asked.release and not one.is_frozen and not asked.operators]
    chosen = _chosen([one for one in there if one.is_frozen], asked.release, asked.operators) if not new else {}
    texts: dict[str, str] = {}
    found: list[Accepted] = []
    for one in new:
        texts[one.file] = releases.frozen_text(_compared(one, sorted(one.paths))[0])
        print(f"{one.name}: {options.number(len(one.paths), 'spec')} {_verb(asked.dry_run)} frozen")
    for one, names in chosen.items():
        after, accepted = _compared(one, names)
        found += accepted
        if accepted:
            texts[one.file] = releases.frozen_text(after)
    if not asked.dry_run:
        write_files(texts)
    if not new:
        _report(found, asked.dry_run)
    return 1 if asked.dry_run and texts else 0


class _Release:
    """A release of a registry folder.

    Attributes:
        paths: operator -> its spec.
        before: operator -> what it is held to; nothing where the release is not frozen.
    """

    def __init__(self, folder: str, name: str) -> None:
        self.name = name
        self.file = os.path.join(folder, name, releases.FROZEN)
        self.is_frozen = os.path.exists(self.file)
        self.paths = {first_operator(one.path): one.path for one in folders.entries([folder], name).values()}
        self.before = releases.read_frozen(self.file)


def _chosen(frozen: list[_Release], release: str | None, operators: list[str]) -> dict[_Release, list[str]]:
    """Which operators of which releases are asked for, by ``aclnnX`` or ``RELEASE/aclnnX``; all if none is named.

    Raises:
        UnknownOperatorError: a name or pattern is of none.
    """
    default = release or "*"
    patterns = [text if "/" in text else f"{default}/{text}" for text in operators or ["*"]]
    known = {f"{one.name}/{name}": (one, name) for one in frozen for name in sorted({*one.paths, *one.before})}
    for text, pattern in zip(operators, patterns, strict=False):
        if not any(fnmatchcase(full, pattern) for full in known):
            hint = did_you_mean(text.rpartition("/")[2], {name for _, name in known.values()})
            if not frozen:
                hint = "; no release is frozen"
            raise UnknownOperatorError(f"no operator of a frozen release is called {text!r}{hint}", name=text)
    chosen: dict[_Release, list[str]] = {}
    for full, (one, name) in known.items():
        if any(fnmatchcase(full, pattern) for pattern in patterns):
            chosen.setdefault(one, []).append(name)
    return chosen


def _compared(release: _Release, names: list[str]) -> tuple[dict[str, Entries], list[Accepted]]:
    """What a release is held to from now on, and which of the operators named were not so before."""
    after = dict(release.before)
    accepted = []
    for name in options.counted(names, str):
        full, before = f"{release.name}/{name}", release.before.get(name)
        path = release.paths.get(name)
        if path is None:
            del after[name]
            accepted.append(Accepted(full, "gone"))
            continue
        source = whole(read_file(path), partial(beside, path))
        after[name] = releases.digests(source.value)
        if before is None:
            accepted.append(Accepted(full, "new"))
        elif before != after[name]:
            accepted.append(Accepted(full, "changed", dict(_changes(source, before, after[name]))))
    return after, accepted


def _changes(source: Source, before: Entries, after: Entries) -> Iterator[tuple[str, tuple[str, str]]]:
    for entry, kind in releases.changed(before, after).items():
        yield entry, (kind, "" if kind == "gone" else source.where(releases.path_of(source.value, entry)))


def _report(found: list[Accepted], dry: bool) -> None:
    for one in found:
        print(printable(f"{one.name}: {one.kind}"))
        for entry, (kind, where) in one.entries.items():
            print(printable(f"  {kind}: {entry}{f'  ({where})' if where else ''}"))
    entries = sum(len(one.entries) for one in found)
    counts = f"{options.number(len(found), 'operator')}, {'1 entry' if entries == 1 else f'{entries} entries'}"
    print(f"{counts} of frozen releases {_verb(dry)} accepted" if found else "frozen releases are as they were")


def _verb(dry: bool) -> str:
    return "would be" if dry else "are"
