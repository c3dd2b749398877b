"""A version of CANN that is no release of the registry is read as the nearest, alike wherever one may be named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import opspec
from opspec.cli.main import main
from opspec.registry.folders import PARTIAL
from opspec.registry.registry import Registry
from opspec.registry.versions import nearest, version

NUMBERS = st.lists(st.integers(0, 30), min_size=1, max_size=3).map(lambda parts: ".".join(map(str, parts)))
CANDIDATES = st.sampled_from(("", ".RC1", ".rc2.alpha003", "-beta.1", ".alpha001"))


def key(release: str) -> tuple[int, ...]:
    parts = tuple(map(int, release.split(".")))
    return (*parts, *[0] * (3 - len(parts)))


@given(NUMBERS, CANDIDATES, st.lists(NUMBERS, min_size=1, unique_by=key))
def test_the_nearest_is_itself_or_a_neighbour(number: str, candidate: str, there: list[str]) -> None:
    """Whatever releases there are: of one that is there it is that one, else no other lies between the two."""
    found = nearest(number + candidate, there)
    assert found in there
    if key(number) in map(key, there):
        assert key(found) == key(number)
    low, high = sorted((key(found), key(number)))
    assert not [each for each in there if low < key(each) < high]


@given(NUMBERS, CANDIDATES)
def test_what_people_and_toolkits_write_is_read(number: str, candidate: str) -> None:
    """With or without what stands before it, in any case."""
    if "." in number:
        written = number + candidate
        assert version(written) == version(f"CANN {written}") == version(f" v{written} ") == written
        assert version(written.upper()) == written.upper()


@pytest.mark.parametrize(
    "text", ["", "latest", "9,1", "9.1.0; rm -rf /", "९.१", "1." * 40, "CANN", "-1", "9.1.0\n8.5.0"]
)
def test_anything_else_is_no_version(text: str) -> None:
    """And the releases that there are are named."""
    assert version(text) is None
    with pytest.raises(opspec.UnknownReleaseError, match=r"there are 8\.0, "):
        Registry().nearest(text)


def test_each_release_is_read_as_itself() -> None:
    """Without a word; what but leaves parts out that are 0 is the same release."""
    known = Registry()
    for name in known.releases():
        assert known.nearest(name).words("en") == ""
        assert known.nearest(name).release == name
    for name in known.whole():
        short = ".".join(name.split(".")[:2])
        assert known.nearest(f"{short}.0").release == known.nearest(f"{short}.0", "a log").release == f"{short}.0"


def test_a_release_of_some_operators_is_none_that_a_toolkit_means() -> None:
    """8.0 has five operators: a toolkit of 8.0 is read as a release that has them all, and so is what lies near 8.0."""
    known = Registry()
    assert "8.0" in known.releases()
    assert "8.0" not in known.whole()
    for written in ("8.0.RC3", "7.0", "8.2"):
        assert known.nearest(written).release == known.whole()[0]
    assert known.nearest("8.0", "ASCEND_HOME_PATH").release == known.whole()[0]


def test_a_release_more_needs_no_code(tmp_path: Path) -> None:
    """A folder is enough; with a file that says so it counts as one with some operators alone."""
    release = tmp_path / "9.2.0" / "own"
    release.mkdir(parents=True)
    assert Registry((str(tmp_path),)).nearest("9.2.1").release == "9.2.0"
    (tmp_path / PARTIAL).write_text("# some operators of ours\n9.2.0\n", encoding="utf-8")
    assert Registry((str(tmp_path),)).nearest("9.2.1").release == "9.1.0"


COMMANDS = [
    ("list", "aclnnAdd"),
    ("show", "aclnnAdd", "--output", "json"),
    ("matrix", "aclnnAdd", "--output", "json"),
    ("conflicts", "aclnnFlip", "--output", "json"),
    ("example", "aclnnAdd"),
    ("header", "aclnnAdd"),
]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
@pytest.mark.parametrize(("written", "release"), [("8.2", "8.5.0"), ("CANN 9.0.1", "9.0.0"), ("10.0", "9.1.0")])
def test_commands_say_what_they_read_it_as(
    words: tuple[str, ...], written: str, release: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Standard output is that of the release; standard error has one line more."""
    status = main([*words, "--release", release])
    asked = capsys.readouterr()
    assert main([*words, "--release", written]) == status
    found = capsys.readouterr()
    assert found.out == asked.out
    said = [line for line in found.err.splitlines() if line not in asked.err.splitlines()]
    assert said == [f"opspec: {Registry().nearest(written).words('en')}"]
    assert f"read as {release}, the nearest" in said[0]


def test_calls_are_judged_by_the_nearest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where the command says the release; a call that names one that is not there is wrong, as before."""
    call = {"op": "aclnnAdd", "product": "910b", "args": {"self": None, "other": None, "alpha": None, "out": None}}
    file = tmp_path / "calls.jsonl"
    file.write_text(json.dumps(call) + "\n", encoding="utf-8")
    assert main(["check", str(file), "--release", "8.3.RC1", "--output", "jsonl"]) == 1
    found = capsys.readouterr()
    assert json.loads(found.out)["release"] == "8.5.0"
    assert "CANN 8.3.RC1 is none of the releases here" in found.err
    file.write_text(json.dumps({**call, "release": "8.3.RC1"}) + "\n", encoding="utf-8")
    assert main(["check", str(file)]) == 2
    assert "unknown release '8.3.RC1'" in capsys.readouterr().err
