"""``opspec fmt``: write spec files in their canonical form."""

from __future__ import annotations

import sys

from opspec.cli import options
from opspec.cli.lint import spec_files
from opspec.errors import printable
from opspec.files import read_bytes, read_standard_input, write_file
from opspec.model.canonical import canonical
from opspec.model.load import beside
from opspec.registry import folders


def run(words: list[str]) -> int:
    """The command: 0 done or nothing to do, 1 with --check and a file that is not canonical."""
    target = options.parser(
        "fmt", "Write spec files in their canonical form: order of keys, block style, quoted expressions."
    )
    target.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="spec files or folders, '-' for standard input to output (default: the built-in registry)",
    )
    target.add_argument(
        "--check", action="store_true", help="change nothing; name the files that are not canonical and exit 1"
    )
    asked = target.parse_args(words)
    if asked.paths == ["-"]:
        sys.stdout.write(_canonical(read_standard_input(), "<stdin>"))
        return 0
    changed = 0
    for path in [path for root in asked.paths or [folders.built_in()] for path in spec_files(root)]:
        before = read_bytes(path)
        after = _canonical(before, path)
        if after.encode() != before:
            changed += 1
            print(f"{'would change' if asked.check else 'changed'} {printable(path)}")
            if not asked.check:
                write_file(path, after)
    return 1 if asked.check and changed else 0


def _canonical(text: bytes, path: str) -> str:
    """The canonical text of a spec that fits the model, together with what it extends."""
    return canonical(text, path, lambda operator: beside(path, operator))
