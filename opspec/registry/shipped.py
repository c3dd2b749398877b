"""Compiled forms as a wheel carries them: packed, those of operators that are alike together.

Forms of one operator differ little between releases, nor do those of a family: together they take an eighth of what
they take one by one. Reading one unpacks ``TOGETHER`` characters, which takes 2 ms at most.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "_compiled")
ENGINE, INDEX, FORMS = "ENGINE", "INDEX", "FORMS"
TOGETHER = 700_000  #: characters that are packed together; a form that has more is alone
_BETWEEN = "\0"  # forms of one pack; none has such a character


def write(folder: str, engine: bytes, forms: Iterable[tuple[str, str, str]]) -> None:
    """Pack forms into a folder.

    Args:
        engine: the mark of what compiled them.
        forms: release, name and source of each; those that are alike beside each other.
    """
    import lzma

    rows: list[str] = []
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, FORMS), "wb") as file:
        for pack in _packs(forms):
            text = _BETWEEN.join(source for _, _, source in pack)
            packed = lzma.compress(text.encode(), lzma.FORMAT_RAW, filters=_filters(9))
            rows += [
                f"{release}/{name} {file.tell()} {len(packed)} {place}" for place, (release, name, _) in enumerate(pack)
            ]
            file.write(packed)
    for name, data in ((ENGINE, engine), (INDEX, "\n".join(["", *rows, ""]).encode())):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)


def _packs(forms: Iterable[tuple[str, str, str]]) -> Iterator[list[tuple[str, str, str]]]:
    """Forms that are packed together."""
    pack: list[tuple[str, str, str]] = []
    size = 0
    for form in forms:
        size += len(form[2])
        if pack and size > TOGETHER:
            yield pack
            pack, size = [], len(form[2])
        pack.append(form)
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


def source(release: str, name: str) -> str | None:
    """The source of the form of this name; None where it is not shipped, or cannot be unpacked here."""
    row = _row(f"{release}/{name} ")
    try:
        return _unpacked(FOLDER, int(row[1]), int(row[2]))[int(row[3])] if row else None
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


@lru_cache(maxsize=2)
def _unpacked(folder: str, offset: int, size: int) -> list[str]:
    from _lzma import FORMAT_RAW, LZMADecompressor  # lzma itself loads what reads files, too

    with open(os.path.join(folder, FORMS), "rb") as file:
        file.seek(offset)
        packed = file.read(size)
    return LZMADecompressor(format=FORMAT_RAW, filters=_filters()).decompress(packed).decode().split(_BETWEEN)


def _filters(preset: int = 0) -> list[dict[str, Any]]:
    """How forms are packed: as text; 2 MiB are more than there is in a pack."""
    from _lzma import FILTER_LZMA2, PRESET_EXTREME

    how = {"preset": preset | PRESET_EXTREME} if preset else {}
    return [{"id": FILTER_LZMA2, **how, "dict_size": 1 << 21, "lc": 4, "pb": 0}]
