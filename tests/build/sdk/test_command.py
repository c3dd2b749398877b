"""``opspec sdk build`` refuses what it cannot build, in one line, and writes nothing then."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from opspec.build import layout
from opspec.build.compiler import find_compiler
from opspec.cli.main import main
from opspec.vocabulary import products
from tests.build.sdk.small import build_small


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "expected 'build' behind 'opspec sdk'"),
        (("make",), "expected 'build' behind 'opspec sdk'"),
        (("build", "--out", "x"), "the following arguments are required: --release, --product"),
        (("build", "--out", "x", "--release", "9.1.0", "--product", "911"), "unknown product '911'"),
        (("build", "--out", "x", "--release", "latest", "--product", "910b"), "unknown release 'latest'; there are"),
        (("build", "--out", "x", "--release", "9.1.0", "--product", "910b", "aclnnAd"), "did you mean 'aclnnAdd'"),
        (("build", "--out", "x", "--release", "9.1.0", "--product", "910b", "-j", "0"), "a number from 1 to 256"),
        (("build", "--out", "x", "--release", "9.1.0", "--product", "910b", "--cc", "nocc"), "install gcc or clang"),
        (("build", "--out", "x", "--release", "9.1.0", "--product", "910b", "--cc", "'"), "cannot be read"),
        (("build", "--out", "x", "--release", "9.1.0", "--product", "910b", "--cc", "true"), "no C compiler"),
    ],
)  # fmt: skip
def test_bad_usage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...], said: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert main(["sdk", *words]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_no_compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    assert build_small(tmp_path / "sdk", "aclnnAdd") == 2
    assert "there is no C compiler (cc, gcc, clang): install gcc or clang" in capsys.readouterr().err
    assert build_small(tmp_path / "sdk", "aclnnAdd", options=("--headers-only",)) == 0


def test_the_compiler_is_the_one_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "gcc -pipe")
    assert find_compiler(None).words == ("gcc", "-pipe")
    assert find_compiler("cc").words == ("cc",)
    assert find_compiler("cc").architecture == os.uname().machine


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_what_is_no_sdk_is_not_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str) -> None:
    place = tmp_path / "mine"
    if kind == "file":
        place.write_text("mine")
    else:
        place.mkdir()
        (place / "mine.txt").write_text("mine")
    assert build_small(place, "aclnnAdd", options=("--headers-only",)) == 2
    assert "cannot write the SDK here" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
    assert (place if kind == "file" else place / "mine.txt").read_text() == "mine"


def test_an_empty_folder_and_folders_that_are_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    for name in ("empty", "a/b/sdk"):
        assert build_small(tmp_path / name, "aclnnAdd", options=("--headers-only",)) == 0
        assert layout.read_mark(str(tmp_path / name))["operators"] == ["aclnnAdd"]
    assert "headers of CANN 9.1.0 for 910b: 1 operator, " in capsys.readouterr().out


def test_operators_by_name_or_in_a_list(tmp_path: Path) -> None:
    options = ("--headers-only", "--ops", "aclnnRelu,aclnnAdd", "--ops", "aclnnCat")
    assert build_small(tmp_path / "sdk", "aclnnAdd", options=options) == 0
    assert layout.read_mark(str(tmp_path / "sdk"))["operators"] == ["aclnnAdd", "aclnnCat", "aclnnRelu"]


@pytest.mark.parametrize("product", products.ids())
def test_every_product_has_a_chip_of_its_own(product: str) -> None:
    for member in (None, *products.members(product)):
        name = layout.chip(layout.Target("9.1.0", product, member))
        assert products.resolve(name)[0] == product
        assert products.resolve(name)[1] in (None, member)


def test_the_source_says_what_is_played() -> None:
    text = layout.target_source(layout.Target("9.1.0", "950", "950dt"))
    assert "sim_target_product = OPSPEC_PRODUCT_950;" in text
    assert "sim_target_member = OPSPEC_PRODUCT_950DT;" in text
    assert '"Ascend950DT_9595"' in text
