"""What a core gets through of a table of calls: rows in a second, and that against the reading of their JSON alone.

    python benchmarks/tables.py

The calls are examples of specs from all over the registry. Where all rows differ (in blanks alone) each is judged,
which is the most that legal rows cost; where they repeat themselves, as those of a fleet do, a row is a look-up.
``python benchmarks`` runs this with the others.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

import pyarrow
from check import Times, mixed
from figures import Figure, head

from opspec import frames

ROWS = 50_000  # of a partition
TARGET = 15.0  # % of the time that reading JSON alone takes, at least
REPEATED = 100.0


def table(calls: list[dict[str, Any]], *, different: bool) -> pyarrow.Table:
    """A partition of calls that come again and again, to the letter or with blanks that differ."""
    texts = [json.dumps(call["args"]) for call in calls]
    taken = [(calls[row % len(calls)], texts[row % len(calls)]) for row in range(ROWS)]
    args = [spaced(text, row // len(calls)) if different else text for row, (_, text) in enumerate(taken)]
    columns = {name: [call[name] for call, _ in taken] for name in ("op", "product")}
    return pyarrow.table({**columns, "args": args})


def spaced(text: str, number: int) -> str:
    """JSON whose blanks say the number, a digit each."""
    parts = text.split(", ")
    return parts[0] + "".join(f",{' ' * (1 + (number >> 3 * place & 7))}{part}" for place, part in enumerate(parts[1:]))


def loads(texts: list[str]) -> None:
    """What reading the arguments' JSON costs."""
    for text in texts:
        json.loads(text)


def figures() -> Iterator[Figure]:
    """What a partition costs whose rows all differ, and one that repeats itself."""
    calls = mixed()
    for what, different, least in (("all rows differ", True, TARGET), (f"{len(calls)} different", False, REPEATED)):
        rows = table(calls, different=different)
        texts = rows.column("args").to_pylist()
        times = Times({"json.loads": partial(loads, texts), "check": partial(frames.check, rows)}, turns=5)
        cost = f"{ROWS / times.best('check') / 1000:.0f}k rows/s"
        share = 100 * times.ratio("json.loads", "check")
        yield Figure(f"frames.check on one core, {what}: json.loads to it", cost, share, "%", least, least=True)


if __name__ == "__main__":
    print(head(), *figures(), sep="\n")
