"""Operators that are compiled together: starting the compiler and reading headers take longer than most rules do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from opspec import archive
from opspec.model.definition import Definition
from opspec.model.load import load_file
from opspec.registry.folders import Entry as Spec
from opspec.registry.registry import definition_in

#: As many share what is done once for a source; with more there is little left to share, and less to do at a time.
_MOST = 12


def batches(specs: Iterable[Spec]) -> list[list[Spec]]:
    """Specs by family, few at a time, the most to do first.

    Those of one file stay together. Versions of an operator are of one size and stand beside each other: files are
    dealt out.
    """
    families: dict[str, dict[str, list[Spec]]] = {}
    for spec in sorted(specs, key=lambda one: (one.path, one.operator)):
        families.setdefault(spec.family, {}).setdefault(spec.path, []).append(spec)
    found = []
    for files in families.values():
        count = -(-sum(map(len, files.values())) // _MOST)
        found += [[spec for few in [*files.values()][first::count] for spec in few] for first in range(count)]
    return sorted(filter(None, found), key=_size, reverse=True)


def _size(specs: Sequence[Spec]) -> int:
    return sum(archive.size(path) for path in {spec.path for spec in specs})


def definitions(specs: Sequence[Spec]) -> list[Definition]:
    """The operators of specs; a file is read once.

    Raises:
        OpspecError: as :func:`opspec.model.load.load_file`.
    """
    loaded = {path: load_file(path) for path in dict.fromkeys(spec.path for spec in specs)}
    return [definition_in(loaded[spec.path], spec) for spec in specs]


def source(texts: Mapping[str, str]) -> str:
    """One C file of those of some operators, by name; what a compiler says of it names theirs."""
    return "\n".join(f'#line 1 "{name}.c"\n{text}' for name, text in texts.items())
