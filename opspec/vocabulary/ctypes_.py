"""C types of the params of first phases: a closed set.

Source: the prototypes of the vendor's pages of releases 8.5.0 and 9.1.0. An int is 32 bits wide on every host that
the toolkit supports.
"""

from __future__ import annotations

import functools

from opspec.errors import OpspecError, did_you_mean, shown
from opspec.vocabulary.tables import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_LONGEST = 100  # characters of a C type
_DEEPEST = 2  # levels of pointer: aclOpExecutor**


class CType:
    """A C type: ``const`` or not, a base, and levels of pointer. Equal types are one object.

    Attributes:
        base: ``aclTensor``, ``int64_t``, ``char`` …
        const: whether the base is const: ``const aclTensor*`` is a pointer to a const tensor.
        pointer: levels of pointer, 0 to 2.
        kind: tensor, tensor_list, scalar, scalar_list, int_array, float_array, bool_array, int, float, bool, string,
            dtype, or pointer for any other pointer.
        nullable: whether a caller can pass null: any pointer.
        low, high: inclusive range of an integer, otherwise None.
    """

    __slots__ = ("base", "const", "high", "kind", "low", "nullable", "pointer")

    def __init__(self, base: str, const: bool, pointer: int, row: dict[str, Any]) -> None:
        self.base = base
        self.const = const
        self.pointer = pointer
        kind: str = row["kind"]
        self.kind = kind if pointer == _own_pointer(row) else "pointer"
        self.nullable = pointer > 0
        self.low: int | None = None
        self.high: int | None = None
        if self.kind == "int":
            bits = row["bits"]
            self.low, self.high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if row["signed"] else (0, 2**bits - 1)

    def text(self) -> str:
        """The canonical spelling: ``const aclTensor*``."""
        return f"{'const ' if self.const else ''}{self.base}{'*' * self.pointer}"

    def __repr__(self) -> str:
        return f"CType({self.text()!r})"


def _own_pointer(row: dict[str, Any]) -> int:
    """Levels of pointer that a value of the base's own kind has: an aclTensor and a text come by pointer."""
    return 1 if row["opaque"] else 0


@functools.cache
def _rows() -> dict[str, dict[str, Any]]:
    return {row["base"]: row for row in table("ctypes")["ctypes"]}


_PARSED: dict[str, CType] = {}  # by canonical text: small, whatever callers ask for


def parse(text: str) -> CType:
    """A C type, however it is spaced: ``const aclTensor *``, ``aclTensor const*`` and ``const aclTensor*`` are one.

    Raises:
        OpspecError: not a type of the closed set; the nearest one is named.
    """
    if isinstance(text, str) and text in _PARSED:
        return _PARSED[text]
    base, const, pointer = _split(text)
    ctype = CType(base, const, pointer, _rows()[base])
    return _PARSED.setdefault(ctype.text(), ctype)


def _split(text: str) -> tuple[str, bool, int]:
    """Base, const and levels of pointer; grammar: ``["const"] base ["const"] {"*"}``, one const at most."""
    if not isinstance(text, str):
        raise OpspecError(f"expected a C type, found {shown(text)}")
    words = text.replace("*", " * ").split() if len(text) <= _LONGEST else []
    stars = words.count("*")
    front = words[: len(words) - stars]
    names = [word for word in front if word != "const"]
    if len(names) != 1 or "*" in front or len(front) > 2 or stars > _DEEPEST or names[0] not in _rows():
        word = next((name for name in names if name != "*"), "")
        raise OpspecError(
            f"unknown C type {shown(text)}; expected one such as 'const aclTensor*'{did_you_mean(word, _rows())}"
        )
    row = _rows()[names[0]]
    if stars == 0 and row["opaque"]:
        raise OpspecError(f"a {names[0]} is passed by pointer: expected '{names[0]}*', found {shown(text)}")
    return names[0], len(front) == 2, stars
