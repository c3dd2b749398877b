"""Compiled forms as a wheel carries them: packed, those of operators that are alike together.

Forms of one operator differ little between releases, nor do those of a family: together they take an eighth of what
they take one by one. What a legal call needs is packed apart from what only a finding needs, and that from the code
that only many findings need: the less often something is read, the more may be unpacked for it.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache

from opspec import packing

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "_compiled")
ENGINE, INDEX, FORMS = "ENGINE", "INDEX", "FORMS"
CODE, INFO, JUDGE = range(3)  #: the parts of a form
#: characters of each part that are packed together: unpacking takes 1 ms, 6 ms and 9 ms
TOGETHER = (450_000, 4_200_000, 8_000_000)
_BETWEEN = "\0"  # forms of one pack; none has such a character

Parts = tuple[str, str, str]


def write(folder: str, engine: bytes, forms: Sequence[tuple[str, str, Parts]]) -> None:
    """Pack forms into a folder.

    The index has a line for each part, which says of its packs the number of the first form and where the pack begins,
    and of their end the same; then a line for each form.

    Args:
        engine: the mark of what compiled them.
        forms: release, name and parts of each; those that are alike beside each other.
    """
    packs: list[bytes] = []
    lines, offset = [], 0
    for part, most in enumerate(TOGETHER):
        first, words = 0, []
        for pack in _packs([parts[part] for _, _, parts in forms], most):
            words += [first, offset]
            packs.append(packing.pack(_BETWEEN.join(pack).encode()))
            first, offset = first + len(pack), offset + len(packs[-1])
        lines.append(" ".join(map(str, [*words, first, offset])))
    index = "\n".join([*lines, *(f"{release}/{name}" for release, name, _ in forms), ""])
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
    begin = _begin(f"{release}/{operator}-")
    return _index(FOLDER)[begin : _index(FOLDER).find(b"\n", begin)].decode().partition("/")[2] if begin else None


def part(release: str, name: str, which: int) -> str | None:
    """A part of the form of this name; None where it is not shipped, or cannot be unpacked here."""
    begin = _begin(f"{release}/{name}\n")
    if not begin:
        return None
    index = _index(FOLDER)
    number = index.count(b"\n", 0, begin) - len(TOGETHER)
    firsts, offsets = _places(FOLDER)[which]
    pack = bisect_right(firsts, number) - 1
    try:
        return _unpacked(FOLDER, offsets[pack], offsets[pack + 1])[number - firsts[pack]]
    except (OSError, ImportError):  # an interpreter that was built without LZMA
        return None


def _begin(start: str) -> int:
    """Where the line of the index begins that starts so; 0 where there is none."""
    return _index(FOLDER).find(f"\n{start}".encode()) + 1


@lru_cache(maxsize=2)
def _index(folder: str) -> bytes:
    try:
        with open(os.path.join(folder, INDEX), "rb") as file:
            return file.read()
    except OSError:
        return b""


@lru_cache(maxsize=2)
def _places(folder: str) -> list[tuple[list[int], list[int]]]:
    """Of each part the numbers of the first forms of its packs, and where these begin."""
    lines = _index(folder).split(b"\n", len(TOGETHER))[: len(TOGETHER)]
    words = [list(map(int, line.split())) for line in lines]
    return [(line[::2], line[1::2]) for line in words]


@lru_cache(maxsize=4)
def _unpacked(folder: str, start: int, end: int) -> list[str]:
    with open(os.path.join(folder, FORMS), "rb") as file:
        file.seek(start)
        packed = file.read(end - start)
    return packing.unpack(packed).decode().split(_BETWEEN)
