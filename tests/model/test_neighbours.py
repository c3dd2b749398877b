"""Promise: a rule that no call speaks about is taken to meet what calls met of operators beside it, not of its own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opspec.errors import OpspecError
from opspec.model.definition import RuleDef
from opspec.model.ends import NOTHING, Ends
from opspec.model.enforcement import Grounds
from opspec.model.lines import NEIGHBOURS
from opspec.model.neighbours import FEWEST, Neighbours, alike, neighbours_of, text_of
from opspec.registry.registry import Registry, all_loaded
from opspec.vocabulary.enforcement import REFUSED, UNKNOWN
from opspec.workshop.conformance.neighbours import neighbours
from tests.model.building import definition, spec
from tests.paths import REPOSITORY, in_folder

RULE = "out-shape row params "
GROUNDS = Grounds("relation", "shape", "out", True, "params", False, "", "math")
DOCUMENT = "repo/folder/aclnnX.md"
_ENDS = st.builds(Ends, *[st.integers(0, 50)] * len(Ends._fields))


def of(folder: Ends = NOTHING, family: Ends = NOTHING) -> Neighbours:
    """What is known of one rule."""
    return Neighbours({RULE: folder}, {RULE: family})


@given(_ENDS, _ENDS, _ENDS)
def test_an_operators_own_calls_are_none_of_its_neighbours(own: Ends, folder: Ends, family: Ends) -> None:
    """The file counts all operators; what is left without the one that asks decides."""
    known = of(folder.plus(own), family.plus(own))
    assert known.usual(RULE, own) == of(folder, family).usual(RULE, NOTHING)


def test_those_of_one_folder_speak_before_the_family_and_too_few_do_not() -> None:
    refused, through = Ends(refused=FEWEST), Ends(through=FEWEST)
    assert of(refused, through).usual(RULE, NOTHING) == (REFUSED, None, 0)
    assert of(NOTHING, through).usual(RULE, NOTHING) == (UNKNOWN, None, 0)
    few = Ends(refused=FEWEST - 1, passed=100)  # who passed the checks tells nothing
    assert of(few, few).usual(RULE, NOTHING) is None
    assert of(refused, refused).usual("another-rule row params ", NOTHING) is None


def _defined(dtypes: str) -> dict[str, RuleDef]:
    """The rules of a tensor that may have these dtypes."""
    body = f"params:\n  - {{name: x, ctype: const aclTensor*, dtype: {dtypes}, rank: 1-8}}\n"
    return {rule.id: rule for rule in definition(body).rules}


def test_rules_of_one_id_that_say_or_are_checked_otherwise_do_not_speak_for_each_other() -> None:
    """A page's return code, the stage and what a param may be tell first phases apart that share a folder."""
    rules, others = _defined("[FLOAT]"), _defined("[FLOAT, FLOAT16]")
    listed, related = "x.dtype", "x.rank"
    assert alike(rules[listed], GROUNDS) != alike(others[listed], GROUNDS)
    assert alike(rules[related], GROUNDS) == alike(others[related], GROUNDS)
    for other in (replace(GROUNDS, in_row=False), replace(GROUNDS, stage="tiling")):
        assert alike(rules[listed], GROUNDS) != alike(rules[listed], other)


@given(_ENDS, _ENDS)
def test_a_file_is_read_as_it_is_written(folder: Ends, family: Ends) -> None:
    with in_folder() as path:
        (path / "9.9" / "math").mkdir(parents=True)
        known = {"math": {RULE: family}, "repo/folder": {RULE: folder}}
        (path / "9.9" / NEIGHBOURS).write_text(text_of(known), encoding="utf-8")
        assert neighbours_of(str(path / "9.9" / "math" / "aclnnX.yaml"), DOCUMENT) == of(folder, family)


def test_a_damaged_file_is_told_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "9.9" / "math" / "aclnnX.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(spec(""), encoding="utf-8")
    file = tmp_path / "9.9" / NEIGHBOURS
    file.write_text('{"of": "math", "rules": {"out-shape": [1, "x"]}}\n', encoding="utf-8")
    with pytest.raises(OpspecError) as caught:
        neighbours_of(str(path), None)
    assert caught.value.where == str(file)


@pytest.mark.slow
def test_the_committed_file_is_what_the_evidence_says() -> None:
    """``opspec conformance --neighbours`` makes it anew."""
    definitions = (one for loaded in all_loaded(Registry(()), "9.1.0") for one in loaded.definitions)
    assert text_of(neighbours(definitions)) == (REPOSITORY / "specs" / "9.1.0" / NEIGHBOURS).read_text(encoding="utf-8")
