"""``opspec reproduce``: write the smallest program that makes a call."""

from __future__ import annotations

from collections.abc import Iterator

from opspec.assist.explain.answer import Asked
from opspec.assist.explain.explain import explain_log
from opspec.cli import options, progress
from opspec.cli.ending import BAD_INPUT, OK, tell
from opspec.cli.explain import opened
from opspec.cli.programs import Programs
from opspec.errors import OpspecError, printable
from opspec.registry.registry import Registry, registry
from opspec.registry.toolkit import installed
from opspec.validator.api import resolved
from opspec.validator.files import BrokenCall, kind_of
from opspec.validator.read import Call, calls


def run(words: list[str]) -> int:
    """The command: 0 written, 2 a call that cannot be written, or there is none."""
    target = options.parser(
        "reproduce",
        "Write the smallest program that makes a call, to send or to run alone: C in one file, and Python for "
        "torch_npu where the call has an interface there and PyTorch is installed. At its head stand the expected "
        "status and the rule.",
        "FILE holds calls as opspec check reads them, or is the log of a program that failed: then it is the failing "
        "call as far as the log tells it. '-' reads calls from standard input. The program is linked with the "
        "libraries of CANN or of 'opspec sdk build'; docs/stubs.md tells more.",
    )
    target.add_argument("file", metavar="FILE", help="a file of calls, '-', or a log")
    target.add_argument("--out", metavar="DIR", required=True, help="the folder to write to; made when it is not there")
    options.add_release(target, "the release (default: the call's, else the newest)")
    target.add_argument("--product", help="the product, in any spelling (default: the call's)")
    options.add_specs(target)
    asked = target.parse_args(words)
    resolved(asked.product)  # an unknown one is said before anything is read
    known = registry(asked.specs)
    progress.not_while_typing([asked.file])
    programs = Programs(asked.out, known, asked.release)
    status = OK
    for call in _calls(asked.file, known, Asked("en", asked.release, asked.product, toolkit=installed(known))):
        try:
            if isinstance(call, BrokenCall):
                raise call.error
            print("\n".join(map(printable, programs.write(call, asked.product or call.product))))
        except OpspecError as error:
            tell((error if isinstance(call, BrokenCall) else error.at(call.where)).report())
            status = BAD_INPUT
            if programs.is_full:
                break
    if not programs.written and status == OK:
        raise OpspecError("there is no call in it", where=asked.file)
    return status


def _calls(file: str, known: Registry, asked: Asked) -> Iterator[Call | BrokenCall]:
    """The calls of a file, or those that failed by a log: what is not named as calls are."""
    if file == "-" or kind_of(file) is not None:
        yield from calls(file)
        return
    with opened(file) as log:
        found = explain_log(log, known, asked)
    failing = [(item.failure.line, item.failing) for item in found if item.failing is not None]
    if not failing:
        raise OpspecError("no call can be made of the log: no message gives a value that it objects to", where=file)
    for line, call in failing:
        yield Call(
            call["op"], call["args"], product=call.get("product"), release=call.get("release"), where=file, number=line
        )
