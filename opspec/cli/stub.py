"""``opspec stub``: write an operator's wrapper, header, example program and build file."""

from __future__ import annotations

from opspec.cli import options
from opspec.codegen.stubs.call import stub
from opspec.errors import printable
from opspec.files import write_below
from opspec.registry.registry import definition_of, registry


def run(words: list[str]) -> int:
    """The command: 0 written, 2 there can be no stub."""
    target = options.parser(
        "stub",
        "Write C that calls an operator: a wrapper for tensors in device memory with its header, the spec's example as "
        "a program that prints its results, CMakeLists.txt.",
        "The files are C11 and C++17, and compile with and without CANN's headers. Without an example in the spec the "
        "program's arguments are placeholders. A partial spec has no stub.",
    )
    target.add_argument("op", metavar="OP", help="the operator")
    options.add_release(target, "the release (default: the newest that has the operator)")
    target.add_argument("--out", metavar="DIR", required=True, help="the folder to write to; made when it is not there")
    target.add_argument(
        "--check", action="store_true", help="with the operator's rules in C, which the wrapper asks before it calls"
    )
    options.add_specs(target)
    asked = target.parse_args(words)
    files = stub(definition_of(registry(asked.specs).find(asked.op, asked.release)), check=asked.check)
    print("\n".join(map(printable, write_below(asked.out, files))))
    return 0
