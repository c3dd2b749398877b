"""Promise: a frozen release changes when somebody means it, and every release stands on one base alone."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from opspec.cli.main import main
from opspec.model.raw import said
from opspec.workshop import releases
from opspec.yamltext import Tree, read
from tests.committed import CARRIED
from tests.paths import REPOSITORY

BASE = """\
operator: aclnnX
release: 9.1.0
summary: {en: X, zh: X}
products: {910b: yes, A3: yes}
sets: {T: [FLOAT, FLOAT16]}
params:
  - {name: x, ctype: const aclTensor*, about: {en: x, zh: 甲}, dtype: T}
  - {name: n, ctype: int64_t, about: {en: n, zh: 乙}, enum: [0, 2]}
  - {name: out, ctype: aclTensor*, io: out, dtype: T}
let: {half: "n // 2"}
rules:
  size: {check: "x.shape[0] == half and x.rank == 2", when: "n == 2", from: [x/usage/1]}
  out-shape: {check: out same shape as x, say: {en: "`out` is as large", zh: "`out`同样大"}}
clauses: {161001/1: [x.null]}
"""

OLDER = """\
operator: aclnnX
extends: 9.1.0/aclnnX
release: 8.5.0
products: {910b: yes}
rules:
  size: {when: "n == 0"}
"""

VERSION = """\
operator: aclnnXV2
extends: aclnnX
release: 8.5.0
rules:
  rank: {check: "x.rank == 2"}
"""

Edit = Callable[[str, str, str], None]


@pytest.fixture
def specs(tmp_path: Path) -> Path:
    """A registry of a base, and of a frozen release that stands on it."""
    texts = {
        "base.txt": "# the base\n9.1.0\n",
        "9.1.0/math/aclnnX.yaml": BASE,
        "8.5.0/math/aclnnX.yaml": OLDER,
        "8.5.0/math/aclnnXV2.yaml": VERSION,
    }
    for name, text in texts.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert main(["freeze", "--release", "8.5.0", "--out", str(tmp_path)]) == 0
    return tmp_path


@pytest.fixture
def edit(specs: Path) -> Edit:
    """Edits a file of the registry: its path, what is there, what takes its place."""

    def edited(name: str, old: str, new: str) -> None:
        path = specs / name
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")

    return edited


def found(specs: Path, capsys: pytest.CaptureFixture[str], check: str = "frozen") -> list[str]:
    """What lint finds, one problem a line, with the folder's name left out."""
    capsys.readouterr()
    status = main(["lint", str(specs), "--check", check])
    lines = capsys.readouterr().out.replace(f"{specs}{os.sep}", "").splitlines()
    assert status == (1 if lines else 0)
    return lines


def accept(specs: Path, *words: str) -> int:
    """``opspec freeze`` on the registry: its exit status."""
    return main(["freeze", *words, "--out", str(specs)])


def test_an_operator_that_is_not_frozen_is_named_as_it_was_typed(
    specs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the nearest that is, or the word that none is."""
    assert accept(specs, "aclnnXV") == 2
    assert "release is called 'aclnnXV'; did you mean 'aclnnX" in capsys.readouterr().err
    (specs / "8.5.0" / "frozen.jsonl").unlink()
    assert accept(specs, "aclnnX") == 2
    assert "release is called 'aclnnX'; no release is frozen" in capsys.readouterr().err


# --- what is held


def test_an_edit_of_the_base_that_changes_a_frozen_release_is_told_where_it_is_said(
    specs: Path, edit: Edit, capsys: pytest.CaptureFixture[str]
) -> None:
    """In every spec that it reaches, with the command that accepts it."""
    assert found(specs, capsys) == []
    edit("9.1.0/math/aclnnX.yaml", "out same shape as x,", "out same dtype as x,")
    told = found(specs, capsys)
    assert len(told) == 2
    assert all(line.startswith("9.1.0/math/aclnnX.yaml:13:") and "rules/out-shape is changed" in line for line in told)
    assert "'opspec freeze 8.5.0/aclnnX' accepts that" in told[0]
    assert "'opspec freeze 8.5.0/aclnnXV2' accepts that" in told[1]


def test_an_edit_of_the_base_is_told_where_its_file_alone_is_linted(
    specs: Path, edit: Edit, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a hook does before a commit: specs of frozen releases that stand on it are looked at, whoever they extend."""
    base = str(specs / "9.1.0" / "math" / "aclnnX.yaml")
    words = ["lint", base, "--check", "frozen"]
    assert main(words) == 0
    edit("9.1.0/math/aclnnX.yaml", "out same shape as x,", "out same dtype as x,")
    whole = found(specs, capsys)
    assert main(words) == 1
    assert capsys.readouterr().out.replace(f"{specs}{os.sep}", "").splitlines() == whole
    edit("8.5.0/math/aclnnX.yaml", "when:", "whem:")
    assert main(["lint", str(specs / "8.5.0" / "math" / "aclnnXV2.yaml"), "--check", "frozen"]) == 2


def test_an_edit_that_takes_from_a_release_what_it_amends_is_told(
    specs: Path, edit: Edit, capsys: pytest.CaptureFixture[str]
) -> None:
    """Linting the file of the base alone tells that the other release's means nothing any more."""
    edit("8.5.0/math/aclnnX.yaml", "rules:", "without: [out-shape]\nrules:")
    edit("9.1.0/math/aclnnX.yaml", "  out-shape:", "  out-form:")
    capsys.readouterr()
    assert main(["lint", str(specs / "9.1.0" / "math" / "aclnnX.yaml"), "--check", "frozen"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{specs / '8.5.0' / 'math' / 'aclnnX.yaml'}:5:11: the extended operator has no rule 'out-shape' [load]"
    ]


def test_an_edit_that_a_release_overrides_does_not_reach_it(
    specs: Path, edit: Edit, capsys: pytest.CaptureFixture[str]
) -> None:
    edit("9.1.0/math/aclnnX.yaml", 'when: "n == 2"', 'when: "n > 1"')
    assert found(specs, capsys) == []


def test_an_edit_of_its_own_file_is_to_be_accepted_as_well(
    specs: Path, edit: Edit, capsys: pytest.CaptureFixture[str]
) -> None:
    edit("8.5.0/math/aclnnX.yaml", "{910b: yes}", "{910b: yes, A3: yes}")
    told = found(specs, capsys)
    assert [line.split(":")[0] for line in told] == ["8.5.0/math/aclnnX.yaml"] * 2
    assert all("products/A3 is new" in line for line in told)


ENTRIES = [
    ("{name: x, ctype: const aclTensor*,", "{name: x, ctype: const aclTensor*, rank: 2,", "params/x is changed"),
    ("  - {name: n, ctype: int64_t, about: {en: n, zh: 乙}, enum: [0, 2]}",
     "  - {name: n, ctype: int64_t, about: {en: n, zh: 乙}, enum: [0, 2, 4]}", "params/n is changed"),
    ("  - {name: out,", "  - {name: m, ctype: int64_t}\n  - {name: out,", "params is changed"),
    ("[FLOAT, FLOAT16]", "[FLOAT, DOUBLE]", "params/out is changed"),
    ('"n // 2"', '"n // 4"', "let/half is changed"),
    ("let:", "early_success: [{when: n == 0, after: shape}]\nlet:", "early_success is new"),
    ("let:", "stage: tiling\nlet:", "stage is new"),
    ("let:", "deterministic: no\nlet:", "deterministic is new"),
    ("let:", "scenarios: {s: {alternatives: [{id: a, rules: {only: n == 0}}]}}\nlet:", "scenarios/s is new"),
    ("  out-shape: {check: out same shape as x, say: {en: \"`out` is as large\", zh: \"`out`同样大\"}}\n", "",
     "rules/out-shape is gone"),
    ("out same shape as x,", "out same shape as x, status: ACLNN_ERR_INNER_NULLPTR,", "rules/out-shape is changed"),
    ("out same shape as x,", "out same shape as x, enforced: no,", "rules/out-shape is changed"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message"), ENTRIES)
def test_whatever_calls_are_judged_by_is_held_entry_by_entry(
    old: str, new: str, message: str, specs: Path, edit: Edit, capsys: pytest.CaptureFixture[str]
) -> None:
    edit("9.1.0/math/aclnnX.yaml", old, new)
    assert any(message in line for line in found(specs, capsys))


SAME = [
    ("release: 9.1.0\n", "release: 9.1.0\n# a comment\n"),
    ("{en: X, zh: X}", "{en: XX, zh: XX}"),
    (", about: {en: x, zh: 甲}", ""),
    (', say: {en: "`out` is as large", zh: "`out`同样大"}', ""),
    (", from: [x/usage/1]", ", from: [x/usage/2]"),
    ("clauses: {161001/1: [x.null]}\n", ""),
    ("sets: {T: [FLOAT, FLOAT16]}", "sets: {U: [FLOAT, FLOAT16], T: [FLOAT, FLOAT16]}"),
    ("io: out, dtype: T", "io: out, dtype: [FLOAT, FLOAT16]"),
    ("ctype: const aclTensor*, ", "ctype: const aclTensor*, format: [ND], strided: yes, optional: no, "),
    ("enum: [0, 2]", "enum: {0: {en: none, zh: 无}, 2: {en: two, zh: 二}}"),
    ('{half: "n // 2"}', '{half: {is: "n // 2", en: half of `n`, zh: "`n`的一半"}}'),
    ('"x.shape[0] == half and x.rank == 2"', '"(x.shape[0]==half) and (x.rank == 2)"'),
    ("{check: out same shape as x, ", "{enforced: null, check: out same shape as x, "),
    ("let:", "helpers: [{function: aclnnH, params: [{name: a, ctype: int64_t}]}]\nlet:"),  # never inherited
    ("let:", "example: {product: 910b, args: {x: 'FLOAT[1, 2]', n: 2, out: 'FLOAT[1, 2]'}}\nlet:"),
]


@pytest.mark.parametrize(("old", "new"), SAME)
def test_what_no_call_is_judged_by_is_not_held(
    old: str, new: str, specs: Path, edit: Edit, capsys: pytest.CaptureFixture[str]
) -> None:
    """Comments, words, citations, names of sets, and the form in which the same is written."""
    edit("9.1.0/math/aclnnX.yaml", old, new)
    assert found(specs, capsys) == []


def test_names_that_are_words_of_the_format_are_held() -> None:
    """A rule may be called ``say``, a derived value ``en``."""
    value = read(
        b'operator: aclnnX\nparams: []\nlet: {en: "1"}\nrules: {say: {check: "en == 1"}, note: {check: "en > 0"}}', "X"
    )
    assert isinstance(value.value, dict)
    assert set(releases.digests(value.value)) >= {"let/en", "rules/say", "rules/note"}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("(a and b) and c", "a and b and c", True),
        ("a and (b or c)", "a and b or c", False),
        ("x [ 0 ]==1", "x[0] == 1", True),
        ("a == 'b'", 'a == "b"', True),
        ("a == 'b'", "a == b", False),
        ("a < b", "a <= b", False),
        ("same as x", "same as y", False),
        ("(B, *batch, N)", "(B,*batch,N)", True),
    ],
)
def test_expressions_are_compared_by_their_trees(one: str, other: str, same: bool) -> None:
    def digest(text: str) -> dict[str, str]:
        value: dict[str, Tree] = {"params": [], "rules": {"r": {"check": text}}}
        return releases.digests(value)

    assert (digest(one) == digest(other)) is same


# --- what is accepted


def test_one_command_lists_what_changes_and_accepts_it(
    specs: Path, edit: Edit, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is written by a dry run; what is named alone is accepted alone."""
    file = specs / "8.5.0" / "frozen.jsonl"
    before = file.read_bytes()
    edit("9.1.0/math/aclnnX.yaml", "out same shape as x,", "out same dtype as x,")
    edit("9.1.0/math/aclnnX.yaml", 'let: {half: "n // 2"}', 'let: {half: "n // 2", third: "n // 3"}')
    assert accept(specs, "--dry-run") == 1
    assert file.read_bytes() == before
    listed = capsys.readouterr().out.replace(f"{specs}{os.sep}", "").splitlines()
    assert [line for line in listed if not line.startswith(" ")] == [
        "8.5.0/aclnnX: changed",
        "8.5.0/aclnnXV2: changed",
        "2 operators, 4 entries of frozen releases would be accepted",
    ]
    assert "  changed: rules/out-shape  (9.1.0/math/aclnnX.yaml:13:14)" in listed
    assert "  new: let/third  (9.1.0/math/aclnnX.yaml:10:31)" in listed
    assert accept(specs, "8.5.0/aclnnXV2") == 0
    assert {line.split(" is frozen")[0].split(": ")[1] for line in found(specs, capsys)} == {"8.5.0/aclnnX"}
    assert accept(specs) == 0
    assert found(specs, capsys) == []
    assert accept(specs, "--dry-run") == 0


def test_an_operator_that_comes_or_goes_is_told_and_accepted(specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    version = specs / "8.5.0" / "math" / "aclnnXV2.yaml"
    version.rename(version.with_name("aclnnXV3.yaml"))
    version.with_name("aclnnXV3.yaml").write_text(VERSION.replace("V2", "V3"), encoding="utf-8")
    told = found(specs, capsys)
    assert len(told) == 2
    assert "8.5.0/aclnnXV3 is new in a frozen release" in told[0]
    assert told[1].startswith("8.5.0/frozen.jsonl:2: 8.5.0/aclnnXV2 is frozen, and has no spec any more")
    assert accept(specs) == 0
    assert {"8.5.0/aclnnXV2: gone", "8.5.0/aclnnXV3: new"} <= set(capsys.readouterr().out.splitlines())
    assert found(specs, capsys) == []


def test_a_release_that_nobody_froze_asks_nothing(specs: Path, edit: Edit, capsys: pytest.CaptureFixture[str]) -> None:
    (specs / "8.5.0" / "frozen.jsonl").unlink()
    edit("9.1.0/math/aclnnX.yaml", "out same shape as x,", "out same dtype as x,")
    assert found(specs, capsys) == []
    assert accept(specs) == 0
    assert not (specs / "8.5.0" / "frozen.jsonl").exists()


def test_a_write_that_is_interrupted_leaves_the_file_as_it_was(
    specs: Path, edit: Edit, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = specs / "8.5.0"
    before = (folder / "frozen.jsonl").read_bytes()
    edit("9.1.0/math/aclnnX.yaml", '"n // 2"', '"n // 4"')

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    assert accept(specs) > 128
    assert (folder / "frozen.jsonl").read_bytes() == before
    assert sorted(os.listdir(folder)) == ["frozen.jsonl", "math"]


def test_a_spec_that_cannot_be_read_accepts_nothing(specs: Path, edit: Edit) -> None:
    before = (specs / "8.5.0" / "frozen.jsonl").read_bytes()
    edit("9.1.0/math/aclnnX.yaml", '"n // 2"', '"n // 4"')
    edit("8.5.0/math/aclnnXV2.yaml", "extends: aclnnX", "extends: aclnnY")
    assert accept(specs) == 2
    assert (specs / "8.5.0" / "frozen.jsonl").read_bytes() == before


@pytest.mark.parametrize("words", [["aclnnZ"], ["--release", "7.0"], ["9.1.0/aclnnX"], ["aclnnX", "aclnnZ*"]])
def test_a_name_that_nothing_frozen_has_is_an_error(words: list[str], specs: Path) -> None:
    assert accept(specs, *words) == 2


@pytest.mark.parametrize("line", ["{", "[]", '{"op": "aclnnX"}', '{"op": "aclnnX", "entries": 3}'])
def test_a_damaged_file_is_told_with_its_line(line: str, specs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (specs / "8.5.0" / "frozen.jsonl").write_text(f"{line}\n", encoding="utf-8")
    assert accept(specs) == 2
    assert "frozen.jsonl:1: a damaged line" in capsys.readouterr().err


# --- what releases stand on


def test_a_release_stands_on_the_base_alone(specs: Path, edit: Edit, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither on a release that stands on another, nor on one that is not the base; the base on none."""
    assert found(specs, capsys, "base") == []
    newer = specs / "9.2.0" / "math" / "aclnnX.yaml"
    newer.parent.mkdir(parents=True)
    newer.write_text("operator: aclnnX\nextends: 8.5.0/aclnnX\nrelease: 9.2.0\n", encoding="utf-8")
    assert [line.split(": ", 1)[1] for line in found(specs, capsys, "base")] == [
        "9.2.0 stands on 8.5.0, which stands on 9.1.0: a release stands on the base alone [base]"
    ]
    newer.write_text(OLDER.replace("8.5.0", "9.2.0"), encoding="utf-8")
    assert found(specs, capsys, "base") == []
    edit("base.txt", "9.1.0", "9.2.0")
    told = found(specs, capsys, "base")
    assert any(
        "9.2.0 is the base of all releases: its specs are whole, and extend none of 9.1.0" in line for line in told
    )
    assert any("8.5.0 stands on 9.1.0, the base of all releases is 9.2.0" in line for line in told)


def test_a_base_that_is_no_release_is_an_error(specs: Path) -> None:
    (specs / "base.txt").write_text("the newest\n", encoding="utf-8")
    assert main(["lint", str(specs), "--check", "base"]) == 2


# --- the registry


def test_every_committed_spec_stands_on_the_base() -> None:
    """By what its file says that it extends."""
    base = releases.base_of(str(REPOSITORY / "specs"))
    extended = {path: said(path.read_bytes(), "extends").rpartition("/")[0] for path in CARRIED}
    assert set(extended.values()) == {base}
    assert [path for path in extended if path.parts[-3] == base] == []
