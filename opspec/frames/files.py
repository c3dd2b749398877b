"""Logs of calls as tables: JSONL that ``OPSPEC_RECORD`` wrote, and Parquet that somebody made of it."""

from __future__ import annotations

import os
from collections.abc import Iterator

from opspec.errors import OpspecError, shown
from opspec.frames.arrow import arrow
from opspec.frames.cells import WHOLE, columns_of, parts_of, plain, whole_call
from opspec.frames.rows import raw_call
from opspec.later import later
from opspec.validator.batch import Judge
from opspec.validator.files import MIB, BrokenCall, Lines, Place, RawCall, read_pieces

TYPE_CHECKING = False
if TYPE_CHECKING:
    import pyarrow
else:
    pyarrow = later("pyarrow")

SUFFIX = ".parquet"
ROWS = 65_536  #: of a batch, at most
_MOST_TEXT = 64 * MIB  #: of a batch of lines


def read(path: str | os.PathLike[str]) -> Iterator[pyarrow.RecordBatch]:
    """The record batches of a log, for :func:`opspec.frames.check`.

    Args:
        path: of a Parquet file, whose columns they have; or of JSONL (also ``.gz``), whose lines are in a column
            ``call`` with their numbers in ``line``.

    Raises:
        OpspecError: the file cannot be read, or there is no pyarrow.
    """
    name = os.fspath(path)
    return _parquet(name) if is_parquet(name) else _jsonl(name)


def is_parquet(name: str) -> bool:
    """Whether a file's name says that it is Parquet."""
    return name.lower().endswith(SUFFIX)


def calls(name: str, judge: Judge) -> Iterator[RawCall | BrokenCall]:
    """The calls of a Parquet file, each with its row's number, from 1.

    Raises:
        OpspecError: the file cannot be read or holds no calls, or there is no pyarrow.
    """
    number = 0
    for batch in _parquet(name):
        try:
            cells = {column: batch.column(column).to_pylist() for column in columns_of(batch.schema.names)}
        except OpspecError as error:
            raise error.at(name) from None
        ids = batch.column("id").to_pylist() if "id" in batch.schema.names else [None] * batch.num_rows
        for row, own in zip(cells[WHOLE] if WHOLE in cells else parts_of(cells), ids, strict=True):
            number += 1
            yield _call((name, number), row, plain(own), judge)


def _call(place: Place, row: object, own: object, judge: Judge) -> RawCall | BrokenCall:
    name, number = place
    where = f"{name}: row {number}"
    try:
        found = raw_call(judge, row) if isinstance(row, tuple) else whole_call(row)
    except OpspecError as error:
        return BrokenCall(number, where, error.at(where), place)
    if own is not None:
        found.data["id"] = own
    return RawCall(number, where, found.data, place)


def _parquet(name: str) -> Iterator[pyarrow.RecordBatch]:
    pa = arrow()
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(name) as file:
            yield from file.iter_batches(ROWS)
    except OSError as error:
        raise OpspecError(f"cannot be read: {error.strerror or error}", where=name) from None
    except pa.ArrowException as error:
        raise OpspecError(f"no Parquet that can be read: {shown(str(error), 200)}", where=name) from None


def _jsonl(name: str) -> Iterator[pyarrow.RecordBatch]:
    pa = arrow()
    texts: list[str] = []
    numbers: list[int] = []
    size = 0
    for number, text in _lines(name):
        texts.append(text)
        numbers.append(number)
        size += len(text)
        if len(texts) == ROWS or size > _MOST_TEXT:
            yield pa.RecordBatch.from_pydict({WHOLE: texts, "line": numbers})
            texts, numbers, size = [], [], 0
    if texts:
        yield pa.RecordBatch.from_pydict({WHOLE: texts, "line": numbers})


def _lines(name: str) -> Iterator[tuple[int, str]]:
    """Number and text of each line that is not blank; bytes that are no UTF-8 become what is no JSON, either."""
    for piece in read_pieces(name, kind="jsonl"):
        if isinstance(piece, Lines):
            for number, line in piece.texts():
                text = line if isinstance(line, str) else line.decode(errors="backslashreplace")
                if text.strip():
                    yield number, text.rstrip("\r\n")
