"""Compiled forms: never stale, safe to run, and a cache that cannot be written costs only time."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from opspec.errors import OpspecError
from opspec.language.text import write
from opspec.registry import cache, folders
from opspec.registry.registry import Registry
from opspec.vocabulary.enforcement import REFUSED

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
    rules = Registry((str(folder),)).form("aclnnX").info.rules
    return write(next(rule.check for rule in rules if rule.id == "n.range"))


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


CHILD = "operator: aclnnX\nextends: aclnnParent\n"


@pytest.mark.parametrize("levels", [1, 2])
@pytest.mark.parametrize("family", ["a", "b"])
def test_an_operator_is_compiled_anew_when_what_it_extends_changes(folder: Path, levels: int, family: str) -> None:
    """However far away that is; its own file is as before."""
    for name in "ab":
        (folder / "9.9" / name).mkdir()
    (folder / "9.9" / "aclnnX.yaml").unlink()
    (folder / "9.9" / "a" / "aclnnX.yaml").write_text(CHILD, encoding="utf-8")
    parent = folder / "9.9" / family / "aclnnParent+aclnnInplaceParent.yaml"
    pair = SPEC.replace("aclnnX", "aclnnParent") + "twin: {operator: aclnnInplaceParent}\n"
    if levels == 2:
        between = CHILD.replace("Parent", "Root").replace("aclnnX", "aclnnParent")
        (folder / "9.9" / "b" / "aclnnParent.yaml").write_text(between, encoding="utf-8")
        parent = folder / "9.9" / family / "aclnnRoot.yaml"
        pair = SPEC.replace("aclnnX", "aclnnRoot")
    parent.write_text(pair, encoding="utf-8")
    assert check_of_range(folder) == "n > 0"
    parent.write_text(pair.replace("> 0", "> 7"), encoding="utf-8")
    assert check_of_range(folder) == "n > 7"


def test_an_operator_is_compiled_anew_when_its_evidence_changes(folder: Path, tmp_path: Path) -> None:
    """But not when that of another does."""

    def enforced() -> bool:
        rules = Registry((str(folder),)).form("aclnnX").info.rules
        return next(rule.usual for rule in rules if rule.id == "n.range") == REFUSED

    evidence = folder / "9.9" / "evidence.jsonl"
    evidence.write_text('{"op": "aclnnX", "rules": {"n.range": {"910b": {"refused": 1}}}}\n', encoding="utf-8")
    assert enforced()
    evidence.write_text('{"op": "aclnnX", "rules": {"n.range": {"910b": {"through": 1}}}}\n', encoding="utf-8")
    assert not enforced()
    before = forms(tmp_path)
    evidence.write_text(
        '{"op": "aclnnW", "rules": {"n.range": {"910b": {"through": 1}}}}\n' + evidence.read_text(encoding="utf-8"),
        encoding="utf-8",
    )
    assert not enforced()
    assert forms(tmp_path) == before
    evidence.write_text('{"op": "aclnnX", "rules": {"n.range": {"910b": {"refused": 1}}}}\n', encoding="utf-8")
    assert enforced()


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
    for place in ("/proc/nowhere", os.devnull, "\0", "\ud800"):
        monkeypatch.setattr(os, "environ", {**os.environ, "OPSPEC_CACHE": place})  # setenv refuses a NUL
        assert check_of_range(folder) == "n > 0"


def plant(tmp_path: Path) -> None:
    """Put code of somebody else into the cache."""
    kept = next((tmp_path / "cache").rglob("*.py"))
    kept.write_text("raise SystemExit('planted')", encoding="utf-8")


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o707, 0o720, 0o702])
def test_a_cache_that_others_may_write_to_is_not_used(folder: Path, tmp_path: Path, mode: int) -> None:
    """It holds code that will run."""
    check_of_range(folder)
    plant(tmp_path)
    with pytest.raises(SystemExit):  # as long as it is the user's own
        check_of_range(folder)
    (tmp_path / "cache").chmod(mode)
    assert check_of_range(folder) == "n > 0"


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder away")
def test_a_cache_that_somebody_else_owns_is_not_used(folder: Path, tmp_path: Path) -> None:
    check_of_range(folder)
    plant(tmp_path)
    os.chown(tmp_path / "cache", 12345, -1)
    assert check_of_range(folder) == "n > 0"


@pytest.mark.parametrize("variable", ["XDG_CACHE_HOME", "HOME"])
def test_without_a_setting_it_lies_where_caches_lie(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    for name in ("OPSPEC_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, str(tmp_path / "mine"))
    check_of_range(folder)
    place = tmp_path / "mine" / ("opspec" if variable == "XDG_CACHE_HOME" else ".cache/opspec")
    assert len(list(place.rglob("aclnnX-*.py"))) == 1


def test_the_cache_is_for_its_owner_alone(folder: Path, tmp_path: Path) -> None:
    check_of_range(folder)
    assert stat.S_IMODE((tmp_path / "cache").stat().st_mode) & 0o077 == 0


@pytest.mark.parametrize("part", [0, 0.3, 0.6, 0.9, 0.99])
def test_a_damaged_form_is_compiled_again(folder: Path, tmp_path: Path, part: float) -> None:
    """One that ends at the end of a line is Python still, with fewer rules: it must not judge."""
    check_of_range(folder)
    kept = next((tmp_path / "cache").rglob("*.py"))
    whole = kept.read_text(encoding="utf-8")
    lines = whole.splitlines(keepends=True)
    for half in ("".join(lines[: int(len(lines) * part)]), whole[: int(len(whole) * part)], whole[:50] + "\0"):
        kept.write_text(half, encoding="utf-8")
        assert check_of_range(folder) == "n > 0"
        assert kept.read_text(encoding="utf-8") == whole


def test_an_edit_while_it_is_compiled_is_not_kept_under_the_older_name(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = folder / "9.9" / "aclnnX.yaml"
    compiled = Registry._compiled

    def edited_first(self: Registry, entry: folders.Entry, spec: bytes) -> str:
        file.write_text(SPEC.replace("> 0", "> 7"), encoding="utf-8")
        return compiled(self, entry, spec)

    monkeypatch.setattr(Registry, "_compiled", edited_first)
    assert check_of_range(folder) == "n > 0"
    monkeypatch.undo()
    assert check_of_range(folder) == "n > 7"


def test_byte_code_of_older_forms_is_removed_too(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    for number in range(4):
        (folder / "9.9" / "aclnnX.yaml").write_text(SPEC.replace("> 0", f"> {number}"), encoding="utf-8")
        assert check_of_range(folder) == f"n > {number}"
    assert len(list((tmp_path / "cache").rglob("*.pyc"))) == 1
    assert len([path for path in (tmp_path / "cache").rglob("*") if path.is_file()]) == 2


def test_other_operators_and_releases_keep_their_forms(folder: Path, tmp_path: Path) -> None:
    text = SPEC.replace("aclnnX", "aclnnXY")
    (folder / "9.9" / "aclnnXY.yaml").write_text(text, encoding="utf-8")
    (folder / "9.10").mkdir()
    (folder / "9.10" / "aclnnX.yaml").write_text(SPEC.replace("9.9", "9.10"), encoding="utf-8")
    for operator, release in (("aclnnX", "9.9"), ("aclnnXY", "9.9"), ("aclnnX", "9.10"), ("aclnnX", "9.9")):
        Registry((str(folder),)).form(operator, release)
    assert len(forms(tmp_path)) == 3
    assert Registry((str(folder),)).form("aclnnX").release == "9.10"  # 9.10 is newer than 9.9


FIGHT = """
import sys
from opspec.language.text import write
from opspec.registry.registry import Registry
from opspec.vocabulary.enforcement import REFUSED
for _ in range(25):
    for folder, bound in zip(sys.argv[1::2], sys.argv[2::2]):
        found = Registry((folder,)).form("aclnnX").info.rules
        assert f"n > {bound}" in [write(rule.check) for rule in found], found
"""


def test_processes_whose_specs_differ_never_get_each_other_s_form(folder: Path, tmp_path: Path) -> None:
    """They share a cache that keeps one form an operator: one removes what another is about to read."""
    words = []
    for bound in "123":
        place = tmp_path / bound / "9.9"
        place.mkdir(parents=True)
        (place / "aclnnX.yaml").write_text(SPEC.replace("> 0", f"> {bound}"), encoding="utf-8")
        words += [str(place.parent), bound]
    running = [subprocess.Popen([sys.executable, "-c", FIGHT, *words]) for _ in range(4)]
    assert [process.wait(60) for process in running] == [0, 0, 0, 0]
    assert list((tmp_path / "cache").rglob("*.tmp")) == []


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
