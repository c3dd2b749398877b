"""``opspec``: the command line. Each command lives in a module of its own, imported when it is called.

Exit status: 0 all is well, 1 a finding (an illegal call, a lint fault, a disagreement), 2 whatever failed.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence

from opspec.cli import progress
from opspec.cli.ending import BAD_INPUT, OK, ended, prepare
from opspec.errors import OpspecError, did_you_mean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: command -> what it does; its module has the same name
COMMANDS = {
    "check": "judge calls and name the clause that each one breaks",
    "explain": "say which rules a log, a message or a status may mean",
    "repair": "find the legal calls nearest to illegal ones",
    "infer": "find the outputs of calls from their inputs",
    "reproduce": "write the smallest programs that make calls",
    "list": "list the operators of the registry",
    "show": "show all that an operator's spec says",
    "example": "make legal calls of operators from their rules",
    "cases": "make test cases of operators from their rules",
    "stub": "write C files that call an operator",
    "c": "write the rules of operators as C",
    "header": "write the prototypes of operators",
    "sdk": "build the simulator SDK, to run host programs without a device",
    "layer": "build a library that checks calls in front of the real ones",
    "run": "run a host program under the simulator or the layer",
    "kinds": "list the kinds of findings beside broken rules",
    "docs": "write documentation pages in English and Chinese",
    "site": "make a static site of all operators, with search and a form to try calls",
    "matrix": "show which operators take which dtypes on which products",
    "diff": "compare two releases, and say what breaks programs",
    "audit": "list defects of the vendor's pages themselves",
    "new": "begin the spec of an operator of one's own",
    "import": "read the vendor's pages into specs",
    "kernels": "read the definitions of kernels into the table of a release",
    "lint": "check spec files beyond their schema",
    "freeze": "accept what changes in releases that are frozen",
    "fmt": "write spec files in their canonical form",
    "mcp": "serve agents that speak the Model Context Protocol",
    "completion": "print the completion of a shell",
    "schema": "print the JSON Schema of spec files, for editors",
    "language": "print the reference of the rule language",
    "coverage": "count which clauses of the pages are rules",
    "conflicts": "list where pages and runtime, or pages among themselves, differ",
    "conformance": "compare verdicts with recorded calls",
}

_KNOWN = (*COMMANDS, "help", "--help", "--version", "-V")
_MODULES = {"import": "import_"}  # a keyword of Python names no module


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    return ended(lambda: _run(words))


def _run(words: list[str]) -> int:
    if words[:1] == ["help"] and words[1:]:
        words = [*words[1:], "--help"]
    if not words or words[0] in ("-h", "--help", "help"):
        print(_overview())
        return OK if words else BAD_INPUT
    if words[0] in ("-V", "--version"):
        from opspec import __version__

        print(f"opspec {__version__}")
        return OK
    command, *rest = words
    if command not in COMMANDS:
        raise OpspecError(f"unknown command {command!r}{did_you_mean(command, _KNOWN)}; see opspec --help")
    status: int = module_of(command).run(rest)
    return status


def module_of(command: str) -> Any:
    """The module of a command, imported when it is asked for; its ``run`` takes words and gives an exit status."""
    from importlib import import_module

    return import_module(f"opspec.cli.{_MODULES.get(command, command)}")


def _overview() -> str:
    width = max(map(len, COMMANDS))
    lines = [
        "usage: opspec COMMAND …",
        "",
        "The registry of Ascend CANN aclnn operators, and a validator for calls of them.",
        "",
        *(f"  {name:<{width}}  {text}" for name, text in COMMANDS.items()),
        "",
        "'opspec help COMMAND' tells more, 'opspec -V' the version. Exit status: 0 fine, 1 a finding, 2 bad input or",
        "usage, nothing found or output that fails.",
    ]
    return "\n".join(lines)


#: allocations between collections: what commands make in numbers, trees of rules, lives as long as they do, and looking
#: through it again and again is a fifth of the time that reading all specs takes
COLLECTED = (50_000, 20, 20)


def run() -> None:
    """The console script's entry point."""
    gc.set_threshold(*COLLECTED)
    prepare()
    progress.start(" ".join(sys.argv[1:2]))
    status = main()
    gc.freeze()  # Python looks through all objects once more when it ends: 2 of the 30 ms of a cold check
    sys.exit(status)
