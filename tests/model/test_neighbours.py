"""Promise: a rule that no call speaks about is taken to meet what calls met of operators beside it, not of its own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opspec.errors import OpspecError
from opspec.model.ends import NOTHING, Ends
from opspec.model.enforcement import Grounds
from opspec.model.lines import NEIGHBOURS
from opspec.model.neighbours import FEWEST, Neighbours, alike, neighbours_of, text_of
from opspec.registry.registry import Registry, all_loaded
from opspec.vocabulary.enforcement import REFUSED, UNKNOWN
from opspec.workshop.conformance.neighbours import neighbours
from tests.model.building import spec
from tests.paths import REPOSITORY

RULE = "out-shape"
GROUNDS = Grounds("relation", "shape", "out", True, "params", False, "", "math")
DOCUMENT = "repo/folder/aclnnX.md"
_ENDS = st.builds(Ends, *[st.integers(0, 50)] * len(Ends._fields))


def of(folder: Ends = NOTHING, family: Ends = NOTHING) -> Neighbours:
    """What is known of one rule."""
    return Neighbours({alike(RULE, GROUNDS): folder}, {alike(RULE, GROUNDS): family})


@given(_ENDS, _ENDS, _ENDS)
def test_an_operators_own_calls_are_none_of_its_neighbours(own: Ends, folder: Ends, family: Ends) -> None:
    """The file counts all operators; what is left without the one that asks decides."""
    known = of(folder.plus(own), family.plus(own))
    assert known.usual(RULE, GROUNDS, own) == of(folder, family).usual(RULE, GROUNDS, NOTHING)


def test_those_of_one_folder_speak_before_the_family_and_too_few_do_not() -> None:
    refused, through = Ends(refused=FEWEST), Ends(through=FEWEST)
    assert of(refused, through).usual(RULE, GROUNDS, NOTHING) == (REFUSED, None, 0)
    assert of(NOTHING, through).usual(RULE, GROUNDS, NOTHING) == (UNKNOWN, None, 0)
    few = Ends(refused=FEWEST - 1, passed=100)  # who passed the checks tells nothing
    assert of(few, few).usual(RULE, GROUNDS, NOTHING) is None
    assert of(refused, refused).usual("another-rule", GROUNDS, NOTHING) is None


def test_a_rule_with_a_return_code_and_one_in_prose_do_not_speak_for_each_other() -> None:
    """Whether a page gives a rule a code, and where it is checked, tells first phases apart that share a folder."""
    known = of(Ends(refused=FEWEST))
    for other in (replace(GROUNDS, in_row=False), replace(GROUNDS, stage="tiling")):
        assert known.usual(RULE, other, NOTHING) is None


@given(_ENDS, _ENDS)
def test_a_file_is_read_as_it_is_written(folder: Ends, family: Ends) -> None:
    known = {"repo/folder": {alike(RULE, GROUNDS): folder}, "math": {alike(RULE, GROUNDS): family}}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("opspec.model.lines.read", lambda _: text_of(known).encode())
        assert neighbours_of("specs/9.9/math/aclnnX.yaml", DOCUMENT) == of(folder, family)


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
