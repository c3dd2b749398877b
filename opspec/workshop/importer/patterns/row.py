"""A row of a table of patterns, and how a statement is looked up in one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from opspec.workshop.importer.draft import Draft, RuleDraft

Rules = Iterator[RuleDraft]
Maker = Callable[[Draft, re.Match[str]], Rules]


@dataclass(frozen=True, slots=True)
class Pattern:
    """A wording and the rules that it means.

    Args:
        conditional: it says something only under a condition; without one it repeats what a cell says.
    """

    name: str
    regex: re.Pattern[str]
    make: Maker
    conditional: bool = False


def row(name: str, regex: str, make: Maker, *, conditional: bool = False) -> Pattern:
    """A row of a table."""
    return Pattern(name, re.compile(regex), make, conditional)


def look_up(table: Iterable[Pattern], draft: Draft, text: str, *, conditional: bool = True) -> list[RuleDraft]:
    """The rules of the first row that matches the whole text and has any to yield."""
    for pattern in table:
        if pattern.conditional and not conditional:
            continue
        found = pattern.regex.fullmatch(text)
        rules = list(pattern.make(draft, found)) if found else []
        if rules:
            return rules
    return []
