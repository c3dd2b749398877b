"""What spec files tell in their bytes: a check reads no YAML."""

from __future__ import annotations

from itertools import takewhile

from opspec import archive
from opspec.errors import OpspecError
from opspec.model.beside import LONGEST_CHAIN, first_operator, spec_beside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_BYTES = 16 * 1024 * 1024


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


def document_of(specs: Mapping[str, bytes]) -> str:
    """The path of the page of a spec file: it says it, or stands on the same operator's of another release, which does.

    Args:
        specs: the bytes of the file and of those that it extends, the nearest first.

    Returns:
        The path; empty where it has no page.
    """
    operator = first_operator(next(iter(specs)))
    editions = takewhile(lambda item: first_operator(item[0]) == operator, specs.items())
    return inherited(dict(editions), "document")


def inherited(specs: Mapping[str, bytes], key: str) -> str:
    """The name that a spec gives under a key, or the nearest of those that it extends; empty where none does."""
    name = next(filter(None, (said(spec, key) for spec in specs.values())), "")
    return "" if name == "null" else name


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
