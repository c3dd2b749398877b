"""The ledger of a spec: every clause of its page, and what became of it.

The rules that formalise a clause name it themselves (``from`` in the spec). The ledger, a file beside the spec
(``aclnnX.ledger.json``), lists all clauses in the page's order with a fingerprint of their words, and says of those
without rules why there are none. It also keeps the digests of what was imported, for :mod:`opspec.workshop.importer`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from opspec.errors import OpspecError
from opspec.vocabulary import status
from opspec.vocabulary.literals import Status

SUFFIX = ".ledger.json"

Reason = Literal["device_data", "other_cards", "timing", "precision", "no_condition"]


class Entry(BaseModel):
    """A clause of the page.

    Args:
        words: a fingerprint of its words; None for what a person found elsewhere on the page.
        on: the products that it stands under, or names; None where it is about all.
        why: why no rule formalises it; None where one does, or where it waits.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    words: str | None = None
    on: tuple[str, ...] | None = None
    why: Reason | None = None


class Ledger(BaseModel):
    """The clauses of a page in its order, by place, and the digests of the leaves that were imported."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    clauses: dict[str, Entry] = Field(default={})
    imported: dict[str, str] | None = None


class Clause(BaseModel):
    """A clause with what became of it: the rules that formalise it, why there are none, or that it waits.

    Args:
        at: its place, in full: ``params/self/usage/1``.
        on: the products that it is about; none where it is about all.
    """

    model_config = ConfigDict(frozen=True)

    at: str
    on: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    not_checkable: Reason | None = None
    words: str | None = None

    @property
    def not_yet(self) -> bool:
        """Nobody has formalised it."""
        return not self.rules and self.not_checkable is None


class ReturnRow(BaseModel):
    """A row of the page's table of return codes: these rules are enforced, with this status.

    Args:
        number: its number among the rows of its status.
    """

    model_config = ConfigDict(frozen=True)

    status: Status
    number: str
    rules: tuple[str, ...]


def path_beside(spec: str) -> str:
    """The ledger's path for a spec file's."""
    return os.path.splitext(spec)[0] + SUFFIX


def read_ledger(path: str) -> Ledger:
    """A ledger; an empty one where there is no file.

    Raises:
        OpspecError: the file cannot be read, or is none.
    """
    try:
        with open(path, encoding="utf-8") as file:
            return Ledger.model_validate(json.load(file))
    except FileNotFoundError:
        return Ledger()
    except ValidationError as error:
        fault = error.errors()[0]
        raise OpspecError(f"{'/'.join(map(str, fault['loc']))}: {fault['msg']}", where=path) from None
    except (OSError, ValueError, RecursionError) as error:
        raise OpspecError(f"no ledger: {getattr(error, 'strerror', None) or error}", where=path) from None


def ledger_text(ledger: Ledger) -> str:
    """The text of the file: a clause a line, so that differences are readable."""
    lines = []
    for place, entry in ledger.clauses.items():
        lines.append(f"  {json.dumps(place, ensure_ascii=False)}: {entry.model_dump_json(exclude_none=True)}")
    clauses = "{\n" + ",\n".join(lines) + "\n }" if lines else "{}"
    text = f'{{\n "clauses": {clauses}'
    if ledger.imported is not None:
        text += f',\n "imported": {json.dumps(ledger.imported, ensure_ascii=False, separators=(",", ":"))}'
    return text + "\n}\n"


# --- places

_SECTIONS = ("params", "returns", "notes", "constraints", "function", "products", "about", "examples")


def full_place(short: str, params: Iterable[str]) -> str:
    """``self/usage/1`` -> ``params/self/usage/1``, ``161002/3`` -> ``returns/161002/3``; others are full already."""
    first = short.split("/", 1)[0]
    if first.isdigit():
        return f"returns/{short}"
    return f"params/{short}" if first in set(params) and first not in _SECTIONS else short


def short_place(place: str, params: Iterable[str]) -> str:
    """The opposite of :func:`full_place`."""
    first, _, rest = place.partition("/")
    head = rest.split("/", 1)[0]
    if (first == "returns" and head.isdigit()) or (first == "params" and head in set(params) and head not in _SECTIONS):
        return rest
    return place


def row_of(place: str) -> tuple[Status, str] | None:
    """(status, number) of the row of return codes that a full place is; None for any other."""
    parts = place.split("/")
    if parts[0] != "returns" or len(parts) < 2 or not parts[1].isdigit():
        return None
    return status.name(int(parts[1])), "/".join(parts[2:])


def clauses(home: str | None, sources: Mapping[str, tuple[str, ...]]) -> tuple[Clause, ...]:
    """All clauses of a page, in the ledger's order, then those that only rules name.

    Args:
        home: the file of the spec; None for one that lies nowhere.
        sources: place -> the rules that formalise it.

    Raises:
        OpspecError: the ledger is damaged.
    """
    ledger = Ledger() if home is None else read_ledger(path_beside(home))
    places = dict.fromkeys((*ledger.clauses, *sources))
    return tuple(
        Clause(
            at=place,
            on=ledger.clauses.get(place, Entry()).on or (),
            rules=sources.get(place, ()),
            not_checkable=None if place in sources else ledger.clauses[place].why,
            words=ledger.clauses.get(place, Entry()).words,
        )
        for place in places
    )
