"""Releases whose pages say the same have the same rules, whoever wrote them and in which release's folder.

What an import makes of a page beside another release's specs is a merge of both, and people go on with it: a cell that
slipped, a twin's rules, a kernel may be lost on the way. Where the importer reads the same from two pages, nothing may.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from opspec.language.text import write
from opspec.model.definition import Definition
from opspec.model.load import load_file
from opspec.workshop.importer.page import read_page
from opspec.workshop.importer.pipeline import import_page
from opspec.workshop.releases import base_of
from tests.committed import CARRIED, in_turn
from tests.paths import REPOSITORY, SHARED, needs_shared

SPECS = REPOSITORY / "specs"
BASE = str(base_of(str(SPECS)))

#: what makes no rule, and what one release's words are
NO_RULE = ("release", "document", "formula", "summary", "header", "deterministic", "conflicts", "clauses")

#: operators whose pages differ in what the importer does not read, with what that is
OTHERWISE = {
    "aclnnInplaceDivMod": "BFLOAT16 in the in-place operator's own table",
    "aclnnUpsampleBicubic2dAAGrad": "what the formula of the memory limit counts by: sizeof(float), sizeof(dtype)",
}


def _page(release: str, document: str | None) -> dict[str, Any]:
    """Operator -> what the importer reads of it on a page: its facts, and its statements by their words."""
    path = SHARED / "docs" / release / str(document)
    made = import_page(read_page(path), release, {}).specs if document and path.is_file() else []
    return {
        one.stem.split("+")[0]: {
            **{key: value for key, value in one.written.value.items() if key not in NO_RULE},
            "statements": sorted(str(clause["fingerprint"]) for clause in one.written.value.get("clauses", ())),
        }
        for one in made
    }


def _rules(definition: Definition) -> dict[str, tuple[str, str | None]]:
    """Rule -> what it requires, and when."""
    return {rule.id: (write(rule.check), None if rule.when is None else write(rule.when)) for rule in definition.rules}


def _pairs(release: str) -> Iterator[tuple[Definition, Definition]]:
    """(definition, the base's) of operators whose pages say the same in both releases."""
    for path in in_turn([path for path in CARRIED if path.parent.parent.name == release], 8):
        there = SPECS / BASE / path.parent.name / path.name
        if not there.is_file():
            continue
        mine, other = load_file(str(path)), load_file(str(there))
        name = mine.definitions[0].name
        said = _page(release, mine.spec.document).get(name)
        if said is not None and said == _page(BASE, other.spec.document).get(name):
            yield from zip(mine.definitions, other.definitions, strict=True)


@needs_shared
@pytest.mark.parametrize("release", sorted({path.parent.parent.name for path in CARRIED}))
def test_pages_that_say_the_same_make_the_same_rules(release: str) -> None:
    """An overlay says nothing of calls where its page says nothing else."""
    differ = [one.name for one, other in _pairs(release) if _rules(one) != _rules(other)]
    assert set(differ) <= set(OTHERWISE), differ
