"""``opspec diff``: every kind of change is told as what it is, and what breaks is shown by a call."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from opspec.cli.main import main
from opspec.diff.change import BREAKING, KINDS, LEVELS, Change
from opspec.diff.compare import compared
from opspec.diff.shown import with_calls
from opspec.model.load import load_file, load_text
from opspec.registry.registry import form_of
from opspec.validator.arguments import arguments
from opspec.validator.judge import judge
from tests.committed import CARRIED, sample
from tests.paths import REPOSITORY

OLD = """\
operator: aclnnToy
release: 8.8.0
document: toy.md
header: aclnnop/aclnn_toy.h
products: {910b: yes, A3: yes, 310p: no}
params:
  - {name: x, ctype: const aclTensor*, dtype: [FLOAT, FLOAT16, INT8], rank: 1-4}
  - {name: mode, ctype: int64_t, enum: [0, 1, 2]}
  - {name: maskOptional, ctype: const aclTensor*, optional: yes, dtype: BOOL}
  - {name: out, ctype: aclTensor*, io: out, dtype: same as x, shape: same as x}
rules:
  low: {check: mode < x.rank, status: ACLNN_ERR_PARAM_INVALID}
  thin: {check: "x.shape[0] < 100 and x.shape[-1] < 100"}
"""


def between(*changes: tuple[str, str], calls: bool = False) -> list[Change]:
    """What is told when these texts of the spec are replaced by others."""
    text = OLD
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    before, after = (load_text(side, "aclnnToy.yaml").definitions[0] for side in (OLD, text))
    found = compared(before, after)
    return with_calls(before, after, found) if calls else found


@pytest.mark.parametrize(
    ("change", "kinds"),
    [
        (("release: 8.8.0", "release: 9.9.9"), set()),
        (("[FLOAT, FLOAT16, INT8]", "[FLOAT, FLOAT16]"), {"narrowed"}),
        (("[FLOAT, FLOAT16, INT8]", "[FLOAT, FLOAT16, INT8, BFLOAT16]"), {"widened"}),
        (("[FLOAT, FLOAT16, INT8]", "[INT8, FLOAT16, FLOAT]"), set()),
        (("[FLOAT, FLOAT16, INT8]", "[FLOAT, INT4]"), {"replaced"}),
        (("rank: 1-4", "rank: 2-4"), {"narrowed"}),
        ((", rank: 1-4", ""), {"values-open"}),
        (("enum: [0, 1, 2]", "enum: [0, 1]"), {"narrowed"}),
        (("enum: [0, 1, 2]", "enum: [0, 1, 2, 3]"), {"widened"}),
        (("enum: [0, 1, 2]", "enum: [0, 1, 2, 5]"), {"values-moved"}),  # which is below no rank,
        (("  low: {check: mode < x.rank, status: ACLNN_ERR_PARAM_INVALID}\n", ""), {"rule-open"}),
        (('thin: {check: "', 'thin: {check: "mode < 9 and '), {"rule-stricter"}),
        ((" and x.shape[-1] < 100", ""), {"rule-looser"}),
        (("mode < x.rank", "mode <= x.rank"), {"rule-looser"}),
        (("mode < x.rank", "mode != x.rank"), {"rule-looser"}),
        (("mode < x.rank", "mode + x.rank < 5"), {"rule-changed"}),
        (("status: ACLNN_ERR_PARAM_INVALID}", "status: ACLNN_ERR_PARAM_INVALID, when: x.rank > 2}"), {"rule-looser"}),
        (("rules:\n", "rules:\n  more: x.shape[0] > 1\n"), {"rule-stated"}),
        (("thin:", "narrow:"), {"rule-moved"}),
        (("mode < x.rank", "x.rank > mode"), set()),
        (("rules:\n", "rules:\n  same: mode < x.rank or x.rank > 7\n"), {"rule-moved"}),
        (("status: ACLNN_ERR_PARAM_INVALID", "status: ACLNN_ERR_INNER_TILING_ERROR"), {"return-code"}),
        (("A3: yes", "A3: no"), {"product-removed"}),
        (("310p: no", "310p: yes"), {"product-added"}),
        ((", A3: yes", ""), {"product-unlisted"}),
        (("aclnnop/aclnn_toy.h", "aclnnop/aclnn_toys.h"), {"header"}),
        (("header: aclnnop/aclnn_toy.h", "header: unknown"), {"header-named"}),
        (("int64_t", "int32_t"), {"param-type"}),
        (("ctype: const aclTensor*, dtype", "ctype: aclTensor*, dtype"), {"param-const"}),
        (("optional: yes, ", ""), {"param-required"}),
        (("maskOptional", "maskOpt"), {"param-renamed"}),
        (("release: 8.8.0", "release: 8.8.0\ndeterministic: yes"), {"determinism"}),
        (("release: 8.8.0", "release: 8.8.0\ndeprecated: {successors: [aclnnNew]}"), {"operator-deprecated"}),
        (("  - {name: out", "  - {name: eps, ctype: double}\n  - {name: out"), {"param-added"}),
        (
            ("  - {name: maskOptional, ctype: const aclTensor*, optional: yes, dtype: BOOL}\n", ""),
            {"param-removed"},
        ),
    ],
)
def test_a_change_is_told_as_what_it_is(change: tuple[str, str], kinds: set[str]) -> None:
    """And as nothing else; the other way round nothing is silent either."""
    found = between(change)
    assert {item.kind for item in found} == kinds
    assert len(found) == len(kinds)


def test_what_is_said_on_one_product_is_told_of_that_product() -> None:
    found = between(
        (
            "dtype: [FLOAT, FLOAT16, INT8]",
            "dtype: {any: [FLOAT, FLOAT16, INT8], changes: [{on: [A3], subtract: [INT8]}]}",
        )
    )
    assert [(item.kind, item.products, item.before) for item in found] == [("narrowed", ("A3",), "-INT8")]


@pytest.mark.parametrize(
    "change",
    [
        ("[FLOAT, FLOAT16, INT8]", "[FLOAT, FLOAT16]"),
        ("rank: 1-4", "rank: 2-4"),
        ("enum: [0, 1, 2]", "enum: [0, 1]"),
        ("mode < x.rank", "mode + 1 < x.rank"),
        ('thin: {check: "', 'thin: {check: "x.shape[0] > 1 and '),
        ("optional: yes, ", ""),
        ("A3: yes", "A3: no"),
    ],
)
def test_a_call_shows_what_breaks(change: tuple[str, str]) -> None:
    """It was legal and is illegal: the validator says so."""
    (found,) = (item for item in between(change, calls=True) if item.level == BREAKING)
    assert found.call is not None
    before, after = (load_text(text, "aclnnToy.yaml").definitions[0] for text in (OLD, OLD.replace(*change)))
    legal = [_judged(definition, found.call) for definition in (before, after)]
    assert legal == [True, False]


def _judged(definition: Any, call: Any) -> bool:
    form = form_of(definition)
    verdict = judge(form, arguments(definition.name, form.params, call["args"]), call["product"])
    return verdict.legal and verdict.support == "yes"


@pytest.mark.parametrize("path", sample(6))
def test_nothing_differs_from_itself(path: Path) -> None:
    """Whatever rules there are."""
    for definition in load_file(str(path)).definitions:
        assert compared(definition, definition) == []


@pytest.mark.parametrize("path", CARRIED[::90])
def test_what_is_narrower_one_way_is_wider_the_other(path: Path) -> None:
    """And what is new is gone; of values that one page leaves open, what the other says is stated."""
    loaded = load_file(str(path))
    assert loaded.source.parent is not None
    after = load_file(loaded.source.parent.document.name).definitions[0]
    before = loaded.definitions[0]
    there, back = compared(before, after), compared(after, before)
    turned = {"narrowed": {"widened"}, "param-added": {"param-removed"}, "replaced": {"replaced", "values-stated"}}
    for one, other in turned.items():
        told = {item.subject for item in there if item.kind == one}
        assert told <= {item.subject for item in back if item.kind in other}
    assert len({item.fingerprint for item in there}) == len(there)


def test_releases_are_compared_and_fingerprints_accepted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Status 1 for what breaks, 0 when all of it is accepted; what accepts nothing is named."""
    words = ["diff", "8.5.0/aclnnIsFinite", "9.1.0/aclnnIsFinite", "--lang", "en"]
    assert main([*words, "--output", "accept"]) == 1
    lines = capsys.readouterr().out
    accepted = tmp_path / "accepted.txt"
    accepted.write_text(f"# looked at\n{lines}0123456789\n", encoding="utf-8")
    assert main([*words, "--accept", str(accepted), "--output", "json"]) == 0
    out = capsys.readouterr()
    assert "0123456789 accepts nothing that differs" in out.err
    told = json.loads(out.out)
    assert told["counts"][BREAKING] == len(lines.splitlines()) > 0
    assert all(row["accepted"] for row in told["changes"] if row["level"] == BREAKING)
    assert {row["kind"] for row in told["changes"]} <= KINDS.keys()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_text_and_markdown_tell_the_same(lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["diff", "8.5.0", "9.1.0", "aclnnIsFinite", "--lang", lang]
    assert main([*words, "--output", "json"]) == 1
    told = json.loads(capsys.readouterr().out)["changes"]
    for form in ("text", "md"):
        assert main([*words, "--output", form]) == 1
        shown = capsys.readouterr().out
        assert [row for row in told if row["fingerprint"] not in shown] == []
        assert all(LEVELS[row["level"]][lang] in shown for row in told)


def test_two_versions_of_an_operator(capsys: pytest.CaptureFixture[str]) -> None:
    """Operators of other names are compared where they are the only ones."""
    assert main(["diff", "9.1.0/aclnnMoeInitRouting", "9.1.0/aclnnMoeInitRoutingV2", "--lang", "en"]) == 1
    assert "param-added" in capsys.readouterr().out


def test_a_release_and_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "9.1.0", "9.1.0", "aclnnAbs", "--lang", "en"]) == 0
    assert capsys.readouterr().out == "nothing differs\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["latest", "9.1.0"], "expected a release, RELEASE/OPERATOR or a spec file, found 'latest'"),
        (["1.2.3", "9.1.0"], "unknown release '1.2.3'"),
        (["8.5.0", "9.1.0", "aclnnNoSuch"], "no operator of 8.5.0 or 9.1.0 is named 'aclnnNoSuch'"),
        (["8.5.0/aclnnNoSuch", "9.1.0"], "aclnnNoSuch"),
        (["{tmp}/broken.yaml", "9.1.0"], "broken.yaml"),
        (["8.5.0", "9.1.0", "aclnnAbs", "--accept", "{tmp}/broken.yaml"], "expected a fingerprint such as 0123456789"),
        (["8.5.0", "9.1.0", "aclnnAbs", "--accept", "{tmp}/nowhere"], "cannot read the file"),
        (["8.5.0"], "required: B"),
    ],
)
def test_input_that_is_no_good(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 2, and one line that says where and what."""
    (tmp_path / "broken.yaml").write_text("a: [\x07", encoding="utf-8")
    assert main(["diff", *(word.replace("{tmp}", str(tmp_path)) for word in words)]) == 2
    said = capsys.readouterr().err
    assert message in said
    assert not re.search("Traceback|\x07", said)


@pytest.mark.parametrize("page", ["docs/releases.md", "docs/zh/releases.md"])
def test_the_page_on_releases_shows_what_the_command_prints(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The first example with output, word by word."""
    text = (REPOSITORY / page).read_text(encoding="utf-8")
    found = re.search(r"```console\n\$ opspec (diff .*)\n((?:.+\n)+)```", text)
    assert found is not None
    assert main(found[1].split()) == 1
    assert capsys.readouterr().out == found[2]
