"""``opspec layer``: build the library that stands in front of the real ones."""

from __future__ import annotations

import argparse
import os
import time

from opspec.cli import options
from opspec.crules.vocabulary import product_numbers
from opspec.errors import OpspecError
from opspec.layer.build import FORWARDER, LIBRARY, Target, build
from opspec.layer.installed import installed
from opspec.sdk.compiler import find_compiler
from opspec.validator.api import registry
from opspec.vocabulary import products

EPILOG = (
    f"The library is {LIBRARY}; a program meets it with LD_PRELOAD=DIR/{LIBRARY}, or by 'opspec run --layer DIR'. With "
    f"--installed it has the other name {FORWARDER}, too, exports what those libraries export and nothing else, and a "
    "framework that looks below ASCEND_CUSTOM_OPP_PATH finds it at DIR/opspec. It reports and hands calls on; their "
    "results change only with OPSPEC_VETO=1. Exit status: 0 built, 2 nothing built."
)


def run(words: list[str]) -> int:
    """The command: 0 built, 2 nothing built."""
    if words[:1] != ["build"] and not {"-h", "--help"} & set(words[:1]):
        raise OpspecError("expected 'build' behind 'opspec layer'; see opspec layer --help")
    asked = _parser().parse_args(words[1:] if words[:1] == ["build"] else words)
    known = registry(asked.specs)
    specs = [known.find(name, asked.release) for name in dict.fromkeys(asked.ops)]
    specs = specs or list(known.entries(asked.release).values())
    if not specs:
        raise OpspecError(f"unknown release {asked.release!r}; there are {', '.join(known.releases()) or 'none'}")
    compiler = find_compiler(asked.cc)
    started = time.monotonic()
    with options.progress(len(specs)) as progress:
        checked = build(asked.out, _target(asked), specs, compiler, asked.jobs, progress)
    seconds = time.monotonic() - started
    count = f"{len(checked)} function{'' if len(checked) == 1 else 's'}"
    print(f"{asked.out}: layer of CANN {asked.release}: {count} checked, {seconds:.0f} s")
    print(f"To put it in front of a program: LD_PRELOAD={os.path.join(os.path.abspath(asked.out), LIBRARY)}")
    return 0


def _target(asked: argparse.Namespace) -> Target:
    product = member = 0
    if asked.product:
        numbers = product_numbers()
        name, part = products.resolve(asked.product)
        product, member = numbers[name], numbers[part] if part else 0
    return Target(product, member, installed(asked.installed) if asked.installed else None)


def _parser() -> argparse.ArgumentParser:
    target = options.parser(
        "layer build",
        "Build a library that stands in front of the real ones on a device: it judges the calls of a program, tells "
        "what is wrong with them, and hands them on.",
        EPILOG,
    )
    target.add_argument("ops", metavar="OP", nargs="*", help="operators to check (default: all of the release)")
    target.add_argument("--release", required=True, help="the release of CANN")
    target.add_argument("--out", metavar="DIR", required=True, help="the folder to write to; made when it is not there")
    target.add_argument("--product", help="the product, in any spelling (default: the device is asked at run time)")
    target.add_argument(
        "--installed", metavar="DIR", action="append", default=[],
        help="an install of CANN or of a vendor's operators, or its lib64; may be given again, for the search order",
    )  # fmt: skip
    target.add_argument("-j", "--jobs", metavar="N", type=int, default=os.cpu_count() or 1, help="processes to use")
    target.add_argument("--cc", metavar="CC", help="the C compiler (default: $CC, cc, gcc or clang)")
    options.add_specs(target)
    return target
