"""Reads records of kernels' definitions into the table of a release: what generated interfaces look up.

A record has a kernel on a product: ``inputs`` and ``outputs`` with ``kind`` and aligned columns of ``dtype`` and
``format``, ``attrs``, and whether the interface is ``generated``. Hand-written interfaces cast and transpose before
they look anything up, so that their kernels' combinations say little of a call: they are left out, but for those that
specs name, whose interfaces end in a generated one. So is what is of a product that no page knows.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from opspec.errors import OpspecError, shown
from opspec.model.kernels import OPTIONAL, Combinations, Kernel, Word
from opspec.model.raw import read as read_bytes
from opspec.model.raw import said
from opspec.vocabulary import dtypes, formats, products

#: keys of a spec that name a kernel
NAMING = ("generated_from", "looks_up")


def kernels(records: Iterable[Mapping[str, Any]], wanted: Container[str] = ()) -> Iterator[Kernel]:
    """The kernels of generated interfaces, by name; products with the same combinations lie together.

    Args:
        wanted: kernels that are read whether or not their own interfaces are generated.

    Raises:
        OpspecError: a record lacks something, or two of one kernel differ in more than their combinations.
    """
    found: dict[str, list[_OnProduct]] = {}
    for record in records:
        is_read = record.get("generated") or record.get("graph_op") in wanted
        if is_read and record.get("product") in products.ids():
            one = _on_product(record)
            found.setdefault(one.name, []).append(one)
    for name, several in sorted(found.items()):
        first = several[0]
        groups: dict[tuple[tuple[Word, ...], ...], list[str]] = {}
        for one in sorted(several, key=lambda one: products.ids().index(one.product)):
            if (one.inputs, one.attrs, one.outputs) != (first.inputs, first.attrs, first.outputs):
                raise OpspecError(f"the definitions of {name} on {first.product} and {one.product} differ in names")
            groups.setdefault(one.rows, []).append(one.product)
        combinations = tuple(Combinations(tuple(on), rows) for rows, on in groups.items())
        yield Kernel(name, first.inputs, first.attrs, first.outputs, combinations)


def named(folder: str) -> frozenset[str]:
    """The kernels that the specs of a release's folder name: whose generated interfaces theirs are or end in.

    Raises:
        OpspecError: a spec cannot be read.
    """
    specs = (read_bytes(str(path)) for path in Path(folder).rglob("*.yaml"))
    return frozenset(filter(None, (said(spec, key) for spec in specs for key in NAMING)))


@dataclass(frozen=True, slots=True)
class _OnProduct:
    name: str
    product: str
    inputs: dict[str, str]
    attrs: dict[str, str]
    outputs: dict[str, str]
    rows: tuple[tuple[Word, ...], ...]


def _on_product(record: Mapping[str, Any]) -> _OnProduct:
    try:
        inputs, attrs, outputs = (
            {str(item["name"]): str(item["kind"]) for item in record[part]} for part in ("inputs", "attrs", "outputs")
        )
        compared = [item for part in ("inputs", "outputs") for item in record[part] if item["kind"] != OPTIONAL]
        columns = [
            [
                (dtypes.canonical(dtype), formats.canonical(format_))
                for dtype, format_ in zip(item["dtype"], item["format"], strict=True)
            ]
            for item in compared
        ]
        rows = tuple(dict.fromkeys(zip(*columns, strict=True)))
        return _OnProduct(str(record["graph_op"]), str(record["product"]), inputs, attrs, outputs, rows)
    except (KeyError, TypeError, ValueError) as error:
        raise OpspecError(f"no record of a kernel: {record.get('graph_op')} lacks {error}") from None


def read(path: str) -> Iterator[dict[str, Any]]:
    """The records of a file of JSON lines, which may be compressed.

    Raises:
        OpspecError: it cannot be read, or a line is no JSON.
    """
    try:
        with gzip.open(path, "rb") if path.endswith(".gz") else open(path, "rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    record = json.loads(line)
                except (ValueError, RecursionError):
                    raise OpspecError("expected JSON", where=f"{path}:{number}") from None
                if not isinstance(record, dict):
                    raise OpspecError(f"a record is an object, found {shown(record)}", where=f"{path}:{number}")
                yield record
    except (OSError, EOFError) as error:
        raise OpspecError(f"cannot read: {error}", where=path) from None
