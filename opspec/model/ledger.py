"""The ledger of a spec: every clause of its page, and what became of it.

A clause has an id, which stays whatever becomes of its words and its place, and which versions and releases of an
operator share where they say the same. The ledger, a file beside the spec (``aclnnX.ledger.json``), lists the clauses
of one page by their ids, in the page's order: where each stands, a fingerprint of its words, and of those without rules
why there are none.

An id is the name of the rule that formalises the clause; behind a status code and a slash where it is a row of return
codes, before a slash and a number where the name is taken: ``out-shape``, ``161002/out-shape``, ``out-shape/2``. A rule
formalises the clauses that have its name, and those that it names itself (``from``). A property stands for the rules
of all params that it makes: ``161001/null`` for every ``PARAM.null``. Where ``clauses`` of the spec says of a clause
which derived rules formalise it, its name says nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from opspec import archive
from opspec.errors import OpspecError, did_you_mean, shown
from opspec.model.beside import path_beside as path_beside
from opspec.vocabulary import status
from opspec.vocabulary.literals import Status

Reason = Literal["device_data", "other_cards", "timing", "precision", "no_condition"]


class Entry(BaseModel):
    """A clause of the page.

    Args:
        at: its place, in full: ``params/self/usage/1``; None where that is its id: ``products``.
        words: a fingerprint of the words that its rules were read from; None for what a person found elsewhere.
        now: a fingerprint of the page's words, where they have changed since and nobody has read them.
        on: the products that it stands under, or names; None where it is about all.
        why: why no rule formalises it; None where one does, or where it waits.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    at: str | None = None
    words: str | None = None
    now: str | None = None
    on: tuple[str, ...] | None = None
    why: Reason | None = None


class Ledger(BaseModel):
    """The clauses of a page in its order, by id."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    clauses: dict[str, Entry] = Field(default={})

    @property
    def places(self) -> dict[str, str]:
        """Id -> place, in the page's order."""
        return {name: entry.at or name for name, entry in self.clauses.items()}


class Clause(BaseModel):
    """A clause with what became of it: the rules that formalise it, why there are none, or that it waits.

    Args:
        id: its id; its place where no ledger has it.
        at: its place, in full: ``params/self/usage/1``.
        on: the products that it is about; none where it is about all.
        reworded: the page's words have changed since its rules were read from them.
    """

    model_config = ConfigDict(frozen=True)

    id: str
    at: str
    on: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    not_checkable: Reason | None = None
    words: str | None = None
    reworded: bool = False

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


def read_ledger(path: str) -> Ledger:
    """A ledger; an empty one where there is no file.

    Raises:
        OpspecError: the file cannot be read, or is none; with the line of what is wrong in it.
    """
    try:
        return _read(path, *archive.state(path))
    except FileNotFoundError:
        return Ledger()
    except (OSError, ValueError, RecursionError) as error:
        raise OpspecError(f"no ledger: {getattr(error, 'strerror', None) or error}", where=path) from None


@lru_cache(maxsize=16)  # pages of an operator ask for it several times
def _read(path: str, *_state: int) -> Ledger:
    text = archive.read(path).decode()
    try:
        ledger = Ledger.model_validate(json.loads(text, object_pairs_hook=_each_once))
    except ValidationError as error:
        fault = error.errors()[0]
        names = [str(part) for part in fault["loc"]]
        raise OpspecError(_said(names, fault["type"], fault["msg"]), where=_where(path, text, names)) from None
    places: dict[str, str] = {}
    for name, place in ledger.places.items():
        if places.setdefault(place, name) != name:
            message = f"{places[place]!r} and {name!r} are the same clause: both stand at {place}"
            raise OpspecError(message, where=_where(path, text, ["clauses", name]))
    return ledger


def _each_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object none of whose keys stands twice, of which JSON would take the last."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"{next(name for name in names if names.count(name) > 1)!r} stands twice")
    return found


def _said(names: list[str], kind: str, message: str) -> str:
    """What is wrong with a part of a ledger."""
    key = names[-1] if names else ""
    if kind == "extra_forbidden":
        keys = Entry.model_fields if len(names) > 2 else Ledger.model_fields
        return f"unknown key {shown(key)}{did_you_mean(key, keys)}; here stands {{{', '.join(keys)}}}"
    return f"{'/'.join(names)}: {message[:1].lower()}{message[1:]}"


def _where(path: str, text: str, names: list[str]) -> str:
    """The file, with the line on which the named clause begins, or the key at the top."""
    name = json.dumps(names[1] if len(names) > 1 else "".join(names), ensure_ascii=False)
    lines = (number for number, line in enumerate(text.splitlines(), 1) if line.lstrip().startswith(f"{name}:"))
    number = next(lines, None)
    return path if number is None else f"{path}:{number}"


def ledger_text(ledger: Ledger) -> str:
    """The text of the file: a clause a line, so that differences are readable."""
    lines = []
    for name, entry in ledger.clauses.items():
        lines.append(f"  {json.dumps(name, ensure_ascii=False)}: {entry.model_dump_json(exclude_none=True)}")
    clauses = "{\n" + ",\n".join(lines) + "\n }" if lines else "{}"
    return f'{{\n "clauses": {clauses}\n}}\n'


def without_words(ledger: Ledger) -> Ledger:
    """The ledger without fingerprints of a page's words, which are for who imports it again."""
    bare = {name: entry.model_copy(update={"words": None}) for name, entry in ledger.clauses.items()}
    return Ledger(clauses=bare)


# --- ids

_ID = re.compile(r"(?:(?P<status>\d+)/)?(?P<name>[^/]+)(?:/\d+)?")


def named_after(name: str) -> str | None:
    """The rule that a clause's id is the name of; None of what is no id, such as a place.

    >>> named_after("161002/out-shape"), named_after("out-shape/2"), named_after("params/x/usage/1")
    ('out-shape', 'out-shape', None)
    """
    found = _ID.fullmatch(name)
    return None if found is None else found["name"]


#: properties of which all params' rules have one name
KINDS = ("null", "dtype", "format", "private-format", "rank", "rank-bound", "empty", "strided", "elements")


def rules_called(name: str, rules: Collection[str]) -> list[str]:
    """The rules that a name stands for: the one of this name; of a property those that it makes of params.

    >>> rules_called("null", ["x.null", "y.null", "y.rank"])
    ['x.null', 'y.null']
    """
    if name in rules:
        return [name]
    return [rule for rule in rules if rule.endswith(f".{name}")] if name in KINDS else []


def called_together(names: Sequence[str], rules: Collection[str]) -> list[str]:
    """The opposite: what stands for some rules, of those that there are.

    >>> called_together(["x.null", "y.rank", "y.null"], ["x.null", "y.null", "x.rank", "y.rank"])
    ['null', 'y.rank']
    """
    kinds = {}
    for kind in KINDS:
        members = rules_called(kind, rules)
        if len(members) > 1 and kind not in rules and set(members) <= set(names):
            kinds.update(dict.fromkeys(members, kind))
    return list(dict.fromkeys(kinds.get(name, name) for name in names))


def implied(places: Mapping[str, str], explicit: Iterable[str], rules: Collection[str]) -> dict[str, list[str]]:
    """Id -> the rules that formalise the clause without naming it.

    Args:
        places: the clauses of the page.
        explicit: ids of which the spec says which rules formalise them, whatever their names are.
        rules: the rules that there are.
    """
    said = set(explicit)
    named = ((name, named_after(name)) for name in places if name not in said)
    return {name: rules_called(called, rules) for name, called in named if called is not None}


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


def place_of(name: str, places: Mapping[str, str], params: Iterable[str]) -> str:
    """The place of a clause by its id; of one that no ledger has what its id says, be it a place in short."""
    return places[name] if name in places else full_place(name, params)


def clauses(home: str | None, sources: Mapping[str, tuple[str, ...]]) -> tuple[Clause, ...]:
    """All clauses of a page, in the ledger's order, then those that only rules name.

    Args:
        home: the file of the spec; None for one that lies nowhere.
        sources: place -> the rules that formalise it.

    Raises:
        OpspecError: the ledger is damaged.
    """
    entries = {} if home is None else read_ledger(path_beside(home)).clauses
    by_place = {entry.at or name: (name, entry) for name, entry in entries.items()}
    return tuple(
        _clause(place, *by_place.get(place, (place, Entry())), sources.get(place, ()))
        for place in dict.fromkeys((*by_place, *sources))
    )


def _clause(place: str, name: str, entry: Entry, rules: tuple[str, ...]) -> Clause:
    return Clause(
        id=name, at=place, on=entry.on or (), rules=rules, words=entry.words, reworded=entry.now is not None,
        not_checkable=None if rules else entry.why,
    )  # fmt: skip
