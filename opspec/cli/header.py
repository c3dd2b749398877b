"""``opspec header``: write the prototypes of operators."""

from __future__ import annotations

import os
import sys

from opspec.cli import options
from opspec.codegen.prototypes import by_header, guard_of, header
from opspec.errors import OpspecError, printable
from opspec.files import write_below, write_file
from opspec.model.definition import Definition
from opspec.registry.registry import Registry, definition_of, registry


def run(words: list[str]) -> int:
    """The command: 0 written, 2 an operator has no prototype that could be right."""
    target = options.parser(
        "header",
        "Write the prototypes of operators as a header for C11 and C++17, which agrees with CANN's own.",
        "A partial spec has none: named, it is an error; otherwise it is left out and named on standard error.",
    )
    target.add_argument("ops", metavar="OP", nargs="*", help="the operators (default: all of the release)")
    options.add_release(target, "the release (default: the newest)")
    target.add_argument("--out", metavar="FILE|DIR", help="where to write (default: standard output)")
    target.add_argument("--by-header", action="store_true", help="a file per header of CANN, under its name in DIR")
    options.add_specs(target)
    asked = target.parse_args(words)
    if asked.by_header and not asked.out:
        raise OpspecError("--by-header writes several files: name their folder with --out; see opspec header --help")
    definitions = _definitions(registry(asked.specs), asked.ops, asked.release)
    if asked.by_header:
        print("\n".join(map(printable, write_below(asked.out, by_header(definitions)))))
    elif asked.out:
        write_file(asked.out, header(definitions, guard_of(os.path.basename(asked.out))))
    else:
        print(header(definitions, guard_of("aclnn.h")), end="")
    return 0


def _definitions(known: Registry, ops: list[str], release: str | None) -> list[Definition]:
    if ops:
        named = [definition_of(known.find(op, release)) for op in dict.fromkeys(ops)]
        for definition in named:
            if definition.spec.partial is not None:
                text = definition.spec.partial.text("en")
                raise OpspecError(f"the spec is partial, so its prototypes may be wrong: {text}", where=definition.name)
        return named
    releases = known.releases()
    known.check_release(release)
    entries = known.entries(release or releases[-1]) if releases else {}
    listed = [entry for _, entry in sorted(entries.items())]
    definitions = [definition_of(entry) for entry in options.counted(listed, lambda entry: entry.operator)]
    for definition in definitions:
        if definition.spec.partial is not None:
            print(f"opspec: {definition.name}: left out, the spec is partial", file=sys.stderr)
    return [definition for definition in definitions if definition.spec.partial is None]
