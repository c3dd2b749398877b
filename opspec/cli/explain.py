"""``opspec explain``: which rules a log, a message or a status may mean."""

from __future__ import annotations

import argparse
import io
import os
import sys
from typing import BinaryIO

from opspec.assist.explain.answer import MOST, Asked, Explained
from opspec.assist.explain.recorded import explained, explained_text
from opspec.assist.explain.text import as_lines
from opspec.cli import options, progress
from opspec.cli.ending import OK
from opspec.cli.verdicts import painted
from opspec.errors import OpspecError, did_you_mean
from opspec.jsontext import written
from opspec.registry.registry import Registry, registry
from opspec.registry.toolkit import installed
from opspec.validator.api import resolved
from opspec.validator.text import plain
from opspec.vocabulary import status

CALLS = ("calls", "failing")  #: outputs that are calls alone
LIMIT = 20  #: rules of a failure that can be asked for


def run(words: list[str]) -> int:
    """The command."""
    asked = _parser().parse_args(words)
    lang = options.language(asked.lang)
    if asked.product is not None:
        resolved(asked.product)  # an unknown one is said before anything is read
    known = registry(asked.specs)
    how = Asked(lang, asked.release, asked.product, asked.most, installed(known))
    found = _found(asked.what, known, how)
    if not found:
        alone = asked.what[0] if len(asked.what) == 1 and asked.what != ["-"] else ""
        file = "; there is no such file, either" if alone and not os.path.exists(alone) else ""
        raise OpspecError(
            "nothing known there: no operator, status, class of messages or message that a rule matches"
            f"{did_you_mean(alone.upper(), status.names())}{file}"
        )
    if asked.output == "json":
        options.print_json([item.to_dict(lang) for item in found])
        return OK
    if asked.output in CALLS:
        return _print_calls(found, asked.output)
    paint = painted if options.colours() else plain
    for number, item in enumerate(found):
        print("\n" * (number > 0) + "\n".join(as_lines(item, lang, paint, how)))
    return OK


def _print_calls(found: list[Explained], which: str) -> int:
    """A line of JSON for each failure of which a call is known, for ``opspec check`` and ``opspec repair`` to read."""
    calls = [(item.failure.line, item.template if which == "calls" else item.failing) for item in found]
    known = [(line, call) for line, call in calls if call is not None]
    if not known:
        why = "no operator is named" if which == "calls" else "no message gives a value that it objects to"
        raise OpspecError(f"no call can be made of it: {why}")
    for line, call in known:
        print(written({"id": f"line {line}", **call}))
    return OK


def _parser() -> argparse.ArgumentParser:
    target = options.parser(
        "explain",
        "Say what a log, a message or a status means: the operator, the rules that may be broken with their clauses, "
        "what is likely to mend the call, and a legal call to begin with.",
        "What is given is a file, '-' for standard input, or words: a log, recorded calls, a message, a status "
        "(561002, ACLNN_ERR_…), a class of messages (EZ1001), the id of a rule (aclnnX/out-dtype). A log may tell of "
        "many failures. 'opspec schema explained' prints the JSON Schema of the JSON output; docs/explain.md tells "
        "more.",
    )
    target.add_argument("what", nargs="+", metavar="LOG|TEXT|STATUS|RULE", help="a file, '-', or words")
    options.add_release(
        target,
        "the release (default: that of the log, of OPSPEC_RELEASE or of the toolkit that the environment names, else "
        "the newest that has the operator)",
    )
    target.add_argument("--product", default=None, help="the product, in any spelling (default: the one the log names)")
    target.add_argument(
        "--most", type=options.up_to(LIMIT), default=MOST, metavar="N", help=f"rules of each failure (default: {MOST})"
    )
    target.add_argument(
        "--output", choices=("text", "json", *CALLS), default="text",
        help="text (default), JSON, or a line of JSON for each failure: a legal call to begin with ('calls'), or that "
        "call with what the messages object to ('failing'); both are what opspec check and opspec repair read",
    )  # fmt: skip
    options.add_specs(target)
    options.add_lang(target)
    return target


def _found(what: list[str], known: Registry, how: Asked) -> list[Explained]:
    if what == ["-"]:
        if sys.stdin is None:
            raise OpspecError("standard input is closed")
        progress.not_while_typing(what)
        read = getattr(sys.stdin, "buffer", None) or io.BytesIO(sys.stdin.read().encode())
        return explained(read, known, how)
    if len(what) == 1 and os.path.exists(what[0]):
        with opened(what[0]) as file:
            return explained(file, known, how, what[0])
    return explained_text(" ".join(what), known, how)


def opened(name: str) -> BinaryIO:
    """A log.

    Raises:
        OpspecError: it cannot be read.
    """
    try:
        return open(name, "rb")
    except OSError as error:
        raise OpspecError(f"cannot be read: {error.strerror}", where=name) from None
