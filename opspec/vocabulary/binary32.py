"""Numbers that a C float holds."""

from __future__ import annotations

from struct import pack, unpack


def shortest(value: float) -> float:
    """The shortest decimal that rounds to this value: 0.1 for 0.10000000149011612; what is no float, as it is."""
    try:
        texts = (f"{value:.{digits}g}" for digits in range(1, 10))
        return next((float(text) for text in texts if unpack("<f", pack("<f", float(text)))[0] == value), value)
    except OverflowError:
        return value
