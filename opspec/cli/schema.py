"""``opspec schema``: the JSON Schema of spec files."""

from __future__ import annotations

import json

from opspec.cli import options
from opspec.files import write_file
from opspec.model.schema import schema


def _reference() -> str:
    from opspec.docs.format import format_reference

    return format_reference()


def run(words: list[str]) -> int:
    """The command."""
    target = options.parser(
        "schema", "Print the JSON Schema of spec files, for editors, or the reference of their format, for people."
    )
    target.add_argument(
        "--output", choices=("json", "markdown"), default="json", help="JSON Schema (default), or the reference"
    )
    target.add_argument("--out", metavar="FILE", help="write to a file instead")
    asked = target.parse_args(words)
    text = _reference() if asked.output == "markdown" else json.dumps(schema(), ensure_ascii=False, indent=1) + "\n"
    if asked.out:
        write_file(asked.out, text)
    else:
        print(text, end="")
    return 0
