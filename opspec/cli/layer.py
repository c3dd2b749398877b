"""``opspec layer``: build the library that stands in front of the real ones."""

from __future__ import annotations

import argparse
import os
import time

from opspec.build.compiler import find_compiler
from opspec.build.installed import installed
from opspec.build.layer import FORWARDER, LIBRARY, LayerTarget, build
from opspec.build.together import batches
from opspec.cli import building, options
from opspec.codegen.rules.vocabulary import product_numbers
from opspec.errors import printable
from opspec.vocabulary import products

EPILOG = (
    f"The library is {LIBRARY}; a program meets it with LD_PRELOAD=DIR/{LIBRARY}, or by 'opspec run --layer DIR'. With "
    f"--installed it has the other name {FORWARDER}, too, exports what those libraries export and nothing else, and a "
    "framework that looks below ASCEND_CUSTOM_OPP_PATH finds it at DIR/opspec. It reports and hands calls on; their "
    "results change only with OPSPEC_VETO=1."
)


def run(words: list[str]) -> int:
    """The command: 0 built, 2 nothing built."""
    asked = building.parsed("layer", _parser(), words)
    specs = building.specs(asked)
    compiler = find_compiler(asked.cc)
    started = time.monotonic()
    with options.progress(len(batches(specs))) as progress:
        checked = build(asked.out, _target(asked), specs, compiler, asked.jobs, progress)
    seconds = time.monotonic() - started
    count = options.number(len(checked), "function")
    print(f"{printable(asked.out)}: layer of CANN {asked.release}: {count} checked, {seconds:.0f} s")
    print(f"To put it in front of a program: LD_PRELOAD={printable(os.path.join(os.path.abspath(asked.out), LIBRARY))}")
    return 0


def _target(asked: argparse.Namespace) -> LayerTarget:
    product = member = 0
    if asked.product:
        numbers = product_numbers()
        name, part = products.resolve(asked.product)
        product, member = numbers[name], numbers[part] if part else 0
    return LayerTarget(product, member, installed(asked.installed) if asked.installed else None)


def _parser() -> argparse.ArgumentParser:
    target = options.parser(
        "layer build",
        "Build a library that stands in front of the real ones on a device: it judges the calls of a program, tells "
        "what is wrong with them, and hands them on.",
        EPILOG,
    )
    building.add_options(target, "check")
    target.add_argument("--product", help="the product, in any spelling (default: the device is asked at run time)")
    target.add_argument(
        "--installed", metavar="DIR", action="append", default=[],
        help="an install of CANN or of a vendor's operators, or its lib64; may be given again, for the search order",
    )  # fmt: skip
    return target
