"""``opspec language``: the reference of the rule language."""

from __future__ import annotations

from opspec.cli import options
from opspec.docs.reference import reference
from opspec.files import write_file


def run(words: list[str]) -> int:
    """The command."""
    target = options.parser("language", "Print the reference of the rule language, made from its own tables.")
    target.add_argument("--out", metavar="FILE", help="write to a file instead")
    asked = target.parse_args(words)
    if asked.out:
        write_file(asked.out, reference())
    else:
        print(reference(), end="")
    return 0
