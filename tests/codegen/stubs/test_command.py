"""``opspec stub`` and ``opspec header``: what they write, what they refuse, and that they write all or nothing."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from opspec.cli.main import main
from opspec.codegen.stubs.call import stub
from opspec.model.definition import Definition
from opspec.model.spec import ExampleCall
from tests.codegen.stubs.operators import HERE, OPERATORS

SPECS = ("--specs", str(HERE / "specs"))
KINDS = OPERATORS["9.1.0/aclnnStubKinds"]
PARTIAL = """\
operator: aclnnStubPartial
release: 9.1.0
products: {910b: yes}
partial: {en: the table of params is missing, zh: 缺少参数表}
params:
  - {name: x, ctype: const aclTensor*}
"""


def listing(folder: Path) -> list[str]:
    """Names of all that is in a folder."""
    return sorted(os.listdir(folder))


def test_stub_writes_the_files_and_names_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder that is not there is made; exit status 0."""
    out = tmp_path / "a" / "b"
    assert main(["stub", "aclnnStubKinds", "--out", str(out), *SPECS]) == 0
    shown = capsys.readouterr()
    assert shown.out.splitlines() == [str(out / name) for name in stub(KINDS)]
    assert shown.err == ""
    assert {path.name: path.read_text(encoding="ascii") for path in out.iterdir()} == stub(KINDS)


def test_stub_with_rules_writes_them_beside(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The run time of the rules and the operator's own in a folder; the wrapper asks them."""
    assert main(["stub", "aclnnStubKinds", "--check", "--out", str(tmp_path), *SPECS]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert {"stub_kinds_check.c", "rules"} <= set(listing(tmp_path))
    assert {"aclnnStubKinds.c", "opspec_rules.h", "opspec_judge.c"} <= set(listing(tmp_path / "rules"))
    assert sorted(shown) == sorted(str(path) for path in tmp_path.rglob("*") if path.is_file())
    assert "checkStubKinds(arguments, aclrtGetSocName())" in (tmp_path / "stub_kinds.c").read_text(encoding="ascii")


def test_stub_writes_again_over_what_it_wrote(tmp_path: Path) -> None:
    """And leaves other files alone."""
    (tmp_path / "mine.c").write_text("mine", encoding="ascii")
    (tmp_path / "stub_kinds.h").write_text("old", encoding="ascii")
    for _ in range(2):
        assert main(["stub", "aclnnStubKinds", "--out", str(tmp_path), *SPECS]) == 0
    assert listing(tmp_path) == sorted(["mine.c", *stub(KINDS)])
    assert (tmp_path / "stub_kinds.h").read_text(encoding="ascii") == stub(KINDS)["stub_kinds.h"]


@pytest.fixture
def partial(tmp_path: Path) -> str:
    """A registry folder with a partial spec."""
    spec = tmp_path / "specs" / "9.1.0" / "x" / "aclnnStubPartial.yaml"
    spec.parent.mkdir(parents=True)
    spec.write_text(PARTIAL, encoding="utf-8")
    return str(tmp_path / "specs")


@pytest.mark.parametrize(
    ("command", "reason"), [("stub", "its stub could not be right"), ("header", "its prototypes may be wrong")]
)
def test_a_partial_operator_is_refused(
    command: str, reason: str, partial: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit status 2, the reason with what is missing, and no file."""
    out = tmp_path / "out"
    assert main([command, "aclnnStubPartial", "--out", str(out), "--specs", partial]) == 2
    said = f"opspec: aclnnStubPartial: the spec is partial, so {reason}: the table of params is missing\n"
    assert capsys.readouterr().err == said
    assert not out.exists()


@pytest.mark.parametrize("command", ["stub", "header"])
def test_an_unknown_operator_or_release_is_refused(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit status 2, the nearest name, and no file."""
    out = tmp_path / "out"
    assert main([command, "aclnnStubKind", "--out", str(out), *SPECS]) == 2
    assert "did you mean 'aclnnStubKinds'?" in capsys.readouterr().err
    assert main([command, "aclnnStubKinds", "--release", "1.0", "--out", str(out), *SPECS]) == 2
    assert "1.0" in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize("words", [["stub"], ["stub", "aclnnStubKinds"], ["header", "--by-header"]])
def test_a_missing_word_is_bad_usage(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """One line that names the help."""
    assert main([*words, *SPECS]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert f"see opspec {words[0]} --help" in shown.err


def test_nothing_is_written_when_one_file_cannot_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither new files nor temporary ones; what was there is as it was."""
    (tmp_path / "CMakeLists.txt").mkdir()  # the last file that is written
    (tmp_path / "stub_kinds.h").write_text("old", encoding="ascii")
    assert main(["stub", "aclnnStubKinds", "--out", str(tmp_path), *SPECS]) == 2
    assert capsys.readouterr().err == f"opspec: {tmp_path / 'CMakeLists.txt'}: cannot write: it is a folder\n"
    assert listing(tmp_path) == ["CMakeLists.txt", "stub_kinds.h"]
    assert (tmp_path / "stub_kinds.h").read_text(encoding="ascii") == "old"


def test_nothing_is_written_when_the_disk_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The third file fails: the first two have not taken their places."""
    written = 0

    def full(*args: object, **options: object) -> object:
        nonlocal written
        written += 1
        if written == 3:
            raise OSError(28, "No space left on device")
        return genuine(*args, **options)  # type: ignore[call-overload]

    genuine = open
    monkeypatch.setattr("opspec.files.open", full, raising=False)
    assert main(["stub", "aclnnStubKinds", "--out", str(tmp_path), *SPECS]) == 2
    assert listing(tmp_path) == []


@pytest.mark.parametrize("name", ["file", "file/below", "nul\0"])
@pytest.mark.parametrize("words", [["stub", "aclnnStubKinds"], ["header", "aclnnStubKinds", "--by-header"]])
def test_a_folder_that_cannot_be_made_is_bad_input(
    words: list[str], name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line, exit status 2."""
    (tmp_path / "file").write_text("", encoding="ascii")
    assert main([*words, "--out", str(tmp_path / name), *SPECS]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert listing(tmp_path) == ["file"]


def test_header_writes_to_a_file_to_standard_output_and_per_header(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same prototypes each time."""
    ops = ["aclnnStubKinds", "aclnnStubHelper", "aclnnStubBare", "aclnnStubKinds"]
    assert main(["header", *ops, *SPECS]) == 0
    printed = capsys.readouterr().out
    assert main(["header", *ops, "--out", str(tmp_path / "aclnn.h"), *SPECS]) == 0
    assert (tmp_path / "aclnn.h").read_text(encoding="ascii") == printed
    assert printed.count("aclnnStatus aclnnStubKinds(") == 1  # named twice, declared once
    capsys.readouterr()
    assert main(["header", *ops, "--by-header", "--out", str(tmp_path / "include"), *SPECS]) == 0
    names = ["aclnnop/aclnn_stub_kinds.h", "aclnnop/aclnn_stub_helper.h", "aclnnStubBare.h"]
    assert capsys.readouterr().out.splitlines() == [str(tmp_path / "include" / name) for name in names]


def test_two_specs_cannot_declare_one_function(tmp_path: Path) -> None:
    """An operator named as another's first phase."""
    folder = tmp_path / "9.1.0" / "x"
    folder.mkdir(parents=True)
    text = PARTIAL.replace("partial:", "summary:")
    for name in ("aclnnTwice", "aclnnTwiceGetWorkspaceSize"):
        (folder / f"{name}.yaml").write_text(text.replace("aclnnStubPartial", name), encoding="utf-8")
    words = ["aclnnTwice", "aclnnTwiceGetWorkspaceSize", "--specs", str(tmp_path)]
    assert main(["header", *words]) == 2


def test_a_stub_needs_no_example() -> None:
    """The same files; the program says what is missing."""
    operator = OPERATORS["9.1.0/aclnnStubArrays"]
    files = stub(with_example(operator, None))
    assert list(files) == list(stub(OPERATORS["9.1.0/aclnnStubArrays"]))
    assert "/* Placeholders: the spec has no example. */" in files["stub_arrays_example.c"]
    broken = with_example(operator, {"product": "910b", "args": {"sizes": 3}})
    assert "/* Placeholders: " in stub(broken)["stub_arrays_example.c"]


def with_example(operator: Definition, example: dict[str, object] | None) -> Definition:
    """The operator as if its spec had this example."""
    call = None if example is None else ExampleCall.model_validate(example)
    return replace(operator, spec=operator.spec.model_copy(update={"example": call}))
