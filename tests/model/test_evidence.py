"""Promise: what machines recorded of a rule says whether it is enforced, unless its author does; no more than that."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opspec.errors import OpspecError
from opspec.model.definition import RuleDef
from opspec.model.evidence import FILE, Recorded, evidence_of, file_of, line_of, parsed, read_all, said, text_of
from opspec.model.load import load_file, load_text
from tests.model.building import spec
from tests.paths import in_folder

BODY = """
params:
  - {name: n, ctype: int64_t, range: "> 0"}
  - {name: x, ctype: const aclTensor*, dtype: FLOAT}
rules:
  size: "x.rank == n"
  own: {check: "n != 7", enforced: no}
  told: {check: "n != 8", enforced: yes, evidence: "a test of mine"}
  row: {check: "n != 9", from: [161002/1]}
  seen: {check: "n != 10", basis: observed, evidence: "a test of mine"}
twin: {operator: aclnnInplaceX, rename: {x: xRef}}
"""


def rules(**evidence: Recorded) -> dict[str, RuleDef]:
    """The rules of the spec with what was recorded of them."""
    known = {name.replace("_", "."): one for name, one in evidence.items()}
    return {rule.id: rule for rule in load_text(spec(BODY), "x.yaml", known).definitions[0].rules}


@pytest.mark.parametrize(
    ("accepted", "refused", "enforced"), [(1, 0, "no"), (0, 1, "yes"), (1, 9, "no"), (0, 7, "yes")]
)
def test_one_call_that_succeeds_is_enough_to_say_no(accepted: int, refused: int, enforced: str) -> None:
    one = Recorded(accepted, refused)
    for name in ("size", "n_range", "row"):
        rule = rules(**{name: one})[name.replace("_", ".")]
        assert (rule.enforced, rule.evidence, rule.witnessed) == (enforced, said(one), True)


def test_the_authors_word_wins() -> None:
    for one in (Recorded(1, 0), Recorded(0, 1)):
        with_evidence, without = rules(own=one, told=one), rules()
        assert with_evidence == without
        assert (without["own"].enforced, without["told"].enforced) == ("no", "yes")


def test_an_observed_rule_keeps_its_own_evidence() -> None:
    rule = rules(seen=Recorded(0, 4))["seen"]
    assert (rule.enforced, rule.evidence) == ("yes", ("a test of mine", "a test of mine"))


def test_what_was_recorded_of_a_rule_that_is_no_more_is_ignored() -> None:
    assert rules(gone=Recorded(1, 0), x_gone=Recorded(0, 1)) == rules()


def test_a_twin_has_the_evidence_of_its_first() -> None:
    _, second = load_text(spec(BODY), "x.yaml", {"x.dtype": Recorded(1, 0)}).definitions
    rule = second.rule("xRef.dtype")
    assert rule is not None
    assert rule.enforced == "no"


_COUNTS = st.builds(Recorded, st.integers(0, 99), st.integers(0, 99))
_NAMES = st.from_regex(r"aclnn[A-Za-z0-9_]{1,6}", fullmatch=True)
_KNOWN = st.dictionaries(
    _NAMES, st.dictionaries(st.text(min_size=1, max_size=6), _COUNTS, min_size=1, max_size=3), max_size=5
)


@given(_KNOWN, _NAMES)
def test_a_file_reads_back_whole_and_line_by_line(known: dict[str, dict[str, Recorded]], other: str) -> None:
    """The line of an operator is found among others of which the names begin alike."""
    text = text_of(known)
    for name in (*known, other):
        assert parsed(line_of(text.encode(), name), "x") == known.get(name, {})
    with in_folder() as folder:
        (folder / FILE).write_text(text, encoding="utf-8")
        assert read_all(str(folder / FILE)) == known


@pytest.mark.parametrize("families", ["", "family"])
def test_it_lies_beside_the_families_of_a_release_or_beside_the_spec(families: str, tmp_path: Path) -> None:
    folder = tmp_path / "9.9" / families
    folder.mkdir(parents=True)
    path = folder / "aclnnX+aclnnInplaceX.yaml"
    path.write_text(spec(BODY), encoding="utf-8")
    assert evidence_of(str(path), "aclnnX") == {}
    (tmp_path / "9.9" / FILE).write_text(text_of({"aclnnX": {"size": Recorded(1, 0)}}), encoding="utf-8")
    assert file_of(str(path)) == str(tmp_path / "9.9" / FILE)
    rule = load_file(str(path)).definitions[0].rule("size")
    assert rule is not None
    assert rule.enforced == "no"


@pytest.mark.parametrize(
    "rules", ["3", "[]", '{"size": 1}', '{"size": [1]}', '{"size": ["a", 1]}', '{"size": [1, 2', "null"]
)
def test_a_damaged_line_is_an_error_that_names_the_file(rules: str, tmp_path: Path) -> None:
    path = tmp_path / "aclnnX.yaml"
    path.write_text(spec(BODY), encoding="utf-8")
    (tmp_path / FILE).write_text(f'{{"op": "aclnnX", "rules": {rules}}}\n', encoding="utf-8")
    with pytest.raises(OpspecError, match=r'expected \{"op"') as caught:
        load_file(str(path))
    assert caught.value.where == str(tmp_path / FILE)
