"""The glossary: what words, dims and enumerations of many operators mean, from ``data/glossary.json``."""

from __future__ import annotations

import functools
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from opspec.docs.words import WORDS
from opspec.vocabulary import products
from opspec.vocabulary.literals import Lang

_FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "glossary.json")
FEWEST_SHARED = 3  # values of an enumeration that is worth going elsewhere for


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Text(_Entry):
    """A term in one language."""

    title: str
    text: str


class Term(_Entry):
    """A term, and how one knows that a page has to do with it.

    Args:
        dims: symbols in shapes; what they are on a page its head shows.
        params: names of params.
        words: regular expressions of words in its texts.
        formats: data formats that a param takes.
        operators: operators to look at.
    """

    id: str
    section: str
    en: Text
    zh: Text
    dims: tuple[str, ...] = ()
    params: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    operators: tuple[str, ...] = ()

    def said(self, lang: Lang) -> Text:
        """The term in a language."""
        return self.zh if lang == "zh" else self.en


class Value(_Entry):
    """A value of an enumeration; its label is what tells it in a word."""

    en: str
    zh: str
    label: str = ""


class Enumeration(_Entry):
    """An enumeration that params of many operators share."""

    id: str
    params: tuple[str, ...]
    en: str
    zh: str
    values: dict[str, Value]


class Section(_Entry):
    """Terms of one kind."""

    id: str
    en: str
    zh: str


class Data(_Entry):
    """The file."""

    sections: tuple[Section, ...]
    terms: tuple[Term, ...]
    enums: tuple[Enumeration, ...]


@functools.cache
def data() -> Data:
    """What the file holds."""
    with open(_FILE, encoding="utf-8") as file:
        return Data.model_validate(json.load(file))


@dataclass(frozen=True, slots=True)
class Shared:
    """Where the meanings of a param's values stand, and the values with their labels."""

    title: str
    anchor: str
    labelled: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Link:
    """A term that a page has to do with."""

    title: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Glossary:
    """The glossary in one language; ``products``: whether it lists their ids."""

    lang: Lang
    products: bool = True

    def shared(self, param: str, meanings: tuple[tuple[str, str], ...]) -> Shared | None:
        """The enumeration that says exactly these meanings of a param's values."""
        for item in data().enums if len(meanings) >= FEWEST_SHARED else ():
            if param in item.params and all(
                value in item.values and self._of(item.values[value]) == text for value, text in meanings
            ):
                labelled = tuple((value, _short(value, item.values[value].label, text)) for value, text in meanings)
                return Shared(item.zh if self.lang == "zh" else item.en, item.id, labelled)
        return None

    def _of(self, value: Value) -> str:
        return value.zh if self.lang == "zh" else value.en

    def links(self, text: str, params: Iterable[str], formats: Iterable[str]) -> Iterator[Link]:
        """The terms that stand in the text of a page, or that its params and their formats stand for: those that need
        telling, not what every reader knows."""
        names, taken = frozenset(params), frozenset(formats)
        for term in data().terms:
            if (
                not names.isdisjoint(term.params)
                or not taken.isdisjoint(term.formats)
                or any(re.search(word, text) for word in term.words)
            ):
                yield Link(term.said(self.lang).title, term.id)

    def sections(self) -> Iterable[tuple[str, str, list[tuple[str, str, str]]]]:
        """(anchor, title, [(anchor, title, text)]) of each section of terms."""
        for section in data().sections:
            terms = [
                (term.id, term.said(self.lang).title, term.said(self.lang).text)
                for term in data().terms
                if term.section == section.id
            ]
            if section.id == "calls" and self.products:
                words = WORDS[self.lang]
                named = (f"{name}{words['colon']}{products.name(name, self.lang)}" for name in products.ids())
                terms.append(("product-ids", words["product_ids"], words["semicolon"].join(named) + words["stop"]))
            yield section.id, section.zh if self.lang == "zh" else section.en, terms

    def enums(self) -> Iterable[tuple[str, str, tuple[str, ...], Mapping[str, str]]]:
        """(anchor, title, names of params, value -> meaning) of each enumeration."""
        for item in data().enums:
            yield (
                item.id,
                item.zh if self.lang == "zh" else item.en,
                item.params,
                {value: self._of(meaning) for value, meaning in item.values.items()},
            )


def _short(value: str, label: str, meaning: str) -> str:
    """What tells a value apart on a page that refers to its meaning: nothing more where the value is a word."""
    return label or (meaning if value.lstrip("-").isdigit() else "")


def operators_for(formats: Iterable[str]) -> tuple[str, ...]:
    """Operators that have to do with data of some formats: those that convert to them."""
    wanted = frozenset(formats)
    found = (name for term in data().terms if not wanted.isdisjoint(term.formats) for name in term.operators)
    return tuple(dict.fromkeys(found))
