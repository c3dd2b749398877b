"""Importing again: what a person wrote stays, what only the importer wrote follows the page, nothing else changes."""

from __future__ import annotations

import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opspec.cli.main import main
from opspec.model.ledger import path_beside, read_ledger
from opspec.model.load import load_file
from opspec.workshop.importer.merge import digests, leaves, merge, plain
from opspec.workshop.importer.said import FILE, said_of
from tests.workshop.importer.building import MODE, OUT, ROWS, X, Y, page

# --- specs at random: what an importer wrote, what it would write now, and a person's hand between the two

_DTYPES = st.lists(st.sampled_from(["FLOAT", "FLOAT16", "INT8", "BOOL"]), min_size=1, max_size=3, unique=True)
_NAMES = ("x", "y", "mode", "out")
_PROPERTIES = st.fixed_dictionaries(
    {"ctype": st.sampled_from(["const aclTensor*", "int64_t"])},
    optional={
        "dtype": _DTYPES,
        "rank": st.sampled_from(["1", "2-4"]),
        "optional": st.just("yes"),
        "format": st.just(["ND"]),
    },
)
_CLAUSES = st.dictionaries(
    st.sampled_from([f"constraints/{i}" for i in range(5)]), st.sampled_from(["aaaaaaaa", "bbbbbbbb"]), max_size=4
)


@st.composite
def _specs(draw: st.DrawFn) -> dict[str, Any]:
    """A spec as plain data: params that may come and go, rules, clauses and other keys."""
    names = draw(st.lists(st.sampled_from(_NAMES), min_size=1, unique=True))
    spec: dict[str, Any] = {
        "operator": "aclnnToy",
        "release": "9.9.9",
        "products": draw(st.sampled_from([{"950": "yes"}, {"910b": "yes"}])),
    }
    spec["params"] = [{"name": name, **draw(_PROPERTIES)} for name in names]
    rules = draw(st.dictionaries(st.sampled_from(["r1", "r2", "r3"]), st.sampled_from(["x.rank == 1", "x.rank == 2"])))
    if rules:
        spec["rules"] = rules
    found = draw(_CLAUSES)
    if found:
        spec["clauses"] = [{"at": at, "fingerprint": mark} for at, mark in found.items()]
    return spec


def _leaves(spec: dict[str, Any]) -> dict[str, Any]:
    return {"/".join(leaf): value for leaf, value in leaves(spec)}


def _steady(spec: dict[str, Any], name: str) -> bool:
    """Whether a leaf counts by itself: of a param only while the list of params has it."""
    parts = name.split("/")
    return parts[0] != "params" or len(parts) == 1 or parts[1] in [param["name"] for param in spec["params"]]


@given(_specs())
def test_importing_twice_changes_nothing(imported: dict[str, Any]) -> None:
    """The same page over what it wrote: the same spec, no change, nothing kept."""
    again = merge(copy.deepcopy(imported), copy.deepcopy(imported), digests(imported))
    assert (again.changed, again.kept) == ([], [])
    assert _leaves(again.value) == _leaves(imported)


@given(_specs(), _specs())
def test_leaves_that_nobody_touched_follow_the_page(before: dict[str, Any], now: dict[str, Any]) -> None:
    """An untouched file becomes what the page says now, leaf for leaf; every change is reported once."""
    merged = merge(copy.deepcopy(before), copy.deepcopy(now), digests(before))
    assert _leaves(merged.value) == _leaves(now)
    assert merged.kept == []
    old, new = _leaves(before), _leaves(now)
    assert dict(merged.changed) == {
        name: "gone" if name not in new else "new" if name not in old else "changed"
        for name in old.keys() | new.keys()
        if old.get(name) != new.get(name)
    }


@given(_specs(), _specs(), _specs())
def test_a_persons_word_stays(before: dict[str, Any], mine: dict[str, Any], now: dict[str, Any]) -> None:
    """Every leaf that a person changed, added or removed is as the person left it, whatever the page says now."""
    merged = merge(copy.deepcopy(mine), copy.deepcopy(now), digests(before))
    imported, edited, page_, result = (_leaves(spec) for spec in (before, mine, now, merged.value))
    for name in imported.keys() | edited.keys() | page_.keys():
        if not _steady(merged.value, name):
            continue
        touched = imported.get(name) != edited.get(name)
        wanted = edited if touched else page_
        assert result.get(name) == wanted.get(name), name


@given(_specs(), _specs(), _specs())
def test_what_is_kept_against_the_page_is_reported(
    before: dict[str, Any], mine: dict[str, Any], now: dict[str, Any]
) -> None:
    """Kept are the leaves where the page's word is news and a person's is another; following again reports no more."""
    merged = merge(copy.deepcopy(mine), copy.deepcopy(now), digests(before))
    imported, edited, page_ = (_leaves(spec) for spec in (before, mine, now))
    for name in merged.kept:
        assert edited.get(name) != page_[name]
        assert imported.get(name) != page_[name]
    again = merge(copy.deepcopy(merged.value), copy.deepcopy(now), digests(now))
    assert _leaves(again.value) == _leaves(merged.value)
    assert again.kept == []


@given(_specs(), _specs())
def test_a_file_that_a_person_made_stays_whole(mine: dict[str, Any], now: dict[str, Any]) -> None:
    """Without a record of an import nothing of it changes; where the page differs is only said."""
    merged = merge(copy.deepcopy(mine), copy.deepcopy(now), None)
    assert merged.changed == []
    own, page_ = _leaves(mine), _leaves(now)
    kept = {name: value for name, value in _leaves(merged.value).items() if name in own}
    assert kept == own
    assert set(merged.kept) == {name for name, value in page_.items() if own.get(name) != value}


def test_digests_do_not_depend_on_how_a_value_was_read() -> None:
    """A number of the importer and its text in the file are the same leaf."""
    spec: dict[str, Any] = {"params": [{"name": "x", "rank": 2, "optional": None, "enum": [0, 1]}]}
    assert digests(spec) == digests(plain(spec))


# --- the same with files and pages


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A registry folder into which the toy page was imported."""
    _imported(tmp_path, page())
    return tmp_path


def _imported(folder: Path, text: str, *words: str) -> None:
    path = folder / "pages" / "aclnnToy.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    assert main(["import", str(path), "--release", "9.9.9", "--out", str(folder / "out"), *words]) == 0


def _file(folder: Path) -> Path:
    return folder / "out" / "9.9.9" / "pages" / "aclnnToy.yaml"


def _ledger(folder: Path) -> Path:
    return Path(path_beside(str(_file(folder))))


def _said(folder: Path) -> Path:
    return folder / "out" / "9.9.9" / FILE


def _edited(folder: Path, old: str, new: str) -> None:
    text = _file(folder).read_text(encoding="utf-8")
    assert old in text
    _file(folder).write_text(text.replace(old, new), encoding="utf-8")


def _param(folder: Path, name: str) -> dict[str, Any]:
    value: Any = load_file(str(_file(folder))).document.value
    found: dict[str, dict[str, Any]] = {param["name"]: param for param in value["params"]}
    return found[name]


def test_files_do_not_change_by_importing_again(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Not a byte, neither of the spec nor of its ledger."""
    paths = [_file(folder), _ledger(folder)]
    before = [path.read_bytes() for path in paths]
    capsys.readouterr()
    _imported(folder, page())
    assert capsys.readouterr().out == "0 specs new, 0 changed, 1 as before; 0 faults\n"
    assert [path.read_bytes() for path in paths] == before


def test_a_persons_edits_outlive_a_changed_page(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Edited, removed and added leaves, and a comment, stay; the others follow; what is kept is said."""
    _edited(
        folder,
        "  - {name: x, dtype: [FLOAT16, FLOAT], rank: 2-4, empty: yes}\n",
        "  # seen to hold\n  - {name: x, dtype: [FLOAT16, FLOAT], rank: 2-8, empty: yes}\n",
    )
    own = '  mine: {check: "y.rank == x.rank", from: [y-same-shape]}\n'
    _edited(folder, '  y-same-shape: "y.shape == x.shape"\n', own)
    new_x = replace(X, dtype="FLOAT16", rank="3", strided="×")
    new_mode = replace(MODE, usage="取值为0或1。")
    capsys.readouterr()
    _imported(folder, page((new_x, Y, ROWS[2], new_mode, OUT)))
    x = _param(folder, "x")
    assert (x["dtype"], x["rank"], x["empty"]) == ("FLOAT16", "2-8", "yes")
    assert x["strided"] == "no"
    assert _param(folder, "mode")["enum"] == ["0", "1"]
    text = _file(folder).read_text(encoding="utf-8")
    assert "# seen to hold" in text
    assert own in text
    assert "y-same-shape: " not in text
    said = capsys.readouterr().out
    assert "changed: params/x/dtype" in said
    assert "kept, though the page says something else: params/x/rank" in said


@pytest.mark.parametrize("ledger", [None, '{"clauses": {"constraints/1": {"words": "aaaaaaaa"}}}'])
def test_a_file_of_a_persons_gets_no_record(ledger: str | None, folder: Path) -> None:
    """A spec that nobody imported stays as it is, time and again, and so does the ledger beside it."""
    _ledger(folder).unlink()
    _said(folder).unlink()
    if ledger is not None:
        _ledger(folder).write_text(ledger, encoding="utf-8")
    before = _file(folder).read_bytes()
    for _ in range(2):
        _imported(folder, page((X, OUT)))
        assert _file(folder).read_bytes() == before
        assert (_ledger(folder).read_text(encoding="utf-8") if _ledger(folder).exists() else None) == ledger


def test_the_digests_of_what_was_imported_are_kept(folder: Path) -> None:
    """Not of what the file says since: a person's word keeps being one."""
    before = _said(folder).read_bytes(), _ledger(folder).read_bytes()
    assert said_of(str(_said(folder).parent), "aclnnToy")
    _edited(folder, "rank: 2-4", "rank: 2-8")
    _imported(folder, page())
    assert (_said(folder).read_bytes(), _ledger(folder).read_bytes()) == before


def _reworded(folder: Path) -> list[str]:
    """The clauses whose words somebody has to read."""
    return [name for name, entry in read_ledger(str(_ledger(folder))).clauses.items() if entry.now is not None]


def test_a_clause_in_other_words_keeps_its_id_and_waits(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One that a person has made a rule of, until somebody says that it was read; the importer's own follow."""
    edited = page((X, replace(Y, usage="shape应与x的shape完全一致且不为空。"), *ROWS[2:]))
    own = '  mine: {check: "y.rank == x.rank", from: [y-same-shape]}\n'
    _edited(folder, '  y-same-shape: "y.shape == x.shape"\n', own)
    before = read_ledger(str(_ledger(folder))).clauses["y-same-shape"]
    _imported(folder, page())
    assert _reworded(folder) == []
    for _ in range(2):
        _imported(folder, edited)
        assert _reworded(folder) == ["y-same-shape"]
    after = read_ledger(str(_ledger(folder))).clauses["y-same-shape"]
    assert (after.at, after.words) == (before.at, before.words)
    assert main(["lint", "--check", "reworded", str(_file(folder))]) == 1
    assert "the page says 'y-same-shape' in other words now" in capsys.readouterr().out
    again = ["import", str(folder / "pages"), "--release", "9.9.9", "--out", str(folder / "out")]
    assert main([*again, "--read", "aclnnToy/y-same-shap"]) == 2
    said = "unknown clause 'y-same-shap' of aclnnToy in --read; did you mean 'y-same-shape'?"
    assert said in capsys.readouterr().err
    assert _reworded(folder) == ["y-same-shape"]
    _imported(folder, edited, "--read", "aclnnToy/y-same-shape")
    assert "0 specs new, 1 changed, 0 as before" in capsys.readouterr().out  # its ledger
    assert _reworded(folder) == []
    assert read_ledger(str(_ledger(folder))).clauses["y-same-shape"].words == after.now
    assert own in _file(folder).read_text(encoding="utf-8")


def test_a_clause_that_goes_is_retired(folder: Path) -> None:
    """Its id is listed on a line of its own, and no other clause gets it."""
    retired = folder / "out" / "retired.txt"
    retired.write_text("9.9.9/aclnnToy/old", encoding="utf-8")  # an editor left out the last line's end
    _imported(folder, page((X, replace(Y, usage="-"), *ROWS[2:])))
    assert retired.read_text(encoding="utf-8").split() == ["9.9.9/aclnnToy/old", "9.9.9/aclnnToy/clauses/y-same-shape"]
    _imported(folder, page())
    assert "y-same-shape" not in read_ledger(str(_ledger(folder))).clauses
    assert main(["lint", "--check", "retired", str(_file(folder))]) == 0


def test_params_come_and_go_with_the_page(folder: Path) -> None:
    """A param that the page lost is gone with all it had, a new one stands where the page has it."""
    extra = replace(MODE, name="axis", usage="取值为3或4。")
    _imported(folder, page((X, extra, Y, OUT)))
    assert [param.name for param in load_file(str(_file(folder))).spec.params] == ["x", "axis", "y", "out"]
    assert _param(folder, "axis")["enum"] == ["3", "4"]


def test_a_rule_of_a_person_that_leans_on_what_is_gone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The two together mean nothing: the file stays as it is, and the fault says why."""
    _edited(folder, "rules:\n", 'rules:\n  mine: "mode > 0"\n')
    before = _file(folder).read_bytes()
    path = folder / "pages" / "aclnnToy.md"
    path.write_text(page((X, Y, OUT)), encoding="utf-8")
    assert main(["import", str(path), "--release", "9.9.9", "--out", str(folder / "out")]) == 1
    assert "mode" in capsys.readouterr().err
    assert _file(folder).read_bytes() == before


def test_the_products_of_a_clause_follow_the_page_as_long_as_its_words_are_the_same() -> None:
    """They are no leaf of their own: a person's rules for the clause stay, and only its own words bring products."""
    before: dict[str, Any] = {
        "clauses": [{"at": "notes/1", "fingerprint": "aaaaaaaa"}, {"at": "notes/2", "fingerprint": "bbbbbbbb"}]
    }
    mine = copy.deepcopy(before)
    mine["clauses"][0]["rules"] = ["x.dtype"]
    page_now = {
        "clauses": [
            {"at": "notes/1", "fingerprint": "aaaaaaaa", "on": ["A3"]},
            {"at": "notes/2", "fingerprint": "cccccccc", "on": ["910b"]},
        ]
    }
    merged = merge(mine, page_now, digests(before))
    assert merged.value["clauses"] == [{**mine["clauses"][0], "on": ["A3"]}, page_now["clauses"][1]]
    assert [leaf for leaf, _ in merged.changed] == ["clauses/notes/2"]
