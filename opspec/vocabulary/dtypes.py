"""dtypes: canonical names (the pages' spelling), aclDataType numbers, widths and kinds.

Source: aclDataType of the public ACL headers, and the context page on dtypes (FLOAT = FLOAT32, DOUBLE = FLOAT64,
BF16 = BFLOAT16, in any case). Names of torch, NumPy and ml_dtypes are accepted where they mean exactly one dtype.
"""

from __future__ import annotations

from opspec.vocabulary.names import Names

_NAMES = Names("dtype", "dtypes", ("acl_", "dt_", "torch.", "torch_npu.", "numpy.", "np.", "ml_dtypes.", "mindspore."))

canonical = _NAMES.canonical
number = _NAMES.number
enumerator = _NAMES.enumerator
from_number = _NAMES.from_number
names = _NAMES.names
aliases = _NAMES.aliases


def bits(name: str) -> int | None:
    """Width of one element in bits: 4 for INT4, 8 for BOOL, 64 for COMPLEX64; None for STRING and DT_UNDEFINED.

    Raises:
        OpspecError: unknown dtype.
    """
    value: int | None = _NAMES.row(name)["bits"]
    return value


def kind(name: str) -> str:
    """``float`` (8-, 6- and 4-bit ones too), ``int``, ``uint``, ``bool``, ``complex``, ``string`` or ``undefined``.

    Raises:
        OpspecError: unknown dtype.
    """
    value: str = _NAMES.row(name)["kind"]
    return value


LOSSES = ("imaginary", "truth", "fraction", "sign", "values")  #: what a cast may lose; see :func:`lost`


def lost(old: str, new: str) -> str | None:
    """What values may lose that are cast from one dtype to another, each in any spelling.

    ``imaginary``: the imaginary part; ``truth``: all but whether they are zero; ``fraction``: what is behind the point;
    ``sign``: negative ones; ``values``: digits, or those that are too large or too small. None where every value of the
    one is a value of the other, and of dtypes that hold no numbers.

    Raises:
        OpspecError: unknown dtype.
    """
    kinds = before, after = kind(old), kind(new)
    if _NAMES.canonical(old) == _NAMES.canonical(new) or before == "bool" or not _NUMBERS.issuperset(kinds):
        return None
    if after == "bool":
        return "truth"
    if before == "complex" and after != "complex":
        return "imaginary"
    whole = after in ("int", "uint")
    if before == "float" and whole:
        return "fraction"
    if _fits(old, new):
        return None
    return "sign" if (before, after) == ("int", "uint") and (bits(new) or 0) >= (bits(old) or 0) else "values"


_NUMBERS = frozenset(("bool", "int", "uint", "float", "complex"))


def _fits(old: str, new: str) -> bool:
    """Whether a dtype of numbers has all values of another one: it is wider, and no part of it is narrower."""
    if (bits(new) or 0) <= (bits(old) or 0) or (kind(old), kind(new)) == ("int", "uint"):
        return False
    return all(mine >= theirs for mine, theirs in zip(_parts(new), _parts(old), strict=True))


def _parts(name: str) -> tuple[int, int]:
    """The binary digits of a number without its sign, and the bits of its exponent; an integer has none of these."""
    row = _NAMES.row(name)
    whole = row["bits"] - (row["kind"] == "int")
    return row.get("digits", whole), row.get("exponent", 0)
