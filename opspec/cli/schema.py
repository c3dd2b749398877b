"""``opspec schema``: the JSON Schema of spec files."""

from __future__ import annotations

import json

from opspec.cli import options
from opspec.files import write_file
from opspec.model.schema import schema


def run(words: list[str]) -> int:
    """The command."""
    target = options.parser("schema", "Print the JSON Schema of spec files; editors complete and check with it.")
    target.add_argument("--out", metavar="FILE", help="write to a file instead")
    asked = target.parse_args(words)
    text = json.dumps(schema(), ensure_ascii=False, indent=1) + "\n"
    if asked.out:
        write_file(asked.out, text)
    else:
        print(text, end="")
    return 0
