"""``opspec import --base``: pages of one release, beside the specs that people made of another one's."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from opspec.cli.main import main
from opspec.model.ledger import path_beside
from opspec.model.load import Loaded, load_file
from tests.committed import CARRIED
from tests.paths import REPOSITORY, SHARED, needs_shared
from tests.workshop.importer.building import MODE, OUT, ROWS, X, Y, page, twins

OLD, NEW = "8.8.0", "9.9.9"


def imported(tmp_path: Path, release: str, text: str, *words: str) -> Path:
    """The spec that a page becomes."""
    source = tmp_path / release / "folder" / "aclnnToy.md"
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(text, encoding="utf-8")
    out = tmp_path / "out"
    main(["import", "--release", release, "--out", str(out), str(source), *words])
    return out / release / "folder" / "aclnnToy.yaml"


def carried(tmp_path: Path, before: str, after: str, own: str = "") -> Loaded:
    """The spec of the older page, where the newer one's has what people wrote into it."""
    path = imported(tmp_path, NEW, before)
    text = path.read_text(encoding="utf-8")
    if own:
        head, found, tail = text.partition("rules:\n")
        path.write_text(f"{head}{found}{own}{tail}" if found else f"{text}rules:\n{own}", encoding="utf-8")
        assert main(["fmt", str(path)]) == 0
    return load_file(str(imported(tmp_path, OLD, after, "--base", NEW)))


def ids(loaded: Loaded) -> set[str]:
    """The ids of its rules."""
    return {rule.id for rule in loaded.definitions[0].rules}


OWN = """\
  sure: {check: "x.rank == y.rank", basis: inferred, evidence: {en: it is what is computed, zh: 计算如此}}
  seen: {check: "x.shape[0] < 100", basis: observed, evidence: {en: calls show it, zh: 调用显示}}
"""


def test_what_the_pages_say_alike_is_as_in_the_other_spec(tmp_path: Path) -> None:
    """The file says that it is as there, and little else; rules that rest on no statement are there, too."""
    loaded = carried(tmp_path, page(ROWS), page(ROWS), OWN)
    other = load_file(str(tmp_path / "out" / NEW / "folder" / "aclnnToy.yaml"))
    said = loaded.source.document.value
    assert isinstance(said, dict)
    assert said["extends"] == f"{NEW}/aclnnToy"
    assert loaded.spec.release == OLD
    assert ids(loaded) == ids(other) >= {"sure", "seen"}
    assert not {"params", "rules", "without"} & set(said)


def test_what_a_person_read_otherwise_stays_where_the_page_says_the_same(tmp_path: Path) -> None:
    """More values than the importer reads; and all of a spec that no import made, by what its page says now."""
    path = imported(tmp_path, NEW, page(ROWS))
    text = path.read_text(encoding="utf-8")
    assert "enum: [0, 1, 2]" in text
    more = "enum: {0: {en: a, zh: 甲}, 1: {en: b, zh: 乙}, 2: {en: c, zh: 丙}, 3: {en: d, zh: 丁}}"
    path.write_text(text.replace("enum: [0, 1, 2]", more).replace("y-same-shape:", "y-as-x:"), encoding="utf-8")
    assert main(["fmt", str(path)]) == 0
    for _ in range(2):
        loaded = load_file(str(imported(tmp_path, OLD, page(ROWS), "--base", NEW, "--base-pages", str(tmp_path))))
        said = loaded.source.document.value
        assert isinstance(said, dict)
        assert not {"params", "rules", "without"} & set(said)
        shutil.rmtree(tmp_path / "out" / OLD)
        (tmp_path / "out" / NEW / "imported.jsonl").unlink(missing_ok=True)


def test_what_a_page_says_above_its_sections_is_said_of_its_release(tmp_path: Path) -> None:
    """That an operator will go each release says for itself; the numbers of a page are those of the base's alone."""
    goes = page(title="# aclnnToy\n\n**此接口后续版本会废弃，请勿使用该接口。**")
    path = imported(tmp_path, NEW, goes)
    path.write_text(f"{path.read_text(encoding='utf-8')}reference:\n  out: x\n", encoding="utf-8")
    assert main(["fmt", str(path)]) == 0
    again = load_file(str(imported(tmp_path, OLD, goes, "--base", NEW))).source.document.value
    assert isinstance(again, dict)
    assert again.keys() == {"operator", "extends", "document", "deprecated", "example"}


def test_a_statement_that_the_page_lacks_makes_no_rule(tmp_path: Path) -> None:
    """It was the only ground for it."""
    silent = tuple(replace(row, usage="-") if row == Y else row for row in ROWS)
    both = carried(tmp_path, page(ROWS), page(ROWS), OWN)
    one = carried(tmp_path / "again", page(ROWS), page(silent), OWN)
    assert {"sure", "seen"} <= ids(one) < ids(both)
    assert not [rule for rule in one.definitions[0].rules if rule.sources == ("params/y/usage/1",)]


def test_what_a_cell_says_otherwise_is_as_the_page_has_it(tmp_path: Path) -> None:
    """A dtype that it does not list is not allowed, one that it adds is."""
    rows = tuple(replace(row, dtype="FLOAT、INT8") if row in (X, Y, OUT) else row for row in ROWS)
    loaded = carried(tmp_path, page(ROWS), page(rows))
    found = {param.name: param.dtype for param in loaded.spec.params}
    assert found["x"] == found["out"] == ["FLOAT", "INT8"]


def test_what_reads_a_param_that_is_not_there_is_left_out(tmp_path: Path) -> None:
    """A rule and a derived value about it would mean nothing; what follows from them goes with them."""
    own = '  low: {check: "mode < x.rank", basis: inferred, evidence: {en: so it is, zh: 如此}}\n'
    rows = tuple(row for row in ROWS if row != MODE)
    loaded = carried(tmp_path, page(ROWS), page(rows), own + OWN)
    assert "low" not in ids(loaded)
    assert "sure" in ids(loaded)
    assert "mode" not in [param.name for param in loaded.spec.params]


def test_a_param_that_is_spelt_otherwise_is_the_same_param(tmp_path: Path) -> None:
    """Its rules speak of it by the name that this page has."""
    rows = tuple(replace(row, name="Mode") if row == MODE else row for row in ROWS)
    own = '  low: {check: "mode < x.rank", basis: inferred, evidence: {en: so it is, zh: 如此}}\n'
    loaded = carried(tmp_path, page(ROWS), page(rows), own)
    assert {"low", "Mode.enum"} <= ids(loaded)


def test_the_example_is_legal_or_another_one_is_found(tmp_path: Path) -> None:
    """One that the other release takes may have a dtype that this one lacks."""
    path = imported(tmp_path, NEW, page(ROWS))
    args = "{x: 'FLOAT16[2, 3]', y: 'FLOAT16[2, 3]', mode: 1, out: 'FLOAT16[2, 3]'}"
    path.write_text(f"{path.read_text(encoding='utf-8')}example: {{product: 910b, args: {args}}}\n", encoding="utf-8")
    assert main(["fmt", str(path)]) == 0
    rows = tuple(replace(row, dtype="FLOAT") if row in (X, Y, OUT) else row for row in ROWS)
    new = load_file(str(imported(tmp_path, OLD, page(rows), "--base", NEW)))
    assert new.spec.example is not None
    assert "FLOAT16" not in str(new.spec.example.args)


@pytest.mark.parametrize("base", [(), ("--base", NEW)])
def test_importing_it_again_changes_nothing(
    base: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was carried is a person's word from then on."""
    rows = tuple(replace(row, dtype="FLOAT") if row == X else row for row in ROWS)
    carried(tmp_path, page(ROWS), page(rows), OWN)
    capsys.readouterr()
    imported(tmp_path, OLD, page(rows), *base)
    assert capsys.readouterr().out.endswith("0 specs new, 0 changed, 1 as before; 0 faults\n")


def test_a_base_that_is_no_release(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    imported(tmp_path, OLD, page(ROWS), "--base", "latest")
    assert "expected a release such as 9.1.0, found 'latest'" in capsys.readouterr().err


@needs_shared
def test_a_dry_run_over_the_committed_specs_finds_them_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    """Of each release that extends another one: all of them are imported again in CI's own step."""
    for release in sorted({path.parent.parent.name for path in CARRIED}):
        chosen = [path for path in CARRIED if path.parent.parent.name == release][::40]
        pages = [SHARED / "docs" / release / str(load_file(str(path)).spec.document) for path in chosen]
        main(["import", "--release", release, "--out", str(REPOSITORY / "specs"), "--dry-run", *map(str, pages)])
        said = capsys.readouterr().out
        assert re.search(r"^0 specs would be new, 0 would be changed, \d+ as before; ", said, re.M), said


@needs_shared
def test_a_twin_has_the_rules_that_people_gave_it(tmp_path: Path) -> None:
    """No page says which rules of the first operator do not hold for the one in place; the spec carried does."""
    stem = "aclnnErfinv+aclnnInplaceErfinv"
    source, folder = REPOSITORY / "specs" / "9.1.0" / "activation", tmp_path / "9.1.0" / "activation"
    folder.mkdir(parents=True)
    for name in (f"{stem}.yaml", f"{stem}.ledger.json"):
        shutil.copy(source / name, folder / name)
    page = SHARED / "docs" / "9.0.0" / str(load_file(str(source / f"{stem}.yaml")).spec.document)
    main(["import", "--release", "9.0.0", "--base", "9.1.0", "--out", str(tmp_path), str(page)])
    one, other = (load_file(str(tmp_path / release / "activation" / f"{stem}.yaml")) for release in ("9.0.0", "9.1.0"))
    assert one.spec.twin is not None
    assert other.spec.twin is not None
    assert one.spec.twin.without == other.spec.twin.without != []


def test_a_twin_is_as_people_have_it_where_the_pages_say_the_same(tmp_path: Path) -> None:
    """Of its own table the importer reads the C types alone; people read the rest."""
    text = twins((replace(X, ctype="aclTensor*", io="输入/输出"), Y))
    name = "aclnnToy+aclnnInplaceToy.yaml"
    path = imported(tmp_path, NEW, text).parent / name
    old = "twin:\n  operator: aclnnInplaceToy\n"
    assert old in path.read_text(encoding="utf-8")
    own = f"{old}  params:\n    - {{name: x, dtype: FLOAT}}\n"
    path.write_text(path.read_text(encoding="utf-8").replace(old, own), encoding="utf-8")
    assert main(["fmt", str(path)]) == 0
    other = imported(tmp_path, OLD, text, "--base", NEW).parent / name
    assert load_file(str(other)).spec.twin == load_file(str(path)).spec.twin


def test_a_statement_in_other_words_is_the_same_where_the_other_page_is_at_hand(tmp_path: Path) -> None:
    """Its rule is as people have it; without the other page nobody knows that the two say the same."""
    old = tuple(replace(row, usage="shape需要与x一致。") if row == Y else row for row in ROWS)
    new = tuple(
        replace(row, usage="表示第二个输入，shape必须和x保持相同，支持空tensor。") if row == Y else row for row in ROWS
    )
    path = imported(tmp_path, NEW, page(old))
    text = path.read_text(encoding="utf-8")
    rule = '  y-same-shape: "y.shape == x.shape"\n'
    assert rule in text
    own = '  y-as-x: {check: "y.shape == x.shape", from: [y-same-shape]}\n'
    path.write_text(text.replace(rule, own), encoding="utf-8")
    alone = load_file(str(imported(tmp_path, OLD, page(new), "--base", NEW)))
    assert "y-as-x" not in ids(alone)
    (tmp_path / "out" / OLD / "folder" / "aclnnToy.yaml").unlink()
    both = load_file(str(imported(tmp_path, OLD, page(new), "--base", NEW, "--base-pages", str(tmp_path))))
    assert "y-as-x" in ids(both)
    assert "y-same-shape" not in ids(both)


def test_a_remark_on_what_the_page_does_not_say_is_left_out(tmp_path: Path) -> None:
    """One whose statement it makes in other words stays."""
    new = page(constraints="- 通信域各节点的驱动版本应当相同。\n- x与y的shape相同时性能最优，否则性能可能下降。\n")
    old = page(constraints="- 当x与y的shape相同时，性能最优，否则可能有性能下降。\n")
    path = imported(tmp_path, NEW, new)
    text = path.read_text(encoding="utf-8")
    path.write_text(
        f"{text}remarks:\n  - {{about: environment, en: A, zh: 甲, from: [constraints/1]}}\n"
        "  - {about: performance, en: B, zh: 乙, from: [constraints/2]}\n",
        encoding="utf-8",
    )
    assert main(["fmt", str(path)]) == 0
    found = load_file(str(imported(tmp_path, OLD, old, "--base", NEW, "--base-pages", str(tmp_path))))
    assert [item.en for item in found.spec.remarks] == ["B"]


def test_a_new_release_stands_on_the_base_of_its_folder(tmp_path: Path) -> None:
    """``base.txt`` names it, so that nobody has to; the base itself stands on nothing."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "base.txt").write_text(f"{NEW}\n", encoding="utf-8")
    base, other = (imported(tmp_path, release, page(ROWS)).read_text(encoding="utf-8") for release in (NEW, OLD))
    assert "extends:" not in base
    assert f"extends: {NEW}/aclnnToy" in other


WAITING = "应开启特殊处理以保证y含义。"  # of which the importer makes nothing


@pytest.mark.parametrize(
    ("said", "own", "made"),
    [
        ("1. 应使能特殊处理以保证y含义。", "rule", ("mine",)),
        ("1. 应使能特殊处理以保证y含义。", "elsewhere", None),
        ("1. 应使能特殊处理以保证y含义。", "reason", "precision"),
        ("应开启特殊处理以保证y含义，但x除外。", "reason", None),
        ("不应开启特殊处理以保证y含义。", "reason", None),
    ],
)
def test_a_statement_that_waits_takes_what_the_same_one_has_become_of_since(
    said: str, own: str, made: object, tmp_path: Path
) -> None:
    """Its rules, if they are the same in both specs, or its reason; a statement that says more, or less, waits on."""
    old, new = (tuple(replace(row, usage=text) if row == Y else row for row in ROWS) for text in (WAITING, said))
    base = imported(tmp_path, NEW, page(old))
    base.write_text(f'{base.read_text(encoding="utf-8")}rules: {{mine: "y.rank == x.rank"}}\n', encoding="utf-8")
    path = imported(tmp_path, OLD, page(new), "--base", NEW)
    (waits,) = (clause.id for clause in load_file(str(base)).clauses if clause.at == "params/y/usage/1")
    if own == "reason":
        ledger = Path(path_beside(str(base)))
        entry = f'"{waits}": {{'
        ledger.write_text(
            ledger.read_text(encoding="utf-8").replace(entry, f'{entry}"why": "precision", '), encoding="utf-8"
        )
    else:
        cited = base.read_text(encoding="utf-8").replace(
            '"y.rank == x.rank"', f'{{check: "y.rank == x.rank", from: [{waits}]}}'
        )
        base.write_text(cited, encoding="utf-8")
    if own == "elsewhere":
        other = path.read_text(encoding="utf-8") + 'rules: {mine: "y.rank < x.rank"}\n'
        path.write_text(other, encoding="utf-8")
    again = load_file(str(imported(tmp_path, OLD, page(new), "--base", NEW, "--base-pages", str(tmp_path))))
    (clause,) = (clause for clause in again.clauses if clause.at == "params/y/usage/1")
    assert (clause.rules or clause.not_checkable) == made


@pytest.mark.parametrize(
    ("check", "made"),
    [
        ("y.shape[0] <= 1024", "y.shape[0] <= 2048"),
        ("y.shape[0] < 1025", None),  # what the number came to nobody knows
        ("y.shape[0] <= 1024 and x.shape[0] >= 1024", None),  # which of them is it?
        ("y.shape[1024] > 0", None),  # the place of a dim
    ],
)
def test_a_statement_with_another_number_has_its_rule_with_that(check: str, made: str | None, tmp_path: Path) -> None:
    """A limit is what changes most between releases; words that a person found for the other one are not carried."""
    old, new = (
        tuple(replace(row, usage=f"应以{most}个为界特殊处理y。") if row == Y else row for row in ROWS)
        for most in (1024, 2048)
    )
    base = imported(tmp_path, NEW, page(old))
    (waits,) = (clause.id for clause in load_file(str(base)).clauses if clause.at == "params/y/usage/1")
    rule = f'mine: {{check: "{check}", when: "x.rank == 2", say: {{en: no more, zh: 不得更多}}, from: [{waits}]}}'
    base.write_text(f"{base.read_text(encoding='utf-8')}rules:\n  {rule}\n", encoding="utf-8")
    found = load_file(str(imported(tmp_path, OLD, page(new), "--base", NEW, "--base-pages", str(tmp_path))))
    mine = found.spec.rules.get("mine")
    assert (mine and mine.check) == made
    assert mine is None or mine.say is None
