"""The version of CANN of a machine is found where its toolkit says it, and anything may lie there."""

from __future__ import annotations

from pathlib import Path

import pytest

import opspec
from opspec.build.layout import Target, small_files
from opspec.registry.registry import Registry
from opspec.registry.toolkit import HOMES, NAMED, installed

KNOWN = Registry()


def read(**environment: str) -> tuple[str, str, str] | None:
    """(version, release, source) as the environment tells."""
    found = installed(KNOWN, environment)
    return None if found is None else (found.version, found.release, found.source)


@pytest.mark.parametrize(
    ("file", "text", "version"),
    [
        ("aarch64-linux/ascend_toolkit_install.info", "package_name=a\nversion=8.0.RC3\ninnerversion=V1\n", "8.0.RC3"),
        ("x86_64-linux/ascend_nnae_install.info", "version=8.2.RC1.alpha002\r\n", "8.2.RC1.alpha002"),
        ("version.cfg", "# version: 1.0\nruntime_running_version=[7.7.0.1.231:8.1.RC1]\n", "8.1.RC1"),
        ("version.cfg", "compiler_installed_version=[7.7:8.1][7.8.0.1.2:8.3.RC1]\n", "8.1"),
        ("toolkit/version.info", "Version=7.7.0.1.231\nversion_dir=8.1.RC1\n", "8.1.RC1"),
        ("share/info/runtime/version.info", "Version=8.5.0\nversion_dir=cann-8.5.0\n", "8.5.0"),
        ("share/info/runtime/version.info", "Version=9.0.0-beta.2\nversion_dir=cann\n", "9.0.0-beta.2"),
    ],
)
@pytest.mark.parametrize("variable", HOMES)
def test_files_of_toolkits(tmp_path: Path, variable: str, file: str, text: str, version: str) -> None:
    """Each of them as toolkits of these years have it; numbers of their parts are not taken for CANN's."""
    path = tmp_path / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    assert read(**{variable: str(tmp_path)}) == (version, KNOWN.nearest(version, variable).release, variable)


def test_the_folders_name_tells_where_no_file_does(tmp_path: Path) -> None:
    """Behind a link, too."""
    for name in ("ascend-toolkit/8.2.RC1", "cann-9.0.1"):
        (tmp_path / name).mkdir(parents=True)
        link = tmp_path / f"latest-{name[-3:]}"
        link.symlink_to(tmp_path / name)
        assert read(ASCEND_HOME_PATH=str(link)) is not None
    assert read(ASCEND_HOME_PATH=str(tmp_path / "latest-0.1")) == ("9.0.1", "9.0.0", "ASCEND_HOME_PATH")


def test_what_is_named_wins(tmp_path: Path) -> None:
    """A release by its name, any version by its number; anything else is an error that says where it stands."""
    home = tmp_path / "9.0.0"
    home.mkdir()
    for name in KNOWN.releases():
        assert read(**{NAMED: name, HOMES[0]: str(home)}) == (name, name, NAMED)
    assert read(**{NAMED: "8.3", HOMES[0]: str(home)}) == ("8.3", "8.5.0", NAMED)
    with pytest.raises(opspec.UnknownReleaseError, match=f"{NAMED}: unknown release 'new'"):
        read(**{NAMED: "new"})


@pytest.mark.parametrize("content", [b"", b"version=\n", b"version=latest", b"\xff\x00" * 9999, b"version=1.2.3.4.5\n"])
def test_what_tells_nothing_is_passed_over(tmp_path: Path, content: bytes) -> None:
    """No environment, folders that are not there, files of anything, a folder in a file's place: no release."""
    assert read() is None
    assert read(ASCEND_HOME_PATH="", ASCEND_TOOLKIT_HOME="/nowhere\0") is None
    home = tmp_path / "home"
    for file in ("aarch64-linux/ascend_toolkit_install.info", "version.cfg", "toolkit/version.info"):
        path = home / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (home / "version.info").mkdir()
    assert read(ASCEND_HOME_PATH=str(home)) is None


@pytest.mark.parametrize("release", KNOWN.whole())
def test_an_sdk_of_ours_is_its_release(tmp_path: Path, release: str) -> None:
    """What ``opspec sdk build`` writes is read as what it was built for."""
    written = small_files(Target(release, "910b", None), [], "x86_64")
    for name, text in written.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert read(ASCEND_HOME_PATH=str(tmp_path)) == (release, release, "ASCEND_HOME_PATH")
