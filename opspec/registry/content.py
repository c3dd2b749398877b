"""All that a form is compiled from beside the engine: spec, what it extends, ledgers, kernel, what was recorded.

A check reads no YAML: the names of what a spec extends and of its kernel are found in its bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import dropwhile

from opspec import archive
from opspec.model import lines
from opspec.model.beside import first_operator, path_beside, release_folder
from opspec.model.raw import document_of, inherited, read, said, with_extended
from opspec.model.standin import stand_ins
from opspec.registry.folders import Entry


def content(entry: Entry) -> tuple[bytes, bytes]:
    """The bytes of an operator's spec, and all bytes together that its form depends on.

    Raises:
        OpspecError: a file cannot be read.
    """
    specs = with_extended(entry.path)
    parts = [entry.release.encode(), *specs.values(), *map(_ledger, specs)]
    path = [*specs][-1]
    kernel = inherited(specs, "generated_from") or inherited(specs, "looks_up")
    if kernel:
        from opspec.model import kernels

        parts.append(kernels.line_of(path, kernel))
    base = _base(specs)
    parts += _recorded(entry, base)
    from_base = dict(dropwhile(lambda item: item[0] != base, specs.items()))
    _, *neighbours = lines.of_neighbours(base, document_of(from_base))
    return specs[entry.path], b"\0".join((*parts, *neighbours))


def _base(specs: Mapping[str, bytes]) -> str:
    """The path of the operator's spec on the release that its specs stand on."""
    own = release_folder(next(iter(specs)))
    return next((path for path in specs if release_folder(path) != own), next(iter(specs)))


def _recorded(entry: Entry, base: str) -> Iterator[bytes]:
    """What was recorded of the operators of a spec file: evidence of the release that it stands on counts where there
    is none of its own, and what stands in for both where there is none at all."""
    files = dict.fromkeys(lines.file_of(spec, lines.EVIDENCE) for spec in (entry.path, base))
    for name in dict.fromkeys((first_operator(entry.path), entry.operator)):
        found = [lines.line(file, "op", name) for file in files]
        yield from found if any(found) else (line for _, line in stand_ins(base, name))


def header(path: str) -> str:
    """The header that declares the first operator of a spec file; empty where it is unknown.

    Raises:
        OpspecError: a file cannot be read.
    """
    from opspec.model.derived import UNKNOWN, usual_header

    name = ""
    for spec in reversed(with_extended(path).values()):  # one that a spec's own name tells is no heir's
        usual = usual_header(said(spec, "operator"))
        name = said(spec, "header") or name
        name = "" if name in ("null", usual) else name
    return "" if name == UNKNOWN else name or usual


def _ledger(spec: str) -> bytes:
    """The bytes of the ledger beside a spec file: where on the page its clauses stand."""
    path = path_beside(spec)
    return read(path) if archive.is_file(path) else b""
