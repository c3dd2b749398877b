"""``opspec c``: write the rules of operators as C."""

from __future__ import annotations

from opspec.cli import options
from opspec.cli.building import specs_of
from opspec.codegen.rules.library import library_files, operator_path, runtime_files
from opspec.codegen.rules.operator import operator_file
from opspec.errors import printable
from opspec.files import write_below
from opspec.registry.registry import definition_of, registry


def run(words: list[str]) -> int:
    """The command: 0 written, 2 something has no form in C."""
    target = options.parser(
        "c",
        "Write the rules of operators as C11: one file per operator, a registry per family, the run time they need, "
        "Makefile and CMakeLists.txt. The code needs libc only, and comes to the verdicts of 'opspec check'.",
    )
    target.add_argument("ops", metavar="OP", nargs="*", help="operators (default: all of the release)")
    options.add_release(target, "the release", required=True)
    target.add_argument("--out", metavar="DIR", required=True, help="the folder to write to; made when it is not there")
    options.add_specs(target)
    asked = target.parse_args(words)
    families: dict[str, list[str]] = {}
    files = runtime_files()
    entries = specs_of(registry(asked.specs), asked.ops, asked.release)
    for entry in options.counted(entries, lambda entry: entry.operator):
        families.setdefault(entry.family, []).append(entry.operator)
        files[operator_path(entry.family, entry.operator)] = operator_file(definition_of(entry))
    files |= library_files(families)
    write_below(asked.out, files)
    print(f"{printable(asked.out)}: {options.number(len(entries), 'operator')} of {asked.release} in C")
    return 0
