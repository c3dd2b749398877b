"""Folders and files: where opspec's own lie, and writing that leaves nothing half done."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

from opspec import archive
from opspec.archive import PACKAGE
from opspec.errors import OpspecError, shown


def template_folder() -> str:
    """The folder of templates: in the wheel inside the package, in a checkout beside it."""
    inside = os.path.join(PACKAGE, "templates")
    return inside if os.path.isdir(inside) else os.path.join(os.path.dirname(PACKAGE), "templates")


def read_bytes(path: str, most: int = -1) -> bytes:
    """The bytes of a regular file, at most ``most`` of them; opening a pipe would wait for whoever writes into it.

    A file of the package's archive of specs is read there.

    Raises:
        OpspecError: it cannot be read, or is none.
    """
    try:
        if not archive.holds(path):
            mode = os.stat(path).st_mode
            if not stat.S_ISREG(mode):
                kind = _KINDS.get(stat.S_IFMT(mode), "no regular file")
                raise OpspecError(f"cannot read the file: it is {kind}", where=path)
        return archive.read(path, most)
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


@contextmanager
def alone(folder: str) -> Iterator[None]:
    """No other process is in this block with the same folder: what it reads there is still so when it writes."""
    try:
        import fcntl
    except ImportError:  # Windows: two at once may lose what one of them writes
        yield
        return
    held = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)  # ends with the descriptor, however the process ends
        yield
    finally:
        os.close(held)


def read_standard_input() -> bytes:
    """All of standard input.

    Raises:
        OpspecError: it is closed, or cannot be read.
    """
    if sys.stdin is None:
        raise OpspecError("there is no standard input")
    try:
        return sys.stdin.buffer.read()
    except OSError as error:
        raise OpspecError(f"cannot read standard input: {error.strerror or error}") from None


def write_file(path: str, text: str) -> None:
    """Write a file whole or not at all; see :func:`write_files`.

    Raises:
        OpspecError: it cannot be written.
    """
    write_files({path: text})


def write_files(texts: dict[str, str]) -> None:
    """Write files, path -> text: nothing takes its place before all of them are written.

    A file is replaced by a whole one; where its path is a symbolic link, the file that the link leads to. What is no
    regular file is never replaced: a device, a pipe and this process's own standard output are written into.

    Raises:
        OpspecError: one cannot be written; then no regular file has been.
    """
    plans: list[tuple[str, str, str]] = []  # a temporary file, the place that it takes, the path as it was given
    streams: list[str] = []
    path = ""
    try:
        for path, text in texts.items():
            mode = _mode(path)
            if mode is not None and stat.S_ISDIR(mode):  # otherwise found out when other files have taken their places
                raise OpspecError("cannot write: it is a folder", where=path)
            if mode is not None and (not stat.S_ISREG(mode) or _own_output(path) is not None):
                streams.append(path)
                continue
            place = os.path.realpath(path) if os.path.islink(path) else path
            plans.append((f"{place}.{os.getpid()}.tmp", place, path))
            with open(plans[-1][0], "wb") as file:
                file.write(text.encode())
            if mode is not None:
                os.chmod(plans[-1][0], stat.S_IMODE(mode))
        for path in streams:
            _write_into(path, texts[path])
        while plans:
            temporary, place, path = plans[0]
            os.replace(temporary, place)
            del plans[0]
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise OpspecError(f"cannot write: {reason}", where=path) from None
    finally:
        for temporary, _, _ in plans:
            with suppress(OSError, ValueError):
                os.unlink(temporary)


def write_below(folder: str, texts: Mapping[str, str]) -> list[str]:
    """Write files below a folder, with the folders that they lie in; their paths.

    Args:
        texts: path below the folder, with slashes -> text.

    Raises:
        OpspecError: one cannot be written; then no regular file has been.
    """
    paths = {os.path.join(folder, *name.split("/")): text for name, text in texts.items()}
    for parent in dict.fromkeys(map(os.path.dirname, paths)):
        make_folder(parent)
    write_files(paths)
    return [*paths]


def _mode(path: str) -> int | None:
    """The mode of what a path leads to; None where nothing is there."""
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None


def _own_output(path: str) -> int | None:
    """The descriptor of this process's output that a path leads to: ``/dev/stdout``, or the file behind it."""
    for descriptor in (1, 2):
        with suppress(OSError):
            if os.path.samestat(os.stat(path), os.fstat(descriptor)):
                return descriptor
    return None


def _write_into(path: str, text: str) -> None:
    """Write into what is there already, without making or truncating anything."""
    own = _own_output(path)
    if own is not None and sys.stdout is not None:
        sys.stdout.flush()
    descriptor = os.open(path, os.O_WRONLY | os.O_NOCTTY) if own is None else os.dup(own)
    with open(descriptor, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
