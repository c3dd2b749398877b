"""What the commands share: options, output, language."""

from __future__ import annotations

import argparse
import os
import sys
import time
from contextlib import contextmanager

from opspec.errors import OpspecError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import NoReturn

    from opspec.language.prose import Lang


class Parser(argparse.ArgumentParser):
    """argparse with one-line errors."""

    def error(self, message: str) -> NoReturn:
        """Usage errors are bad input like any other."""
        raise OpspecError(f"{message}; see {self.prog} --help")


def parser(command: str, description: str, epilog: str = "") -> Parser:
    """The parser of a command."""
    return Parser(prog=f"opspec {command}", description=description, epilog=epilog, allow_abbrev=False)


def add_specs(target: argparse.ArgumentParser) -> None:
    """``--specs DIR``."""
    target.add_argument(
        "--specs",
        metavar="DIR",
        action="append",
        default=[],
        help="a registry folder of your own, beside the built-in one",
    )


def add_lang(target: argparse.ArgumentParser) -> None:
    """``--lang``."""
    target.add_argument(
        "--lang", choices=("en", "zh"), default=None, help="language of the findings (default: the locale's)"
    )


def language(chosen: str | None) -> Lang:
    """The language asked for, or the locale's: Chinese for zh locales, otherwise English."""
    if chosen is not None:
        return "zh" if chosen == "zh" else "en"
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(variable)
        if value:
            return "zh" if value.lower().startswith("zh") else "en"
    return "en"


def colours(stream: object = None) -> bool:
    """Whether to colour: on a terminal, unless NO_COLOR is set or TERM is dumb."""
    target = stream or sys.stdout
    isatty = getattr(target, "isatty", lambda: False)
    return bool(isatty()) and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


@contextmanager
def progress(total: int) -> Iterator[Callable[[str], None]]:
    """A function to call with the name of each of ``total`` things: shows it on a terminal's one line.

    Nothing is shown elsewhere, for a handful of things, or in the first half second.
    """
    shown = sys.stderr.isatty() and total > 20
    started, done, width = time.monotonic(), 0, 0

    def advance(name: str) -> None:
        nonlocal done, width
        done += 1
        if shown and time.monotonic() - started > 0.5:
            text = f"{done}/{total}  {name}"[:79]
            sys.stderr.write("\r" + text.ljust(width))
            sys.stderr.flush()
            width = len(text)

    try:
        yield advance
    finally:
        if width:
            sys.stderr.write("\r" + " " * width + "\r")
            sys.stderr.flush()
