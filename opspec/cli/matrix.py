"""``opspec matrix``: operators × products × dtypes and formats."""

from __future__ import annotations

import csv
import io
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from rich.table import Column, Table

from opspec.cli import options
from opspec.cli.list import add_filters, selected
from opspec.cli.tables import console
from opspec.errors import OpspecError
from opspec.registry.registry import registry
from opspec.validator.api import resolved
from opspec.vocabulary import dtypes, formats, products
from opspec.workshop.matrix import Row, rows

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

MARKS = {"yes": "✓", "no": "✗", "unknown": "?"}


def run(words: list[str]) -> int:
    """The command: 0 something found, 2 nothing."""
    asked = _parser().parse_args(words)
    only = (resolved(asked.product)[0] or "",) if asked.product else ()
    entries = options.counted(selected(registry(asked.specs), asked), lambda entry: entry.operator)
    found = [row for row in rows(entries, only) if _wanted(row, asked)]
    if not found:
        raise OpspecError("no operator there takes them: see opspec matrix without --dtype and --format")
    if asked.output == "json":
        options.print_json([asdict(row) for row in found])
    elif asked.output == "csv":
        print(_csv(found), end="")
    else:
        missing = "–" if asked.dtype or asked.format else MARKS["unknown"]
        _print(_cells(found, asked.cells, missing), markdown=asked.output == "md")
    return 0


def _parser() -> argparse.ArgumentParser:
    target = options.parser(
        "matrix",
        "Show which operators take which dtypes and formats on which products.",
        "Text and Markdown have a row per operator and a column per product; CSV and JSON a row per operator, product "
        "and tensor param. What holds under a condition only is listed too: 'opspec show' says when.",
    )
    target.add_argument("pattern", nargs="?", default="*", help="operators, with * and ? (default: all)")
    add_filters(target)
    target.add_argument("--dtype", help="only where some tensor param takes this dtype")
    target.add_argument("--format", help="only where some tensor param takes this format")
    target.add_argument("--cells", choices=("support", "dtypes", "formats"), default="dtypes", help="what a cell shows")
    target.add_argument("--output", choices=("text", "md", "csv", "json"), default="text")
    options.add_specs(target)
    return target


def _wanted(row: Row, asked: argparse.Namespace) -> bool:
    return (asked.dtype is None or dtypes.canonical(asked.dtype) in row.dtypes) and (
        asked.format is None or formats.canonical(asked.format) in row.formats
    )


def _cells(found: Iterable[Row], cells: str, missing: str) -> list[list[str]]:
    """A head and a row per operator: what its tensor params together take on each product."""
    table: dict[tuple[str, str], dict[str, dict[str, None]]] = {}
    for row in found:
        cell = table.setdefault((row.op, row.release), {}).setdefault(row.product, {})
        names = (MARKS[row.support],) if cells == "support" or row.support == "no" else getattr(row, cells)
        cell.update(dict.fromkeys(names))
    columns = [name for name in products.ids() if any(name in line for line in table.values())]
    lines = [["operator", "release", *columns]]
    for (op, release), line in table.items():
        lines.append([op, release, *(" ".join(line[name]) if name in line else missing for name in columns)])
    return lines


def _print(lines: list[list[str]], *, markdown: bool) -> None:
    head, *body = lines
    if markdown:
        print("\n".join(f"| {' | '.join(line)} |" for line in [head, ["---"] * len(head), *body]))
        return
    table = Table(Column(head[0], no_wrap=True), *head[1:], box=None, pad_edge=False)
    for line in body:
        table.add_row(*line)
    console().print(table)
    print(f"{len(body)} operator{'' if len(body) == 1 else 's'}", file=sys.stderr)


def _csv(found: Iterable[Row]) -> str:
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow(["op", "release", "product", "support", "param", "io", "dtypes", "formats"])
    for row in found:
        writer.writerow(
            [
                row.op,
                row.release,
                row.product,
                row.support,
                row.param,
                row.io,
                " ".join(row.dtypes),
                " ".join(row.formats),
            ]
        )
    return target.getvalue()
