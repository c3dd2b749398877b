"""``opspec layer build`` refuses what it cannot build, in one line, and writes nothing then."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from opspec.build.installed import exported, installed
from opspec.build.layer import LIBRARY
from opspec.cli.main import main
from tests.build.layer.install import compiled

BUILD = ("build", "--out", "x", "--release", "9.1.0")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "expected 'build' behind 'opspec layer'"),
        (("build", "--out", "x"), "the following arguments are required: --release"),
        (("build", "--out", "x", "--release", "latest"), "unknown release 'latest'; there are"),
        ((*BUILD, "aclnnAd"), "did you mean 'aclnnAdd'"),
        ((*BUILD, "--product", "911"), "unknown product '911'"),
        ((*BUILD, "-j", "0"), "a number from 1 to 256"),
        ((*BUILD, "--cc", "nocc"), "install gcc or clang"),
        ((*BUILD, "--installed", "none", "aclnnAdd"), "none: there is no library of operators"),
        (
            (*BUILD, "--installed", "text", "aclnnAdd"),
            "libopapi.so: cannot read its symbols: file format not recognized",
        ),
    ],
)
def test_bad_usage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...], said: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "libopapi.so").write_text("no library")
    assert main(["layer", *words]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert not (tmp_path / "x").exists()


def test_a_broken_compiler_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--cc", "cc -include none.h", "-j1")
    assert main(["layer", "build", "--release", "9.1.0", "--out", str(tmp_path / "x"), *words, "aclnnAdd"]) == 2
    assert "cannot compile aclnnAdd.c" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


def test_no_nm(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "libopapi.so").write_text("")
    monkeypatch.setenv("NM", "no-nm")
    with pytest.raises(Exception, match="there is no program 'no-nm': it comes with the compiler's binutils"):
        installed([str(tmp_path)])


def test_what_counts_as_installed(tmp_path: Path) -> None:
    """Functions of operators, in the order in which libraries are searched; nothing else, and not the layer itself."""
    source = tmp_path / "some.c"
    source.write_text(
        "int aclnnOne(void); int aclnnOne(void) { return 1; }\n"
        "int aclnnTwo(void); __attribute__((weak)) int aclnnTwo(void) { return 2; }\n"
        "int other(void); int other(void) { return 3; }\n"
        "extern int aclnnData; int aclnnData = 4;\n"
        "int aclnnHidden(void); __attribute__((visibility(\"hidden\"))) int aclnnHidden(void) { return 5; }\n"
    )  # fmt: skip
    folder = tmp_path / "odd [name]*" / "lib64"
    for name in ("libopapi.so", "libopapi_nn.so", "libopapi_math.so", LIBRARY):
        compiled(folder / name, "-fPIC", "-shared", str(source))
    os.symlink(LIBRARY, folder / "libcust_opapi.so")
    found = installed([str(folder.parent)])
    assert found.functions == ("aclnnOne", "aclnnTwo")
    assert [os.path.basename(path) for path in found.libraries] == ["libopapi_math.so", "libopapi_nn.so", "libopapi.so"]
    assert exported(str(folder / "libopapi.so")) >= {"aclnnOne", "aclnnTwo", "other"}
