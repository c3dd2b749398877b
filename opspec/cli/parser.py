"""argparse with one-line errors."""

from __future__ import annotations

import argparse

from opspec.errors import OpspecError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from _typeshed import SupportsWrite


class Parser(argparse.ArgumentParser):
    """argparse with one-line errors."""

    def error(self, message: str) -> NoReturn:
        """Usage errors are bad input like any other."""
        raise OpspecError(f"{message}; see {self.prog} --help")

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        """As argparse does, which would let output fail in silence."""
        print(message, end="", file=file)
