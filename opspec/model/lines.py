"""Files of a release with a JSON object a line, each begun by the name it is about: evidence, kernels.

They lie beside the families of the release, or beside a spec that is alone. A line is found without reading the others,
and a file that has not changed is read once.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
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
    head = f'{{"{key}": "'.encode()
    table = _tables.get((id(data), head))
    if table is None:
        if len(_tables) >= MOST_TABLES:
            _tables.clear()
        table = _tables[id(data), head] = Table(data, head)
    return table.line(name.encode())


MOST_TABLES = 16
FEW = 4  #: lines that are sought in a file of megabytes; where more are asked for, it is worth noting where all stand


class Table:
    """Where the lines of a file stand that begin so. It keeps the data, by whose identity it is found."""

    __slots__ = ("_places", "_sought", "data", "head")

    def __init__(self, data: bytes, head: bytes) -> None:
        self.data = data
        self.head = head
        self._sought = 0
        self._places: dict[bytes, tuple[int, int]] | None = None

    def line(self, name: bytes) -> bytes:
        """The first line of this name; empty where there is none."""
        data = self.data
        self._sought += 1
        if self._sought > FEW:
            if self._places is None:
                self._places = dict(self._all())
            start, end = self._places.get(name, (0, 0))
            return data[start:end]
        begins = self.head + name + b'"'
        start = 0 if data.startswith(begins) else data.find(b"\n" + begins) + 1
        if not start and not data.startswith(begins):
            return b""
        end = data.find(b"\n", start)
        return data[start:] if end < 0 else data[start:end]

    def _all(self) -> Iterator[tuple[bytes, tuple[int, int]]]:
        """Name -> where its line begins and ends, the last lines first: of several that have it the first counts."""
        end = len(self.data)
        while end >= 0:
            start = self.data.rfind(b"\n", 0, end) + 1
            if self.data.startswith(self.head, start):
                first = start + len(self.head)
                yield self.data[first : self.data.find(b'"', first, end)], (start, end)
            end = start - 1


_tables: dict[tuple[int, bytes], Table] = {}


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
