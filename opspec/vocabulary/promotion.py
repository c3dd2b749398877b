"""Type promotion and conversion.

Source: the context pages on promotion between tensors, between tensor and scalar, and on conversion; identical in all
four repositories of release 9.1.0.
"""

from __future__ import annotations

import functools

from opspec.vocabulary import dtypes
from opspec.vocabulary.tables import table


@functools.cache
def _table(name: str) -> dict[tuple[str, str], str]:
    data = table("promotion")
    order = data["order"]
    return {
        (row, column): cell
        for row, cells in zip(order, data[name], strict=True)
        for column, cell in zip(order, cells, strict=True)
        if cell
    }


def _look_up(name: str, row: str, column: str) -> str | None:
    if row == column and isinstance(row, str):
        return dtypes.canonical(row)
    found = _table(name).get((row, column)) if isinstance(row, str) and isinstance(column, str) else None
    if found is not None:
        return found
    row, column = dtypes.canonical(row), dtypes.canonical(column)  # a cross, or another spelling
    return row if row == column else _table(name).get((row, column))


def promote(a: str, b: str) -> str | None:
    """The dtype that two tensors' dtypes promote to, or None where the table has a cross or lacks one of them.

    Two equal dtypes promote to themselves even when the table lacks them: nothing has to be converted. Any spelling.

    Raises:
        OpspecError: unknown dtype.
    """
    return _look_up("tensor_tensor", a, b)


def promote_scalar(tensor: str, scalar: str) -> str | None:
    """The dtype that a tensor and a scalar promote to, or None where the table has a cross or lacks one of them.

    A tensor and a scalar of the same dtype the table lacks keep it: nothing has to be converted. Where the table has
    the pair it decides, also on its diagonal. Any spelling.

    Raises:
        OpspecError: unknown dtype.
    """
    return _look_up("tensor_scalar", scalar, tensor)


@functools.cache
def _reach() -> dict[str, frozenset[str]]:
    """dtype -> dtypes it converts to; the classes are in order: each converts to its own and to later ones."""
    classes: list[list[str]] = table("promotion")["convertible"]
    reach: dict[str, frozenset[str]] = {}
    for i, members in enumerate(classes):
        later = [name for other in classes[i:] for name in other]
        for name in members:
            reach[name] = frozenset(later)
    return reach


def castable(source: str, target: str) -> bool:
    """Whether a result of one dtype may be converted to another.

    BOOL converts to integers, floats and complex; integers among themselves and to floats and complex; floats among
    themselves and to complex; complex among themselves. Others (COMPLEX32, FLOAT8 …) convert to nothing else. A dtype
    always converts to itself. Any spelling.

    Raises:
        OpspecError: unknown dtype.
    """
    if isinstance(source, str) and isinstance(target, str) and target in _reach().get(source, ()):
        return True
    source, target = dtypes.canonical(source), dtypes.canonical(target)
    return source == target or target in _reach().get(source, ())
