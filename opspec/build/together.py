"""Operators that are compiled together: starting the compiler and reading headers take longer than most rules do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from opspec import archive
from opspec.registry.folders import Entry as Spec

#: As many share what is done once for a source; with more there is little left to share, and less to do at a time.
_MOST = 12


def batches(specs: Iterable[Spec]) -> list[list[Spec]]:
    """Specs by family, few at a time, the most to do first.

    Versions of an operator are of one size and stand beside each other: they are dealt out.
    """
    families: dict[str, list[Spec]] = {}
    for spec in sorted(specs, key=lambda one: one.operator):
        families.setdefault(spec.family, []).append(spec)
    found = []
    for family in families.values():
        count = -(-len(family) // _MOST)
        found += [family[first::count] for first in range(count)]
    return sorted(found, key=_size, reverse=True)


def _size(specs: Sequence[Spec]) -> int:
    return sum(archive.size(spec.path) for spec in specs)


def source(texts: Mapping[str, str]) -> str:
    """One C file of those of some operators, by name; what a compiler says of it names theirs."""
    return "\n".join(f'#line 1 "{name}.c"\n{text}' for name, text in texts.items())
