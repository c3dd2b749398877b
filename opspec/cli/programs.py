"""Programs of calls, written into a folder: for ``opspec reproduce`` and ``opspec check --reproduce``."""

from __future__ import annotations

from opspec.errors import OpspecError
from opspec.files import write_below
from opspec.registry.registry import Registry
from opspec.validator.api import resolved
from opspec.validator.read import Call

MOST = 100  #: calls of one run


class Programs:
    """A folder of programs.

    Args:
        folder: made when it is not there.
        known: the registry.
        release: wins over what a call says.

    Attributes:
        written: how many calls have been written.
    """

    def __init__(self, folder: str, known: Registry, release: str | None) -> None:
        self.folder, self.known, self.release = folder, known, release
        self.written = 0

    @property
    def is_full(self) -> bool:
        """Whether no more are written."""
        return self.written >= MOST

    def write(self, call: Call, product: str | None) -> list[str]:
        """Write the programs of a call; their paths.

        Args:
            product: the one that the call is for, in any spelling.

        Raises:
            OpspecError: an unknown operator, arguments that do not fit it, a call without a form in C, or one too many.
        """
        from opspec.assist.reproduce import reproduced  # imported late: it needs models and templates

        if self.is_full:
            raise OpspecError(f"programs of the first {MOST} calls are written, and of no more", where=self.folder)
        form = self.known.form(call.op, self.release or call.release)
        found = reproduced(self.known, form, call.args, *resolved(product))
        self.written += 1
        stem = f"{form.operator}_{call.number}"
        return write_below(self.folder, {f"{stem}{end}": text for end, text in found.files.items()})
