"""Rows of a table as calls: of JSON text, of structs, of what NumPy and pandas put in their place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from opspec.errors import OpspecError, shown
from opspec.validator.files import RawCall, json_value

#: op, release, product, args and unknown arguments of a row, as they stand there
Parts: TypeAlias = tuple[object, object, object, object, object]
#: column -> its cells, null as None
Cells: TypeAlias = Mapping[str, Sequence[object]]

WHOLE = "call"  #: the column of calls that are a line of JSONL each
PARTS = ("op", "release", "product", "args")
_NEEDED = ("op", "args")
UNKNOWN = "unknown"  #: names of arguments that a recorder did not know


def columns_of(names: Sequence[str]) -> tuple[str, ...]:
    """Which of a table's columns hold its calls.

    Raises:
        OpspecError: none do.
    """
    if all(name in names for name in _NEEDED):
        return tuple(name for name in (*PARTS, UNKNOWN) if name in names)
    if WHOLE in names:
        return (WHOLE,)
    listed = ", ".join(map(shown, names)) or "none"
    raise OpspecError(f"a table of calls has the columns op and args, or {WHOLE}; its columns are {listed}")


def parts_of(cells: Cells) -> Iterator[Parts]:
    """The rows of a table that has a column for each part of a call."""
    nothing: Sequence[object] = (None,) * len(cells["args"])
    columns = [cells.get(name, nothing) for name in (*PARTS, UNKNOWN)]
    for op, release, product, args, unknown in zip(*columns, strict=True):
        yield op, release, product, args, None if unknown is None else plain(unknown) or None


def whole_call(text: object) -> RawCall:
    """The call that a line of JSONL is.

    Raises:
        OpspecError: it is none.
    """
    data = json_value(text) if isinstance(text, str) else text
    if not isinstance(data, dict):
        raise OpspecError(f"a call is an object, found {shown(data)}")
    return RawCall(1, "", data)


def call_of_parts(parts: Parts, params: Sequence[str]) -> RawCall:
    """The call of a row.

    Args:
        params: of the operator. A struct has fields for all operators of its column: what is null there, and no param
            of this one, is not there.

    Raises:
        OpspecError: ``args`` is text that is no JSON.
    """
    op, release, product, args, unknown = map(plain, parts)
    if isinstance(args, str):
        args = json_value(args)
    elif isinstance(args, dict):
        args = {name: _present(value) for name, value in args.items() if value is not None or name in params}
    product = int(product) if isinstance(product, float) and product.is_integer() else product  # 910 beside nulls
    return RawCall(1, "", {"op": op, "args": args, "release": release, "product": product, UNKNOWN: unknown or []})


def plain(value: object) -> object:
    """A cell as JSON values: arrays and numbers of NumPy become those of Python."""
    kind = type(value)
    if kind is str or value is None:
        return value
    if kind is dict:
        return {name: plain(item) for name, item in value.items()}  # type: ignore[attr-defined]
    if kind is list or kind is tuple:
        return [plain(item) for item in value]  # type: ignore[attr-defined]
    as_list = getattr(value, "tolist", None)
    return plain(as_list()) if as_list is not None and not isinstance(value, type) else value


def _present(value: object) -> object:
    """Of a struct what is not null, at any depth; elements of lists keep their places."""
    if isinstance(value, dict):
        return {name: _present(item) for name, item in value.items() if item is not None}
    return [_present(item) for item in value] if isinstance(value, list) else value
