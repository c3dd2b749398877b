"""argparse with one-line errors."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from opspec.errors import OpspecError, did_you_mean, printable, shown

if TYPE_CHECKING:
    from _typeshed import SupportsWrite


class Parser(argparse.ArgumentParser):
    """argparse with one-line errors."""

    #: is handed a command's parser in place of parsing: for who asks which options there are
    watcher: ClassVar[Callable[[argparse.ArgumentParser], NoReturn] | None] = None
    #: is handed what was parsed, to read further what one word says
    after: Callable[[argparse.Namespace], None] | None = None

    def parse_known_args(self, *args: Any, **named: Any) -> Any:
        """As argparse does, unless somebody watches."""
        if Parser.watcher is not None:
            Parser.watcher(self)
        return super().parse_known_args(*args, **named)

    def parse_args(self, *args: Any, **named: Any) -> Any:
        """As argparse does, unless an option is one letter or two from one that there is: that is told first."""
        words = args[0] if args else named.get("args") or ()
        try:
            found, more = self.parse_known_args(*args, **named)
        except OpspecError:
            self._check_spelling(words)
            raise
        if more:
            self._check_spelling(more)
            self.error(f"unrecognized arguments: {' '.join(map(printable, more))}")
        if self.after is not None:
            self.after(found)
        return found

    def _check_spelling(self, words: Iterable[str]) -> None:
        """Raises:
        OpspecError: one of the words is no option, but near one.
        """
        for word in words:
            option = word.partition("=")[0]
            if option.startswith("--") and option not in self._option_string_actions:
                hint = did_you_mean(option, self._option_string_actions)
                if hint:
                    self.error(f"unrecognized option {shown(option)}{hint}")

    def format_help(self) -> str:
        """As argparse does; who can name a product is told which there are."""
        from opspec.vocabulary import products

        said = self.epilog
        if any("--product" in action.option_strings for action in self._actions):
            named = f"Products: {', '.join(products.ids())}; or in other words: 'Atlas A2', Ascend910B1."
            self.epilog = f"{said or ''} {named}".lstrip()
        try:
            return super().format_help()
        finally:
            self.epilog = said

    def error(self, message: str) -> NoReturn:
        """Usage errors are bad input like any other."""
        raise OpspecError(f"{message}; see {self.prog} --help")

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        """As argparse does, which would let output fail in silence."""
        print(message, end="", file=file)
