"""Whose recorded calls speak for an operator of which none was recorded on its release, nor on the one that its spec
stands on: its own on another release, then those of its twin, then those of the nearest other version, where one spec
extends the other. What the first says nothing of, the next may.

Versions of an operator share code as their specs share rules. Held against calls of operators left out one by one, what
those of another version met tells more than what neighbours and the general default do; without rules in common it
tells less.
"""

from __future__ import annotations

import os

from opspec import archive
from opspec.model import lines
from opspec.model.beside import is_release, operators_named, release_folder, release_key, spec_named
from opspec.model.raw import inherited, with_extended

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_LATEST = 9  # the highest version that is looked for


def numbered(operator: str) -> tuple[str, int]:
    """The name of an operator's first version, and which version it is: ``aclnnX`` and 3 of aclnnXV3."""
    first, _, number = operator.rpartition("V")
    return (first, int(number)) if first and number.isascii() and number.isdigit() else (operator, 1)


def stand_ins(spec: str, operator: str) -> Iterator[tuple[str, bytes]]:
    """The files of evidence and the lines in them that speak for an operator, the one that tells most of it first.

    Args:
        spec: the path of its spec, on the release that its specs stand on.
    """
    own = lines.file_of(spec, lines.EVIDENCE)
    twins = (name for name in operators_named(spec) if name != operator)
    beside = [(own, name) for name in (*twins, *_other_versions(operator))]
    elsewhere = [(file, f"{release}/{operator}") for release, file in _other_releases(spec)]
    for file, name in (*elsewhere, *beside):
        line = lines.line(file, "op", name.rpartition("/")[2])
        if line and _share_rules(spec, name):
            yield file, line


def _other_releases(spec: str) -> Iterator[tuple[str, str]]:
    """The other releases, the newest first, with their files of evidence."""
    registry, release = os.path.split(release_folder(spec))
    others = [name for name in archive.folders_in(registry) if is_release(name)] if is_release(release) else []
    for other in sorted(others, key=release_key, reverse=True):
        if other != release:
            yield other, os.path.join(registry, other, lines.EVIDENCE)


def _other_versions(operator: str) -> list[str]:
    """The names of an operator's other versions, the nearest first, and of those that are as near the newer."""
    first, own = numbered(operator)
    others = sorted((abs(number - own), -number) for number in range(1, _LATEST + 1) if number != own)
    return [first if number == -1 else f"{first}V{-number}" for _, number in others]


def _share_rules(spec: str, version: str) -> bool:
    """Whether a spec extends that of another version or release, or that one extends it, and both interfaces are
    generated or both written by hand: a generated one leaves to tiling what one written by hand checks itself."""
    other = spec_named(spec, version)
    if other is None:
        return False
    own = os.path.abspath(spec)
    mine, others = with_extended(own), with_extended(other)
    generated = (bool(inherited(specs, "generated_from")) for specs in (mine, others))
    return (other in mine or own in others) and len({*generated}) == 1
