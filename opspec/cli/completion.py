"""``opspec completion``: what completes command lines in bash, zsh and fish, made of the commands' own parsers."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import NoReturn

from opspec.cli import options
from opspec.language.record import record
from opspec.registry.registry import registry

SHELLS = ("bash", "zsh", "fish")

#: what stands for names of operators in the parsers of commands
_OPERATORS = ("op", "ops", "pattern", "operators")


@record(frozen=True, slots=True)
class Word:
    """An option, or what stands behind all options.

    Args:
        flags: of an option; nothing of the words behind them.
        takes: none, words, operators, folders, files or text.
        words: those that it takes.
        many: it may stand more than once.
    """

    flags: tuple[str, ...]
    about: str
    takes: str
    words: tuple[str, ...]
    many: bool


@record(frozen=True, slots=True)
class Command:
    """A command with its options and what stands behind them."""

    name: str
    about: str
    options: tuple[Word, ...]
    rest: Word | None


def run(words: list[str]) -> int:
    """The command."""
    if words[:1] == ["--operators"]:  # asked at each press of a key: no parser is made
        _print_operators(words[1] if words[1:] else "")
        return 0
    target = options.parser(
        "completion",
        "Print what completes commands, options and names of operators in a shell.",
        "For bash it goes to ~/.local/share/bash-completion/completions/opspec, for zsh to _opspec in a folder of "
        "$fpath, for fish to ~/.config/fish/completions/opspec.fish.",
    )
    target.add_argument("shell", choices=SHELLS, help="the shell")
    target.add_argument(
        "--operators", metavar="PREFIX", default=None, help="the names that begin so, one a line: what scripts ask"
    )
    print(script(target.parse_args(words).shell), end="")
    return 0


def _print_operators(prefix: str) -> None:
    known = registry()
    names = {name for release in known.releases() for name in known.entries(release) if name.startswith(prefix)}
    sys.stdout.writelines(f"{name}\n" for name in sorted(names))


def script(shell: str) -> str:
    """What a shell reads."""
    from opspec.templating import environment

    made = environment({"sh": _quoted, "spec": _zsh_spec, "fish": _fish_option, "fq": _fish_quoted})
    return made.get_template(f"completion/{shell}.j2").render(commands=commands())


# --- what there is to complete


class _Seen(Exception):
    def __init__(self, parser: argparse.ArgumentParser) -> None:
        super().__init__()
        self.parser = parser


def commands() -> list[Command]:
    """All commands with what their parsers say."""
    from opspec.cli.main import COMMANDS, module_of
    from opspec.cli.parser import Parser

    def seen(parser: argparse.ArgumentParser) -> NoReturn:
        raise _Seen(parser)

    found = []
    Parser.watcher = seen
    try:
        for name, about in COMMANDS.items():
            try:
                module_of(name).run(["--help"])
            except _Seen as caught:
                found.append(_command(name, about, caught.parser))
    finally:
        Parser.watcher = None
    return found


def _command(name: str, about: str, parser: argparse.ArgumentParser) -> Command:
    words = [_word(action) for action in parser._actions]
    rest = next((word for word in words if not word.flags), None)
    if parser.prog.endswith(" build"):  # the word that stands in front of all others
        rest = Word((), "build", "words", ("build",), False)
    return Command(name, about, tuple(word for word in words if word.flags), rest)


def _word(action: argparse.Action) -> Word:
    about = (action.help or "").replace("%%", "%")
    many = type(action).__name__ == "_AppendAction" or action.nargs in ("*", "+")
    return Word(tuple(action.option_strings), about, *_taken(action), many)


def _taken(action: argparse.Action) -> tuple[str, tuple[str, ...]]:
    """What an option or a word may be, and the words that it may be."""
    from opspec.vocabulary import products

    if action.option_strings and action.nargs == 0:
        return "none", ()
    if action.choices is not None:
        return "words", tuple(map(str, action.choices))
    if action.dest == "product":
        return "words", tuple(products.ids())
    if action.dest == "release":
        return "words", tuple(registry().releases())
    if action.dest in _OPERATORS:
        return "operators", ()
    if action.metavar in ("DIR", "FILE"):
        return ("folders" if action.metavar == "DIR" else "files"), ()
    return ("text" if action.option_strings else "files"), ()


# --- how shells write it


def _quoted(text: str) -> str:
    """A text in single quotes, as bash and zsh read them."""
    return "'" + text.replace("'", "'\\''") + "'"


def _zsh_spec(word: Word) -> Iterator[str]:
    """The specifications of ``_arguments``."""
    takes = {
        "words": f"({' '.join(word.words)})", "operators": "_opspec_operators", "folders": "_files -/",
        "files": "_files", "text": " ",
    }  # fmt: skip
    if not word.flags:
        yield _quoted(f"*:word:{takes[word.takes]}")
    about = "".join(f"\\{char}" if char in "[]:\\" else char for char in word.about)
    value = "" if word.takes == "none" else f":value:{takes[word.takes]}"
    for flag in word.flags:
        yield _quoted(f"{'*' if word.many else ''}{flag}[{about}]{value}")


def _fish_option(word: Word) -> str:
    """The part of ``complete`` that is about a word."""
    takes = {
        "none": "-f", "words": f"-x -a {_fish_quoted(' '.join(word.words))}", "text": "-x",
        "folders": "-x -a '(__fish_complete_directories)'", "operators": "-x -a '(__opspec_operators)'",
        "files": "-r -F" if word.flags else "-F",
    }  # fmt: skip
    flags = [f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in word.flags]
    about = [f"-d {_fish_quoted(word.about)}"] if word.flags else []
    return " ".join((*flags, takes[word.takes], *about))


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
