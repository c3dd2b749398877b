"""``opspec new``: what it begins lints clean whatever the prototype, and nothing is written over."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from opspec.cli.main import main
from opspec.codegen.prototypes import prototypes
from opspec.registry.registry import Registry, definition_of

RELEASE = "9.1.0"
#: every thirtieth operator of the release: their prototypes are those of others' own operators, too
OPERATORS = [
    name for name in sorted(Registry().entries(RELEASE))[::30]
    if "const aclTensor" in prototypes(definition_of(Registry().find(name, RELEASE)))[0]
]  # fmt: skip


@pytest.mark.parametrize("operator", OPERATORS)
def test_a_spec_of_any_prototype_lints_clean(operator: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The params are those of the prototype, in its order and of its types, and there is an example."""
    definition = definition_of(Registry().find(operator, RELEASE))
    (tmp_path / "a.h").write_text("\n".join(prototypes(definition)))
    own = tmp_path / "specs"
    assert main(["new", operator, "--specs", str(own), "--release", "1.0", "--prototype", str(tmp_path / "a.h")]) == 0
    made = definition_of(Registry((str(own),)).find(operator, "1.0"))
    assert [(param.name, param.ctype) for param in made.params] == [
        (param.name, param.ctype) for param in definition.params
    ]
    assert made.spec.example is not None
    capsys.readouterr()
    assert main(["lint", str(own)]) == 0, capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["aclnnX/../Y"], "an operator's name is aclnn and letters and digits"),
        (["Add"], "an operator's name is aclnn and letters and digits"),
        (["aclnnX", "--release", "one"], "a release is numbers with dots between them"),
        (["aclnnX", "--family", "../up"], "--family names a folder"),
        (["aclnnX", "--prototype", "nowhere.h"], "cannot read the file"),
    ],
)
def test_bad_input(words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", *words, "--specs", str(tmp_path)]) == 2
    assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_header_without_the_operator(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.h").write_text("aclnnStatus aclnnYGetWorkspaceSize(const aclTensor *x, aclOpExecutor **executor);")
    assert main(["new", "aclnnX", "--specs", str(tmp_path / "s"), "--prototype", str(tmp_path / "a.h")]) == 2
    assert re.search("no prototype of aclnnXGetWorkspaceSize; there is aclnnYGet", capsys.readouterr().err)


def test_what_is_there_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "aclnnX", "--specs", str(tmp_path)]) == 0
    before = {path: path.read_text() for path in tmp_path.rglob("*.yaml")}
    assert main(["new", "aclnnX", "--specs", str(tmp_path)]) == 2
    assert "there is a spec already" in capsys.readouterr().err
    assert {path: path.read_text() for path in tmp_path.rglob("*.yaml")} == before
