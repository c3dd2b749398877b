"""``opspec sdk``: build the simulator SDK."""

from __future__ import annotations

import argparse
import os
import time

from opspec.cli import options
from opspec.errors import OpspecError
from opspec.registry.folders import Entry
from opspec.registry.registry import Registry
from opspec.sdk.build import build, source_count
from opspec.sdk.compiler import find_compiler
from opspec.sdk.layout import Target
from opspec.validator.api import registry
from opspec.vocabulary import products


def run(words: list[str]) -> int:
    """The command: 0 built, 2 nothing built."""
    if words[:1] != ["build"] and not {"-h", "--help"} & set(words[:1]):
        raise OpspecError("expected 'build' behind 'opspec sdk'; see opspec sdk --help")
    asked = _parser().parse_args(words[1:] if words[:1] == ["build"] else words)
    target = Target(asked.release, *products.resolve(asked.product))
    known = registry(asked.specs)
    specs = _specs(known, [*asked.op, *filter(None, ",".join(asked.ops).split(","))], asked.release)
    compiler = None if asked.headers_only else find_compiler(asked.cc)
    started = time.monotonic()
    with options.progress(source_count(specs, compiler)) as progress:
        names = build(asked.out, target, specs, compiler, asked.jobs, progress)
    count = f"{len(names)} operator{'' if len(names) == 1 else 's'}"
    what = "headers" if compiler is None else "simulator SDK"
    seconds = time.monotonic() - started
    print(f"{asked.out}: {what} of CANN {asked.release} for {asked.product}: {count}, {seconds:.0f} s")
    if compiler is not None:
        print(f"To build and run programs with it: . {os.path.join(asked.out, 'setenv.sh')}")
    return 0


def _parser() -> argparse.ArgumentParser:
    target = options.parser(
        "sdk build",
        "Build the simulator SDK: headers and libraries laid out like a CANN install, against which host programs "
        "compile, link and run without a device. Their calls are checked; nothing is computed.",
        "An SDK that is there is replaced whole when the new one is complete, and what has not changed is not compiled "
        "again; any other folder must be empty. Exit status: 0 built, 2 nothing built: bad usage, unknown operator, no "
        "compiler, or a source that does not compile.",
    )
    target.add_argument("op", metavar="OP", nargs="*", help="operators to build (default: all of the release)")
    target.add_argument("--release", required=True, help="the release of CANN")
    target.add_argument("--product", required=True, help="the product to play, in any spelling")
    target.add_argument("--out", metavar="DIR", required=True, help="the folder to make")
    target.add_argument("--ops", metavar="A,B", action="append", default=[], help="the same as naming operators")
    target.add_argument("-j", "--jobs", metavar="N", type=_jobs, default=_processors(), help="processes to use")
    target.add_argument("--cc", metavar="CC", help="the C compiler (default: $CC, cc, gcc or clang)")
    target.add_argument("--headers-only", action="store_true", help="make no libraries; needs no compiler")
    options.add_specs(target)
    return target


def _jobs(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 256:
        raise argparse.ArgumentTypeError(f"expected a number from 1 to 256, found {text!r}")
    return int(text)


def _processors() -> int:
    return min(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1, 256)


def _specs(known: Registry, ops: list[str], release: str) -> list[Entry]:
    """The specs of the operators, each once.

    Raises:
        OpspecError: there is no such operator or release.
    """
    if ops:
        return [known.find(name, release) for name in dict.fromkeys(ops)]
    found = list(known.entries(release).values())
    if not found:
        raise OpspecError(f"unknown release {release!r}; there are {', '.join(known.releases()) or 'none'}")
    return found
