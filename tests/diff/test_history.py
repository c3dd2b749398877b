"""The history of an operator: in which releases it is, and what changed for programs from each to the next."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from opspec.cli.main import main
from opspec.diff.change import KINDS
from opspec.diff.compare import compared, compared_in_short
from opspec.diff.details import told
from opspec.diff.history import ALONE, TOLD, Past, past_of
from opspec.diff.told import MOST_LINES, as_json, in_words
from opspec.errors import OpspecError
from opspec.registry.folders import PARTIAL
from opspec.registry.registry import Registry, definition_of
from opspec.vocabulary.literals import Lang
from tests.committed import operators, sample

LANGS: tuple[Lang, ...] = ("en", "zh")
TOY = """\
operator: aclnnToy
document: toy.md
header: aclnnop/aclnn_toy.h
products: {910b: yes, A3: no}
params:
  - {name: x, ctype: const aclTensor*, dtype: [FLOAT, FLOAT16, INT8], rank: 1-4}
  - {name: list, ctype: const aclTensorList*, dtype: [FLOAT, INT8]}
  - {name: mode, ctype: int64_t, enum: [0, 1, 2]}
  - {name: out, ctype: aclTensor*, io: out, dtype: same as x, rank: 1-8}
rules:
  low: {check: mode < x.rank}
  out-shape: out.shape == x.shape
"""


def history(folder: Path, releases: Mapping[str, str | None], operator: str = "aclnnToy") -> Past:
    """The history of an operator of a registry of one's own with these specs; None: the release has another one."""
    for release, text in releases.items():
        name = "aclnnToy" if text is not None else "aclnnOther"
        (folder / release / "own").mkdir(parents=True)
        (folder / release / "own" / f"{name}.yaml").write_text(text or TOY.replace("aclnnToy", name), encoding="utf-8")
    known = Registry((str(folder),))
    return past_of(definition_of(known.find(operator)), known)


def lines(folder: Path, *changes: tuple[str, str], lang: Lang = "en") -> list[str]:
    """What is told where these texts of the spec are replaced by others."""
    text = TOY
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    found = in_words(history(folder, {"20.1": TOY, "20.2": text}), lang)
    return [*found.editions[0].lines]


def test_every_kind_of_change_has_its_place() -> None:
    """What a comparison may tell is told, is what one page alone says, or is none that a program notices."""
    assert set(KINDS) == {*TOLD, *ALONE} | {
        "operator-added", "operator-removed", "param-const", "determinism", "return-code", "header-named",
        "rule-moved", "values-moved", "runtime-status",
    }  # fmt: skip


def test_an_operator_comes_and_goes(tmp_path: Path) -> None:
    """Releases before and behind it that have others tell that; a release of some operators alone tells nothing."""
    found = history(tmp_path, {"20.0": None, "20.1": TOY, "20.2": TOY, "20.3": None})
    assert found.releases == ("20.1", "20.2")
    told_ = [(step.release, step.since, step.state) for step in found.steps]
    assert told_ == [("20.1", "20.0", "new"), ("20.2", "20.1", "same"), ("20.3", "20.2", "gone")]
    (tmp_path / PARTIAL).write_text("20.0\n20.3\n", encoding="utf-8")
    known = Registry((str(tmp_path),))
    steps = past_of(definition_of(known.find("aclnnToy")), known).steps
    assert [(step.release, step.state) for step in steps] == [("20.1", "oldest"), ("20.2", "same")]


def test_an_operator_that_is_there_again(tmp_path: Path) -> None:
    """What it is compared with is named."""
    found = history(tmp_path, {"20.1": TOY, "20.2": None, "20.3": None, "20.4": TOY})
    assert [(step.release, step.state) for step in found.steps] == [
        ("20.1", "oldest"),
        ("20.2", "gone"),
        ("20.4", "same"),
    ]
    said = in_words(found, "en").editions
    assert [edition.lines for edition in said] == [
        ("Compared with 20.1:", "No change is known."),
        ("This release does not have it.",),
        ("The oldest release that opspec knows of it.",),
    ]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("FLOAT16, INT8]", "FLOAT16]"), ["Data types of `x`: no longer INT8."]),
        (("FLOAT16, INT8]", "BFLOAT16]"), ["Data types of `x`: no longer FLOAT16, INT8; also BFLOAT16."]),
        (("dtype: [FLOAT, INT8]", "dtype: [FLOAT, INT4]"), ["Data types of `list`: no longer INT8; also INT4."]),
        (("rank: 1-4", "rank: 1-5"), ["Numbers of dims of `x`: also 5."]),
        (("A3: no", "A3: yes"), ["Now supported on Atlas A3 training and inference series."]),
        (("910b: yes", "910b: no"), ["No longer supported on Atlas A2 training and inference series."]),
        (("enum: [0, 1, 2]", "enum: [0, 1]"), ["Now: mode must be 0 or 1. Before: mode must be 0, 1 or 2."]),
        (("mode < x.rank", "mode <= x.rank"),
         ["Now: mode must be at most the rank of x. Before: mode must be less than the rank of x."]),
        (("mode, ctype: int64_t", "mode, ctype: int32_t"), ["C type of `mode`: `int64_t` became `int32_t`."]),
        (("  - {name: mode", "  - {name: more, ctype: bool}\n  - {name: mode"), ["New params: `bool more`."]),
        (("const aclTensor*, dtype", "const aclTensor*, optional: yes, dtype"), ["May be null now: `x`."]),
    ],
)  # fmt: skip
def test_what_both_say_is_told(tmp_path: Path, change: tuple[str, str], said: list[str]) -> None:
    """Products, dtypes, params and limits, each in a sentence."""
    assert lines(tmp_path, change) == said


@pytest.mark.parametrize(
    "change",
    [
        (", rank: 1-4", ""),  # the older page alone limits it
        ("ctype: int64_t, enum: [0, 1, 2]", "ctype: int64_t"),
        ("rules:\n", "rules:\n  more: x.numel > 0\n"),  # the newer page alone requires it
        ("  low: {check: mode < x.rank}\n", ""),
        ("910b: yes, A3: no", "910b: yes, A3: no, 310p: yes"),  # the older page does not name it
    ],
)
def test_what_one_page_alone_says_is_no_change(tmp_path: Path, change: tuple[str, str]) -> None:
    """It need not be one: the comparison lists it, and the history as JSON counts it."""
    assert lines(tmp_path, change) == ["No change is known."]


def test_a_rule_that_takes_anothers_place_is_told(tmp_path: Path) -> None:
    """A limit that is another under another name: both rules read the same."""
    changed = ("low: {check: mode < x.rank}", "lower: {check: mode + 1 < x.rank}")
    assert lines(tmp_path, changed) == ["Now: mode + 1 must be less than the rank of x."]


@pytest.mark.parametrize(
    "change",
    [
        ("low:", "another-name:"),
        ("FLOAT, FLOAT16, INT8", "INT8, FLOAT16, FLOAT"),
        ("document: toy.md", "document: other.md"),
        ("{check: mode < x.rank}", "{check: mode < x.rank, say: {en: mode is low, zh: mode较小}}"),
    ],
)
def test_what_only_moved_is_no_change(tmp_path: Path, change: tuple[str, str]) -> None:
    assert lines(tmp_path, change)[0].startswith("No change is known.")


def test_ranks_that_a_shape_settles_are_no_change(tmp_path: Path) -> None:
    """Whatever a cell says of the dims of an output whose shape is said dim by dim."""
    text = TOY.replace("out.shape == x.shape", "out.shape == (x.shape[0], mode)")
    found = history(tmp_path, {"20.1": text, "20.2": text.replace("rank: 1-8", "rank: 2")})
    assert [step.state for step in found.steps] == ["oldest", "same"]


def test_a_faulty_spec_of_another_release_has_no_part_in_it(tmp_path: Path) -> None:
    (tmp_path / "20.1" / "own").mkdir(parents=True)
    (tmp_path / "20.1" / "own" / "aclnnToy.yaml").write_text("operator: [", encoding="utf-8")
    found = history(tmp_path, {"20.2": TOY})
    assert found.releases == ("20.1", "20.2")
    with pytest.raises(OpspecError):
        definition_of(Registry((str(tmp_path),)).find("aclnnToy", "20.1"))


@pytest.mark.parametrize(("release", "name"), operators(sample(12)))
def test_histories_of_the_registry(release: str, name: str) -> None:
    """Each release that has the operator once, in order; a few lines for each, as many in either language."""
    known = Registry()
    found = past_of(definition_of(known.find(name, release)), known)
    assert found.releases == tuple(each for each in known.releases() if name in known.entries(each))
    assert [step.release for step in found.steps if step.state != "gone"] == [*found.releases]
    english, chinese = (in_words(found, lang) for lang in LANGS)
    assert [len(each.lines) for each in english.editions] == [len(each.lines) for each in chinese.editions]
    assert all(0 < len(each.lines) <= MOST_LINES + 3 for each in english.editions)
    rows = as_json(found)
    assert [(row["release"], row["en"], row["zh"]) for row in rows] == [
        (en.release, [*en.lines], [*zh.lines])
        for en, zh in zip(english.editions[::-1], chinese.editions[::-1], strict=True)
    ]


def test_show_and_pages_tell_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Text, JSON and the page have the same lines."""
    assert main(["show", "aclnnIsFinite", "--output", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)["releases"]
    for lang in LANGS:
        assert main(["show", "aclnnIsFinite", "--lang", lang]) == 0
        shown = capsys.readouterr().out
        assert main(["docs", "aclnnIsFinite", "--lang", lang, "--out", str(tmp_path)]) == 0
        capsys.readouterr()
        page = (tmp_path / "9.1.0" / f"aclnnIsFinite.{lang}.md").read_text(encoding="utf-8")
        for row in rows:
            assert all(f"  {row['release']}  {line}" in shown for line in row[lang])
            assert row["state"] in ("same", "oldest", "new") or all(f"  - {line}" in page for line in row[lang])


def test_details_need_no_rule_of_both() -> None:
    """A change whose rule one side alone has is told as it is."""
    known = Registry()
    old, new = (definition_of(known.find("aclnnIsFinite", release)) for release in ("8.5.0", "9.0.0"))
    for change in compared(old, new):
        assert all(each.change.operator == "aclnnIsFinite" for each in told(change, old, new))


@pytest.mark.parametrize("operator", ["aclnnIsFinite", "aclnnMlaPreprocess", "aclnnGcd", "aclnnGroupedMatmulV4"])
def test_what_a_history_leaves_out_changes_nothing_that_it_tells(operator: str) -> None:
    """It looks for less than a comparison does: the changes that it tells and their number on one page are the same."""
    known = Registry()
    sides = [definition_of(known.find(operator, release)) for release in ("8.5.0", "9.0.0", "9.1.0")]
    for old, new in itertools.pairwise(sides):
        first, later = compared_in_short(old, new)
        quick, whole = [*first, *later], compared(old, new)
        found, every = (
            [(change.kind, change.subject, change.before, change.after, change.products)
             for change in changes if change.kind in TOLD]
            for changes in (quick, whole)
        )  # fmt: skip
        assert found == every
        assert sum(change.kind in ALONE for change in quick) == sum(change.kind in ALONE for change in whole)
