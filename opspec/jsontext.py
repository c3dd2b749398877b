"""JSON texts to values, by C alone, and back.

``json`` compiles regular expressions when it is imported, which is a tenth of what a cold ``opspec check`` takes. A
text that is sound needs none of them; what is wrong with another one, ``json`` says.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

try:
    import _json
    from _json import encode_basestring as _quoted  # a text alone, such as the id of each call
except ImportError:  # not CPython
    _json = _quoted = None  # type: ignore[assignment]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from json import JSONDecoder
    from typing import Any

#: What :attr:`Reader.scan` raises on a faulty text. To say more, the part in C needs ``json.decoder`` to be loaded.
FAULTS = (ValueError, StopIteration, SystemError)

_BLANK = " \t\n\r"


def written(value: object, indent: int | None = None) -> str:
    """A value as JSON that any terminal may show: what is no printable character stands as an escape."""
    text = _quoted(value) if type(value) is str and _quoted is not None else _encoder(indent)(value)
    if text.isprintable():
        return text
    return "\n".join(map(escaped, text.split("\n"))) if indent else escaped(text)


@lru_cache(maxsize=4)
def _encoder(indent: int | None) -> Callable[[object], str]:
    """What writes JSON. On one line it is C alone, made once: ``JSONEncoder`` makes one for each value."""
    if indent is None and _json is not None and _quoted is not None:
        pieces = _json.make_encoder(None, _refused, _quoted, None, ": ", ", ", False, False, True)
        return lambda value: "".join(pieces(value, 0))
    from json import JSONEncoder

    return JSONEncoder(ensure_ascii=False, indent=indent).encode


def _refused(value: object) -> object:
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


def escaped(text: str) -> str:
    """The text with JSON's escapes in place of what is not printable."""
    return text if text.isprintable() else "".join(c if c.isprintable() else escape(c) for c in text)


def escape(text: str) -> str:
    """JSON's escapes of all characters of a text."""
    units = text.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[place : place + 2].hex()}" for place in range(0, len(units), 2))


class Reader:
    """Reads as ``json.JSONDecoder`` does with the same hooks.

    Attributes:
        scan: of a text and the place where a value begins, the value and the place where it ends.
    """

    __slots__ = ("_hooks", "scan")

    def __init__(
        self,
        *,
        object_pairs_hook: Callable[[list[tuple[str, object]]], object] | None = None,
        parse_float: Callable[[str], object] = float,
        parse_constant: Callable[[str], object] = float,
    ) -> None:
        self._hooks = _Hooks(object_pairs_hook, parse_float, parse_constant)
        self.scan = self._scan()

    def value(self, text: str) -> object:
        """The value of a text.

        Raises:
            ValueError: it is not JSON; RecursionError: it is nested too deeply; whatever a hook raises.
        """
        try:
            value, end = self.scan(text, 0)
            if end == len(text) or not text[end:].strip(_BLANK):
                return value
        except FAULTS:
            pass
        return self._decoder().decode(text)

    def _scan(self) -> Callable[[str, int], tuple[object, int]]:
        context: Any = self._hooks  # a scanner takes whatever has the attributes of a decoder
        if _json is None:
            return self._decoder().scan_once
        return _json.make_scanner(context)

    def _decoder(self) -> JSONDecoder:
        from json import JSONDecoder

        hooks = self._hooks
        return JSONDecoder(
            object_pairs_hook=hooks.object_pairs_hook,
            parse_float=hooks.parse_float,
            parse_constant=hooks.parse_constant,
        )


class _Hooks:
    """The attributes that a scanner is made of."""

    strict = True
    object_hook = None
    parse_int = int

    def __init__(
        self,
        object_pairs_hook: Callable[[list[tuple[str, object]]], object] | None,
        parse_float: Callable[[str], object],
        parse_constant: Callable[[str], object],
    ) -> None:
        self.object_pairs_hook = object_pairs_hook
        self.parse_float = parse_float
        self.parse_constant = parse_constant
        self.memo: dict[str, str] = {}
