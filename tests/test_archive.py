"""Promise: an archive is read as the folder that it was made of: the same files, folders and bytes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opspec import archive, files
from opspec.errors import OpspecError

NAMES = st.sampled_from(["a", "b.yaml", "b.ledger.json", "9.1.0", "math", "é"])
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)


@settings(max_examples=30, deadline=None)
@given(st.dictionaries(PATHS, st.binary(max_size=20), max_size=8), st.lists(PATHS, max_size=5), st.integers(-1, 25))
def test_it_says_what_the_folder_says(
    tmp_path_factory: pytest.TempPathFactory, contents: dict[str, bytes], others: list[str], most: int
) -> None:
    contents = {path: data for path, data in contents.items() if not any(f"{path}/" in other for other in contents)}
    plain, packed = (tmp_path_factory.mktemp(name) for name in ("plain", "packed"))
    for path, data in contents.items():
        (plain / path).parent.mkdir(parents=True, exist_ok=True)
        (plain / path).write_bytes(data)
    archive.write(str(packed), contents)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(archive, "ROOT", str(packed))
        for path in {"", *contents, *map(os.path.dirname, contents), *others}:
            for says in (seen, lambda at: read(at, most)):
                assert says(packed / path) == says(plain / path), path
        assert below(packed) == below(plain)


def seen(path: Path) -> tuple[object, ...]:
    """What is said of a path but what it holds."""
    at = str(path)
    lists = [archive.folders_in(at), archive.files_in(at)] if archive.is_folder(at) else []
    size = archive.size(at) if archive.is_file(at) else None
    own = [name for names in lists for name in names if name not in (archive.ARCHIVE, archive.INDEX)]
    return archive.is_file(at), archive.is_folder(at), archive.exists(at), size, own


def read(path: Path, most: int) -> bytes | None:
    """What a file holds; None where it cannot be read."""
    try:
        return files.read_bytes(str(path), most)
    except OpspecError:
        return None


def below(folder: Path) -> list[str]:
    """What is found below a folder."""
    return sorted(os.path.relpath(path, folder) for path in archive.below(str(folder)))


def test_a_file_of_an_archive_has_the_path_that_it_would_have_in_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So errors name a release, a family and an operator; a path beside the archive is that of a plain file."""
    archive.write(str(tmp_path / "specs"), {"9.1.0/math/aclnnX.yaml": b"x"})
    monkeypatch.setattr(archive, "ROOT", str(tmp_path / "specs"))
    path = tmp_path / "specs" / "9.1.0" / "math" / "aclnnX.yaml"
    assert archive.read(str(path)) == b"x"
    assert archive.holds(str(path))
    beside = tmp_path / "specs2" / "9.1.0"
    beside.mkdir(parents=True)
    (beside / "aclnnX.yaml").write_bytes(b"y")
    assert archive.read(str(beside / "aclnnX.yaml")) == b"y"
    assert not archive.holds(str(beside / "aclnnX.yaml"))
    with pytest.raises(OpspecError, match="No such file") as raised:
        files.read_bytes(str(path.with_name("aclnnY.yaml")))
    assert raised.value.where == str(path.with_name("aclnnY.yaml"))


def test_a_link_to_itself_is_no_folder(tmp_path: Path) -> None:
    """Whatever lies beside a registry's releases is none of its business."""
    (tmp_path / "9.1.0").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    assert archive.folders_in(str(tmp_path)) == ["9.1.0"]
