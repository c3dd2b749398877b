"""``opspec kernels``: read records of kernels' definitions into a release's table."""

from __future__ import annotations

import os

from opspec.cli import options
from opspec.errors import OpspecError, printable
from opspec.files import write_file
from opspec.model.beside import is_release
from opspec.model.kernels import FILE, text_of
from opspec.workshop.kernels import kernels, named, read


def run(words: list[str]) -> int:
    """The command: 0 the table is written, 2 bad input."""
    target = options.parser(
        "kernels",
        "Read records of kernels' definitions into the table that generated interfaces look dtypes and formats up in; "
        "of others those that specs of the release name.",
    )
    target.add_argument("records", metavar="FILE", help="records: JSON lines, a kernel on a product each, also .gz")
    target.add_argument("--release", required=True, help="the release that they are of")
    target.add_argument("--out", metavar="DIR", required=True, help="the registry folder to write to")
    asked = target.parse_args(words)
    if not is_release(asked.release):
        raise OpspecError(f"expected a release such as 9.1.0, found {asked.release!r}")
    folder = os.path.join(asked.out, asked.release)
    lines = [text_of(kernel) for kernel in kernels(read(asked.records), named(folder))]
    if not lines:
        raise OpspecError("no kernels of generated interfaces there", where=asked.records)
    path = os.path.join(folder, FILE)
    write_file(path, "".join(f"{line}\n" for line in lines))
    print(f"{printable(path)}: {len(lines)} kernels of generated interfaces")
    return 0
