"""Files of a release with a JSON object a line, each begun by the name it is about: evidence, kernels.

They lie beside the families of the release, or beside a spec that is alone. A line is found without reading the others,
and a file that has not changed is read once.
"""

from __future__ import annotations

import os
from functools import lru_cache

from opspec import archive, files
from opspec.model.beside import is_release

EVIDENCE = "evidence.jsonl"
NEIGHBOURS = "neighbours.jsonl"


def file_of(spec: str, name: str) -> str:
    """The file of this name for a spec file: beside the families of its release, or beside itself."""
    folder = os.path.dirname(os.path.abspath(spec))
    above = os.path.dirname(folder)
    file = os.path.join(above, name)
    return file if is_release(os.path.basename(above)) or archive.exists(file) else os.path.join(folder, name)


def read(path: str) -> bytes:
    """The file's bytes; none where there is no file.

    Raises:
        OpspecError: it cannot be read.
    """
    try:
        state = archive.state(path)
    except FileNotFoundError:
        return b""
    except (OSError, ValueError):
        return files.read_bytes(path)  # which says why
    return _read(path, *state)


@lru_cache(maxsize=16)
def _read(path: str, *_state: int) -> bytes:
    return files.read_bytes(path)


def line_of(data: bytes, key: str, name: str) -> bytes:
    """The line that begins with this name under its first key; empty where there is none."""
    start, end = _places(data, f'{{"{key}": "'.encode()).get(name.encode(), (0, 0))
    return data[start:end]


@lru_cache(maxsize=16)
def _places(data: bytes, head: bytes) -> dict[bytes, tuple[int, int]]:
    """Name -> where its line begins and ends; of several that have it the first."""
    found: dict[bytes, tuple[int, int]] = {}
    start, size = 0, len(data)
    while start < size:
        end = data.find(b"\n", start)
        end = size if end < 0 else end
        if data.startswith(head, start):
            first = start + len(head)
            found.setdefault(data[first : data.find(b'"', first, end)], (start, end))
        start = end + 1
    return found


def of_neighbours(spec: str, document: str) -> tuple[str, bytes, bytes]:
    """The file of what is known of operators' neighbours, and its lines for the folder of a spec's page and for the
    family that the spec lies in.

    Args:
        document: the path of its page; empty where it has none.
    """
    path = file_of(spec, NEIGHBOURS)
    data = read(path)
    folder, family = os.path.dirname(document), os.path.basename(os.path.dirname(os.path.abspath(spec)))
    return path, line_of(data, "of", folder) if folder else b"", line_of(data, "of", family)
