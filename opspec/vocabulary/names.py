"""What dtypes and formats have in common: a canonical name, a number, other spellings."""

from __future__ import annotations

from opspec.errors import OpspecError, did_you_mean, shown
from opspec.vocabulary.tables import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Names:
    """The names of one enumeration of the ACL headers.

    Args:
        subject: what a name stands for, for messages.
        source: name of the data file and of the list in it.
        prefixes: what may stand before a name, in lower case.
    """

    __slots__ = ("_aliases", "_rows", "prefixes", "source", "subject")

    def __init__(self, subject: str, source: str, prefixes: tuple[str, ...]) -> None:
        self.subject = subject
        self.source = source
        self.prefixes = prefixes
        self._rows: dict[str, dict[str, Any]] = {}
        self._aliases: dict[str, str] = {}

    def _load(self) -> dict[str, dict[str, Any]]:
        if not self._rows:
            self._rows = {row["name"]: row for row in table(self.source)[self.source]}
            for name, row in self._rows.items():
                for spelling in (name, row["enum"], *row["aliases"]):
                    self._aliases[spelling.lower()] = name
        return self._rows

    def row(self, name: str) -> dict[str, Any]:
        """What the data file says of a canonical name."""
        return self._load()[name]

    def names(self) -> tuple[str, ...]:
        """The canonical names, in the order of their numbers."""
        return tuple(self._load())

    def aliases(self) -> dict[str, str]:
        """Lower-case spelling -> canonical name."""
        self._load()
        return self._aliases

    def canonical(self, name: object) -> str:
        """The canonical name of any spelling.

        Raises:
            OpspecError: unknown; the nearest spelling is named.
        """
        rows = self._rows or self._load()
        if name in rows:
            return name
        if not isinstance(name, str):
            raise OpspecError(f"a {self.subject} is a name, found {shown(name)}")
        word = name.strip().lower() if len(name) < 100 else name
        for prefix in ("", *self.prefixes):
            if word.startswith(prefix):
                found = self._aliases.get(word[len(prefix) :])
                if found is not None:
                    return found
        raise OpspecError(f"unknown {self.subject} {shown(name)}{did_you_mean(name, self._aliases)}")

    def from_number(self, number: int) -> str:
        """The canonical name of an enumeration value.

        Raises:
            OpspecError: no such value.
        """
        for name, row in self._load().items():
            if row["number"] == number:
                return name
        known = ", ".join(str(row["number"]) for row in self._rows.values())
        raise OpspecError(
            f"no {self.subject} has the number {number if -(2**63) <= number < 2**63 else 'given'}; there are {known}"
        )
