"""Tables of calls to tables of verdicts, a partition at a time: for logs that one process does not get through.

``tables`` has :func:`check`, which takes and gives Arrow and pandas; ``cells`` makes calls of rows, ``rows`` judges
them, ``files`` reads logs. What spreads partitions over machines (Spark, Ray, Dask) calls :func:`check`, and is not
known here.
"""

from opspec.frames.files import read
from opspec.frames.rows import COLUMNS, DDL
from opspec.frames.tables import check

__all__ = ["COLUMNS", "DDL", "check", "read"]
