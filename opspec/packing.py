"""How a wheel packs what it carries: texts that are alike together, by LZMA, whose window sees more than deflate's."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

WINDOW = 1 << 23  #: bytes that a text is compared with; packs are smaller


def pack(data: bytes) -> bytes:
    """Pack bytes, as small as they go."""
    import lzma

    return lzma.compress(data, lzma.FORMAT_RAW, filters=_filters(9))


def unpack(packed: bytes) -> bytes:
    """What ``pack`` was given.

    Raises:
        ImportError: the interpreter was built without LZMA.
    """
    from _lzma import FORMAT_RAW, LZMADecompressor  # lzma itself loads what reads files, too

    return LZMADecompressor(format=FORMAT_RAW, filters=_filters()).decompress(packed)


def _filters(preset: int = 0) -> list[dict[str, Any]]:
    """For text, without the marks that a file of its own would need."""
    from _lzma import FILTER_LZMA2, PRESET_EXTREME

    how = {"preset": preset | PRESET_EXTREME} if preset else {}
    return [{"id": FILTER_LZMA2, **how, "dict_size": WINDOW, "lc": 4, "pb": 0}]
