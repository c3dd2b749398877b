"""``opspec schema``: the JSON Schemas of spec files, of calls, and of what commands write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from opspec.cli import options
from opspec.errors import OpspecError
from opspec.files import write_file
from opspec.jsontext import written

_OTHERS = ("call", "verdict", "inference", "fix", "explained")  # functions of opspec.docs.schemas
_DIFFS = {"diff": "diff", "diff-calls": "diff_calls"}  # of opspec.diff.schema


def run(words: list[str]) -> int:
    """The command."""
    target = options.parser(
        "schema",
        "Print the JSON Schema of spec files, for editors, or the reference of their format, for people; or the JSON "
        "Schema of a call, as 'opspec check' reads it, of a verdict, as it writes it, or of what 'opspec infer', "
        "'opspec repair' (fix), 'opspec explain' and 'opspec diff' (diff, and with --calls diff-calls) write.",
    )
    target.add_argument("of", nargs="?", choices=("spec", *_OTHERS, *_DIFFS), default="spec", help="default: spec")
    target.add_argument(
        "--output", choices=("json", "md"), default="json", help="JSON Schema (default), or the reference"
    )
    target.add_argument("--out", metavar="FILE", help="write to a file instead")
    asked = target.parse_args(words)
    text = _reference(asked.of) if asked.output == "md" else written(_schema(asked.of), 1) + "\n"
    if asked.out:
        write_file(asked.out, text)
    else:
        print(text, end="")
    return 0


def _schema(of: str) -> dict[str, Any]:
    from opspec.diff import schema as of_diffs
    from opspec.docs import schemas
    from opspec.model.schema import schema

    made: dict[str, Callable[[], dict[str, Any]]] = {name: getattr(schemas, name) for name in _OTHERS}
    made |= {name: getattr(of_diffs, function) for name, function in _DIFFS.items()}
    return made.get(of, schema)()


def _reference(of: str) -> str:
    if of != "spec":
        raise OpspecError(f"there is a reference in Markdown of spec files; of a {of} there is a JSON Schema")
    from opspec.docs.format import format_reference

    return format_reference()
