"""All that a form is compiled from beside the engine: the spec, what it extends, and what is recorded of its rules.

A check reads no YAML: the name of what a spec extends is found in its bytes.
"""

from __future__ import annotations

import os

from opspec.errors import OpspecError
from opspec.model import evidence
from opspec.model.beside import spec_beside
from opspec.registry.folders import Entry

MOST_BYTES = 16 * 1024 * 1024
_KEY = b"extends:"
_LONGEST_CHAIN = 20


def content(entry: Entry) -> tuple[bytes, bytes]:
    """The bytes of an operator's spec, and all bytes together that its form depends on.

    Raises:
        OpspecError: a file cannot be read.
    """
    spec = read(entry.path)
    parts = [spec]
    path, name = entry.path, extended(spec)
    while name and len(parts) <= _LONGEST_CHAIN:  # a circle is an error of loading
        found = spec_beside(path, name)
        if found is None:
            break
        parts.append(read(found))
        name = extended(parts[-1])
    first = os.path.basename(entry.path).split(".")[0].split("+")[0]
    parts.append(evidence.line_of(evidence.read_bytes(evidence.file_of(entry.path)), first))
    return spec, b"\0".join(parts)


def read(path: str) -> bytes:
    """The bytes of a spec file."""
    try:
        with open(path, "rb") as file:
            return file.read(MOST_BYTES)
    except OSError as error:
        raise OpspecError(f"cannot read the spec: {error.strerror}", where=path) from None


def extended(spec: bytes) -> str:
    """The operator that a spec extends; empty where it extends none."""
    start = 0 if spec.startswith(_KEY) else spec.find(b"\n" + _KEY) + 1
    if start == 0 and not spec.startswith(_KEY):
        return ""
    line = spec[start + len(_KEY) :].split(b"\n", 1)[0]
    return line.split(b"#")[0].strip().strip(b"\"'").decode("ascii", "replace")
