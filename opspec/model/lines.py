"""Files of a release with a JSON object a line, each begun by the name it is about and in the order of these: evidence,
kernels.

They lie beside the families of the release, or beside a spec that is alone. A line is found without reading the others,
and a file that has not changed is read once.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache

from opspec import archive, files
from opspec.errors import OpspecError, shown
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
    state = _state(path)
    return b"" if state is None else _read(path, *state)


def _state(path: str) -> tuple[int, ...] | None:
    """What differs where a file has been written anew; None where there is no file."""
    try:
        return archive.state(path)
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        files.read_bytes(path)  # which says why
        raise


@lru_cache(maxsize=16)
def _read(path: str, *_state: int) -> bytes:
    return files.read_bytes(path)


def line(path: str, key: str, name: str) -> bytes:
    """The line of a file that begins with this name under its first key; empty where there is none, or no file.

    Raises:
        OpspecError: the file cannot be read.
    """
    state = _state(path)
    return b"" if state is None else _table(path, f'{{"{key}": "', *state).line(name.encode())


FEW = 4  #: lines that are sought in a file of megabytes; where more are asked for, it is worth noting where all stand


class Table:
    """The lines of a file that begin so."""

    __slots__ = ("_lines", "_sought", "head", "path")

    def __init__(self, path: str, head: bytes) -> None:
        self.path = path
        self.head = head
        self._sought = 0
        self._lines: dict[bytes, bytes] | None = None

    def line(self, name: bytes) -> bytes:
        """The line of this name; empty where there is none."""
        self._sought += 1
        if self._sought <= FEW and not archive.holds(self.path) and os.path.isfile(self.path):
            return self._sought_for(name)
        if self._lines is None:
            self._lines = dict(self._all())
        return self._lines.get(name, b"")

    def _sought_for(self, name: bytes) -> bytes:
        """The line, found without reading the others: they stand in the order of their names."""
        begins = len(self.head)
        with open(self.path, "rb") as file:
            low, high = 0, file.seek(0, os.SEEK_END)  # it is the line that begins at ``low``, the next, or one behind
            while low < high:
                middle = (low + high) // 2
                file.seek(middle)
                file.readline()
                start, row = file.tell(), file.readline()
                if row and row[begins : row.find(b'"', begins)] < name:
                    low = start + len(row)
                else:
                    high = middle
            file.seek(low)
            rows = (file.readline(), file.readline())
        return next((row.rstrip(b"\n") for row in rows if row.startswith(self.head + name + b'"')), b"")

    def _all(self) -> Iterator[tuple[bytes, bytes]]:
        """Each name, with its line."""
        begins, before = len(self.head), b""
        for number, row in enumerate(read(self.path).split(b"\n"), 1):
            if not row.startswith(self.head):
                continue
            name = row[begins : row.find(b'"', begins)]
            if name <= before:
                names = f"{shown(name.decode(errors='replace'))} behind {shown(before.decode(errors='replace'))}"
                where = f"{self.path}:{number}"
                raise OpspecError(f"expected lines in the order of names, found {names}", where=where)
            before = name
            yield name, row


@lru_cache(maxsize=32)
def _table(path: str, head: str, *_state: int) -> Table:
    return Table(path, head.encode())


def of_neighbours(spec: str, document: str) -> tuple[str, bytes, bytes]:
    """The file of what is known of operators' neighbours, and its lines for the folder of a spec's page and for the
    family that the spec lies in.

    Args:
        document: the path of its page; empty where it has none.
    """
    path = file_of(spec, NEIGHBOURS)
    folder, family = os.path.dirname(document), os.path.basename(os.path.dirname(os.path.abspath(spec)))
    return path, line(path, "of", folder) if folder else b"", line(path, "of", family)
