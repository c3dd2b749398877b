"""Promise: a page says a thing once, and no sentence offers the same twice: of all operators, in both languages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from opspec.docs.page import Page, page
from opspec.docs.related import Neighbours
from opspec.docs.requirements import numbered
from opspec.docs.saying import Item
from opspec.registry.registry import Unchanging
from opspec.vocabulary.literals import LANGS
from tests.committed import SOME, defined

NEAR = Neighbours(Unchanging())

#: the same on both sides of an "or": what a formula comes to must be seen before it is said
_EQUAL = re.compile(
    r"(?:^|[ ,(])([\w.\[\]-]+) or \1(?=[.,;:)]|$)"
    r"|(?:^|[，。；：（、为是])([^，。；：（）、为是]+)或\2(?=[，。；：）]|$)"
)
#: what a table on the page says, and what one sentence says of all params that must have one data type
_IN_TABLE = re.compile(r"must be one of the combinations in the table|必须为组合表中的一种组合")
_ALIKE = re.compile(r"^(?!On |If |Every )([\w, ]+?) must have the same data type(?: as (\w+))?\.$")
_RANGE = re.compile(r"(\d+)-(\d+)")


def lists_of(made: Page) -> Iterator[tuple[str, tuple[Item, ...]]]:
    """What stands together: the lines about one subject, those of a row, those of a code."""
    yield from ((f"{group.subject} {group.where}", group.items) for group in made.requirements)
    yield from ((row.name, row.notes) for row in made.params)
    yield from ((row.status, row.failures) for row in made.returns)


def pages(paths: list[Path]) -> Iterator[Page]:
    """The pages of some files."""
    for definition in defined(paths):
        yield from (page(definition, lang, NEAR.of(definition), upstream=False) for lang in LANGS)


def words(text: str) -> tuple[str, ...]:
    """The words of a line in any order, those that join left out."""
    return tuple(sorted(set(re.findall(r"[\w.]+", text)) - {"and", "or", "is", "are"}))


@pytest.mark.parametrize("paths", SOME)
def test_nothing_is_said_twice(paths: list[Path]) -> None:
    """Neither in the same words, nor of a code in another order; and no sentence leaves the choice of one thing."""
    for made in pages(paths):
        for where, items in lists_of(made):
            texts = Counter(item.text for item in items)
            assert max(texts.values(), default=1) == 1, (made.op, where, texts.most_common(1))
            for text in texts:
                assert not _EQUAL.search(text), (made.op, where, text)
        for row in made.returns:
            alike = Counter(words(item.text) for item in row.failures if " null" in item.text)
            assert max(alike.values(), default=1) == 1, (made.op, row.status, alike.most_common(1))


@pytest.mark.parametrize("paths", SOME)
def test_requirements_do_not_say_what_tables_do_nor_one_thing_of_pairs(paths: list[Path]) -> None:
    """No requirement stands for a table alone; of params that are alike in data type no two sentences speak."""
    for made in pages(paths):
        texts = [item.text for group in made.requirements for item in group.items if "‡" not in item.mark]
        assert not [text for text in texts if _IN_TABLE.search(text)], made.op
        plain = [item.text for group in made.requirements if not group.where for item in group.items]
        alike = [
            set(re.findall(r"\w+", " ".join(filter(None, found.groups())))) - {"and"}
            for text in plain
            if (found := _ALIKE.match(text)) is not None
        ]
        for i, names in enumerate(alike):
            assert not any(names & other for other in alike[:i]), (made.op, names)


@pytest.mark.parametrize("paths", SOME)
def test_a_code_names_no_requirement_that_leads_to_another(paths: list[Path]) -> None:
    """Each number of a range is that of a line of which some rule is refused with the code."""
    for made in pages(paths):
        numbers = numbered(made.requirements)
        for row in made.returns:
            for item in row.failures:
                own = {numbers[rule] for rule in item.rules if rule in numbers}
                for first, last in (map(int, found) for found in _RANGE.findall(item.text)):
                    if own:
                        assert set(range(first, last + 1)) <= own, (made.op, row.status, item.text)
