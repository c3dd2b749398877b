"""argparse with one-line errors."""

from __future__ import annotations

import argparse

from opspec.errors import OpspecError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


class Parser(argparse.ArgumentParser):
    """argparse with one-line errors."""

    def error(self, message: str) -> NoReturn:
        """Usage errors are bad input like any other."""
        raise OpspecError(f"{message}; see {self.prog} --help")
