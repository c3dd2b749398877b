"""Promise: a ledger reads back as it was written, a damaged one is told by its file, and places have one short form."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opspec.errors import OpspecError
from opspec.model.enforcement import enforcement
from opspec.model.ledger import (
    Entry,
    Ledger,
    full_place,
    ledger_text,
    path_beside,
    read_ledger,
    row_of,
    short_place,
)
from opspec.model.load import load_file, load_text
from opspec.vocabulary.enforcement import REFUSED, UNCHECKED
from tests.committed import EVERY
from tests.model.building import definition, spec
from tests.paths import in_folder

_REASONS = st.sampled_from(["device_data", "other_cards", "timing", "precision", "no_condition"])
_TEXT = st.text(max_size=12)
_LEDGERS = st.builds(
    Ledger,
    clauses=st.dictionaries(
        _TEXT,
        st.builds(
            Entry, at=st.none() | _TEXT, words=st.none() | _TEXT, now=st.none() | _TEXT, why=st.none() | _REASONS
        ),
        max_size=5,
    ),
)


@given(_LEDGERS.filter(lambda ledger: len(set(ledger.places.values())) == len(ledger.clauses)))
def test_a_ledger_reads_back(ledger: Ledger) -> None:
    """In its order, whatever it holds."""
    with in_folder() as folder:
        path = folder / "aclnnX.ledger.json"
        path.write_text(ledger_text(ledger), encoding="utf-8")
        found = read_ledger(str(path))
    assert found == ledger
    assert list(found.clauses) == list(ledger.clauses)


def test_a_spec_without_a_ledger_has_an_empty_one(tmp_path: Path) -> None:
    assert read_ledger(path_beside(str(tmp_path / "aclnnX.yaml"))) == Ledger()


@pytest.mark.parametrize(
    "content",
    [
        b"", b"\xff", b"[]", b"{", b"3", b'{"clauses": 3}', b'{"clauses": {"a": 3}}',
        b'{"clauses": {"a": {"why": "x"}}}',
        b'{"clauses": {"a": {"rules": []}}}', b'{"clauses": {"a": {"at": 3}}}', b'{"other": 1}', b"[" * 100_000,
    ],
)  # fmt: skip
def test_a_damaged_ledger_is_an_error_that_names_the_file(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "aclnnX.ledger.json"
    file.write_bytes(content)
    with pytest.raises(OpspecError) as caught:
        read_ledger(str(file))
    assert (caught.value.where or "").split(":")[0] == str(file)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("clauses", "line", "said"),
    [
        ('"a": {},\n"b": {"wrods": "x"}', 3, "unknown key 'wrods'; did you mean 'words'"),
        ('"a": {},\n"b": {"why": "none"}', 3, "clauses/b/why: input should be 'device_data'"),
        (
            '"a": {"at": "notes/1"},\n"b": {"at": "notes/1"}',
            3,
            "'a' and 'b' are the same clause: both stand at notes/1",
        ),
        ('"a": {},\n"a": {"at": "notes/1"}', None, "'a' stands twice"),
    ],
)
def test_what_is_wrong_in_a_ledger_has_a_line(clauses: str, line: int | None, said: str, tmp_path: Path) -> None:
    """And the nearest key that there is; of a clause that stands twice neither is lost unseen."""
    file = tmp_path / "aclnnX.ledger.json"
    file.write_text(f'{{"clauses": {{\n{clauses}\n}}}}', encoding="utf-8")
    with pytest.raises(OpspecError) as caught:
        read_ledger(str(file))
    assert caught.value.where == (str(file) if line is None else f"{file}:{line}")
    assert said in caught.value.message


@pytest.mark.parametrize("paths", EVERY)
def test_committed_ledgers_are_in_their_canonical_text(paths: list[Path]) -> None:
    """And every spec with a page has one."""
    for path in paths:
        file = Path(path_beside(str(path)))
        assert ledger_text(read_ledger(str(file))) == file.read_text(encoding="utf-8"), path


_PLACES = st.one_of(
    st.sampled_from(["constraints/4", "notes/1", "function/formula/1", "products", "params/params/usage/1"]),
    st.builds("params/{}/usage/{}".format, st.sampled_from(["self", "n", "returns", "161002"]), st.integers(1, 9)),
    st.builds("returns/{}/{}".format, st.sampled_from([161001, 161002, 561002]), st.integers(1, 99)),
)


@given(_PLACES, st.lists(st.sampled_from(["self", "n", "returns", "notes", "params"]), unique=True))
def test_a_place_has_a_short_form_that_says_the_same(place: str, params: list[str]) -> None:
    assert full_place(short_place(place, params), params) == place


def test_rows_of_return_codes_are_places() -> None:
    assert row_of("returns/161002/3") == ("ACLNN_ERR_PARAM_INVALID", "3")
    assert row_of("params/x/usage/1") is None
    assert row_of("returns/GetWorkspaceSize/3") is None


ROWS = """
params:
  - {name: x, ctype: const aclTensor*, dtype: FLOAT, rank: 2}
rules:
  mine: {check: "x.shape[0] > 1", from: [x/usage/1, 161002/2]}
  tiled: {check: "x.shape[1] > 1", from: [561002/1]}
  own: {check: "x.shape[1] > 2", from: [561002/1], status: 161002, stage: params, enforced: no}
clauses:
  161001/1: [x.null]
  161002/10: [x.dtype]
  161002/9: [x.rank]
"""


def test_a_row_of_return_codes_gives_its_rules_status_stage_and_enforcement() -> None:
    """What a rule says itself counts."""
    of = definition(ROWS)
    found = {rule.id: (rule.status, rule.stage, enforcement(rule, of).usual) for rule in of.rules}
    assert found["mine"] == ("ACLNN_ERR_PARAM_INVALID", "params", REFUSED)
    assert found["tiled"] == ("ACLNN_ERR_INNER_TILING_ERROR", "tiling", REFUSED)
    assert found["own"] == ("ACLNN_ERR_PARAM_INVALID", "params", UNCHECKED)
    assert found["x.null"] == ("ACLNN_ERR_PARAM_NULLPTR", "params", REFUSED)
    mine = of.rule("mine")
    assert mine is not None
    assert mine.sources == ("params/x/usage/1", "returns/161002/2")
    assert [(row.status, row.number, row.rules) for row in of.returns] == [
        ("ACLNN_ERR_PARAM_NULLPTR", "1", ("x.null",)),
        ("ACLNN_ERR_PARAM_INVALID", "2", ("mine",)),
        ("ACLNN_ERR_PARAM_INVALID", "9", ("x.rank",)),
        ("ACLNN_ERR_PARAM_INVALID", "10", ("x.dtype",)),
        ("ACLNN_ERR_INNER_TILING_ERROR", "1", ("tiled", "own")),
    ]


def test_clauses_are_those_of_the_ledger_then_those_that_rules_name(tmp_path: Path) -> None:
    file = tmp_path / "aclnnX.yaml"
    file.write_text(spec(ROWS), encoding="utf-8")
    written = {
        "constraints/1": {"words": "aaaaaaaa"},
        "returns/161002/2": {"words": "bbbbbbbb", "why": "timing"},  # a rule formalises it all the same
        "constraints/2": {"why": "timing"},
    }
    Path(path_beside(str(file))).write_text(json.dumps({"clauses": written}), encoding="utf-8")
    found = load_file(str(file)).clauses
    assert [clause.at for clause in found[:3]] == list(written)
    assert {clause.at for clause in found[3:]} == {
        "params/x/usage/1", "returns/561002/1", "returns/161001/1", "returns/161002/10", "returns/161002/9"
    }  # fmt: skip
    assert [clause.not_yet for clause in found] == [True, *[False] * 7]
    assert [clause.rules for clause in found[:3]] == [(), ("mine",), ()]
    assert [clause.not_checkable for clause in found[:3]] == [None, None, "timing"]
    assert [clause.words for clause in found[:4]] == ["aaaaaaaa", "bbbbbbbb", None, None]
    assert not any(clause.words or clause.not_yet for clause in load_text(spec(ROWS)).clauses)  # it has no ledger
