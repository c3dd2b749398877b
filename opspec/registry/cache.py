"""Compiled forms: shipped in the wheel, otherwise kept in the user's cache folder by content.

A form is named after the hash of its spec and of the engine that compiled it, so an edited spec is never served
stale. The cache holds code that will run: a folder that somebody else owns or may write to is not used. An
unwritable cache costs only time.
"""

from __future__ import annotations

import contextlib
import hashlib
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

ENGINE_FOLDERS = ("language", "spec", "registry", "vocabulary", os.path.join("vocabulary", "data"))
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SHIPPED = os.path.join(_PACKAGE, "_compiled")


def key(spec: bytes, operator: str) -> str:
    """The name of an operator's compiled form: hex digits that stand for spec, operator and engine."""
    digest = hashlib.blake2b(spec, digest_size=12, key=engine())
    digest.update(operator.encode())
    return digest.hexdigest()


def load(release: str, operator: str, spec: bytes, compile_: Callable[[], str]) -> dict[str, object]:
    """The namespace of the operator's compiled form, compiled now if it is not at hand."""
    name = f"{operator}-{key(spec, operator)}"
    shipped = os.path.join(SHIPPED, release, f"{name}.py")
    if os.path.exists(shipped):
        return _run_file(name, shipped)
    folder = _folder()
    if folder is not None:
        path = os.path.join(folder, release, f"{name}.py")
        if os.path.exists(path):
            return _run_file(name, path)
        source = compile_()
        if _store(path, source):
            return _run_file(name, path)
    else:
        source = compile_()
    namespace: dict[str, object] = {"__name__": name}
    exec(compile(source, f"<{operator} {release}>", "exec"), namespace)  # noqa: S102 - generated from typed trees
    return namespace


def engine() -> bytes:
    """At most 64 bytes that tell one engine from another: in a wheel its mark, in a checkout its sources."""
    marker = os.path.join(SHIPPED, "ENGINE")
    if os.path.exists(marker):
        with open(marker, "rb") as file:
            return file.read(64)
    digest = hashlib.blake2b(digest_size=32)
    for folder in ENGINE_FOLDERS:
        with os.scandir(os.path.join(_PACKAGE, folder)) as found:
            for item in sorted(found, key=lambda item: item.name):
                if item.name.endswith((".py", ".json")):
                    stat = item.stat()
                    digest.update(f"{item.name} {stat.st_size} {stat.st_mtime_ns};".encode())
    return digest.digest()


def _run_file(name: str, path: str) -> dict[str, object]:
    from importlib.machinery import SourceFileLoader  # keeps byte code beside the source

    code = SourceFileLoader(name, path).get_code(name)
    namespace: dict[str, object] = {"__name__": name}
    if code is not None:
        exec(code, namespace)  # noqa: S102 - generated from typed trees by this program
    return namespace


def _folder() -> str | None:
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
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        with open(temporary, "w", encoding="utf-8") as file:
            file.write(source)
        os.replace(temporary, path)
        _forget(folder, name)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        return False
    return True


def _forget(folder: str, keep: str) -> None:
    operator = keep.rsplit("-", 1)[0]
    for name in os.listdir(folder):
        if name != keep and name.endswith(".py") and name.rsplit("-", 1)[0] == operator:
            os.unlink(os.path.join(folder, name))
