"""What must be so of every page, for readers once found it was not: nothing false, nothing twice, nothing internal.

Quick runs read a sample; slow ones all operators, a half in turn, each in both languages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from opspec.docs.enforced import RETURNED
from opspec.docs.ledger import RulesPage, rules_page
from opspec.docs.limits import implied
from opspec.docs.page import Page, page
from opspec.docs.render import render
from opspec.docs.saying import Item, Sayings
from opspec.language import tree
from opspec.model.definition import Definition
from opspec.model.enforcement import enforcement
from opspec.model.produced import produced_on
from opspec.model.stated import stated
from opspec.registry.registry import Registry, definition_of
from opspec.vocabulary import dtypes
from opspec.vocabulary.enforcement import CONTRADICTED, UNCHECKED
from opspec.vocabulary.literals import LANGS
from tests.committed import EVERY, defined
from tests.docs import lengths, vendor
from tests.paths import SHARED, needs_shared

LONGEST = 0.95  #: our page beside the vendor's, in the median; with the page of all rules
LONGEST_WITH_RULES = 1.9

#: pages of the vendor's whose tables have numbers of which ours speaks in other words, and why
_TOLD_OTHERWISE = {
    "aclnnPowTensorTensor": "a table of the precision of some powers",
    "aclnnPowScalarTensor": "the same",
    "aclnnInplacePowTensorTensor": "the same",
    "aclnnSparseFlashMlaMetadata": "the layout of a record that another operator reads",
}


def lines(made: Page) -> Iterator[Item]:
    """All that a page says of rules."""
    for group in made.groups():
        yield from group.items
    for param in made.params:
        yield from param.notes


def assert_marks_are_true(found: Definition, made: Page) -> None:
    """A rule that programs contradict is marked so; a mark that says so is of such a rule."""
    rules = {rule.id: rule for rule in found.rules}
    for item in lines(made):
        ways = [enforcement(rules[name], found).anywhere for name in item.rules]
        observed = any(rules[name].basis in ("observed", "definition") for name in item.rules)
        assert ("‡" in item.mark) == any(CONTRADICTED in way for way in ways) or observed, (found.name, item)


def assert_names_what_is_taken(found: Definition, made: Page) -> None:
    """No sentence made of rules speaks of a data type that no param takes on any product."""
    taken: set[str] = set()
    known: set[str] = set()
    for name, own in stated(found.spec, found.name).items():
        names = [dtype for param in own for dtype in produced_on(found.spec, param, None).all]
        taken.update(names)
        known.update([name] if names else [])
    rules = {rule.id: rule for rule in found.rules}
    doubted = any(rule.kind == "dtype" and CONTRADICTED in enforcement(rule, found).anywhere for rule in found.rules)
    for item in () if doubted or not taken else lines(made):
        plain = [rules[name] for name in item.rules]
        if any(rule.say is not None or rule.basis in ("observed", "definition") for rule in plain):
            continue
        named = set(re.findall(r"\b[A-Z][A-Z0-9_]{3,}\b", item.text)) & set(dtypes.names())
        parts = [part for rule in plain for part in (rule.check, rule.when) if part is not None]
        if all(_compares_params(part, known) for part in parts):
            assert named <= taken, (found.name, item)


def _compares_params(node: tree.Node, known: set[str]) -> bool:
    """Whether all data types of a rule are those of params that name theirs, not of what they promote to."""
    bases = [part.base for part in tree.walk(node) if isinstance(part, tree.Attr) and part.name == "dtype"]
    computed = any(isinstance(part, (tree.Call, tree.Each, tree.Let, tree.If)) for part in tree.walk(node))
    return bool(bases) and not computed and all(isinstance(base, tree.Param) and base.name in known for base in bases)


def assert_limits_are_said_once(found: Definition, made: Page) -> None:
    """In no row stands a limit beside a narrower one."""
    for param in made.params:
        shown = {name for note in param.notes for name in note.rules}
        own = [rule for rule in found.rules if rule.id in shown and rule.basis != "observed"]
        assert not implied(own), (found.name, param.name)


_INTERNAL = re.compile(r"seed \d{3}|头文件：-|Header: -|unless \S+ is not null|不为空指针时除外|\x00")
_PYTHON_S = re.compile(r"None\b(?! of\b)")  #: what stands for null in rules, and nowhere else


#: a second way to count dims from the front, where "第0维" is the first; and the other way to spell what has "s"
_TWO_WAYS = re.compile(
    r"(?<!倒数)第[一二三四五]维"
    r"|(?<![\w./-])(?:[Dd]e|[Rr]e|[Uu]n)?(?:[Qq]uant|[Nn]ormal|[Oo]ptim|[Rr]andom|[Oo]rgan|[Ii]nitial|[Mm]axim)iz(?:e[sd]?|ing|ations?)\b(?![\w/-])"
)


def _takes(found: Definition, value: str) -> bool:
    """Whether a rule of an operator compares something with a text."""
    parts = [part for rule in found.rules for part in (rule.check, rule.when) if part is not None]
    nodes = (node for part in [*parts, *found.lets.values()] for node in tree.walk(part))
    return any(isinstance(node, tree.Const) and node.value == value for node in nodes)


def assert_is_for_readers(found: Definition, text: str) -> None:
    """No numbers of ours for documents, no dash for what is unknown, no double negative, one way to say a thing."""
    plain = re.sub(r"`[^`]*`|\$\$.*?\$\$|\$[^$]*\$|\]\([^)]*\)", "", text, flags=re.S)
    for param in found.params:
        plain = re.sub(rf"\b{re.escape(param.name)}\b", "", plain)
    wrong = _INTERNAL.search(plain) or _TWO_WAYS.search(plain)
    if wrong is None and not _takes(found, "None"):  # which a mode may be called
        wrong = _PYTHON_S.search(plain)
    assert wrong is None, (found.name, wrong, plain[max(wrong.start() - 60, 0) : wrong.end() + 20])


def assert_elements_are_not_looked_at(found: Definition, made: Page, ledger: RulesPage) -> None:
    """Of rules about elements of tensors it is said everywhere that nothing checks them, as what is known."""
    names = {rule.id for rule in found.rules if found.reads_values(rule.check) and rule.basis != "observed"}
    for item in lines(made):
        assert item.mark == "†" or not names.issuperset(item.rules), (found.name, item)
    for row in ledger.rows:
        assert row.runtime == RETURNED[made.lang][UNCHECKED] or names.isdisjoint(row.ids), (found.name, row)


_LONGEST_CAUSE = {"en": 480, "zh": 240}  #: characters of what a status says of all rules that it is returned for
_FORMAT = {"en": "data format", "zh": "数据格式"}


def assert_codes_say_why(found: Definition, made: Page) -> None:
    """In a few words, none of which refers to rows or requirements without saying what is wrong there; of formats only
    where a rule is about these."""
    rules = {rule.id: rule for rule in found.rules}
    for row in made.returns:
        for item in row.failures:
            assert len(item.text) <= _LONGEST_CAUSE[made.lang], (found.name, item)
            assert not re.match("Breaks|违反", item.text), (found.name, item)
            parts = [part for name in item.rules for part in (rules[name].check, rules[name].when) if part is not None]
            facets = {facet for part in parts for _, facet in found.facts(part)}
            said = any(rules[name].say or rules[name].is_lookup for name in item.rules)
            assert said or "format" in facets or _FORMAT[made.lang] not in item.text, (found.name, item)


#: products by what sentences call them, but for those that they may speak of together
_CALLED = {"950": "Ascend 950PR", "310p": "Atlas inference series", "910": "Atlas training series"}
_WITH_ITSELF = re.compile(r"(the corresponding (?:one|element) of [^.,;]+?) (?:minus|plus|must equal|equals) \1\b")


def assert_lines_are_about_calls(found: Definition, made: Page) -> None:
    """None names a product that has not the operator, and none compares something with itself."""
    others = [name for product, name in _CALLED.items() if product not in found.supported]
    for item in lines(made):
        assert not any(name in item.text for name in others), (found.name, item)
        assert not _WITH_ITSELF.search(item.text), (found.name, item)


def assert_tables_tell_more_than_rows(found: Definition, made: Page) -> None:
    """No column of a table of combinations says what its param takes anyway, and none of one column alone that says a
    sentence; that data types may differ is said of lists of several."""
    rules = {rule.id: rule for rule in found.rules}
    assert not any(rules[name].is_lookup for item in lines(made) for name in item.rules), found.name
    for table in made.tables:
        assert table.text or len(table.columns) > 1 or not table.told[0], (found.name, table)
        for place, told in enumerate(table.told if not table.text else ()):
            assert {row[place] for row in table.rows} != {told}, (found.name, table.columns[place])
    lists = made.words["sets"].partition("{0}")[2].partition("{1}")[0]
    assert lists not in made.differing or any(len(one.params) > 1 for one in made.support.columns), found.name


def assert_is_sound(found: Definition) -> None:
    """All of that, in both languages."""
    for lang in LANGS:
        made, ledger = page(found, lang), rules_page(found, lang)
        text = render(made, "md")
        assert_is_for_readers(found, text)
        assert_elements_are_not_looked_at(found, made, ledger)
        assert_codes_say_why(found, made)
        assert_tables_tell_more_than_rows(found, made)
        if lang == "en":
            assert_marks_are_true(found, made)
            assert_names_what_is_taken(found, made)
            assert_lines_are_about_calls(found, made)
            assert_limits_are_said_once(found, made)


@pytest.mark.parametrize("paths", EVERY)
def test_pages_say_nothing_false_and_nothing_twice(paths: list[Path]) -> None:
    for found in defined(paths):
        assert_is_sound(found)


def test_a_release_without_records_does_not_say_what_the_runtime_does() -> None:
    """Of rules of 8.0 of which no call shows anything, no mark says that the runtime does not check them."""
    for entry in Registry().entries("8.0").values():
        found = definition_of(entry)
        sayings = Sayings(found, "en", narrows=True)
        for rule in found.rules:
            if not rule.recorded and not rule.evidence and rule.basis == "documented":
                assert "†" not in sayings.mark(rule) or enforcement(rule, found).assumed is False, (found.name, rule.id)


def _numbers_of_tables(text: str) -> set[str]:
    """The numbers in the tables that the vendor's page has beside its formulas."""
    section = re.search(r"^## 功能说明(.*?)^## ", text, re.S | re.M)
    rows = re.findall(r"^\s*\|.*$", section[1], re.M) if section is not None else []
    cells = (
        [cell for table in vendor.tables(section[1]) for row in table for cell in row] if section is not None else []
    )
    return set(re.findall(r"(?<![\w.])\d+(?![\w.])", "\n".join((*rows, *cells))))


@needs_shared
@pytest.mark.slow
def test_numbers_in_tables_of_formulas_are_on_our_page() -> None:
    """What a symbol is for which data type, codes of a record, constants."""
    lost: dict[str, set[str]] = {}
    for name, entry in Registry().entries("9.1.0").items():
        found = definition_of(entry)
        theirs = SHARED / "docs" / "9.1.0" / (found.spec.document or "-")
        if name in _TOLD_OTHERWISE or not theirs.is_file():
            continue
        numbers = _numbers_of_tables(theirs.read_text(encoding="utf-8"))
        text = render(page(found, "zh"), "md") if numbers else ""
        missing = {number for number in numbers if not re.search(rf"(?<!\d){number}(?!\d)", text)}
        if missing:
            lost[name] = missing
    assert not lost


@needs_shared
@pytest.mark.slow
def test_pages_are_no_longer_than_the_vendor_s() -> None:
    """In the median of a tenth of them; ``python -m tests.docs.lengths`` measures all."""
    alone, both = lengths.medians(10)
    print(f"in words: {alone:.2f} of the vendor's, with all rules {both:.2f}")
    assert alone <= LONGEST
    assert both <= LONGEST_WITH_RULES
