"""Promise: each release's examples are legal in every other release, but for what the pages themselves say otherwise.

``tests/data/across.jsonl`` lists what does not hold: a call of one release that another one's page excludes, with the
rules that it breaks there and the clauses or cells of the page that say so; none, where recorded calls of that release
do. Whatever else an example breaks in another release is a fault of a spec: a slip of a page that was taken for law, or
a reading of it.

``python -m tests.registry.test_across`` writes the list anew; read the difference beside the pages.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import pytest

from opspec.errors import OpspecError
from opspec.model.example import example_of
from opspec.registry.registry import Registry, all_loaded
from opspec.validator.arguments import arguments
from opspec.validator.judge import judge
from opspec.vocabulary import products
from opspec.vocabulary.enforcement import CONTRADICTED
from tests.committed import in_turn
from tests.recorded import DATA

LISTED = DATA / "across.jsonl"
WHOLE = ("9.1.0", "8.5.0")  #: releases that have all operators of their pages

Entry = dict[str, object]


def illegal(of: str, judged_by: str) -> Iterator[Entry]:
    """The examples of a release that another one refuses, with the rules and where its page has them."""
    known = Registry(())
    there = known.entries(judged_by)
    for loaded in all_loaded(known, of):
        if loaded.spec.example is None:
            continue
        for definition in loaded.definitions:
            if definition.name not in there:
                continue
            form = known.form(definition.name, judged_by)
            product, args = example_of(definition)
            start: Entry = {"op": definition.name, "of": of, "in": judged_by}
            try:
                typed = arguments(definition.name, form.params, args)
            except OpspecError:
                yield {**start, "params": sorted(args.keys() - form.param_infos.keys())}
                continue
            found = judge(form, typed, *products.resolve(product or "910b")).violations
            broken = {finding.rule for finding in found if finding.enforcement != CONTRADICTED}
            if broken:
                stated = {rule.id: list(rule.sources) for rule in form.info.rules if rule.id in broken}
                yield {**start, "rules": dict(sorted(stated.items()))}


def listed(path: Path = LISTED) -> list[Entry]:
    """The differences that somebody has read beside the pages."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize(("of", "judged_by"), in_turn(permutations(WHOLE, 2)))
def test_an_example_is_legal_in_other_releases_or_listed_with_its_clause(of: str, judged_by: str) -> None:
    """What is listed is there, too: an entry that nothing shows any more goes."""
    known = [entry for entry in listed() if (entry["of"], entry["in"]) == (of, judged_by)]
    assert list(illegal(of, judged_by)) == known


def _write() -> None:
    lines = [json.dumps(entry) for of, judged_by in permutations(WHOLE, 2) for entry in illegal(of, judged_by)]
    LISTED.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    _write()
