"""Pages of two operators: what the section on the operator in place says is asked of it, too.

A ledger has the clauses of the first operator's section. The other section mostly repeats them with other names; where
it says something else, the twin has params or rules of its own. ``tests/data/twin-sections.jsonl`` has a line for each
twin: ``said``, the statements that neither the importer reads nor the first section makes, by place, with a fingerprint
of their words and the rules that keep them or why none does; ``apart``, the rules that the importer reads there and
that need not follow from the twin's, each with the reason.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest

from opspec.diff.law import DEEP, Law
from opspec.language.text import write
from opspec.model.definition import Definition
from opspec.model.load import load_text
from opspec.registry.registry import Registry, definition_of
from opspec.workshop.importer import assemble, specfile
from opspec.workshop.importer.clauses import fingerprint
from opspec.workshop.importer.draft import Draft
from opspec.workshop.importer.page import Page, read_page
from tests.paths import REPOSITORY, SHARED, needs_shared

RELEASE = "9.1.0"
LINES = (REPOSITORY / "tests" / "data" / "twin-sections.jsonl").read_text(encoding="utf-8").splitlines()
KNOWN: dict[str, Any] = {line["operator"]: line for line in map(json.loads, LINES)}
PRODUCTS = ("910b", "950", "310p", "910")
#: kinds of rules that say the same of every tensor, or that programs contradict
ALIKE = ("null", "private-format", "product", "format")
#: names of params that one section has and the other has not
_NAMES = re.compile(r"selfRef|inputRef|self|input|out|result|[\s`*]")


@cache
def _twins() -> dict[str, Definition]:
    entries = Registry(()).entries(RELEASE)
    found = {name: definition_of(entry) for name, entry in entries.items() if "+" in str(entry.path)}
    return {name: one for name, one in found.items() if one.spec.twin is not None and one.spec.twin.operator == name}


@cache
def _page(document: str) -> Page:
    return read_page(SHARED / "docs" / RELEASE / document)


def _section(name: str) -> tuple[Draft, dict[str, Any]]:
    """The draft of a twin's own section, and the spec that the importer makes of it."""
    draft = assemble.draft_of(_page(_twins()[name].spec.document or ""), name)
    return draft, specfile.spec_of(draft, RELEASE, None).value


def _unread(draft: Draft, value: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """(place, fingerprint, words) of statements that the importer makes no rule of."""
    words = {fingerprint(clause.text): clause.text for clause in draft.clauses}
    for clause in value.get("clauses", ()):
        if clause.get("not_yet"):
            yield clause["at"], clause["fingerprint"], words[clause["fingerprint"]]


@needs_shared
@pytest.mark.slow
def test_what_is_read_in_the_section_of_a_twin_follows_from_its_rules() -> None:
    """Every rule that the importer reads there holds of the twin, by its own rules or those of the first."""
    missing = []
    for name, twin in _twins().items():
        value = {key: item for key, item in _section(name)[1].items() if key not in ("clauses", "document", "header")}
        (section,) = load_text(json.dumps(value), f"{name}.yaml").definitions
        apart = KNOWN.get(name, {}).get("apart", {})
        asked = [rule for rule in section.rules if rule.kind not in ALIKE and rule.basis == "documented"]
        own = {write(rule.check) for rule in twin.rules if rule.basis == "documented"}
        asked = [rule for rule in asked if rule.id not in apart and (rule.when or write(rule.check) not in own)]
        law = Law(twin, section, asked, {})
        supported = [product for product in PRODUCTS if twin.spec.products.get(product) != "no"]
        for rule in asked:
            if any(law.requires(rule, product, DEEP) is None for product in supported):
                missing.append(f"{name}: {rule.id}: {write(rule.check)}")
    assert missing == []


@needs_shared
@pytest.mark.slow
def test_what_is_not_read_in_the_section_of_a_twin_is_accounted_for() -> None:
    """A statement there repeats one of the first section, or the data say which rules keep it, or why none does."""
    missing, found = [], set()
    for name, twin in _twins().items():
        first = assemble.draft_of(_page(twin.spec.document or ""), twin.spec.operator)
        repeated = {_NAMES.sub("", clause.text) for clause in first.clauses}
        said = KNOWN.get(name, {}).get("said", {})
        for place, words, text in _unread(*_section(name)):
            if _NAMES.sub("", text) in repeated:
                continue
            found.add((name, place))
            if said.get(place, {}).get("words") != words:
                missing.append(f"{name} {place}: {words} {text}")
    assert missing == []
    assert {(name, place) for name, line in KNOWN.items() for place in line.get("said", {})} == found


def test_the_rules_that_keep_statements_on_twins_are_there() -> None:
    """The data name documented rules of the twin, or a reason."""
    twins = _twins()
    for name, line in KNOWN.items():
        rules = {rule.id for rule in twins[name].rules if rule.basis == "documented"}
        for place, entry in line.get("said", {}).items():
            assert set(entry.get("rules", ())) <= rules, (name, place)
            assert bool(entry.get("rules")) != bool(entry.get("why")), (name, place)
        assert all(line.get("apart", {}).values())
