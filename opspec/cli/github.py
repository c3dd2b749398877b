"""Annotations of GitHub's workflows: lines of output that the host shows at places of files."""

from __future__ import annotations

from typing import Literal

from opspec.cli.verdicts import Rows
from opspec.errors import OpspecError, printable
from opspec.validator.files import Place
from opspec.validator.text import Lines
from opspec.validator.verdict import Verdict
from opspec.vocabulary.literals import Lang


def annotation(
    level: Literal["error", "warning", "notice"], title: str, message: str, place: Place, column: int | None = None
) -> str:
    """A line of output. Whatever the texts hold, it is one command and no other."""
    where = {"file": place[0], "line": str(place[1])}
    if column is not None:
        where["col"] = str(column)
    properties = ",".join(f"{name}={_property(value)}" for name, value in {**where, "title": title}.items())
    return f"::{level} {properties}::{_data(message)}\n"


def _data(text: str) -> str:
    """A command's text: line breaks stay, as the host writes them, and other control characters become escapes."""
    lines = [printable(line).replace("%", "%25") for line in text.split("\n")]
    return "%0A".join(lines)


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


class GithubRows(Rows):
    """An annotation for each illegal call, and for what could not be judged: the host shows ten of a step."""

    def __init__(self, lang: Lang, colours: bool) -> None:
        super().__init__(lang, colours)
        self._lines = Lines(lang)

    def row(self, verdict: Verdict, place: Place = ("", 1), fails: bool = False) -> str:
        """An error where the call counts for exit status 1, a warning where it is illegal all the same."""
        if verdict.legal:
            return ""
        title, _, message = self._lines.whole(verdict).partition("\n")
        return annotation("error" if fails else "warning", title, message or title, place)

    def broken(self, error: OpspecError, place: Place) -> str:
        """An error."""
        return annotation("error", "opspec", str(error), place)
