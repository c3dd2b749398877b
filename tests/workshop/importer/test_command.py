"""``opspec import``: what it prints and writes, its exit status, and input that is no good."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from opspec.cli.main import main
from opspec.model.load import load_file, spec_file
from opspec.workshop.importer.said import said_of
from tests.committed import EVERY
from tests.paths import REPOSITORY, SHARED, needs_shared
from tests.workshop.importer.building import OUT, PAGE, X, page

SPEC = "9.9.9/folder/aclnnToy.yaml"
LEDGER = "9.9.9/folder/aclnnToy.ledger.json"
SAID = "9.9.9/imported.jsonl"


def written(folder: Path, text: str | bytes = PAGE, name: str = "folder/aclnnToy.md") -> str:
    """A page in a file."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def run(tmp_path: Path, *words: str) -> int:
    """The command, writing below ``out`` unless the words say otherwise."""
    return main(["import", "--release", "9.9.9", "--out", str(tmp_path / "out"), *words])


def files(folder: Path) -> list[str]:
    """All files below a folder."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_a_page_becomes_a_spec_that_loads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With its header, below its family, and beside it the ledger; the release has what was imported."""
    (tmp_path / "headers.csv").write_text("operator,header\naclnnToy,aclnn_toy.h\n", encoding="utf-8")
    assert run(tmp_path, written(tmp_path), "--headers", str(tmp_path / "headers.csv")) == 0
    assert capsys.readouterr().out == "1 specs new, 0 changed, 0 as before; 0 faults\n"
    assert files(tmp_path / "out") == [LEDGER, SPEC, SAID]
    assert load_file(str(tmp_path / "out" / SPEC)).spec.header == "aclnnop/aclnn_toy.h"


def test_a_dry_run_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It says what it would do."""
    assert run(tmp_path, written(tmp_path), "--dry-run") == 0
    assert capsys.readouterr().out == "1 specs would be new, 0 would be changed, 0 as before; 0 faults\n"
    assert not (tmp_path / "out").exists()


def test_a_page_that_cannot_be_read_is_one_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The others are imported, and the status is 1."""
    written(tmp_path)
    bad = written(tmp_path, PAGE.encode() + b"\xff", "folder/aclnnBad.md")
    assert run(tmp_path, str(tmp_path / "folder")) == 1
    out = capsys.readouterr()
    assert out.out == "1 specs new, 0 changed, 0 as before; 1 faults\n"
    assert out.err.startswith(f"{bad}:1: cannot read: ")


def test_the_same_operator_on_two_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first counts, and the second is named."""
    first, second = written(tmp_path), written(tmp_path, PAGE, "folder/aclnnZ.md")
    assert run(tmp_path, first, second) == 1
    assert capsys.readouterr().err == f"{second}:1: aclnnToy is on aclnnToy.md too, which is the one that is imported\n"


def test_only_one_operator(tmp_path: Path) -> None:
    """``--op`` leaves the others out."""
    other = written(tmp_path, PAGE.replace("aclnnToy", "aclnnOther"), "folder/aclnnOther.md")
    assert run(tmp_path, written(tmp_path), other, "--op", "aclnnOther") == 0
    assert files(tmp_path / "out") == ["9.9.9/folder/aclnnOther.ledger.json", "9.9.9/folder/aclnnOther.yaml", SAID]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["{tmp}/nowhere"], "nowhere: no such file or folder"),
        (["{tmp}/" + "n" * 300], ": no such file or folder"),
        (["{tmp}/a\0b"], ": no such file or folder"),
        (["{tmp}/empty"], "empty: no pages here"),
        (["{page}", "--headers", "{tmp}/nowhere.csv"], "nowhere.csv: cannot read"),
        (["{page}", "--headers", "{tmp}/empty"], "empty: cannot read"),
        (["{page}", "--headers", "{tmp}/binary.csv"], "binary.csv: cannot read"),
        (
            ["{page}", "--headers", "{tmp}/other.csv"],
            "other.csv: expected a table with the columns 'operator' and 'header'",
        ),
        (["{page}", "--out", "{page}"], "cannot"),
        (["{page}", "--out", "{tmp}/a\0b"], "cannot"),
        (["{page}", "--release", "latest"], "expected a release such as 9.1.0, found 'latest'"),
        (["{page}", "--read", "aclnnTy/x"], "unknown operator 'aclnnTy' in --read, none of what is imported; did you"),
        (["{page}", "--nonsense"], "unrecognized arguments"),
        ([], "required: PAGE"),
    ],
)
def test_input_that_is_no_good(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 2, one line that says where and what, nothing written."""
    page_ = written(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "binary.csv").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "other.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    before = files(tmp_path)
    assert run(tmp_path, *(word.format(tmp=tmp_path, page=page_) for word in words)) == 2
    out = capsys.readouterr()
    assert out.out == ""
    assert message in out.err
    assert out.err.count("\n") == 1
    assert files(tmp_path) == before


@pytest.mark.parametrize("content", [b"\xff", b"[]\n", b'{"clauses": 1}\n', b"{\n", None])
def test_a_damaged_ledger(content: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A fault that names it; a folder in its place is no better. The spec beside it stays as it is."""
    assert run(tmp_path, written(tmp_path)) == 0
    before = (tmp_path / "out" / SPEC).read_bytes()
    path = tmp_path / "out" / LEDGER
    path.unlink()
    path.mkdir() if content is None else path.write_bytes(content)
    assert run(tmp_path, written(tmp_path, page((X, OUT)))) == 1
    assert LEDGER in capsys.readouterr().err
    assert (tmp_path / "out" / SPEC).read_bytes() == before
    assert content is None or path.read_bytes() == content


@pytest.mark.parametrize(
    "content",
    [b"\xff", b"- a\n", b"operator: [\n", b"params: 3\n", b"params: [{a: 1}]\n", b"rules: [a]\nclauses: 3\n", None],
)
def test_a_file_in_the_place_of_a_spec_that_is_none(
    content: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It stays as it is, and the fault names it."""
    path = tmp_path / "out" / SPEC
    path.parent.mkdir(parents=True)
    path.mkdir() if content is None else path.write_bytes(content)
    assert run(tmp_path, written(tmp_path)) == 1
    assert str(path) in capsys.readouterr().err
    assert content is None or path.read_bytes() == content


def test_all_specs_are_written_or_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One that cannot be written leaves the others, and all ledgers, as they were."""
    written(tmp_path)
    written(tmp_path, PAGE.replace("aclnnToy", "aclnnOther"), "other/aclnnOther.md")
    pages = [str(tmp_path / "folder"), str(tmp_path / "other")]
    assert run(tmp_path, *pages) == 0
    out = tmp_path / "out"
    before = {name: (out / name).read_bytes() for name in files(out)}
    for folder in ("folder", "other"):
        name = {"folder": "aclnnToy", "other": "aclnnOther"}[folder]
        written(tmp_path, page((X, OUT)).replace("aclnnToy", name), f"{folder}/{name}.md")
    blocked = out / "9.9.9" / "other" / f"aclnnOther.yaml.{os.getpid()}.tmp"
    blocked.mkdir()
    capsys.readouterr()
    assert run(tmp_path, *pages) == 2
    assert "cannot write" in capsys.readouterr().err
    assert {name: (out / name).read_bytes() for name in files(out)} == before


def test_a_dry_run_over_what_was_imported_finds_everything_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With headers or without: who imports again without them keeps those that specs name."""
    (tmp_path / "headers.csv").write_text("operator,header\naclnnToy,aclnn_toy.h\n", encoding="utf-8")
    headers = ("--headers", str(tmp_path / "headers.csv"))
    assert run(tmp_path, written(tmp_path), *headers) == 0
    before = {name: (tmp_path / "out" / name).read_bytes() for name in files(tmp_path / "out")}
    for words in (("--dry-run", *headers), ("--dry-run",), ()):
        capsys.readouterr()
        assert run(tmp_path, written(tmp_path), *words) == 0
        verb = "would be " if words else ""
        assert capsys.readouterr().out == f"0 specs {verb}new, 0 {verb}changed, 1 as before; 0 faults\n"
    assert {name: (tmp_path / "out" / name).read_bytes() for name in files(tmp_path / "out")} == before


def test_importing_again_without_headers_keeps_them(tmp_path: Path) -> None:
    """Also when the page changed; a table of headers that lacks the operator's is another matter."""
    table = tmp_path / "headers.csv"
    table.write_text("operator,header\naclnnToy,aclnn_toy.h\n", encoding="utf-8")
    assert run(tmp_path, written(tmp_path), "--headers", str(table)) == 0
    assert run(tmp_path, written(tmp_path, page((X, OUT)))) == 0
    spec = load_file(str(tmp_path / "out" / SPEC)).spec
    assert [param.name for param in spec.params] == ["x", "out"]
    assert spec.header == "aclnnop/aclnn_toy.h"
    table.write_text("operator,header\naclnnOther,aclnn_toy.h\n", encoding="utf-8")
    assert run(tmp_path, written(tmp_path), "--headers", str(table)) == 0
    assert load_file(str(tmp_path / "out" / SPEC)).spec.header is None


def test_two_imports_at_once_lose_nothing(tmp_path: Path) -> None:
    """Different pages of one folder, many of them, into one release: they write into one file what the pages said."""
    names = [f"aclnnToy{letter}" for letter in "ABCDEFGH"]
    pages = [written(tmp_path, PAGE.replace("aclnnToy", name), f"folder/{name}.md") for name in names]
    out = ["--release", "9.9.9", "--out", str(tmp_path / "out")]
    command = [sys.executable, "-m", "opspec", "import", *out]
    started = [
        subprocess.Popen([*command, *part], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for part in (pages[::2], pages[1::2])
    ]
    said = [process.communicate()[0] for process in started]
    assert [process.returncode for process in started] == [0, 0], said
    assert said == ["4 specs new, 0 changed, 0 as before; 0 faults\n"] * 2
    kinds = (".yaml", ".ledger.json")
    own = sorted(f"9.9.9/folder/{name}{kind}" for name in names for kind in kinds)
    assert files(tmp_path / "out") == [*own, SAID]
    assert main(["import", *out, "--dry-run", *pages]) == 0
    for name in names:
        assert said_of(str(tmp_path / "out" / "9.9.9"), name)


@needs_shared
@pytest.mark.parametrize("paths", EVERY[:1])
def test_a_dry_run_over_the_committed_specs_finds_them_as_they_are(
    paths: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """What is committed is what the importer makes of the pages, and what people wrote: nothing would change.

    Here without a table of headers; of all specs, with it, CI looks in a step of its own.
    """
    documents = dict.fromkeys(
        SHARED / "docs" / "9.1.0" / str(spec_file(str(path)).document)
        for path in paths
        if path.parent.parent.name == "9.1.0"
    )
    pages = [str(path) for path in documents if path.is_file()]
    if pages:
        main(["import", "--release", "9.1.0", "--out", str(REPOSITORY / "specs"), "--dry-run", *pages])
        assert "specs would be new" in (said := capsys.readouterr().out)
        assert re.search(r"^0 specs would be new, 0 would be changed, \d+ as before; ", said, re.M), said


def test_headers_that_are_none_are_a_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What a program could not include is no header of a spec."""
    (tmp_path / "headers.csv").write_text('operator,header\naclnnToy,"a""b*/"\n', encoding="utf-8")
    assert run(tmp_path, written(tmp_path), "--headers", str(tmp_path / "headers.csv")) == 1
    assert "aclnnToy: header: " in capsys.readouterr().err


def test_a_page_in_a_folder_whose_name_is_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its name would be part of the spec: a fault, no traceback."""
    try:
        path = written(tmp_path, PAGE, os.fsdecode(b"\xff/aclnnToy.md"))
    except OSError:
        pytest.skip("this file system has no such names")
    assert run(tmp_path, path) == 1
    assert "document" in capsys.readouterr().err
