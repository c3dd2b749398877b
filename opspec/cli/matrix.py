"""``opspec matrix``: what params of operators take on products."""

from __future__ import annotations

import argparse
import csv
import io
import sys
from collections.abc import Iterable
from dataclasses import asdict

from rich.table import Column, Table

from opspec.cli import options
from opspec.cli.list import add_filters, selected
from opspec.cli.tables import console
from opspec.docs.matrix import Line, Row, lines, rows
from opspec.errors import OpspecError
from opspec.registry.registry import registry
from opspec.validator.api import resolved
from opspec.vocabulary import dtypes, formats


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
        _print(lines(found, asked.cells), asked.cells, markdown=asked.output == "md")
    return 0


def _parser() -> argparse.ArgumentParser:
    target = options.parser(
        "matrix",
        "Show which tensor params of operators take which dtypes and formats on which products.",
        "Text and Markdown have a row for params that take the same on the same products; CSV and JSON one per "
        "operator, product and tensor param. Of an output, dtypes are listed that those of the inputs lead to. What "
        "holds under a condition only is listed too: 'opspec show' says when.",
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


def _print(found: list[Line], cells: str, *, markdown: bool) -> None:
    head = ["operator", "release", "products", "supported"]
    body = [[line.op, line.release, " ".join(line.products), line.support] for line in found]
    if cells != "support":
        head = [*head[:2], "params", *head[2:], cells]
        body = [
            [*cell[:2], " ".join(line.params), *cell[2:], " ".join(line.members)]
            for cell, line in zip(body, found, strict=True)
        ]
    if markdown:
        print("\n".join(f"| {' | '.join(line)} |" for line in [head, ["---"] * len(head), *body]))
        return
    table = Table(Column(head[0], no_wrap=True), *head[1:], box=None, pad_edge=False)
    for row in body:
        table.add_row(*row)
    console().print(table)
    count = len({(line.op, line.release) for line in found})
    print(options.number(count, "operator"), file=sys.stderr)


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
