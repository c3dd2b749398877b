"""What logs write in front of messages: which component speaks (``EZ1001``, ``E89999``, ``ERR01100``), and what may be
done about a status; which messages tell of no argument at all, but of an installation, resources or the device."""

from __future__ import annotations

import functools
import re

from opspec.vocabulary.tables import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec.vocabulary.literals import Lang

REFUSED = "EZ1001"  #: the class of what checks of arguments say
_TORCH = "ERR"


def meaning(code: str, lang: Lang) -> str | None:
    """Who speaks by a class of messages, and what of; None of a class that is not known."""
    rows = table("messages")
    who = next((row[lang] for row in rows["classes"] if code.startswith(row["prefix"])), None)
    if who is None:
        return None
    what = next((row[lang] for row in rows["codes"] if row["code"] == code), None)
    endings = rows["torch" if code.startswith(_TORCH) else "endings"]
    what = what or next((row[lang] for row in endings if code.endswith(row["ending"])), None)
    return who if what is None else f"{who}{': ' if lang == 'en' else '：'}{what}"


@functools.cache
def prefixes() -> tuple[str, ...]:
    """What classes of messages begin with."""
    return tuple(row["prefix"] for row in table("messages")["classes"])


def advice(code: int, lang: Lang) -> str | None:
    """What may be done about a status; None of one that is not known."""
    rows: list[dict[str, Any]] = table("messages")["advice"]
    return next((row[lang] for row in rows if row["from"] <= code <= row["to"]), None)


@functools.cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((row["id"], re.compile(row["pattern"])) for row in table("messages")["causes"])


def causes(text: str) -> list[str]:
    """The ids of causes other than an argument that a message tells of."""
    return [name for name, pattern in _patterns() if pattern.search(text)]


def of_cause(name: str, lang: Lang) -> tuple[str, str]:
    """What a cause is, and where to look."""
    row = _cause(name)
    return row[lang], row["look"][lang]


def leaves_rules(name: str) -> bool:
    """Whether an argument may be wrong all the same where a message tells of a cause."""
    return bool(_cause(name)["rules"])


def follows(text: str) -> bool:
    """Whether a message tells of what comes after the first phase: a call that was refused before did not cause it."""
    return any(_cause(name)["after"] for name in causes(text))


def _cause(name: str) -> dict[str, Any]:
    return next(row for row in table("messages")["causes"] if row["id"] == name)
