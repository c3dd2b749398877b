"""What the commands share: options, output, language. Loads no argparse before a parser is asked for."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any, TypeVar

    from opspec.cli.parser import Parser
    from opspec.vocabulary.literals import Lang

    T = TypeVar("T")


def parser(command: str, description: str, epilog: str = "") -> Parser:
    """The parser of a command, whose help ends with what its exit statuses mean."""
    from opspec.cli.ending import statuses
    from opspec.cli.parser import Parser

    epilog = f"{epilog} {statuses(command.split()[0])}".lstrip()
    return Parser(prog=f"opspec {command}", description=description, epilog=epilog, allow_abbrev=False)


def plain(words: Sequence[str], table: Mapping[str, Mapping[str, Any]]) -> tuple[dict[str, Any], list[str]] | None:
    """The values of options by flag and the words that are none, where they are spelt in the plainest way.

    That is ``--option value``, with all other words side by side. None leaves the rest (help, ``--option=value``, and
    whatever is wrong) to argparse, whose loading costs as much as half of starting Python.

    Args:
        table: flag -> what argparse's ``add_argument`` is told of the option; each of them has a default.
    """
    values = {flag: row["default"] for flag, row in table.items()}
    others: list[str] = []
    rest = iter(words)
    closed = False
    for word in rest:
        row = table.get(word)
        if row is None:
            if closed or (word.startswith("-") and word != "-"):
                return None
            others.append(word)
            continue
        closed = bool(others)
        if row.get("action") == "store_true":
            values[word] = True
            continue
        value = next(rest, "-")
        if value.startswith("-") or value not in row.get("choices", (value,)):
            return None
        typed = _typed(value, row.get("type", str))
        if typed is None:
            return None
        values[word] = [*values[word], typed] if row.get("action") == "append" else typed
    return values, others


def _typed(value: str, type_: Callable[[str], object]) -> object:
    try:
        return type_(value)
    except ValueError:
        return None


def print_json(value: object) -> None:
    """Print a value as JSON."""
    from opspec.jsontext import written

    print(written(value, 1))


class Objects:
    """JSON objects as a command prints them: ``json`` is one array of them, ``jsonl`` each on a line of its own."""

    def __init__(self, output: str) -> None:
        self._lines = output == "jsonl"
        self._any = False

    def add(self, value: Mapping[str, object]) -> None:
        """Print one."""
        from opspec.jsontext import written

        text = written(value)
        print(text if self._lines else (",\n" if self._any else "[\n") + text, end="\n" if self._lines else "")
        self._any = True

    def end(self) -> None:
        """Print what stands behind the last one."""
        if not self._lines:
            print("\n]" if self._any else "[]")


def number(count: int, noun: str, ending: str = "s") -> str:
    """``1 page``, ``2 pages``."""
    return f"{count} {noun}{'' if count == 1 else ending}"


def up_to(most: int) -> Callable[[str], int]:
    """The argparse type of a number from 1 to ``most``."""

    def number(text: str) -> int:
        if not text.isdecimal() or len(text) > len(str(most)) or not 0 < int(text) <= most:
            from argparse import ArgumentTypeError

            raise ArgumentTypeError(f"a number from 1 to {most} is expected, found {text[:40]!r}")
        return int(text)

    return number


def add_release(target: Parser, help: str, *, required: bool = False) -> None:
    """``--release`` of a command that reads the registry: see :mod:`opspec.cli.releases`."""
    target.add_argument("--release", required=required, help=help)
    target.after = _read_release


def _read_release(found: argparse.Namespace) -> None:
    from opspec.cli.releases import read

    found.release = read(found.release, found.specs, language(getattr(found, "lang", None)))


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
def progress(total: int | None) -> Iterator[Callable[[str], None]]:
    """A function to call with the name of each of ``total`` things: see :mod:`opspec.cli.progress`."""
    from opspec.cli import progress

    progress.of(total)
    try:
        yield progress.advance
    finally:
        progress.of(None)
        progress.clear()


def counted(things: Iterable[T], name: Callable[[T], str]) -> Iterator[T]:
    """The things, telling progress as they are taken; how many there are is known of a sequence."""
    with progress(len(things) if isinstance(things, Sized) else None) as advance:
        for thing in things:
            advance(name(thing))
            yield thing
