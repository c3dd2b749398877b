"""dtypes: canonical names (the pages' spelling), aclDataType numbers, widths and kinds.

Source: aclDataType of the public ACL headers, and the context page on dtypes (FLOAT = FLOAT32, DOUBLE = FLOAT64,
BF16 = BFLOAT16, in any case).
"""

from __future__ import annotations

from opspec.vocabulary.names import Names

_NAMES = Names("dtype", "dtypes", ("acl_", "dt_", "torch."))

canonical = _NAMES.canonical
from_number = _NAMES.from_number
names = _NAMES.names
aliases = _NAMES.aliases


def number(name: str) -> int:
    """The aclDataType value of a dtype in any spelling."""
    value: int = _NAMES.row(canonical(name))["number"]
    return value


def bits(name: str) -> int | None:
    """Width of one element in bits; None for STRING and DT_UNDEFINED."""
    value: int | None = _NAMES.row(canonical(name))["bits"]
    return value


def kind(name: str) -> str:
    """``float`` (8-, 6- and 4-bit ones too), ``int``, ``uint``, ``bool``, ``complex``, ``string`` or ``undefined``."""
    value: str = _NAMES.row(canonical(name))["kind"]
    return value
