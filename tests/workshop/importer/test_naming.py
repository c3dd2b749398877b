"""Promise: a clause has one id, the same in every edition that has it; ids are unique and never mean something else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opspec.model.ledger import named_after
from opspec.workshop.importer.naming import identified

Clause = dict[str, Any]

_HOMES = st.sampled_from(["constraints", "notes", "params/x/usage", "params/out/usage", "returns/161002"])
_WORDS = st.text("abcdef", min_size=4, max_size=4)
_RULES = st.lists(st.sampled_from(["x.rank", "out-shape", "same", "x.dtype"]), max_size=2, unique=True)


@st.composite
def _pages(draw: st.DrawFn) -> list[Clause]:
    """The clauses of a page, each home's numbered from 1."""
    counts: dict[str, int] = {}
    clauses = []
    for home, words, rules in draw(st.lists(st.tuples(_HOMES, _WORDS, _RULES), max_size=8)):
        counts[home] = counts.get(home, 0) + 1
        own = {"rules": rules} if rules else {"not_yet": "yes"}
        clauses.append({"at": f"{home}/{counts[home]}", "fingerprint": words, **own})
    return clauses


def _ids(clauses: list[Clause]) -> list[str]:
    return [clause["id"] for clause in clauses]


def _numbered(clauses: list[Clause]) -> list[Clause]:
    """The clauses as they stand when their page has only these."""
    counts: dict[str, int] = {}
    result = []
    for clause in clauses:
        home = clause["at"].rpartition("/")[0]
        counts[home] = counts.get(home, 0) + 1
        result.append({**clause, "at": f"{home}/{counts[home]}"})
    return result


@given(_pages(), _pages())
def test_ids_are_unique_and_those_of_other_clauses_are_not_taken(old: list[Clause], new: list[Clause]) -> None:
    """Also beside an edition that has nothing in common with it, and beside ids that are retired."""
    known = identified(old, taken=["same", "161002/out-shape"])
    found = identified(new, known, taken=["same/2"])
    for ids in map(_ids, (known, found)):
        assert len(set(ids)) == len(ids)
    assert not {"same", "161002/out-shape"} & set(_ids(known))
    fresh = set(_ids(found)) - set(_ids(known))
    assert "same/2" not in fresh
    assert [{key: item for key, item in clause.items() if key != "id"} for clause in found] == new


@given(_pages())
def test_an_edition_that_says_the_same_has_the_same_ids(page: list[Clause]) -> None:
    known = identified(page)
    assert identified(page, known) == known


@given(_pages(), st.data())
def test_ids_stay_where_clauses_come_and_go(page: list[Clause], data: st.DataObject) -> None:
    """What is left of a page has its ids, and has them when the rest comes back."""
    words = [clause["fingerprint"] for clause in page]
    page = [clause for clause in page if words.count(clause["fingerprint"]) == 1]
    known = identified(_numbered(page))
    left = data.draw(st.lists(st.sampled_from(known), unique_by=lambda clause: clause["id"])) if known else []
    bare = [{key: item for key, item in clause.items() if key != "id"} for clause in known if clause in left]
    assert _ids(identified(_numbered(bare), known)) == [clause["id"] for clause in known if clause in left]


@given(_pages(), st.data())
def test_ids_stay_where_clauses_move(page: list[Clause], data: st.DataObject) -> None:
    """Wherever they move to: a sentence that stands where another stood does not get that one's id."""
    words = [clause["fingerprint"] for clause in page]
    page = [clause for clause in page if words.count(clause["fingerprint"]) == 1]
    known = identified(_numbered(page))
    rows = [i for i, clause in enumerate(known) if clause["at"].startswith("returns/")]  # each has its status
    free = [i for i in range(len(known)) if i not in rows]
    moved = [dict(clause) for clause in known]
    for i, j in zip(free, data.draw(st.permutations(free)), strict=True):
        moved[i] = {**known[j], "at": known[i]["at"]}
    found = {clause["fingerprint"]: clause["id"] for clause in identified(moved, known)}
    assert found == {clause["fingerprint"]: clause["id"] for clause in known}


def test_a_clause_that_was_edited_keeps_its_id() -> None:
    """Between clauses that are the same, or with the rules that it had; one that says another rule is another."""
    texts = ["aaaa", "bbbb", "cccc"]
    page: list[Clause] = [
        {"at": f"constraints/{i}", "fingerprint": words, "not_yet": "yes"} for i, words in enumerate(texts, 1)
    ]
    page[1]["rules"] = ["out-shape"]
    known = identified(page)
    edited = [page[0], {**page[1], "fingerprint": "dddd"}, page[2]]
    assert _ids(identified(edited, known)) == _ids(known)
    moved = [{**page[1], "at": "notes/1", "fingerprint": "dddd"}]
    assert _ids(identified(moved, known)) == ["out-shape"]
    other = [page[0], {**page[1], "fingerprint": "dddd", "rules": ["x.rank"]}, page[2]]
    assert _ids(identified(other, known))[1] == "x.rank"


def test_a_clause_that_a_person_found_is_not_taken_for_one_that_was_edited() -> None:
    """It has no words of the importer's: a sentence that is new in its home says something else."""
    known = identified([{"at": "params/x/rank", "rules": ["same"]}])
    page = [{"at": "params/x/about/1", "fingerprint": "aaaa", "not_yet": "yes"}]
    assert _ids(identified(page, known)) == ["x/remark"]


def test_a_name_that_would_mislead_is_not_kept() -> None:
    """Where a rule has the name of a clause that does not say it, the clause is called otherwise."""
    known = identified([{"at": "constraints/1", "fingerprint": "aaaa", "rules": ["same"]}])
    page = [{"at": "constraints/1", "fingerprint": "aaaa", "rules": ["x.rank"]}]
    assert _ids(identified(page, known, rules=["same", "x.rank"])) == ["x.rank"]
    assert _ids(identified(page, known, rules=["x.rank"])) == ["same"]


@pytest.mark.parametrize(
    ("clause", "text", "name"),
    [
        ({"at": "params/x/usage/1", "rules": ["out-shape"]}, "", "out-shape"),
        ({"at": "returns/161002/4", "rules": ["x.rank", "out-shape"]}, "", "161002/out-shape"),
        ({"at": "returns/161002/4"}, "数据类型不支持", "161002/on-dtype"),
        ({"at": "params/x/usage/2"}, "shape为2维", "x/on-shape"),
        ({"at": "constraints/3"}, "当x为空tensor时不计算", "x/on-empty"),
        ({"at": "constraints/3", "not_checkable": "precision"}, "结果可能溢出", "constraint/on-precision"),
        ({"at": "notes/1"}, "请注意", "note/remark"),
        ({"at": "params/x/rank"}, "", "x/rank"),
    ],
)
def test_new_ids_say_subject_and_kind(clause: Clause, text: str, name: str) -> None:
    """One that rules formalise has the name of one of them, which need not cite it then."""
    beside = {"at": "params/x/about/1", "fingerprint": "0000", "not_yet": "yes"}
    found = identified([beside, {"fingerprint": "1111", **clause}], texts={"0000": "", "1111": text})
    assert found[1]["id"] == name
    assert (named_after(name) in clause.get("rules", ())) == bool(clause.get("rules"))
