"""Promise: a rule that no call speaks about is taken to meet what calls met of operators beside it, not of its own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opspec.errors import OpspecError
from opspec.model.definition import RuleDef
from opspec.model.ends import BY_TILING, NOTHING, Ends, Met
from opspec.model.enforcement import Grounds
from opspec.model.lines import NEIGHBOURS
from opspec.model.neighbours import FEWEST, Names, Neighbours, names_of, neighbours_of, text_of
from opspec.registry.registry import Registry, all_loaded
from opspec.vocabulary.enforcement import REFUSED, UNKNOWN
from opspec.workshop.conformance.neighbours import neighbours
from tests.model.building import definition, spec
from tests.paths import REPOSITORY, in_folder

RULE = Names("out-shape", "~0badcafe params", "out-shape row params ")
GROUNDS = Grounds("relation", "shape", "out", True, "params", False, "", "math")
DOCUMENT = "repo/folder/aclnnX.md"
BESIDE = """params:
  - {name: a, ctype: const aclTensor*}
  - {name: b, ctype: const aclTensor*}
  - {name: out, io: out, ctype: aclTensor*}
rules:
  a-fits: "out.shape == a.shape"
  b-fits: "out.shape == b.shape"
  a-beside: "a.rank == b.rank"
"""
_ENDS = st.builds(Ends, *[st.integers(0, 50)] * len(Ends._fields))


def of(folder: Ends = NOTHING, family: Ends = NOTHING, check: Ends = NOTHING) -> Neighbours:
    """What is known of one rule."""
    return Neighbours({RULE.id: folder, RULE.check: check}, {RULE.family: family})


@given(_ENDS, _ENDS, _ENDS, _ENDS)
def test_an_operators_own_calls_are_none_of_its_neighbours(own: Ends, folder: Ends, family: Ends, check: Ends) -> None:
    """The file counts all operators; what is left without the one that asks decides."""
    known = of(folder.plus(own), family.plus(own), check.plus(own))
    its = dict.fromkeys((RULE.id, RULE.check, RULE.family), own)
    assert known.usual(RULE, its) == of(folder, family, check).usual(RULE, {})


def test_those_of_one_folder_speak_before_the_family_and_too_few_do_not() -> None:
    refused, through = Ends(refused=FEWEST), Ends(through=FEWEST)
    assert of(refused, through).usual(RULE, {}) == (Met(REFUSED), False)
    assert of(NOTHING, through).usual(RULE, {}) == (Met(UNKNOWN), True)
    few = Ends(refused=FEWEST - 1)
    assert of(few, few).usual(RULE, {}) == (None, False)
    assert of(refused, refused).usual(Names("another-rule", "~0", "another-rule row params "), {}) == (None, False)


def test_who_only_passed_the_checks_tells_of_these_alone() -> None:
    """What comes behind them those tell that stand less near, be it that their own checks refuse such calls."""
    passed = Ends(passed=FEWEST)
    assert of(passed, Ends(refused=FEWEST)).usual(RULE, {}) == (None, True)
    assert of(passed, Ends(refused=FEWEST, tiling=FEWEST)).usual(RULE, {}) == (BY_TILING, True)


def test_only_those_speak_of_which_clearly_most_calls_say_the_same() -> None:
    """Who stands nearer and says now this, now that leaves the word to those that stand less near."""
    refused, through = Ends(refused=40), Ends(through=FEWEST)
    assert of(through, check=refused).usual(RULE, {}) == (Met(UNKNOWN), True)
    assert of(family=through, check=refused).usual(RULE, {}) == (Met(REFUSED), False)
    assert of(family=through, check=refused.plus(Ends(through=20))).usual(RULE, {}) == (Met(UNKNOWN), True)
    assert of(refused.plus(Ends(through=20)), family=through).usual(RULE, {}) == (Met(UNKNOWN), True)
    behind = Ends(tiling=40, through=20)
    assert of(behind, family=through).usual(RULE, {}) == (Met(UNKNOWN), True)
    assert of(behind.plus(Ends(tiling=1)), family=through).usual(RULE, {}) == (BY_TILING, True)


def _defined(dtypes: str) -> dict[str, RuleDef]:
    """The rules of a tensor that may have these dtypes."""
    body = f"params:\n  - {{name: x, ctype: const aclTensor*, dtype: {dtypes}, rank: 1-8}}\n"
    return {rule.id: rule for rule in definition(body).rules}


def test_rules_of_one_id_that_say_or_are_checked_otherwise_do_not_speak_for_each_other() -> None:
    """What a param may be tells first phases apart; in a family a page's return code and the stage do, too."""
    rules, others = _defined("[FLOAT]"), _defined("[FLOAT, FLOAT16]")
    listed, related = rules["x.dtype"], rules["x.rank"]
    params = frozenset({"x"})
    assert names_of(listed, GROUNDS, params).id != names_of(others["x.dtype"], GROUNDS, params).id
    assert names_of(related, GROUNDS, params) == names_of(others["x.rank"], GROUNDS, params)
    for other in (replace(GROUNDS, in_row=False), replace(GROUNDS, stage="tiling")):
        assert names_of(listed, GROUNDS, params).family != names_of(listed, other, params).family
        assert names_of(listed, GROUNDS, params).id == names_of(listed, other, params).id
    assert names_of(listed, GROUNDS, params).id != names_of(listed, GROUNDS, params, tiled=True).id


def test_a_check_is_the_same_whatever_its_params_are_called() -> None:
    rules = {rule.id: rule for rule in definition(BESIDE).rules}
    params = frozenset({"a", "b", "out"})
    called = {name: names_of(rules[name], GROUNDS, params).check for name in ("a-fits", "b-fits", "a-beside")}
    assert called["a-fits"] == called["b-fits"] != called["a-beside"]


@given(_ENDS, _ENDS)
def test_a_file_is_read_as_it_is_written(folder: Ends, family: Ends) -> None:
    with in_folder() as path:
        (path / "9.9" / "math").mkdir(parents=True)
        known = {"math": {RULE.family: family}, "repo/folder": {RULE.id: folder, RULE.check: NOTHING}}
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
