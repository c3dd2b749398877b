"""What logs write in front of messages: which component speaks (``EZ1001``, ``E89999``, ``ERR01100``), and what may be
done about a status."""

from __future__ import annotations

import functools

from opspec.vocabulary.tables import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec.vocabulary.literals import Lang

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
