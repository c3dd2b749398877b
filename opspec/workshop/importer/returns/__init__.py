"""Rows of return codes: which rules they are about, and rules that only they state."""

from __future__ import annotations

from opspec.workshop.importer.draft import Draft
from opspec.workshop.importer.normal import Normaliser
from opspec.workshop.importer.page import ReturnStatement
from opspec.workshop.importer.returns import null, outside, violations


def read(draft: Draft, normaliser: Normaliser, row: ReturnStatement) -> list[str]:
    """The ids of the rules that a row is about; rules that are not there yet are added."""
    text = normaliser.normal(row.text).removesuffix("时")
    if row.number == null.NULL_POINTER or null.speaks_of_null(text):
        return null.read(draft, text)
    stated = outside.formats_or_emptiness(draft, text)
    if stated:
        return stated
    made = [draft.add(rule) for rule in violations.rules(draft, text)]
    return list(dict.fromkeys((*made, *outside.rules(draft, text))))
