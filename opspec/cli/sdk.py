"""``opspec sdk``: build the simulator SDK."""

from __future__ import annotations

import argparse
import os
import time

from opspec.build.compiler import find_compiler
from opspec.build.layout import Target
from opspec.build.sdk import build, source_count
from opspec.cli import building, options
from opspec.errors import printable
from opspec.vocabulary import products


def run(words: list[str]) -> int:
    """The command: 0 built, 2 nothing built."""
    asked = building.parsed("sdk", _parser(), words)
    target = Target(asked.release, *products.resolve(asked.product))
    specs = building.specs(asked)
    compiler = None if asked.headers_only else find_compiler(asked.cc)
    started = time.monotonic()
    with options.progress(source_count(specs, compiler)) as progress:
        names = build(asked.out, target, specs, compiler, asked.jobs, progress)
    count = options.number(len(names), "operator")
    what = "headers" if compiler is None else "simulator SDK"
    seconds = time.monotonic() - started
    print(f"{printable(asked.out)}: {what} of CANN {asked.release} for {asked.product}: {count}, {seconds:.0f} s")
    if compiler is not None:
        print(f"To build and run programs with it: . {printable(os.path.join(asked.out, 'setenv.sh'))}")
    return 0


def _parser() -> argparse.ArgumentParser:
    target = options.parser(
        "sdk build",
        "Build the simulator SDK: headers and libraries laid out like a CANN install, against which host programs "
        "compile, link and run without a device. Their calls are checked; nothing is computed.",
        "An SDK that is there is replaced whole when the new one is complete, and what has not changed is not compiled "
        "again; any other folder must be empty.",
    )
    building.add_options(target, "build")
    target.add_argument("--product", required=True, help="the product to play, in any spelling")
    target.add_argument("--headers-only", action="store_true", help="make no libraries; needs no compiler")
    return target
