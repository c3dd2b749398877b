"""The specs of an installed package: one file in place of thousands, which is read as the folder that it stands for.

A wheel compresses each of its files alone and names it in three lists: with a file per spec and ledger it is twice as
large. So a wheel has ``specs/ARCHIVE``, all files one behind the other in packs, and ``specs/INDEX``, which says in
which pack each begins, and where. A file in it has the path that it would have in a folder, which errors name; the
functions here take such paths and those of plain files alike. A checkout has no archive: there they do what those of
``os`` do.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import lru_cache

from opspec import packing

PACKAGE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(PACKAGE, "specs")  #: the folder that the archive stands for, and lies in
ARCHIVE, INDEX = "ARCHIVE", "INDEX"
TOGETHER = 7_000_000  #: bytes that are packed together, as far as whole files go: unpacking them takes 35 ms

_Place = tuple[int, int, int]  # the number of the pack that has a file, where it begins there, and its size
_Folder = dict[str, "_Place | None"]  # name -> place of a file; folders have none


def write(folder: str, contents: Mapping[str, bytes]) -> None:
    """Write an archive and its index into a folder.

    Args:
        contents: path below the folder, with slashes -> what the file holds; those that are alike are compressed best
            if they stand beside each other.
    """
    rows = [["", "0", "0"]]  # folder, pack, where its first file begins there; then names and sizes
    packs: list[bytearray] = [bytearray()]
    for path, data in contents.items():
        if packs[-1] and len(packs[-1]) + len(data) > TOGETHER:
            packs.append(bytearray())
        inside, _, name = path.rpartition("/")
        number = str(len(packs) - 1)
        if rows[-1][:2] != [inside, number]:
            rows.append([inside, number, str(len(packs[-1]))])
        rows[-1] += name, str(len(data))
        packs[-1] += data
    packed = [packing.pack(bytes(one)) for one in packs]
    starts = [sum(map(len, packed[:number])) for number in range(len(packed) + 1)]
    lines = [" ".join(map(str, starts)), *map(" ".join, rows)]
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, ARCHIVE), "wb") as file:
        file.writelines(packed)
    with open(os.path.join(folder, INDEX), "w", encoding="utf-8", newline="\n") as index:
        index.writelines(f"{line}\n" for line in lines)


def holds(path: str) -> bool:
    """Whether a path is that of a file in the archive."""
    return _place(path) is not None


def read(path: str, most: int = -1) -> bytes:
    """The bytes of a file, at most ``most`` of them.

    Raises:
        OSError: as ``open`` does, or the file is packed and this Python was built without LZMA.
    """
    place = _place(path)
    if place is None:
        with open(path, "rb") as file:
            return file.read(most)
    number, start, size = place
    return _unpacked(ROOT, number)[start : start + (size if most < 0 else min(size, most))]


def is_file(path: str) -> bool:
    """Whether a file is there, as ``os.path.isfile``."""
    return holds(path) or os.path.isfile(path)


def is_folder(path: str) -> bool:
    """Whether a folder is there, as ``os.path.isdir``."""
    return _folder(path) is not None or os.path.isdir(path)


def exists(path: str) -> bool:
    """Whether a file or a folder is there, as ``os.path.exists``."""
    return is_file(path) or is_folder(path) or os.path.exists(path)


def state(path: str) -> tuple[int, ...]:
    """What differs where a file has been written anew.

    Raises:
        OSError: as ``os.stat`` does.
    """
    place = _place(path)
    if place is not None:  # nothing is written into an archive
        return place
    found = os.stat(path)
    return found.st_mtime_ns, found.st_size, found.st_ino


def size(path: str) -> int:
    """How many bytes a file has, as ``os.path.getsize``."""
    place = _place(path)
    return os.path.getsize(path) if place is None else place[2]


def files_in(folder: str) -> list[str]:
    """The names of the files in a folder, in order.

    Raises:
        OSError: as ``os.scandir`` does.
    """
    names = _folder(folder)
    if names is not None:
        return sorted(name for name, place in names.items() if place is not None)
    with os.scandir(folder) as found:
        return sorted(item.name for item in found if item.is_file())


def folders_in(folder: str) -> list[str]:
    """The names of the folders in a folder, in order.

    Raises:
        OSError: as ``os.scandir`` does.
    """
    names = _folder(folder)
    if names is not None:
        return sorted(name for name, place in names.items() if place is None)
    with os.scandir(folder) as found:
        return sorted(item.name for item in found if os.path.isdir(item.path))  # a link to itself is none


def below(folder: str) -> Iterator[str]:
    """The paths of all files below a folder, as ``os.walk`` finds them."""
    names = _folder(folder)
    if names is None:
        yield from (os.path.join(root, name) for root, _, found in os.walk(folder) for name in found)
        return
    for name, place in names.items():
        path = os.path.join(folder, name)
        if place is None:
            yield from below(path)
        else:
            yield path


def _place(path: str) -> _Place | None:
    """Where a file is in the archive; None of a file that lies elsewhere."""
    if not _folders(ROOT):  # a checkout
        return None
    folder, name = os.path.split(path)
    return (_folder(folder) or {}).get(name)


def _folder(path: str) -> _Folder | None:
    """What lies in a folder of the archive; None of another folder."""
    folders = _folders(ROOT)
    if not folders:
        return None
    path = os.path.abspath(path)
    if path == ROOT:
        return folders.get("")
    start = ROOT + os.sep
    return folders.get(path[len(start) :].replace(os.sep, "/")) if path.startswith(start) else None


@lru_cache(maxsize=2)
def _folders(root: str) -> dict[str, _Folder]:
    """The folders of an archive, by their path below its root; none where there is no archive."""
    folders: dict[str, _Folder] = {}
    for line in _index(root)[1:]:
        inside, pack, first, *rest = line.split(" ")
        number, start, files = int(pack), int(first), folders.setdefault(inside, {})
        for name, digits in zip(rest[::2], rest[1::2], strict=True):
            size = int(digits)
            files[name] = number, start, size
            start += size
        while inside:  # the folders above it
            inside, _, name = inside.rpartition("/")
            folders.setdefault(inside, {})[name] = None
    return folders


@lru_cache(maxsize=2)
def _index(root: str) -> list[str]:
    """Where the packs of an archive begin, then a line for files of a folder that are one behind the other.

    Nothing where there is no archive.
    """
    try:
        with open(os.path.join(root, INDEX), encoding="utf-8") as file:
            return file.read().split("\n")[:-1]
    except OSError:
        return []


@lru_cache(maxsize=4)  # a spec, what it extends, their ledger, evidence
def _unpacked(root: str, number: int) -> bytes:
    """The files of a pack, one behind the other."""
    start, end = map(int, _index(root)[0].split(" ")[number : number + 2])
    with open(os.path.join(root, ARCHIVE), "rb") as file:
        file.seek(start)
        packed = file.read(end - start)
    try:
        return packing.unpack(packed)
    except ImportError as error:
        raise OSError(
            "this Python was built without LZMA, which the specs of an installed package are packed by"
        ) from error
