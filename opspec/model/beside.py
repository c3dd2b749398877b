"""Where the spec of an operator lies that another one extends: in the same release or one beside it, by file names."""

from __future__ import annotations

import os

from opspec import archive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

LEDGER = ".ledger.json"  #: what the name of the file beside a spec ends with that lists the clauses of its page
LONGEST_CHAIN = 20  #: specs that extend each other in a row


def path_beside(spec: str) -> str:
    """The ledger's path for a spec file's."""
    return os.path.splitext(spec)[0] + LEDGER


def operators_named(path: str) -> list[str]:
    """The operators that a spec file's name tells: ``aclnnAdd+aclnnInplaceAdd.yaml``."""
    return os.path.splitext(os.path.basename(path))[0].split("+")


def first_operator(path: str) -> str:
    """The first operator that a spec file's name tells."""
    return operators_named(path)[0]


def spec_beside(path: str, extended: str) -> str | None:
    """The file of the spec that the one at ``path`` extends; None where there is none.

    Args:
        extended: an operator of the same release, or ``RELEASE/OPERATOR``.
    """
    release, operator = _release_beside(path, extended), extended.rpartition("/")[2]
    usual = os.path.join(release, os.path.basename(os.path.dirname(os.path.abspath(path))), f"{operator}.yaml")
    if archive.is_file(usual):  # of the same family, and alone in its file
        return usual
    named = (file for file in _files_beside(path, extended) if operator in file)
    return next((file for file in named if first_operator(file) == operator), None)


def spec_named(path: str, operator: str) -> str | None:
    """The file that has an operator, be it a twin; None where there is none.

    Args:
        operator: one of the same release as the file at ``path``, or ``RELEASE/OPERATOR``.
    """
    name = operator.rpartition("/")[2]
    files = _files_beside(path, operator)
    return next((file for file in files if name in operators_named(file)), None)


def operators_beside(path: str, extended: str) -> list[str]:
    """The operators that a spec may extend instead: those of the release that ``extended`` names."""
    return [first_operator(file) for file in _files_beside(path, extended)]


def is_release(name: str) -> bool:
    """Whether a folder's name is a release: numbers separated by dots."""
    return len(name) <= 40 and all(part.isascii() and part.isdigit() for part in name.split("."))


def release_key(release: str) -> tuple[int, ...]:
    """Releases in order: ``8.0`` < ``8.5.0`` < ``9.1.0``."""
    return tuple(int(part) for part in release.split("."))


def release_of(path: str) -> str | None:
    """The release that the folders above a spec file tell; None where none of them is one's."""
    name = os.path.basename(release_folder(path))
    return name if is_release(name) else None


def release_folder(path: str) -> str:
    """The release's folder that a spec lies in; the folder of the file where there is none."""
    folder = own = os.path.dirname(os.path.abspath(path))
    for _ in range(3):
        if is_release(os.path.basename(folder)):
            return folder
        folder = os.path.dirname(folder)
    return own


def releases_beside(path: str) -> list[str]:
    """The folders beside that of a spec's release, and this one."""
    registry = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(path))))
    return archive.folders_in(registry) if archive.is_folder(registry) else []


def _release_beside(path: str, extended: str) -> str:
    """The folder of the release that a spec's own is, or that it names."""
    release = os.path.dirname(os.path.dirname(os.path.abspath(path)))
    other = extended.rpartition("/")[0]
    return os.path.join(os.path.dirname(release), other) if other else release


def _files_beside(path: str, extended: str) -> Iterator[str]:
    """The spec files of a release, those of the same family first."""
    release = _release_beside(path, extended)
    family = os.path.join(release, os.path.basename(os.path.dirname(os.path.abspath(path))))
    if not archive.is_folder(release):
        return
    for folder in (family, *(os.path.join(release, name) for name in archive.folders_in(release))):
        for name in archive.files_in(folder) if archive.is_folder(folder) else ():
            if name.endswith((".yaml", ".yml")):
                yield os.path.join(folder, name)
