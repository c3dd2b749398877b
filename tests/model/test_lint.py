"""Every lint check finds its fault, and finds nothing in a spec without it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from opspec.calls.examples.listed import listed
from opspec.cli.main import main
from opspec.model.ledger import path_beside
from opspec.model.load import load_file, load_text
from opspec.registry.registry import form_of
from opspec.workshop.lint import CHECKS, DEEP, lint
from opspec.workshop.lint.deep import Reach
from tests.committed import EVERY

CLEAN = """\
operator: aclnnX
release: "9.9"
document: some/aclnnX.md
summary: {en: X, zh: X}
products: {910b: yes, A3: yes}
let: {half: "n // 2"}
params:
  - {name: x, ctype: const aclTensor*, about: {en: x, zh: 甲}, dtype: [FLOAT]}
  - {name: n, ctype: int64_t, about: {en: n, zh: 乙}, enum: [0, 2]}
rules:
  size: {check: "x.shape[0] == half", when: "n == 2", from: [x/usage/1]}
clauses:
  161001/1: [x.null]
example: {product: 910b, args: {x: "FLOAT[1]", n: 2}}
"""

#: a status of its own, whose row says nothing else
WORDED = "say: {en: '`x` is as long as needed', zh: '`x`足够长'}, enforced: yes, status: ACLNN_ERR_INNER_NULLPTR"

PATH = "specs/9.9/aclnnX.yaml"

SCENARIO = "s: {columns: [x.dtype], alternatives: [{id: half, rows: [[FLOAT]]}]}"

FAULTS: dict[str, list[tuple[str, str, str | None]]] = {
    "file-name": [("operator: aclnnX", "operator: aclnnY", "named aclnnX, its operators ask for aclnnY"),
                  ('release: "9.9"', 'release: "9.8"', "its release is 9.8")],
    "retired": [("size:", "old:", "the id 'old' is retired"), ],
    "successors": [("release:", "deprecated: {successors: [aclnnY]}\nrelease:", "the successor 'aclnnY' has no spec"),
                   ("release:", "deprecated: {}\nrelease:", None)],
    "shadowed": [("half", "INT8", "hides a word of the vocabulary")],
    "prototype": [("enum: [0, 2]}", "enum: [0, 2], strided: yes}", "'strided' says nothing about a int64_t"),
                  ("name: n, ctype: int64_t", "name: workspaceSize, ctype: int64_t", "is not listed"),
                  ("const aclTensor*,", "const aclTensor*, io: inout,", "cannot be const")],
    "clauses": [(", from: [x/usage/1]", "", "'size' comes from no clause"),
                (', from: [x/usage/1]}\nclauses:\n  161001/1: [x.null]', "}", "the spec lists no clauses"),
                ("document: some/aclnnX.md\n", "", None)],
    "words": [("about: {en: x, zh: 甲}, ", "", "nothing says what x means"),
              ("{en: x, zh: 甲}", "{en: x}", "the text is not in Chinese"),
              ("{en: x, zh", "{en: 甲, zh", "the English text has Chinese characters: '甲'"),
              ("release:", "conflicts: [{between: [x/dtype, the table below], resolution: {en: a, zh: 丁}}]\nrelease:",
               "'the table below' is no place, and words are in both languages"),
              ("release:", "conflicts: [{between: [x/dtype, {en: the table, zh: 表}], resolution: {en: a, zh: 丁}}]\n"
               "release:", None),
              ("release:", "remarks: [{about: usage, zh: 丙}]\nrelease:", "the text is not in English"),
              ("enum: [0, 2]", "enum: {0: {zh: 零}, 2: two}", "the text is not in English"),
              ("release:", f"scenarios: {{{SCENARIO}}}\nrelease:", "nothing says what sentences call this alternative"),
              ("release:", f"scenarios: {{{SCENARIO.replace('half', 'fp8')}}}\nrelease:", None),
              ("release:", f"scenarios: {{{SCENARIO.replace('half,', 'half, about: {en: h},')}}}\nrelease:",
               "the text is not in Chinese")],
    "letters": [("release:", "formula: y = q \\sum_{i=1}^{N} x_i\nrelease:", "nothing on the page explains q"),
                ("release:", "formula: y = n \\sum_{i=1}^{N} x_i\nrelease:", None),
                ("release:", "formula: {latex: y = q x, where: {q: {en: a, zh: 丁}}}\nrelease:", None)],
    "remarks": [("release:", "remarks: [{about: memory, en: m, zh: 丙, from: [constraints/9]}]\nrelease:",
                 "the page has no clause 'constraints/9'"),
                ("release:", "remarks: [{about: memory, en: m, zh: 丙, param: n, from: [x/usage/1]}]\nrelease:", None)],
    "sentences": [('let: {half: "n // 2"}', 'let: {half: "sum([d for d in x.shape if d > 1])"}', "needs words (en): half"),
                  ('{half: "n // 2"}', "{half: {is: n // 2, en: half of `m`}}", "`m` names no param"),
                  ("size: {", "size: {say: {en: '`x` has half as many dims as k', zh: '`x`的大小为zip(half)'}, ", "k in "),
                  ("size: {", "size: {say: {en: 'where k is `n`, `x` has k dims', zh: '`x`的大小为`n`'}, ", None)],
    "failures": [("size: {", "size: {" + WORDED + ", ", "return codes say of 'size' only that it is violated"),
                 ("size: {", "size: {" + WORDED + ", fails: {en: '`x` is longer', zh: '`x`更长'}, ", None)],
    "guards": [('when: "n == 2"', 'when: "n == 1"', "the guard of 'size' can never hold"),
               ('when: "n == 2"', "when: \"product == 'A3' and product == '910b'\"", "the guard of 'size' can never hold"),
               ('check: "x.shape[0] == half"', 'check: "n > 5 and half > 0"', "no call can satisfy 'size'")],
    "observed": [("  size: {", '  seen: {check: "n != 7", basis: observed}\n  size: {', "'seen' is not what was observed"),
                 ("  size: {", '  seen: {check: "n != 7", basis: observed, evidence: a test}\n  size: {', None)],
    "unused": [("let: {half:", 'let: {other: "n + 1", half:', "nothing uses the derived value 'other'")],
    "duplicate": [("  size: {", '  same: {check: "x.shape[0]==half", when: "n==2"}\n  size: {', "requires what 'same' does"),
                  ("  size: {", '  same: {check: "n in (0, 2)"}\n  size: {', "'same' requires what 'n.enum' does"),
                  ("  size: {", '  same: {check: "half == x.shape[0]", when: "2 == n"}\n  size: {', "'same' requires what 'size' does"),
                  ("  size: {", '  same: {check: "x.shape[0]==half", when: "n==0"}\n  size: {', None)],
    "contradiction": [("  size: {", '  same: {check: "half == x.shape[0]", when: "2 == n", enforced: no}\n  size: {enforced: yes, ',
                       "requires what 'size' does, but is unchecked where that is refused"),
                      ("  size: {", '  same: {check: "half == x.shape[0]", when: "n==2", status: ACLNN_ERR_INNER}\n  size: {',
                       "but leads to ACLNN_ERR_INNER, not ACLNN_ERR_PARAM_INVALID")],
    "follows": [("  size: {", '  a: "x.rank == x.numel"\n  b: "x.numel == x.offset"\n  c: "x.offset == x.rank"\n  size: {',
                 "the rule 'c' follows from"),
                ("  size: {", '  a: "x.rank == x.numel"\n  c: "x.offset == x.rank"\n  size: {', None)],
    "idle": [("  size: {", '  free: {check: "x.dtype in (FLOAT,) or x.dtype != FLOAT"}\n  size: {', "'free' holds in every call"),
             ("  size: {", '  free: {check: "x.dtype != INT8"}\n  size: {', None)],
    "no-c": [("  size: {", '  free: {check: "len(range(n)) == 2"}\n  size: {', "'free' has no form in C: range() other than in a"),
             ("  size: {", '  free: {check: "len([i for i in range(n)]) == 2"}\n  size: {', None)],
    "silent": [("- {name: x, ctype: const aclTensor*,", "- {name: y, ctype: const aclTensor*, rank: 1}\n  - {name: x, ctype: const aclTensor*,",
                "no rule reads the dtype of y"),
               ('check: "x.shape[0] == half"', 'check: "x.numel == half"', None),
               ('check: "x.shape[0] == half"', 'check: "half == 1"', "no rule reads the shape of x"),
               ("dtype: [FLOAT]}", "dtype: [FLOAT], rank: 0}", None)],
    "example": [("FLOAT[1]", "INT8[1]", "the data type of x must be FLOAT"),
                ("FLOAT[1]", "FLOAT 1", "expected a tensor such as FLOAT16[2, 3], found 'FLOAT 1'"),
                (', n: 2}}', "}}", "cannot be judged"),
                ("example:", "#", "the spec has no example"),
                ("example:", "twin: {operator: aclnnY, rename: {x: z}}\nexample:", None),
                ("example: {product", "partial: {en: a, zh: b}\nexample: {product", None)],
}  # fmt: skip


def problems(text: str) -> list[tuple[str, str]]:
    """(check, message) of what lint finds."""
    checks = tuple(check for check in CHECKS if not check.deep)
    found = lint(load_text(text, PATH), PATH, frozenset({"9.9/aclnnX/old"}), checks)
    return [(problem.check, problem.message) for problem in found]


def test_a_clean_spec_has_no_problems() -> None:
    assert problems(CLEAN) == []


@pytest.mark.parametrize(
    ("check", "before", "after", "message"),
    [(check, *fault) for check, faults in FAULTS.items() for fault in faults],
)
def test_a_fault_is_found_by_its_check(check: str, before: str, after: str, message: str | None) -> None:
    assert before in CLEAN
    text = CLEAN.replace(before, after)
    if check in ("shadowed",):
        text = CLEAN.replace("half", "INT8")
    if before.startswith("name: n,"):
        text = (
            text.replace("n // 2", "2")
            .replace("n == 2", "True")
            .replace("n.enum", "workspaceSize.enum")
            .replace("n: 2}", "workspaceSize: 2}")
        )
    found = [problem for name, problem in problems(text) if name == check]
    if message is None:
        assert not found
    else:
        assert any(message in problem for problem in found), problems(text)


@pytest.mark.parametrize(
    ("clause", "example", "found"),
    [
        ({"words": "aaaaaaaa"}, "", None),
        (
            {"words": "aaaaaaaa"},
            'example: {product: 910b, args: {x: "INT8[1]", n: 2}}\n',
            "the data type of x must be FLOAT",
        ),
        ({"words": "aaaaaaaa", "why": "timing"}, "", "the spec has no example"),
    ],
)
def test_an_example_is_asked_for_once_no_clause_waits(
    clause: dict[str, str], example: str, found: str | None, tmp_path: Path
) -> None:
    """A clause of the ledger that no rule formalises waits, unless the ledger says why there is none."""
    file = tmp_path / "aclnnX.yaml"
    ledger = {"clauses": {"params/x/usage/1": {}, "constraints/1": clause}}
    Path(path_beside(str(file))).write_text(json.dumps(ledger), encoding="utf-8")
    text = CLEAN[: CLEAN.index("example:")] + example
    said = [problem.message for problem in lint(load_text(text, str(file)), str(file)) if problem.check == "example"]
    assert len(said) == (found is not None)
    assert all(str(found) in message for message in said)


@pytest.mark.parametrize(
    ("places", "when", "found"),
    [
        ("notes/1", "n == 2", "the page states 'size' for A3, and it holds on 910b too"),
        ("notes/1, 161002/1", "n == 2", "the page states 'size' for A3, and it holds on 910b too"),
        ("notes/1, notes/2", "n == 2", None),
        ("notes/1, x/usage/1", "n == 2", None),
        ("notes/3", "n == 2", None),
        ("notes/5", "n == 2", "the page states 'size' for A3, and it holds on 910b too"),
        ("notes/1", "product == 'A3'", None),
        ("notes/1", "x.dtype == INT8", None),
    ],
)
def test_a_rule_that_the_page_states_for_some_products_finds_nothing_on_others(
    places: str, when: str, found: str | None, tmp_path: Path
) -> None:
    """The ledger keeps the products of each clause; the same words under each product are about all of them.

    A clause that a person found has no words.
    """
    file = tmp_path / "aclnnX.yaml"
    ledger = {
        "notes/1": {"words": "aaaaaaaa", "on": ["A3"]},
        "notes/2": {"words": "bbbbbbbb", "on": ["910b-training", "910b-inference"]},
        "notes/3": {"words": "cccccccc", "on": ["A3"]},
        "notes/4": {"words": "cccccccc", "on": ["910b"]},
        "notes/5": {"on": ["A3"]},
    }
    Path(path_beside(str(file))).write_text(json.dumps({"clauses": ledger}), encoding="utf-8")
    text = CLEAN.replace('when: "n == 2", from: [x/usage/1]', f'when: "{when}", from: [{places}]')
    said = [problem.message for problem in lint(load_text(text, str(file)), str(file)) if problem.check == "notes"]
    assert said == ([] if found is None else [found])


@pytest.mark.parametrize(("place", "found"), [("x/usage/1", False), ("constraints/7", True)])
def test_a_rule_comes_from_a_clause_that_the_page_has(place: str, found: bool, tmp_path: Path) -> None:
    """The places of another release's page lead nowhere, or to other words."""
    file = tmp_path / "aclnnX.yaml"
    ledger: dict[str, dict[str, dict[str, str]]] = {"clauses": {"params/x/usage/1": {}, "returns/161001/1": {}}}
    Path(path_beside(str(file))).write_text(json.dumps(ledger), encoding="utf-8")
    text = CLEAN.replace("from: [x/usage/1]", f"from: [{place}]")
    said = [problem.message for problem in lint(load_text(text, str(file)), str(file)) if problem.check == "clauses"]
    assert said == [f"the rule 'size' comes from {place!r}, which is no clause of the page"] * found


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("[x/usage/1]", "[size, sise]", "{}:11:68: the rule 'size' comes from 'sise', {}; did you mean 'size'? [clauses]"),
        (
            "161001/1:", "161001/nul:",
            "{}:13:15: the spec says which rules formalise '161001/nul', {}; did you mean '161001/null'? [clauses]",
        ),
    ],
)  # fmt: skip
def test_a_clause_that_is_misspelt_is_told_where_it_stands(before: str, after: str, said: str, tmp_path: Path) -> None:
    """With the nearest id, as the author wrote it and not by its place."""
    file = tmp_path / "aclnnX.yaml"
    ledger = {"clauses": {"size": {"at": "params/x/usage/1"}, "161001/null": {"at": "returns/161001/1"}}}
    Path(path_beside(str(file))).write_text(json.dumps(ledger), encoding="utf-8")
    found = lint(load_text(CLEAN.replace(before, after), str(file)), str(file))
    assert said.format(file, "which is no clause of the page") in map(str, found)


def test_evidence_of_a_rule_that_is_not_there_is_found(tmp_path: Path) -> None:
    file = tmp_path / "aclnnX.yaml"
    (tmp_path / "evidence.jsonl").write_text(
        '{"op": "aclnnX", "rules": {"size": {"A3": {"ran": 1}}, "siz": {"A3": {"ran": 1}}}}\n', "utf-8"
    )
    found = lint(load_text(CLEAN, str(file)), str(file))
    said = [problem.message for problem in found if problem.check == "evidence"]
    assert said == ["evidence was recorded of 'siz', which is no rule"]


def test_every_check_is_tested() -> None:
    """``prose`` cannot fail while every node has words; the rest each have a fault above, or need files beside the spec."""
    # the last ones: tests/workshop/test_releases.py, tests/workshop/importer/test_merge.py
    elsewhere = {"evidence", "notes", "reachable", "base", "frozen", "reworded"}
    assert set(FAULTS) == {check.id for check in CHECKS} - elsewhere - {"prose"}


REACH = """\
operator: aclnnX
release: "9.9"
products: {910b: yes, A3: yes}
params:
  - {name: x, ctype: const aclTensor*, dtype: {any: [FLOAT, FLOAT16, BFLOAT16], changes: [{on: [A3], subtract: [BFLOAT16]}]}}
  - {name: y, ctype: const aclTensor*, dtype: [FLOAT, FLOAT16], format: [ND, NCHW]}
rules: {same: "x.dtype == y.dtype"}
"""


def test_a_listed_dtype_that_no_call_can_have_is_found_on_the_products_that_list_it() -> None:
    """What a relation leaves out is a relation that was misread, or a set of another product."""
    found = lint(load_text(REACH, PATH), PATH, checks=DEEP)
    assert [problem.about for problem in found] == ["aclnnX/x.dtype:BFLOAT16@910b"]


SCALAR = """\
operator: aclnnX
release: "9.9"
products: {910b: yes}
params:
  - {name: x, ctype: const aclTensor*, dtype: [FLOAT, INT8], shape: "(2,)"}
  - {name: s, ctype: const aclScalar*, dtype: [FLOAT, INT8]}
rules:
  alike: "s.dtype == x.dtype"
  seen: {check: "x.dtype != INT8", basis: observed}
example: {product: 910b, args: {x: "FLOAT[2]", s: FLOAT 1.2}}
"""


def test_a_scalar_takes_a_value_that_its_new_dtype_has() -> None:
    """And an observed rule, which says itself that the runtime refuses what the page lists, leaves nothing out."""
    assert lint(load_text(SCALAR, PATH), PATH, checks=DEEP) == []


@pytest.mark.parametrize("paths", EVERY[:1])
def test_what_relations_leave_out_has_no_legal_call(paths: list[Path]) -> None:
    """So that none is searched for: whatever a legal call has is left."""
    for path in paths:
        definition = load_file(str(path)).definitions[0]
        form = form_of(definition)
        for product in (name for name, support in form.support.items() if support == "yes"):
            reach = Reach(definition, form, product)
            list(reach.missing())
            for wanted in listed(definition, product):
                if any(map(wanted.held, reach.known)):
                    assert reach.narrowed.has(wanted.param, wanted.facet, wanted.value), (definition.name, wanted)


def test_an_accepted_finding_is_none_and_one_that_is_gone_is_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "9.9"
    folder.mkdir()
    (folder / "aclnnX.yaml").write_text(CLEAN.replace('"n == 2"', '"n == 1"'), encoding="utf-8")
    accepted = folder / "lint-accepted.txt"
    accepted.write_text("# why\nguards: for the test\n  aclnnX size\n", encoding="utf-8")
    assert main(["lint", str(tmp_path)]) == 0
    assert main(["lint", "--jobs", "2", str(folder / "aclnnX.yaml")]) == 0
    accepted.write_text("guards: for the test\n  aclnnX size x.dtype\n  aclnnGone size\n", encoding="utf-8")
    assert main(["lint", str(tmp_path)]) == 1
    printed = capsys.readouterr().out
    assert f"{accepted}:2: guards no longer finds aclnnX/x.dtype: take it off the list [accepted]" in printed
    assert f"{accepted}:3: guards no longer finds aclnnGone/size: take it off the list [accepted]" in printed
    accepted.write_text("gards: for the test\n  aclnnX size\n", encoding="utf-8")
    assert main(["lint", str(tmp_path)]) == 2
    assert f"{accepted}:1: no check is called 'gards'; did you mean 'guards'?" in capsys.readouterr().err


def test_what_the_base_accepts_is_accepted_in_what_stands_on_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A reason is given once; an overlay is not asked for it, nor for what the base's list says too much there."""
    folders = {release: tmp_path / release / "math" for release in ("9.1.0", "9.0.0")}
    for folder in folders.values():
        folder.mkdir(parents=True)
    whole = CLEAN.replace('"n == 2"', '"n == 1"').replace('"9.9"', "9.1.0")
    (folders["9.1.0"] / "aclnnX.yaml").write_text(whole, encoding="utf-8")
    overlay = folders["9.0.0"] / "aclnnX.yaml"
    overlay.write_text("operator: aclnnX\nextends: 9.1.0/aclnnX\ndocument: some/aclnnX.md\n", encoding="utf-8")
    (tmp_path / "9.1.0" / "lint-accepted.txt").write_text("guards: for the test\n  aclnnX size\n", encoding="utf-8")
    assert main(["lint", str(overlay)]) == 1
    assert "[guards]" in capsys.readouterr().out
    (tmp_path / "base.txt").write_text("9.1.0\n", encoding="utf-8")
    assert main(["lint", str(overlay)]) == 0, capsys.readouterr().out


def test_the_checks_are_listed_with_what_they_mean(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "--checks"]) == 0
    printed = capsys.readouterr().out
    assert all(check.id in printed and check.means in printed for check in CHECKS)


def test_the_command_exits_1_on_a_problem_and_2_on_a_file_that_does_not_load(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "9.9"
    folder.mkdir()
    file = folder / "aclnnX.yaml"
    file.write_text(CLEAN, encoding="utf-8")
    assert main(["lint", str(tmp_path)]) == 0
    file.write_text(CLEAN.replace("half", "INT8"), encoding="utf-8")
    assert main(["lint", str(file)]) == 1
    assert f"{file}:6:" in capsys.readouterr().out
    file.write_text(CLEAN.replace("ctype: int64_t", "ctype: int65_t"), encoding="utf-8")
    assert main(["lint", str(file)]) == 2
    assert "did you mean 'int64_t'" in capsys.readouterr().out


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
def test_a_pipe_among_the_files_is_a_problem_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The other files are looked at, and a folder that is named like a spec is a folder."""
    folder = tmp_path / "9.9"
    (folder / "folder.yaml").mkdir(parents=True)
    os.mkfifo(folder / "aclnnA.yaml")
    (folder / "folder.yaml" / "aclnnX.yaml").write_text(CLEAN.replace("half", "INT8"), encoding="utf-8")
    assert main(["lint", str(tmp_path)]) == 2
    printed = capsys.readouterr().out
    assert f"{folder}/aclnnA.yaml: cannot read the file: it is a pipe [load]" in printed
    assert "hides a word of the vocabulary" in printed
    assert main(["lint", str(folder / "aclnnA.yaml")]) == 2
    assert main(["fmt", str(tmp_path)]) == 2
