"""``opspec new``: begin the spec of an operator of one's own."""

from __future__ import annotations

import os

from opspec.calls.examples.legal import legal_calls
from opspec.calls.examples.written import with_example
from opspec.cli import options
from opspec.errors import OpspecError, printable, shown
from opspec.files import make_folder, read_bytes, write_file
from opspec.model.beside import is_release
from opspec.registry.registry import Registry, definition_of
from opspec.workshop.skeleton import UNARY, params_of, skeleton

_MOST_BYTES = 16 * 1024 * 1024


def run(words: list[str]) -> int:
    """The command: 0 begun, 2 nothing written."""
    target = options.parser(
        "new",
        "Begin the spec of an operator of your own: a file that lints clean, to be made true. Params come from the "
        "operator's prototype; the first tensor takes two dtypes, the others are like it, and an example is made.",
    )
    target.add_argument("op", metavar="OP", help="the operator: aclnnScaleShift")
    target.add_argument("--specs", metavar="DIR", required=True, help="the registry folder that it goes into")
    target.add_argument("--release", default="1.0", help="the release that it is of (default: 1.0)")
    target.add_argument("--family", default="own", help="the folder below the release (default: own)")
    target.add_argument("--prototype", metavar="FILE", help="a header or a source that declares its first phase")
    asked = target.parse_args(words)
    for name, word in (("release", asked.release), ("family", asked.family)):
        if os.path.basename(word) != word or word in ("", ".", ".."):
            raise OpspecError(f"--{name} names a folder, found {shown(word)}")
    if not is_release(asked.release):
        raise OpspecError(f"a release is numbers with dots between them, as 1.0, found {shown(asked.release)}")
    params = UNARY
    if asked.prototype is not None:
        text = read_bytes(asked.prototype, _MOST_BYTES).decode("utf-8", "replace")
        params = params_of(asked.op, text, asked.prototype)
    text = skeleton(asked.op, params)
    path = os.path.join(asked.specs, asked.release, asked.family, f"{asked.op}.yaml")
    if os.path.exists(path):
        raise OpspecError("there is a spec already", where=path)
    make_folder(os.path.dirname(path))
    write_file(path, text)
    _give_example(asked.specs, asked.op, asked.release)
    print(f"{printable(path)}: fill in what it computes, its products, dtypes, shapes and rules; then")
    for command in ("lint", f"example {asked.op} --specs", "check CALLS.jsonl --specs", f"docs {asked.op} --specs"):
        print(f"  opspec {command} {printable(asked.specs)}")
    return 0


def _give_example(specs: str, operator: str, release: str) -> None:
    known = Registry((specs,))
    entry = known.find(operator, release)
    definition = definition_of(entry)
    for call in legal_calls(definition, known.form(operator, release)):
        write_file(entry.path, with_example(definition, {"product": call["product"], "args": call["args"]}))
