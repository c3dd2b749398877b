"""All that a form is compiled from beside the engine: spec, what it extends, ledgers, kernel, what was recorded.

A check reads no YAML: the names of what a spec extends and of its kernel are found in its bytes.
"""

from __future__ import annotations

from collections.abc import Mapping

from opspec import archive
from opspec.errors import OpspecError
from opspec.model import lines
from opspec.model.beside import LONGEST_CHAIN, first_operator, path_beside, release_folder, spec_beside
from opspec.registry.folders import Entry

MOST_BYTES = 16 * 1024 * 1024


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

        parts.append(kernels.line_of(lines.read(kernels.file_of(path)), kernel))
    operators = dict.fromkeys((first_operator(entry.path), entry.operator))
    # evidence of the release that it extends counts where there is none of its own, that of any other for the base
    for file in dict.fromkeys(lines.file_of(spec, lines.EVIDENCE) for spec in (entry.path, path)):
        parts += [lines.line_of(lines.read(file), "op", name) for name in operators]
    of_base = zip(operators, parts[-len(operators) :], strict=True)
    parts += [lines.of_other_release(path, name)[1] for name, line in of_base if not line]
    parts += _of_neighbours(specs)
    return specs[entry.path], b"\0".join(parts)


def _of_neighbours(specs: Mapping[str, bytes]) -> tuple[bytes, bytes]:
    """What is known of operators beside it, on the release that the spec stands on."""
    own = release_folder(next(iter(specs)))
    path = next((path for path in specs if release_folder(path) != own), next(iter(specs)))
    _, folder, family = lines.of_neighbours(path, said(specs[path], "document"))
    return folder, family


def with_extended(path: str) -> dict[str, bytes]:
    """The bytes of a spec file and of those that it extends, by path, the nearest first.

    Raises:
        OpspecError: a file cannot be read.
    """
    specs = {path: read(path)}
    name = said(specs[path], "extends")
    while name and len(specs) <= LONGEST_CHAIN:
        found = spec_beside(path, name)
        if found is None or found in specs:  # a circle is an error of loading
            break
        path = found
        specs[path] = read(path)
        name = said(specs[path], "extends")
    return specs


def inherited(specs: Mapping[str, bytes], key: str) -> str:
    """The name that a spec gives under a key, or the nearest of those that it extends; empty where none does."""
    name = next(filter(None, (said(spec, key) for spec in specs.values())), "")
    return "" if name == "null" else name


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


def read(path: str) -> bytes:
    """The bytes of a spec file."""
    try:
        return archive.read(path, MOST_BYTES)
    except OSError as error:
        raise OpspecError(f"cannot read the spec: {error.strerror}", where=path) from None


def said(spec: bytes, key: str) -> str:
    """The name that a spec gives under a key of its own; empty where it has none."""
    line = (b"\n" + spec).partition(f"\n{key}:".encode())[2].split(b"\n", 1)[0]
    return line.split(b"#")[0].strip().strip(b"\"'").decode("ascii", "replace")
