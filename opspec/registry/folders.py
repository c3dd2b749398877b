"""Where specs lie: ``<folder>/<release>/[<family>/]<operator>[+<twin>].yaml``.

File names alone tell which operators there are, so that finding one reads no other operator's spec.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from opspec import archive
from opspec.errors import OpspecError
from opspec.model.beside import is_release, operators_named, release_folder, release_key

PARTIAL = "partial.txt"


class Entry:
    """An operator in a release and the file its spec is in.

    Attributes:
        family: the folder that the file lies in, below that of the release; empty where it lies in none.
        path: of the file; an operator may share it with its in-place twin.
    """

    __slots__ = ("family", "operator", "path", "release")

    def __init__(self, operator: str, release: str, family: str, path: str) -> None:
        self.operator = operator
        self.release = release
        self.family = family
        self.path = path


def built_in() -> str:
    """The folder of the specs that come with opspec: in an archive inside the package, in a checkout beside it."""
    return archive.ROOT if os.path.isdir(archive.ROOT) else os.path.join(os.path.dirname(archive.PACKAGE), "specs")


def registry_folder(path: str) -> str:
    """The folder above the release's; the folder of the file where there is none."""
    folder = release_folder(path)
    return os.path.dirname(folder) if is_release(os.path.basename(folder)) else folder


def releases(folders: Sequence[str]) -> list[str]:
    """All releases that the folders hold, oldest first."""
    found = {name for folder in folders for name, path in below(folder) if is_release(name)}
    return sorted(found, key=release_key)


def partial(folders: Sequence[str]) -> frozenset[str]:
    """The releases of which the folders hold but some operators, as their files ``partial.txt`` say."""
    from opspec.files import read_bytes  # checks of calls do without

    paths = (os.path.join(folder, PARTIAL) for folder in folders)
    lines = [line for path in paths if archive.is_file(path) for line in read_bytes(path).decode().splitlines()]
    return frozenset(word for line in lines for word in line.split("#")[0].split())


def entries(folders: Sequence[str], release: str) -> dict[str, Entry]:
    """Operator -> entry for one release; a later folder wins over an earlier one."""
    found: dict[str, Entry] = {}
    for folder in folders:
        root = os.path.join(folder, release)
        if archive.is_folder(root):
            for family, path in _files(root):
                for operator in operators_named(path):
                    found[operator] = Entry(operator, release, family, path)
    return found


def named(folder: str, release: str, operator: str) -> Entry | None:
    """The entry whose file has the operator's own name: found without listing a thousand others."""
    root = os.path.join(folder, release)
    if not operator.isidentifier() or not archive.is_folder(root):
        return None
    for family, path in sorted(below(root), reverse=True):
        file = os.path.join(path, f"{operator}.yaml")
        if archive.is_file(file):
            return Entry(operator, release, family, file)
    return None


def below(folder: str) -> Iterator[tuple[str, str]]:
    """(name, path) of the folders in a folder, in order."""
    try:
        yield from ((name, os.path.join(folder, name)) for name in archive.folders_in(folder))
    except OSError as error:
        raise OpspecError(f"cannot read the registry folder: {error.strerror}", where=folder) from None


def _files(root: str) -> Iterator[tuple[str, str]]:
    """(family, path) of the spec files of a release folder, one level of families deep."""
    for family, folder in [("", root), *below(root)]:
        for name in archive.files_in(folder):
            if name.endswith((".yaml", ".yml")) and not name.startswith("."):
                yield family, os.path.join(folder, name)
