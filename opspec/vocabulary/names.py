"""What dtypes and formats have in common: a canonical name, a number, other spellings."""

from __future__ import annotations

from opspec.errors import UnknownNameError, shown, unknown
from opspec.vocabulary.tables import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LONGEST = 100  # characters of a spelling: what is longer cannot be a name


class Names:
    """The names of one enumeration of the ACL headers.

    Args:
        subject: what a name stands for, for messages.
        source: name of the data file and of the list in it.
        prefixes: what may stand before a name, in lower case.
    """

    __slots__ = ("_aliases", "_numbers", "_rows", "prefixes", "source", "subject")

    def __init__(self, subject: str, source: str, prefixes: tuple[str, ...]) -> None:
        self.subject = subject
        self.source = source
        self.prefixes = prefixes
        self._rows: dict[str, dict[str, Any]] = {}
        self._numbers: dict[int, str] = {}
        self._aliases: dict[str, str] = {}

    def _load(self) -> dict[str, dict[str, Any]]:
        if not self._rows:
            rows = {row["name"]: row for row in table(self.source)[self.source]}
            for name, row in rows.items():
                self._numbers[row["number"]] = name
                for spelling in (name, row["enum"], *row["aliases"]):
                    self._aliases[spelling.lower()] = name
            self._rows = rows
        return self._rows

    def row(self, name: str) -> dict[str, Any]:
        """What the data file says of a name in any spelling.

        Raises:
            OpspecError: unknown; the nearest spelling is named.
        """
        return self._load()[self.canonical(name)]

    def names(self) -> tuple[str, ...]:
        """The canonical names, in the order of their numbers."""
        return tuple(self._load())

    def aliases(self) -> dict[str, str]:
        """Lower-case spelling -> canonical name. The mapping is shared: do not change it."""
        self._load()
        return self._aliases

    def canonical(self, name: str) -> str:
        """The canonical name of any spelling; case, surrounding spaces and known prefixes do not matter.

        Raises:
            UnknownNameError: unknown, or not a text; the nearest spelling is named.
        """
        rows = self._rows or self._load()
        if not isinstance(name, str):
            raise UnknownNameError(
                f"expected the name of a {self.subject}, found {shown(name)}", subject=self.subject, name=name
            )
        if name in rows:
            return name
        word = name.strip().lower() if len(name) <= LONGEST else ""
        for prefix in ("", *self.prefixes):
            if word.startswith(prefix):
                known = self._aliases.get(word[len(prefix) :])
                if known is not None:
                    return known
        raise unknown(self.subject, name, (*self._aliases, *rows))  # a name itself before the same in lower case

    def number(self, name: str) -> int:
        """The value in the ACL enumeration of a name in any spelling.

        Raises:
            UnknownNameError: unknown.
        """
        value: int = self.row(name)["number"]
        return value

    def enumerator(self, name: str) -> str:
        """The enumerator of the ACL headers of a name in any spelling: ``ACL_BF16``, ``ACL_FORMAT_ND``.

        Raises:
            UnknownNameError: unknown.
        """
        value: str = self.row(name)["enum"]
        return value

    def from_number(self, number: int) -> str:
        """The canonical name of an enumeration value.

        Raises:
            UnknownNameError: no such value, or not an integer (a boolean is none).
        """
        self._load()
        if isinstance(number, int) and not isinstance(number, bool) and number in self._numbers:
            return self._numbers[number]
        known = ", ".join(map(str, self._numbers))
        message = f"no {self.subject} has the number {shown(number)}; expected one of {known}"
        raise UnknownNameError(message, subject=self.subject, name=number)
