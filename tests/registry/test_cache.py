"""Compiled forms: never stale, safe to run, and a cache that cannot be written costs only time."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from opspec.errors import OpspecError
from opspec.registry import cache
from opspec.registry.registry import Registry

SPEC = """\
operator: aclnnX
release: 9.9
summary: {en: X, zh: X}
products: {910b: yes}
params: [{name: n, ctype: int64_t, range: "> 0"}]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A registry folder with one operator, and a cache of its own."""
    monkeypatch.setenv("OPSPEC_CACHE", str(tmp_path / "cache"))
    release = tmp_path / "specs" / "9.9"
    release.mkdir(parents=True)
    (release / "aclnnX.yaml").write_text(SPEC, encoding="utf-8")
    return tmp_path / "specs"


def check_of_range(folder: Path) -> str:
    """The check that the registry serves now, from a registry that has loaded nothing yet."""
    rules = Registry((str(folder),)).form("aclnnX").detail["rules"]
    return str(next(rule["check"] for rule in rules if rule["id"] == "n.range"))


def forms(tmp_path: Path) -> list[str]:
    """The files of the cache."""
    return sorted(path.name for path in (tmp_path / "cache").rglob("*.py"))


def test_an_edited_spec_is_never_served_stale(folder: Path, tmp_path: Path) -> None:
    """Not even when its size and times stay the same: the name of a form is the hash of its spec."""
    file = folder / "9.9" / "aclnnX.yaml"
    times = (file.stat().st_atime_ns, file.stat().st_mtime_ns)
    assert check_of_range(folder) == "n > 0"
    file.write_text(SPEC.replace("> 0", "> 7"), encoding="utf-8")
    os.utime(file, ns=times)
    assert check_of_range(folder) == "n > 7"
    assert len(forms(tmp_path)) == 1  # the older form is gone


def test_a_form_is_compiled_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_of_range(folder)

    def refuse(*args: object) -> str:
        raise AssertionError("compiled again")

    monkeypatch.setattr(Registry, "_compiled", refuse)
    assert check_of_range(folder) == "n > 0"


def test_another_engine_compiles_anew(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_of_range(folder)
    before = forms(tmp_path)
    monkeypatch.setattr(cache, "engine", lambda: b"another")
    check_of_range(folder)
    assert forms(tmp_path) != before


def test_a_cache_that_cannot_be_written_costs_only_time(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in ("/proc/nowhere", os.devnull, "\0"):
        monkeypatch.setattr(
            os, "environ", {**os.environ, "OPSPEC_CACHE": place}
        ) if "\0" in place else monkeypatch.setenv("OPSPEC_CACHE", place)
        assert check_of_range(folder) == "n > 0"


def test_a_cache_that_others_may_write_to_is_not_used(folder: Path, tmp_path: Path) -> None:
    """It holds code that will run."""
    check_of_range(folder)
    kept = next((tmp_path / "cache").rglob("*.py"))
    kept.write_text("raise SystemExit('planted')", encoding="utf-8")
    (tmp_path / "cache").chmod(0o777)
    assert check_of_range(folder) == "n > 0"


def test_the_cache_is_for_its_owner_alone(folder: Path, tmp_path: Path) -> None:
    check_of_range(folder)
    assert stat.S_IMODE((tmp_path / "cache").stat().st_mode) & 0o077 == 0


def test_processes_that_compile_at_once_do_not_disturb_each_other(folder: Path, tmp_path: Path) -> None:
    script = f"from opspec import check; assert check('aclnnX', specs={str(folder)!r}, product='910b', n=1)"
    running = [subprocess.Popen([sys.executable, "-c", script]) for _ in range(4)]
    assert [process.wait(60) for process in running] == [0, 0, 0, 0]
    assert len(forms(tmp_path)) == 1


def test_a_file_whose_name_lies_is_an_error(folder: Path) -> None:
    (folder / "9.9" / "aclnnX.yaml").rename(folder / "9.9" / "aclnnY.yaml")
    with pytest.raises(OpspecError, match=r"say aclnnY 9\.9, its text says aclnnX 9\.9"):
        Registry((str(folder),)).form("aclnnY")


def test_a_broken_spec_is_an_error_with_its_place(folder: Path) -> None:
    (folder / "9.9" / "aclnnX.yaml").write_text(SPEC.replace("int64_t", "int65_t"), encoding="utf-8")
    with pytest.raises(OpspecError, match=r"aclnnX\.yaml:5:\d+: unknown C type 'int65_t'"):
        Registry((str(folder),)).form("aclnnX")
