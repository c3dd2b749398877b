"""Compiled forms as a wheel carries them: packed, a few operators together in all their releases.

Forms of one operator differ little between releases, nor do those of operators that stand beside each other by name:
together they take a fourth of what they take one by one. Reading one unpacks those of ``TOGETHER`` operators, which
takes 0.8 ms.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "_compiled")
ENGINE, INDEX, FORMS = "ENGINE", "INDEX", "FORMS"
#: operators whose forms are packed together: of eight they take 0.4 MB less in the wheel, and 0.6 ms more to read
TOGETHER = 4
_BETWEEN = "\0"  # forms of one pack; none has such a character


def write(folder: str, engine: bytes, forms: Mapping[tuple[str, str], tuple[str, str]]) -> None:
    """Pack forms into a folder.

    Args:
        engine: the mark of what compiled them.
        forms: (operator, release) -> the form's name and its source.
    """
    import lzma

    operators = sorted({operator for operator, _ in forms})
    names: list[str] = []
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, FORMS), "wb") as file:
        for first in range(0, len(operators), TOGETHER):
            some = operators[first : first + TOGETHER]
            here = [forms[key] for key in sorted(forms) if key[0] in some]
            packed = lzma.compress(
                _BETWEEN.join(source for _, source in here).encode(), lzma.FORMAT_RAW, filters=_filters(9)
            )
            names += [f"{name} {file.tell()} {len(packed)} {place}" for place, (name, _) in enumerate(here)]
            file.write(packed)
    for name, data in ((ENGINE, engine), (INDEX, "\n".join(["", *names, ""]).encode())):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)


def engine() -> bytes | None:
    """The mark of what compiled the shipped forms; None where none are shipped."""
    try:
        with open(os.path.join(FOLDER, ENGINE), "rb") as file:
            return file.read(64)
    except FileNotFoundError:
        return None


def source(name: str) -> str | None:
    """The source of the form of this name; None where it is not shipped, or cannot be unpacked here."""
    try:
        index = _index(FOLDER)
        start = index.find(f"\n{name} ".encode()) + 1
        if not start:
            return None
        offset, size, place = map(int, index[start : index.find(b"\n", start)].split()[1:])
        return _unpacked(FOLDER, offset, size)[place]
    except (OSError, ImportError):  # an interpreter that was built without LZMA
        return None


@lru_cache(maxsize=2)
def _index(folder: str) -> bytes:
    with open(os.path.join(folder, INDEX), "rb") as file:
        return file.read()


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
