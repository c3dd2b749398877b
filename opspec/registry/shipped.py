"""Compiled forms as a wheel carries them: packed, those of operators that are alike together.

Forms of one operator differ little between releases, nor do those of a family: together they take an eighth of what
they take one by one. What a legal call needs is packed apart from what only a finding needs, and that from the code
that only many findings need: the less often something is read, the more may be unpacked for it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import lru_cache

from opspec import packing

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "_compiled")
ENGINE, INDEX, FORMS = "ENGINE", "INDEX", "FORMS"
CODE, INFO, JUDGE = range(3)  #: the parts of a form
#: characters of each part that are packed together: unpacking takes 1 ms, 6 ms and 9 ms
TOGETHER = (600_000, 4_200_000, 8_000_000)
_BETWEEN = "\0"  # forms of one pack; none has such a character

Parts = tuple[str, str, str]


def write(folder: str, engine: bytes, forms: Sequence[tuple[str, str, Parts]]) -> None:
    """Pack forms into a folder.

    Args:
        engine: the mark of what compiled them.
        forms: release, name and parts of each; those that are alike beside each other.
    """
    packs: list[bytes] = []
    rows = [f"{release}/{name}" for release, name, _ in forms]
    for part, most in enumerate(TOGETHER):
        row = 0
        for pack in _packs([parts[part] for _, _, parts in forms], most):
            for place in range(len(pack)):
                rows[row] += f" {len(packs)} {place}"
                row += 1
            packs.append(packing.pack(_BETWEEN.join(pack).encode()))
    starts = [sum(map(len, packs[:number])) for number in range(len(packs) + 1)]
    index = "\n".join([" ".join(map(str, starts)), *rows, ""])
    os.makedirs(folder, exist_ok=True)
    for name, data in ((ENGINE, engine), (INDEX, index.encode()), (FORMS, b"".join(packs))):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)


def _packs(texts: Sequence[str], most: int) -> Iterator[list[str]]:
    """Texts that are packed together: so many characters, or one that has more."""
    pack: list[str] = []
    size = 0
    for text in texts:
        size += len(text)
        if pack and size > most:
            yield pack
            pack, size = [], len(text)
        pack.append(text)
    if pack:
        yield pack


def engine() -> bytes | None:
    """The mark of what compiled the shipped forms; None where none are shipped."""
    try:
        with open(os.path.join(FOLDER, ENGINE), "rb") as file:
            return file.read(64)
    except FileNotFoundError:
        return None


def name(release: str, operator: str) -> str | None:
    """The name of an operator's form; None where none is shipped."""
    row = _row(f"{release}/{operator}-")
    return row[0].partition("/")[2] if row else None


def part(release: str, name: str, which: int) -> str | None:
    """A part of the form of this name; None where it is not shipped, or cannot be unpacked here."""
    row = _row(f"{release}/{name} ")
    if not row:
        return None
    pack, place = map(int, row[1 + 2 * which : 3 + 2 * which])
    try:
        return _unpacked(FOLDER, pack)[place]
    except (OSError, ImportError):  # an interpreter that was built without LZMA
        return None


def _row(start: str) -> list[str]:
    """The words of the row of the index that starts so; none where there is none."""
    index = _index(FOLDER)
    begin = index.find(f"\n{start}".encode()) + 1
    return index[begin : index.find(b"\n", begin)].decode().split() if begin else []


@lru_cache(maxsize=2)
def _index(folder: str) -> bytes:
    try:
        with open(os.path.join(folder, INDEX), "rb") as file:
            return file.read()
    except OSError:
        return b""


@lru_cache(maxsize=4)
def _unpacked(folder: str, pack: int) -> list[str]:
    index = _index(folder)
    start, end = map(int, index[: index.find(b"\n")].split()[pack : pack + 2])
    with open(os.path.join(folder, FORMS), "rb") as file:
        file.seek(start)
        packed = file.read(end - start)
    return packing.unpack(packed).decode().split(_BETWEEN)
