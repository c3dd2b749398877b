"""Every lint check finds its fault, and finds nothing in a spec without it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from opspec.cli.main import main
from opspec.model.load import load_text
from opspec.workshop.lint import CHECKS, lint

CLEAN = """\
operator: aclnnX
release: "9.9"
summary: {en: X, zh: X}
products: {910b: yes, A3: yes}
let: {half: "n // 2"}
params:
  - {name: x, ctype: const aclTensor*, dtype: [FLOAT]}
  - {name: n, ctype: int64_t, enum: [0, 2]}
rules:
  size: {check: "x.shape[0] == half", when: "n == 2"}
clauses:
  - {at: params/x, rules: [x.null, x.dtype, size]}
  - {at: params/n, rules: [n.enum]}
example: {product: 910b, args: {x: {tensor: {shape: [1], dtype: FLOAT}}, n: 2}}
"""

PATH = "specs/9.9/aclnnX.yaml"

FAULTS: dict[str, list[tuple[str, str, str | None]]] = {
    "file-name": [("operator: aclnnX", "operator: aclnnY", "named aclnnX, its operators ask for aclnnY"),
                  ('release: "9.9"', 'release: "9.8"', "its release is 9.8")],
    "retired": [("size:", "old:", "the id 'old' is retired"), ],
    "shadowed": [("half", "ND", "hides a word of the vocabulary")],
    "prototype": [("enum: [0, 2]}", "enum: [0, 2], strided: yes}", "'strided' says nothing about a int64_t"),
                  ("name: n, ctype: int64_t", "name: workspaceSize, ctype: int64_t", "is not listed"),
                  ("const aclTensor*,", "const aclTensor*, io: inout,", "cannot be const")],
    "clauses": [("rules: [x.null, x.dtype, size]", "rules: [x.null, x.dtype]", "'size' comes from no clause")],
    "guards": [('when: "n == 2"', 'when: "n == 1"', "the guard of 'size' can never hold"),
               ('when: "n == 2"', "when: \"product == 'A3' and product == '910b'\"", "the guard of 'size' can never hold"),
               ('check: "x.shape[0] == half"', 'check: "n > 5 and half > 0"', "no call can satisfy 'size'")],
    "unused": [("let: {half:", 'let: {other: "n + 1", half:', "nothing uses the derived value 'other'")],
    "duplicate": [("  size: {", '  same: {check: "x.shape[0]==half", when: "n==2"}\n  size: {', "requires what 'same' does"),
                  ("  size: {", '  same: {check: "n in (0, 2)"}\n  size: {', "'same' requires what 'n.enum' does"),
                  ("  size: {", '  same: {check: "x.shape[0]==half", when: "n==0"}\n  size: {', None)],
    "conflicts": [("  size: {", '  seen: {check: "n > 0", basis: observed, evidence: tests, contradicts: [n.enum]}\n  size: {',
                   "must say 'enforced: no'")],
    "example": [("dtype: FLOAT}}, n: 2", "dtype: INT8}}, n: 2", "x.dtype must be FLOAT"),
                ("dtype: FLOAT}}, n: 2", "dtype: FLOAT}}", "cannot be judged"),
                ("example:", "#", "the spec has no example"),
                ("rules: [n.enum]}\nexample:", "not_yet: yes}\n# example:", None),
                ("rules: [n.enum]}\nexample: {product: 910b, args: {x: {tensor: {shape: [1], dtype: FLOAT",
                 "not_yet: yes}\nexample: {product: 910b, args: {x: {tensor: {shape: [1], dtype: INT8", "x.dtype must be FLOAT"),
                ("example:", "twin: {operator: aclnnY, rename: {x: z}}\nexample:", None),
                ("example: {product", "partial: {en: a, zh: b}\nexample: {product", None)],
}  # fmt: skip


def problems(text: str) -> list[tuple[str, str]]:
    """(check, message) of what lint finds."""
    found = lint(load_text(text, PATH), PATH, frozenset({"9.9/aclnnX/old"}))
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
        text = CLEAN.replace("half", "ND")
    if before.startswith("name: n,"):
        text = (
            text.replace("n // 2", "2")
            .replace("n == 2", "True")
            .replace("n.enum", "workspaceSize.enum")
            .replace("n: 2}", "workspaceSize: 2}")
        )
    if check == "retired":
        text = text.replace("x.dtype, size]", "x.dtype, old]")
    found = [problem for name, problem in problems(text) if name == check]
    if message is None:
        assert not found
    else:
        assert any(message in problem for problem in found), problems(text)


def test_every_check_is_tested() -> None:
    """``prose`` cannot fail while every node has words; the rest each have a fault above."""
    assert set(FAULTS) == set(CHECKS) - {"prose"}


def test_the_command_exits_1_on_a_problem_and_2_on_a_file_that_does_not_load(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "9.9"
    folder.mkdir()
    file = folder / "aclnnX.yaml"
    file.write_text(CLEAN, encoding="utf-8")
    assert main(["lint", str(tmp_path)]) == 0
    file.write_text(CLEAN.replace("half", "ND"), encoding="utf-8")
    assert main(["lint", str(file)]) == 1
    assert f"{file}:5:" in capsys.readouterr().out
    file.write_text(CLEAN.replace("ctype: int64_t", "ctype: int65_t"), encoding="utf-8")
    assert main(["lint", str(file)]) == 2
    assert "did you mean 'int64_t'" in capsys.readouterr().out


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
def test_a_pipe_among_the_files_is_a_problem_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The other files are looked at, and a folder that is named like a spec is a folder."""
    folder = tmp_path / "9.9"
    (folder / "folder.yaml").mkdir(parents=True)
    os.mkfifo(folder / "aclnnA.yaml")
    (folder / "folder.yaml" / "aclnnX.yaml").write_text(CLEAN.replace("half", "ND"), encoding="utf-8")
    assert main(["lint", str(tmp_path)]) == 2
    printed = capsys.readouterr().out
    assert f"{folder}/aclnnA.yaml: cannot read the file: it is a pipe [load]" in printed
    assert "hides a word of the vocabulary" in printed
    assert main(["lint", str(folder / "aclnnA.yaml")]) == 2
    assert main(["fmt", str(tmp_path)]) == 2
