"""A row of a table of patterns, and how a statement is looked up in one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from opspec.language.text import spelled
from opspec.workshop.importer.draft import Draft, ParamDraft, RuleDraft
from opspec.workshop.importer.mentions import params_in

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


def each(name: str, check: str, *kinds: str) -> Maker:
    """What makes a rule for each param of ``a`` that is of some kinds; of any that may be null where none is named.

    Args:
        name: the rule's, behind the param's.
        check: with ``{}`` for the param, and groups of the match by name.
    """

    def make(draft: Draft, found: re.Match[str]) -> Rules:
        for param in params_in(draft, found["a"]):
            if param.kind in kinds if kinds else param.is_pointer:
                said = check.format(spelled(param.name), **found.groupdict())
                yield RuleDraft(f"{param.name}{name}", said, param.name)

    return make


def tensors_in(draft: Draft, text: str | None) -> list[ParamDraft]:
    """The distinct params of a text that are one tensor each."""
    return [param for param in params_in(draft, text) if param.kind == "tensor"]


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
