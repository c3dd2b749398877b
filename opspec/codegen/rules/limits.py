"""The limits that C shares with Python, by their names in C."""

from __future__ import annotations

from opspec.language import runtime
from opspec.validator import convert, elements, explain
from opspec.vocabulary import limits, products

LIMITS = {
    "OPSPEC_RULES_MAX": (limits.MOST_RULES, "rules of an operator"),
    "OPSPEC_EARLY_MAX": (limits.MOST_EARLY, "early successes of an operator"),
    "OPSPEC_RANGE_MAX": (runtime.MAX_RANGE, "elements of a range(); a longer one is undefined"),
    "OPSPEC_RANK_MAX": (convert.MAX_RANK, "dims of a tensor: more than any library takes"),
    "OPSPEC_SPELLING_MAX": (products.LONGEST, "characters of a product's name"),
    "OPSPEC_ITEMS_MAX": (explain.MOST_ITEMS, "of a list that a message shows"),
    "OPSPEC_VALUES_MAX": (explain.MOST_VALUES, "that a message shows"),
    "OPSPEC_CHARACTERS_MAX": (explain.MOST_CHARACTERS, "of a text that a message shows"),
    "OPSPEC_DEEPEST": (elements.DEEPEST, "lists in one another whose elements messages name"),
    "OPSPEC_NEXT": (elements.NEXT, "what the mark of a list that is read from its second element on has more"),
}


def lines() -> list[str]:
    """Their definitions in C."""
    return [f"#define {name} {value} /* {what} */" for name, (value, what) in LIMITS.items()]
