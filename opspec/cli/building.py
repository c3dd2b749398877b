"""What commands share that compile operators: ``opspec c``, ``opspec sdk build``, ``opspec layer build``."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from opspec.cli import options
from opspec.cli.parser import Parser
from opspec.errors import OpspecError
from opspec.registry.folders import Entry
from opspec.registry.names import unknown_release
from opspec.registry.registry import Registry, registry

MOST_JOBS = 256


def parsed(command: str, target: argparse.ArgumentParser, words: list[str]) -> argparse.Namespace:
    """The words behind ``opspec COMMAND build``.

    Raises:
        OpspecError: there is no ``build``, or a word is wrong.
    """
    if words[:1] != ["build"] and not {"-h", "--help"} & set(words[:1]):
        raise OpspecError(f"expected 'build' behind 'opspec {command}'; see opspec {command} --help")
    return target.parse_args(words[1:] if words[:1] == ["build"] else words)


def add_options(target: Parser, what: str) -> None:
    """Operators, release, where to, how.

    Args:
        what: what is done with the operators: "build".
    """
    target.add_argument("op", metavar="OP", nargs="*", help=f"operators to {what} (default: all of the release)")
    options.add_release(target, "the release of CANN", required=True)
    target.add_argument("--out", metavar="DIR", required=True, help="the folder to make")
    target.add_argument("--ops", metavar="A,B", action="append", default=[], help="the same as naming operators")
    target.add_argument(
        "--uses",
        metavar="FILE",
        action="append",
        default=[],
        help="the operators that a source, a program or a library names",
    )
    add_jobs(target)
    target.add_argument("--cc", metavar="CC", help="the C compiler (default: $CC, cc, gcc or clang)")
    options.add_specs(target)


def add_jobs(target: argparse.ArgumentParser) -> None:
    """``--jobs``, as commands have it that build."""
    many = options.up_to(MOST_JOBS)
    target.add_argument("-j", "--jobs", metavar="N", type=many, default=processors(), help="processes to use")


def specs(asked: argparse.Namespace) -> list[Entry]:
    """The specs of the operators that the options of ``add_options`` ask for, each once.

    Raises:
        OpspecError: there is no such operator or release.
    """
    known = registry(asked.specs)
    names = [*asked.op, *filter(None, ",".join(asked.ops).split(","))]
    if asked.uses:
        from opspec.build.used import named

        names += [entry.operator for entry in named(asked.uses, known.entries(asked.release))]
        if not names:
            raise OpspecError(f"no operator of {asked.release} is named in {', '.join(asked.uses)}")
    return specs_of(known, names, asked.release)


def specs_of(known: Registry, names: Sequence[str], release: str) -> list[Entry]:
    """The specs of operators, each once; of all of the release where none is named.

    Raises:
        OpspecError: there is no such operator or release.
    """
    if names:
        return [known.find(name, release) for name in dict.fromkeys(names)]
    found = list(known.entries(release).values())
    if not found:
        raise unknown_release(release, known.releases())
    return found


def processors() -> int:
    """How many processes a build uses unless told."""
    return min(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1, MOST_JOBS)
