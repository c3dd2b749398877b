"""Type promotion and conversion.

Source: the context pages on promotion between tensors, between tensor and scalar, and on conversion; identical in all
four repositories of release 9.1.0.
"""

from __future__ import annotations

from opspec.vocabulary import dtypes
from opspec.vocabulary.tables import table

_TABLES: dict[str, dict[tuple[str, str], str]] = {}


def _table(name: str) -> dict[tuple[str, str], str]:
    if name not in _TABLES:
        data = table("promotion")
        order = data["order"]
        _TABLES[name] = {
            (row, column): cell
            for row, cells in zip(order, data[name], strict=True)
            for column, cell in zip(order, cells, strict=True)
            if cell
        }
    return _TABLES[name]


def promote(a: str, b: str) -> str | None:
    """The dtype that two tensors' dtypes promote to, or None where the table has a cross.

    A dtype that the table does not name promotes with itself only: nothing has to be converted.
    """
    return a if a == b else _table("tensor_tensor").get((a, b))


def promote_scalar(tensor: str, scalar: str) -> str | None:
    """The dtype that a tensor and a scalar promote to, or None where the table has a cross.

    A dtype that the table does not name promotes with itself only.
    """
    return tensor if tensor == scalar else _table("tensor_scalar").get((scalar, tensor))


_RANKS = {"bool": 0, "int": 1, "uint": 1, "float": 2, "complex": 3}
_CONVERTIBLE = frozenset({
    "FLOAT16", "FLOAT", "DOUBLE", "BFLOAT16", "INT8", "UINT8", "INT16", "UINT16", "INT32", "UINT32", "INT64", "UINT64",
    "COMPLEX64", "COMPLEX128", "BOOL",
})  # fmt: skip


def castable(source: str, target: str) -> bool:
    """Whether a result of one dtype may be converted to another.

    BOOL converts to integers, floats and complex; integers among themselves and to floats and complex; floats among
    themselves and to complex; complex among themselves. A dtype always converts to itself.
    """
    if source == target:
        return True
    if source not in _CONVERTIBLE or target not in _CONVERTIBLE or target == "BOOL":
        return False
    return _RANKS[dtypes.kind(source)] <= _RANKS[dtypes.kind(target)]
