"""What the site's glossary has beside the terms that pages link to: names of products, dtypes, formats, status codes."""

from __future__ import annotations

from dataclasses import dataclass

from opspec.docs.glossary import Glossary
from opspec.site.words import WORDS
from opspec.vocabulary import dtypes, formats, products, status
from opspec.vocabulary.literals import Lang


@dataclass(frozen=True, slots=True)
class Term:
    """A row of the glossary; ``also`` are other spellings."""

    anchor: str
    name: str
    meaning: str
    also: tuple[str, ...] = ()


def groups(lang: Lang) -> list[tuple[str, str, list[Term]]]:
    """(anchor, title, terms) of each part."""
    words = WORDS[lang]
    return [
        ("product-ids", words["products"], _products(lang)),
        ("statuses", words["statuses"], _statuses(lang)),
        ("dtypes", words["dtypes"], _dtypes(lang)),
        ("formats", words["formats"], _formats(lang)),
    ]


def _products(lang: Lang) -> list[Term]:
    rows = [name for product in products.ids() for name in (product, *products.members(product))]
    return [Term(f"product-{name}", name, products.name(name, lang)) for name in rows]


def _statuses(lang: Lang) -> list[Term]:
    codes = [(status.number(name), name) for name in status.names()]
    return [Term(f"status-{code}", f"{code} {name}", status.meaning(code, lang)) for code, name in codes]


def _dtypes(lang: Lang) -> list[Term]:
    found = []
    for name in dtypes.names():
        bits = dtypes.bits(name)
        width = "" if bits is None else f", {bits} {WORDS[lang]['bits'].lower()}"
        also = tuple(sorted(spelling for spelling, own in dtypes.aliases().items() if own == name))
        found.append(Term(f"dtype-{name}", name, f"{dtypes.enumerator(name)} ({dtypes.number(name)}){width}", also))
    return found


def _formats(lang: Lang) -> list[Term]:
    words = WORDS[lang]
    found = []
    for name in formats.names():
        kind = "private" if formats.is_private(name) else "public" if formats.is_public(name) else "other"
        meaning = f"{formats.enumerator(name)} ({formats.number(name)}), {words[kind]}"
        short = name.removeprefix("FRACTAL_")  # as people say
        called = [short] if short != name else []
        called += [
            one.upper() for one, own in formats.aliases().items() if own == name and one.upper() not in (name, short)
        ]
        called = [one for one in called if not one.startswith("ACL_")]
        also = tuple(text for one in called for text in (one, f"{one} format", f"{one}格式"))
        found.append(Term(f"format-{name}", name, meaning, also))
    return found


def authored(lang: Lang) -> list[Term]:
    """The terms and enumerations of the glossary that pages link to."""
    glossary = Glossary(lang, False)
    terms = [Term(*row) for _, _, rows in glossary.sections() for row in rows]
    enums = [
        Term(anchor, title, "; ".join(f"{value}: {text}" for value, text in values.items()), params)
        for anchor, title, params, values in glossary.enums()
    ]
    return [*terms, *enums]


def everything(lang: Lang) -> list[Term]:
    """All rows, the authored ones first."""
    return [*authored(lang), *(term for _, _, part in groups(lang) for term in part)]
