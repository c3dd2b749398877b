"""Cases as the table that the vendor's test kit has: a row a case, tensors side by side, attributes together.

A cell of tensors is a Python tuple with one entry for each param that is a tensor or a list of tensors, in the
operator's order; None stands for a null pointer, a tuple within for a list. Every other param is an attribute by name.
"""

from __future__ import annotations

import ast
import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from opspec.errors import OpspecError, did_you_mean, shown
from opspec.jsontext import written
from opspec.registry.registry import Form
from opspec.vocabulary import dtypes

#: facet of a tensor in a call -> column
FACETS = {
    "shape": "tensor_view_shapes", "dtype": "tensor_dtypes", "format": "tensor_formats",
    "strides": "tensor_view_strides", "offset": "tensor_view_offsets", "storage_shape": "tensor_storage_shapes",
    "storage_format": "tensor_storage_formats", "values": "tensor_values",
}  # fmt: skip
COLUMNS = (
    "testcase_name",
    "api_name",
    *FACETS.values(),
    "attributes",
    "product",
    "release",
    "expect",
    "breaks",
    "note",
)
_NEEDED = ("api_name", FACETS["shape"], FACETS["dtype"])

MOST_CELL = 1 << 20  # characters
MOST_DEPTH = 12  # of brackets within brackets
Forms = Callable[[str, "str | None"], Form]  # of an operator in a release, or in the newest
_TENSORS = ("tensor", "tensor_list")


def table(records: Iterable[tuple[Mapping[str, Any], Mapping[str, str]]]) -> Iterator[str]:
    """The table's lines, the heading first.

    Args:
        records: calls as ``opspec check`` reads them, each with the kinds of its operator's params.
    """
    yield _line(COLUMNS)
    for record, kinds in records:
        yield _line([_cell(value) for value in _row(record, kinds)])


def _line(cells: Sequence[str]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(cells)
    return text.getvalue()


def _cell(value: object) -> str:
    return value if isinstance(value, str) else repr(value)


def _row(record: Mapping[str, Any], kinds: Mapping[str, str]) -> Iterator[object]:
    args = record["args"]
    tensors = [args.get(name) for name, kind in kinds.items() if kind in _TENSORS]
    attributes = {name: args.get(name) for name, kind in kinds.items() if kind not in _TENSORS}
    yield record["id"]
    yield record["op"]
    for facet in FACETS:
        cell = tuple(_facets(value, facet) for value in tensors)
        yield cell if facet in ("shape", "dtype", "format") or any(map(_says, cell)) else ""
    yield written(attributes)
    yield record["product"]
    yield record["release"]
    yield record["expect"]
    yield " ".join(record["x-breaks"])
    yield record["note"]


def _facets(value: Any, facet: str) -> Any:
    if value is None:
        return None
    if "tensor_list" in value:
        return tuple(None if item is None else _facet(item, facet) for item in value["tensor_list"])
    return _facet(value["tensor"], facet)


def _facet(body: Mapping[str, Any], facet: str) -> Any:
    found = body.get(facet)
    if facet == "dtype" and isinstance(found, str):
        return found.lower()
    return tuple(found) if isinstance(found, list) else found


def _says(entry: Any) -> bool:
    return any(map(_says, entry)) if isinstance(entry, tuple) else entry is not None


# --- reading


def calls(text: str, forms: Forms, where: str) -> Iterator[dict[str, Any]]:
    """The calls of a table, as ``opspec check`` reads them.

    Args:
        forms: operator and release -> its form.

    Raises:
        OpspecError: a column is missing, or a cell is not what it should be.
    """
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True)
    try:
        rows = list(reader)
    except csv.Error as error:
        raise OpspecError(f"no CSV: {error}", where=where) from None
    rows = [row for row in rows if any(cell.strip() for cell in row)]
    if not rows:
        raise OpspecError("a heading and a row a case are expected, found nothing", where=where)
    heading = [cell.strip().lower() for cell in rows[0]]
    for column in _NEEDED:
        if column not in heading:
            raise OpspecError(f"there is no column {column}{did_you_mean(column, heading)}", where=where)
    for number, row in enumerate(rows[1:], 2):
        place = f"{where}, row {number}"
        if len(row) > len(heading):
            raise OpspecError(f"{len(row)} cells under {len(heading)} headings", where=place)
        cells = {name: cell.strip() for name, cell in zip(heading, row, strict=False) if cell.strip()}
        yield _call(cells, forms, place)


def _call(cells: Mapping[str, str], forms: Forms, where: str) -> dict[str, Any]:
    for column in _NEEDED:
        if column not in cells:
            raise OpspecError(f"{column} is empty", where=where)
    op = cells["api_name"]
    try:
        form = forms(op, cells.get("release"))
    except OpspecError as error:
        raise OpspecError(error.message, where=where) from None
    facets = {facet: _tuple(cells, column, where) for facet, column in FACETS.items() if column in cells}
    kinds = {param[0]: param[1] for param in form.params}
    named = [name for name, kind in kinds.items() if kind in _TENSORS]
    for facet, entries in facets.items():
        if len(entries) != len(named):
            expected = f"{len(named)} entries, for {', '.join(named)}"
            raise OpspecError(f"{FACETS[facet]} has {len(entries)}, expected {expected}", where=where)
    args: dict[str, Any] = {}
    for number, name in enumerate(named):
        its = {facet: cell[number] for facet, cell in facets.items()}
        args[name] = _argument(its, kinds[name], name, where)
    args.update(_attributes(cells, kinds, where))
    call: dict[str, Any] = {"id": cells["testcase_name"]} if "testcase_name" in cells else {}
    call["op"] = op
    call.update((key, cells[key]) for key in ("product", "release", "expect", "note") if key in cells)
    call["args"] = args
    if "breaks" in cells:
        call["x-breaks"] = cells["breaks"].split()
    return call


def _tuple(cells: Mapping[str, str], column: str, where: str) -> Sequence[Any]:
    found = _literal(cells[column], column, where)
    if not isinstance(found, (tuple, list)):
        raise OpspecError(f"{column} is a tuple with an entry a tensor, found {shown(cells[column])}", where=where)
    return found


def _literal(text: str, column: str, where: str) -> Any:
    """A Python literal, or JSON where it is one of those that Python writes otherwise."""
    if len(text) > MOST_CELL or _depth(text) > MOST_DEPTH:
        raise OpspecError(f"{column} is too long or too deep", where=where)
    try:
        tree = ast.parse(text.strip(), mode="eval").body
        return _value(tree)
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        raise OpspecError(f"{column}: a Python literal is expected, found {shown(text)}", where=where) from None


def _depth(text: str) -> int:
    deepest = depth = 0
    for char in text:
        depth += (char in "([{") - (char in ")]}")
        deepest = max(deepest, depth)
    return deepest


_JSON = {"null": None, "true": True, "false": False}


def _value(node: ast.expr) -> Any:
    """What a literal stands for; names of JSON among them."""
    match node:
        case ast.Name(id=name) if name in _JSON:
            return _JSON[name]
        case ast.Tuple(elts=items) | ast.List(elts=items):
            return [_value(item) for item in items]
        case ast.Dict(keys=keys, values=values) if None not in keys:
            return {_value(key): _value(value) for key, value in zip(keys, values, strict=True) if key is not None}
        case _:
            return ast.literal_eval(node)


def _argument(entries: Mapping[str, Any], kind: str, name: str, where: str) -> Any:
    """A tensor, a list of tensors, or null where there is no shape."""
    shape = entries["shape"]
    if shape is None:
        return None
    if kind == "tensor":
        return {"tensor": _body(entries)}
    for facet, entry in entries.items():
        if entry is not None and (not isinstance(entry, list) or len(entry) != len(shape)):
            raise OpspecError(f"{FACETS[facet]} of {name} is a tuple with an entry an element", where=where)
    items = [{facet: entry[i] for facet, entry in entries.items() if entry is not None} for i in range(len(shape))]
    return {"tensor_list": [None if item["shape"] is None else _body(item) for item in items]}


def _body(entries: Mapping[str, Any]) -> dict[str, Any]:
    body = {facet: value for facet, value in entries.items() if value is not None}
    if isinstance(body.get("dtype"), str):
        body["dtype"] = body["dtype"].upper() if body["dtype"].upper() in dtypes.names() else body["dtype"]
    return body


def _attributes(cells: Mapping[str, str], kinds: Mapping[str, str], where: str) -> dict[str, Any]:
    if "attributes" not in cells:
        return {}
    found = _literal(cells["attributes"], "attributes", where)
    if not isinstance(found, dict) or not all(isinstance(name, str) for name in found):
        raise OpspecError("attributes is a dict of values by param name", where=where)
    return {name: _attribute(value, kinds.get(name, "")) for name, value in found.items()}


def _attribute(value: Any, kind: str) -> Any:
    """A value in the form of calls: a plain list stands for an array, a name for a dtype."""
    if kind in ("int_array", "float_array", "bool_array", "scalar_list") and isinstance(value, list):
        return {kind: value}
    if kind == "dtype" and isinstance(value, str):
        return {"dtype": value}
    return value
