"""dtypes: canonical names (the pages' spelling), aclDataType numbers, widths and kinds.

Source: aclDataType of the public ACL headers, and the context page on dtypes (FLOAT = FLOAT32, DOUBLE = FLOAT64,
BF16 = BFLOAT16, in any case). Names of torch, NumPy and ml_dtypes are accepted where they mean exactly one dtype.
"""

from __future__ import annotations

from opspec.vocabulary.names import Names

_NAMES = Names("dtype", "dtypes", ("acl_", "dt_", "torch.", "torch_npu.", "numpy.", "np.", "ml_dtypes.", "mindspore."))

canonical = _NAMES.canonical
from_number = _NAMES.from_number
names = _NAMES.names
aliases = _NAMES.aliases


def number(name: str) -> int:
    """The aclDataType value of a dtype in any spelling.

    Raises:
        OpspecError: unknown dtype.
    """
    value: int = _NAMES.row(name)["number"]
    return value


def enumerator(name: str) -> str:
    """The aclDataType enumerator of a dtype in any spelling: ``ACL_BF16``.

    Raises:
        OpspecError: unknown dtype.
    """
    value: str = _NAMES.row(name)["enum"]
    return value


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
