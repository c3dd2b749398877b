"""C types of the params of first phases: a closed set.

Source: the prototypes of the vendor's pages.
"""

from __future__ import annotations

from opspec.errors import OpspecError, did_you_mean, shown
from opspec.vocabulary.tables import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class CType:
    """A C type: ``const`` or not, a base, and levels of pointer.

    Attributes:
        kind: tensor, tensor_list, scalar, scalar_list, int_array, float_array, bool_array, int, float, bool, string,
            dtype, or pointer for any other pointer.
        nullable: whether a caller can pass null.
        low, high: inclusive range of an integer, otherwise None.
    """

    __slots__ = ("base", "const", "high", "kind", "low", "nullable", "pointer")

    def __init__(self, base: str, const: bool, pointer: int, row: dict[str, Any]) -> None:
        self.base = base
        self.const = const
        self.pointer = pointer
        kind: str = row["kind"]
        opaque = base.startswith("acl") and base != "aclDataType"
        own = 1 if opaque or base == "char" else 0
        self.kind = kind if pointer == own else "pointer"
        self.nullable = pointer > 0
        self.low: int | None = None
        self.high: int | None = None
        if self.kind == "int":
            bits = row["bits"]
            self.low, self.high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if row["signed"] else (0, 2**bits - 1)

    def text(self) -> str:
        """The canonical spelling: ``const aclTensor*``."""
        return f"{'const ' if self.const else ''}{self.base}{'*' * self.pointer}"


_PARSED: dict[str, CType] = {}


def bases() -> tuple[str, ...]:
    """The base types."""
    return tuple(row["base"] for row in table("ctypes")["ctypes"])


def parse(text: str) -> CType:
    """A C type, however it is spaced.

    Raises:
        OpspecError: not a type of the closed set; the nearest one is named.
    """
    if text not in _PARSED:
        _PARSED[text] = _parse(text)
    return _PARSED[text]


def _parse(text: str) -> CType:
    words = text[:200].replace("*", " * ").split()
    const = "const" in words
    words = [word for word in words if word != "const"]
    stars = words.count("*")
    names = [word for word in words if word != "*"]
    rows = {row["base"]: row for row in table("ctypes")["ctypes"]}
    if len(names) != 1 or names[0] not in rows or stars > 2 or (stars and words[-1] != "*"):
        raise OpspecError(f"unknown C type {shown(text)}{did_you_mean(names[0] if names else '', rows)}")
    if stars == 0 and ((names[0].startswith("acl") and names[0] != "aclDataType") or names[0] in ("void", "char")):
        raise OpspecError(f"a {names[0]} is passed by pointer, found {shown(text)}")
    return CType(names[0], const, stars, rows[names[0]])
