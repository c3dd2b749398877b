"""Folders and files: where opspec's own lie, and writing that leaves nothing half done."""

from __future__ import annotations

import os
import stat
from contextlib import suppress

from opspec.errors import OpspecError, shown

PACKAGE = os.path.dirname(os.path.abspath(__file__))


def template_folder() -> str:
    """The folder of templates: in the wheel inside the package, in a checkout beside it."""
    inside = os.path.join(PACKAGE, "templates")
    return inside if os.path.isdir(inside) else os.path.join(os.path.dirname(PACKAGE), "templates")


def read_bytes(path: str, most: int = -1) -> bytes:
    """The bytes of a regular file, at most ``most`` of them; opening a pipe would wait for whoever writes into it.

    Raises:
        OpspecError: it cannot be read, or is none.
    """
    try:
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode):
            kind = _KINDS.get(stat.S_IFMT(mode), "no regular file")
            raise OpspecError(f"cannot read the file: it is {kind}", where=path)
        with open(path, "rb") as file:
            return file.read(most)
    except OSError as error:
        raise OpspecError(f"cannot read the file: {error.strerror or error}", where=path) from None
    except ValueError as error:  # a NUL in the path
        raise OpspecError(f"cannot read the file: {error}", where=shown(path)) from None


_KINDS = {
    stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket", stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}  # fmt: skip


def make_folder(path: str) -> None:
    """Make a folder and those above it, where they are not there.

    Raises:
        OpspecError: it cannot be made.
    """
    try:
        os.makedirs(path or ".", exist_ok=True)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise OpspecError(f"cannot make the folder: {reason}", where=path) from None


def write_file(path: str, text: str) -> None:
    """Write a file whole or not at all.

    Raises:
        OpspecError: it cannot be written.
    """
    write_files({path: text})


def write_files(texts: dict[str, str]) -> None:
    """Write files, path -> text: nothing takes its place before all of them are written.

    Raises:
        OpspecError: one cannot be written; then none has been.
    """
    temporaries = {path: f"{path}.{os.getpid()}.tmp" for path in texts}
    path = ""
    try:
        for path, text in texts.items():
            if os.path.isdir(path):  # otherwise found out when other files have taken their places
                raise OpspecError("cannot write: it is a folder", where=path)
            with open(temporaries[path], "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
        for path in texts:
            os.replace(temporaries[path], path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise OpspecError(f"cannot write: {reason}", where=path) from None
    finally:
        for temporary in temporaries.values():
            with suppress(OSError, ValueError):
                os.unlink(temporary)
