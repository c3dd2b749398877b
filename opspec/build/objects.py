"""What builds share: objects, kept in the user's cache, each named after all that it is made of."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterable

from opspec.registry.cache import folder

#: How many of a kind are kept, as objects of one source: for some compilers, products and versions of this program.
KEPT = 8


def fetch(name: str, digest: str, target: str) -> bool:
    """Put a kept object at ``target``; whether there was one."""
    known = _path(name, digest)
    if known is None:
        return False
    try:
        _same_or_copy(known, target)
        os.utime(known)  # the last ones that were of use are kept
    except OSError:
        return False
    return True


def keep(name: str, digest: str, path: str) -> None:
    """Keep an object for other builds. A cache that cannot be written costs only time."""
    known = _path(name, digest)
    if known is None:
        return
    partial = f"{known}.{os.urandom(6).hex()}.tmp"
    try:
        os.makedirs(os.path.dirname(known), mode=0o700, exist_ok=True)
        _same_or_copy(path, partial)
        os.replace(partial, known)
        for old in idle(item for item in os.scandir(os.path.dirname(known)) if item.name.endswith(".o")):
            with contextlib.suppress(OSError):  # another process may be faster
                os.unlink(old)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(partial)


def _path(name: str, digest: str) -> str | None:
    base = folder()
    return None if base is None else os.path.join(base, "objects", name, f"{digest}.o")


def _same_or_copy(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:  # another file system, or one without links
        shutil.copyfile(source, target)


def idle(items: Iterable[os.DirEntry[str]]) -> list[str]:
    """The paths of what was of no use for longest, beyond those that are kept."""
    return [item.path for item in sorted(items, key=lambda item: item.stat().st_mtime_ns)[:-KEPT]]
