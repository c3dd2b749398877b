"""Compiled forms: kept in the user's cache folder by content; a wheel brings those of its own specs along.

A form is named after the hash of its spec and of the engine that compiled it, so an edited spec is never served
stale. The cache holds code that will run: a folder that somebody else owns or may write to is not used. An
unwritable cache costs only time.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator

try:
    from _blake2 import blake2b  # what hashlib gives out, without loading OpenSSL for the other hashes
except ImportError:
    from hashlib import blake2b

from opspec.registry import shipped

ENGINE_FOLDERS = ("language", "model", "registry", "vocabulary", os.path.join("vocabulary", "data"))
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LAST = "WHOLE"  # what only a form that was written to its end defines


def key(spec: bytes, operator: str, mark: bytes) -> str:
    """The name of an operator's compiled form: hex digits that stand for spec, operator and engine."""
    digest = blake2b(spec, digest_size=8, key=mark)
    digest.update(operator.encode())
    return digest.hexdigest()


def load(release: str, operator: str, spec: bytes, compile_: Callable[[], str]) -> dict[str, object]:
    """The namespace of the operator's compiled form, compiled now if it is not at hand."""
    found = stored(release, operator, spec)
    if found is None:
        found = _kept(release, _name(operator, spec), compile_())
    return found


def stored(release: str, operator: str, spec: bytes) -> dict[str, object] | None:
    """The namespace of the operator's compiled form, if it was kept and is whole, or was shipped."""
    return _at_hand(release, _name(operator, spec))


def of_archive(release: str, operator: str) -> dict[str, object] | None:
    """The same of an operator whose spec lies in the package's archive.

    Nothing writes there, so the form is the one that was shipped with it, and the spec need not be read.
    """
    name = shipped.name(release, operator)
    return None if name is None else _at_hand(release, name)


def _at_hand(release: str, name: str) -> dict[str, object] | None:
    path = _path(release, name)
    found = _run_file(name, path) if path and os.path.exists(path) else None
    if found is None:
        code = shipped.part(release, name, shipped.CODE)
        found = None if code is None else _kept(release, name, f"{code}{LAST} = True\n")
    return found


def _kept(release: str, name: str, source: str) -> dict[str, object]:
    """The namespace of a form, which is kept with its byte code if there is a place for it."""
    path = _path(release, name)
    found = _run_file(name, path) if path and _store(path, source) else None
    if found is None:  # no cache, or another process was here and tidied up
        found = {"__name__": name}
        exec(compile(source, f"<{name}>", "exec"), found)  # noqa: S102 - generated from typed trees
    return found


def _name(operator: str, spec: bytes) -> str:
    """The name of the operator's compiled form."""
    return f"{operator}-{key(spec, operator, engine())}"


def _path(release: str, name: str) -> str:
    """The file that a form of this name is kept in; empty where there is no cache."""
    base = folder()
    return "" if base is None else os.path.join(base, release, f"{name}.py")


def engine() -> bytes:
    """At most 64 bytes that tell one engine from another: in a wheel its mark, in a checkout its files and times."""
    marked = shipped.engine()
    if marked is not None:
        return marked
    digest = blake2b(digest_size=32)
    for item in _sources():
        stat = item.stat()
        digest.update(f"{item.name} {stat.st_size} {stat.st_mtime_ns};".encode())
    return digest.digest()


def engine_by_content() -> bytes:
    """The mark that goes into a wheel: the same for the same sources, wherever and whenever it is built."""
    digest = blake2b(digest_size=32)
    for item in _sources():
        with open(item.path, "rb") as file:
            content = file.read()
        digest.update(f"{item.name} {len(content)};".encode() + content)
    return digest.hexdigest().encode()


def _sources() -> Iterator[os.DirEntry[str]]:
    """What a compiled form depends on besides its spec."""
    for folder in ENGINE_FOLDERS:
        with os.scandir(os.path.join(_PACKAGE, folder)) as found:
            for item in sorted(found, key=lambda item: item.name):
                if item.name.endswith((".py", ".json")):
                    yield item


def _run_file(name: str, path: str) -> dict[str, object] | None:
    """The namespace of a stored form; None when it is gone or damaged, and must be compiled again."""
    from importlib.machinery import SourceFileLoader  # keeps byte code beside the source

    namespace: dict[str, object] = {"__name__": name}
    try:
        code = SourceFileLoader(name, path).get_code(name)
        if code is not None:
            exec(code, namespace)  # noqa: S102 - generated from typed trees by this program
    except Exception:  # a disk that was full, a machine that stopped: whatever half a form does
        return None
    return namespace if LAST in namespace else None


def folder() -> str | None:
    """The cache folder, made if need be; None when there is none that only this user can write to."""
    base = os.environ.get("OPSPEC_CACHE") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache"), "opspec"
    )
    try:
        os.makedirs(base, mode=0o700, exist_ok=True)
        stat = os.stat(base)
    except (OSError, ValueError):
        return None
    if hasattr(os, "getuid") and (stat.st_uid != os.getuid() or stat.st_mode & 0o022):
        return None
    return base


def _store(path: str, source: str) -> bool:
    """Write a form whole or not at all, in place of older ones of the same operator."""
    folder, name = os.path.split(path)
    temporary = f"{path}.{os.urandom(6).hex()}.tmp"  # threads have one process id
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        with open(temporary, "w", encoding="utf-8") as file:
            file.write(source)
        os.replace(temporary, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        return False
    _forget(folder, name.removesuffix(".py"))
    return True


def _forget(folder: str, keep: str) -> None:
    """Remove older forms of an operator with their byte code, and what was left half written."""
    operator = keep.rsplit("-", 1)[0]
    for place in (folder, os.path.join(folder, "__pycache__")):
        with contextlib.suppress(OSError):
            for name in os.listdir(place):
                stem = name.split(".")[0]
                if stem != keep and stem.rsplit("-", 1)[0] == operator:
                    with contextlib.suppress(OSError):  # another process may be faster
                        os.unlink(os.path.join(place, name))
