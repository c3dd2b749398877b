"""``opspec.frames.check``: a table of Arrow or pandas in, one of the same kind out."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import lru_cache
from typing import TypeVar

from opspec.errors import OpspecError, shown
from opspec.frames.arrow import arrow
from opspec.frames.cells import columns_of
from opspec.frames.rows import COLUMNS, Judged, Rows
from opspec.vocabulary.literals import Lang

TYPE_CHECKING = False
if TYPE_CHECKING:
    import pandas
    import pyarrow

#: a pyarrow.Table, a pyarrow.RecordBatch or a pandas.DataFrame
T = TypeVar("T")


def check(
    table: T,
    *,
    keep: Sequence[str] = (),
    product: str | None = None,
    release: str | None = None,
    specs: Sequence[str] | str = (),
    lang: Lang = "en",
) -> T:
    """Judge the calls of a table: a row in, a row out, in the same order.

    Args:
        table: a ``pyarrow.Table``, ``pyarrow.RecordBatch`` or ``pandas.DataFrame`` with the columns ``op`` and ``args``
            (JSON text, or a struct) and, where calls say so, ``product`` and ``release``; or with a column ``call``,
            whose texts are lines as ``OPSPEC_RECORD`` writes them.
        keep: columns of it that come first in the result: whatever names a call.
        product, release: win over what a row says.
        specs: registry folders beside the built-in one.
        lang: language of the messages, ``"en"`` or ``"zh"``.

    Returns:
        A table of the same kind, with the columns :data:`~opspec.frames.COLUMNS` behind those that are kept. What
        cannot be judged has null in all of them but ``error``.

    Raises:
        OpspecError: it is no such table, or has no such column; unknown product or language. Never for a row.
    """
    for name, value in (("product", product), ("release", release), ("lang", lang)):
        if value is not None and not isinstance(value, str):
            raise OpspecError(f"a text is expected, found {shown(value)}", where=name)
    judge = _rows(release, product, (specs,) if isinstance(specs, str) else tuple(specs), lang)
    pandas_ = sys.modules.get("pandas")
    if pandas_ is not None and isinstance(table, pandas_.DataFrame):
        frame: T = _of_pandas(table, keep, judge)
        return frame
    arrow_ = arrow()
    if isinstance(table, (arrow_.Table, arrow_.RecordBatch)):
        found: T = _of_arrow(table, keep, judge)
        return found
    raise OpspecError(
        f"expected a pyarrow.Table, a pyarrow.RecordBatch or a pandas.DataFrame, found {shown(table)}", where="table"
    )


@lru_cache(maxsize=16)  # a worker is given partition after partition
def _rows(release: str | None, product: str | None, specs: tuple[str, ...], lang: Lang) -> Rows:
    return Rows(release, product, specs, lang)


def _of_arrow(
    table: pyarrow.Table | pyarrow.RecordBatch, keep: Sequence[str], judge: Rows
) -> pyarrow.Table | pyarrow.RecordBatch:
    names = table.schema.names
    _check_kept(keep, names)
    judged = judge.judged({name: table.column(name).to_pylist() for name in columns_of(names)})
    found = _verdicts(judged)
    arrays = [*(table.column(name) for name in keep), *found.columns]
    fields = [*(table.schema.field(name) for name in keep), *found.schema]
    return type(table).from_arrays(arrays, schema=arrow().schema(fields))


def _of_pandas(frame: pandas.DataFrame, keep: Sequence[str], judge: Rows) -> pandas.DataFrame:
    import pandas

    names = [name for name in frame.columns if isinstance(name, str)]
    _check_kept(keep, names)
    cells = {name: frame[name].astype(object).where(frame[name].notna(), None).tolist() for name in columns_of(names)}
    found = arrow().Table.from_batches([_verdicts(judge.judged(cells))]).to_pandas(types_mapper=pandas.ArrowDtype)
    found.index = frame.index
    return pandas.concat([frame[list(keep)], found], axis=1) if keep else found


def _check_kept(keep: Sequence[str], names: Sequence[str]) -> None:
    """Raises:
    OpspecError: a column to keep is not there, or has the name of one of a verdict.
    """
    if isinstance(keep, str):
        raise OpspecError(f"a list of columns is expected, found {shown(keep)}", where="keep")
    for name in keep:
        if name in COLUMNS:
            raise OpspecError(
                f"a verdict has a column {shown(name)} of its own: rename that of the table", where="keep"
            )
        if name not in names:
            raise OpspecError(f"there is no column {shown(name)}", where="keep")


def _verdicts(judged: Judged) -> pyarrow.RecordBatch:
    """Rows of the verdicts that differ, each as often and where it belongs."""
    pa = arrow()
    columns = list(zip(*judged.told, strict=True)) or [()] * len(COLUMNS)
    types = {
        "boolean": pa.bool_(),
        "int": pa.int32(),
        "string": pa.string(),
        "array<string>": pa.list_(pa.string()),
    }
    schema = pa.schema([(name, types[kind]) for name, kind in COLUMNS.items()])
    arrays = [pa.array(cells, field.type) for cells, field in zip(columns, schema, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema).take(pa.array(judged.places, pa.int64()))
