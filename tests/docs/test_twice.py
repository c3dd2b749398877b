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
from opspec.docs.words import WORDS
from opspec.model.load import load_text
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
        yield from (page(definition, lang, NEAR.of(definition)) for lang in LANGS)


def words(text: str) -> frozenset[tuple[str, ...]]:
    """The words of each part of a line in any order, those that join left out."""
    parts = text.rstrip(".").split(", and ")
    return frozenset(tuple(sorted(set(re.findall(r"[\w.]+", part)) - {"and", "or", "is", "are"})) for part in parts)


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


#: words on a param that tell that it may be null; formats with a mark; lists of one data type, of equal data types
_NULL = re.compile(r"(?<!not )\bnull: |\b(?:else|otherwise) null\b|(?<![不须])为?空(?:指针)?(?:表示|按|则|时|取)")
_PLAIN = re.compile(r"^(?:format |格式)ND \W+$")
_ONE_TYPE = re.compile(r"^All tensors of \w+ must have the same data type\.$|^各Tensor的数据类型必须一致。$")
_IN_STEP = re.compile(
    r"^For every i, (\w+)\\?\[i\\?\] must have the same data type as (\w+)\\?\[i\\?\]\.$"
    r"|^对每个i，(\w+)\\?\[i\\?\]的数据类型必须与(\w+)\\?\[i\\?\]一致。$"
)
_FILLED = re.compile(r"^Must not be empty\.$|^不能为空Tensor。$")


#: which data types some params have on some products, and no more
_TYPES = r"he data types? of [\w, ]+ must (?:not )?be (?:[A-Z][A-Z0-9_]+(?:, | or |(?=\.$)))+\.$"
_ON = re.compile(rf"^On [^,:;]+, t{_TYPES}|^T{_TYPES}")


@pytest.mark.parametrize("paths", SOME)
def test_data_types_on_products_stand_in_the_table_of_products(paths: list[Path]) -> None:
    """No sentence says of some products alone which data types params have there, but what is observed against the
    page."""
    for definition in defined(paths):
        observed = {rule.id for rule in definition.rules if rule.basis == "observed"}
        for where, items in lists_of(page(definition, "en", NEAR.of(definition))):
            for item in items:
                told = _ON.match(item.text) and (item.text.startswith("On ") or " On " in where)
                assert not told or "‡" in item.mark or observed & {*item.rules}, (definition.name, where, item)


@pytest.mark.parametrize("paths", SOME)
def test_rows_do_not_say_what_stands_beside_them(paths: list[Path]) -> None:
    """Null where the words on a param tell it, ND where only the mark is another one, and that something may be empty
    beside that it may not; of lists that are alike tensor by tensor one has one data type."""
    for made in pages(paths):
        words_of = WORDS[made.lang]
        for row in made.params:
            assert words_of["may_be_null"] not in row.tags or not _NULL.search(row.about), (made.op, row.name)
            assert not made.layouts.mark or not any(map(_PLAIN.match, row.tags)), (made.op, row.name, row.tags)
            empty = words_of["empty_tag"] in row.tags or (
                made.layouts.empty is not None and made.layouts.empty.text == words_of["all_empty"]
            )
            filled = any(_FILLED.match(note.text) and "◆" not in note.mark for note in row.notes)
            assert not empty or not filled, (made.op, row.name)
        uniform = {row.name for row in made.params if any(_ONE_TYPE.match(note.text) for note in row.notes)}
        plain = [item.text for group in made.requirements if not group.where for item in group.items]
        for found in filter(None, map(_IN_STEP.match, plain)):
            assert not uniform.issuperset(filter(None, found.groups())), (made.op, found[0])


def test_what_is_filled_is_not_said_to_be_empty() -> None:
    """A rule on every dim counts as one on elements; what has the dims of such a tensor has elements, too."""
    text = FILLED.replace("RULE", "all(d > 0 for d in x.shape)")
    made = page(load_text(text, "x.yaml").definitions[0], "en")
    assert made.layouts.empty is None
    assert [row.tags for row in made.params] == [(), (), ("may be empty",)]
    (line,) = (item.text for row in made.params for item in row.notes)
    assert line == "Every dimension must be greater than 0."
    made = page(load_text(FILLED.replace("RULE", "all(d >= 0 for d in x.shape)"), "x.yaml").definitions[0], "en")
    assert made.layouts.empty is not None


FILLED = """\
operator: aclnnX
release: 9.1.0
products: {910b: yes}
params:
  - {name: x, ctype: const aclTensor*, dtype: [FLOAT], rank: 2, empty: yes}
  - {name: out, ctype: aclTensor*, io: out, dtype: [FLOAT], rank: 2, empty: yes}
  - {name: more, ctype: aclTensor*, io: out, dtype: [FLOAT], rank: 2, empty: yes}
rules:
  filled: "RULE"
  out-shape: "out.shape == x.shape"
"""

LISTS = """\
operator: aclnnX
release: 9.1.0
products: {910b: yes}
params:
  - {name: x, ctype: const aclTensorList*, dtype: [FLOAT, INT8], uniform: [dtype]}
  - {name: flag, ctype: bool}
  - {name: out, ctype: aclTensorList*, io: out, dtype: [FLOAT, INT8], uniform: [dtype]}
rules:
  out-types: "all(a.dtype == b.dtype for a, b in zip(out, x))"
  out-shapes: "all(a.shape == b.shape for a, b in zip(out, x))"
  out-sizes: "all(a.numel >= b.numel for a, b in zip(out, x))"
  odd: {check: "table((x[0].dtype, out[0].dtype), (FLOAT, INT8), (INT8, FLOAT))", when: "not flag"}
  even: {check: "table((x[0].dtype, out[0].dtype), (FLOAT, FLOAT), (INT8, INT8))", when: flag}
"""


def test_lists_that_are_alike_are_told_so_once_and_the_odd_case_stands_behind() -> None:
    """Types and sizes of lists follow from those beside them; a table that counts otherwise is behind the other."""
    made = page(load_text(LISTS, "x.yaml").definitions[0], "en")
    assert {row.name: [note.text for note in row.notes] for row in made.params if row.notes} == {
        "x": ["All tensors of x must have the same data type."]
    }
    texts = [item.text for group in made.requirements for item in group.items]
    assert "For every i, out[i] must have the same data type as x[i]." in [text.replace("\\", "") for text in texts]
    assert not any("number of elements" in text for text in texts)
    assert [table.rule for table in made.tables] == ["even", "odd"]


def test_the_vendor_s_form_and_ours_do_not_share_what_they_leave_out() -> None:
    """The table of products tells data types on ours alone, whichever page is made first."""
    text = LISTS.replace("910b: yes", "910b: yes, 950: yes") + '  few: {check: "flag", when: "product == \'950\'"}\n'
    text = text.replace(
        '"flag", when', '"all(t.dtype == FLOAT for t in x) and all(t.dtype == FLOAT for t in out)", when'
    )
    for vendors in (True, False), (False, True):
        found = load_text(text, "x.yaml").definitions[0]
        told = {upstream: numbered(page(found, "en", upstream=upstream).requirements) for upstream in vendors}
        assert ("few" in told[True], "few" in told[False]) == (True, False)
    rows = page(found, "en").support.rows
    assert [row.cells for row in rows] == [("FLOAT, INT8",), ("FLOAT",)]
