"""Which operators a program uses, and an SDK of just these, kept for the next time.

A program is asked by its bytes: whatever it calls, by a symbol or by ``dlsym``, it names.
"""

from __future__ import annotations

import contextlib
import hashlib
import mmap
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager

import opspec
from opspec.build.compiler import Compiler
from opspec.build.layout import Target, library_names
from opspec.build.objects import idle
from opspec.build.sdk import Progress, build, source_count
from opspec.errors import OpspecError
from opspec.registry.cache import folder
from opspec.registry.content import content, header
from opspec.registry.folders import Entry
from opspec.registry.names import SUFFIX

_NAME = re.compile(rb"aclnn[A-Za-z0-9_]{1,200}")
_NEEDED = re.compile(r"^\s*(\S+) => (.*?)(?: \(0x[0-9a-f]+\))?$", re.MULTILINE)
_NOT_FOUND = "not found"
_SYSTEM = ("/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/")
_OURS = frozenset(f"lib{name}.so" for name in library_names())
_PACKAGE = os.path.dirname(os.path.abspath(opspec.__file__))


def named(paths: Iterable[str], known: Mapping[str, Entry]) -> list[Entry]:
    """The operators that files name: programs, libraries, objects, sources; these also by headers that they include.

    Raises:
        OpspecError: a file cannot be read.
    """
    found: set[str] = set()
    for path in paths:
        found.update(name.removesuffix(SUFFIX) for name in _names(path))
    headers = {f"{name}.h" for name in found if name.startswith("aclnn_")}
    declared = {name for name, entry in known.items() if headers and _header(entry) in headers}
    return [known[name] for name in sorted((found & known.keys()) | declared)]


def _header(entry: Entry) -> str:
    """The name of the header that declares an operator; empty where its spec does not say."""
    return os.path.basename(header(entry.path))


def _names(path: str) -> set[str]:
    try:
        with open(path, "rb") as file:
            if os.fstat(file.fileno()).st_size == 0:
                return set()
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                return {match[0].decode() for match in _NAME.finditer(data)}
    except (OSError, ValueError) as error:
        raise OpspecError(f"cannot read: {getattr(error, 'strerror', None) or error}", where=path) from None


class Program:
    """A program and the libraries that the loader gives it.

    Args:
        path: a program as a shell finds it.
    """

    def __init__(self, path: str) -> None:
        self.path = shutil.which(path)
        self._needed = dict(_needed(self.path)) if self.path else {}

    @property
    def lacks_libraries(self) -> bool:
        """It needs a library of CANN, and the loader finds none."""
        return any(name in _OURS and path == _NOT_FOUND for name, path in self._needed.items())

    def files(self) -> list[str]:
        """The program, and those of its libraries that are neither the system's nor CANN's."""
        libraries = [
            path for name, path in self._needed.items()
            if path != _NOT_FOUND and name not in _OURS and not path.startswith(_SYSTEM) and os.path.isfile(path)
        ]  # fmt: skip
        return [*([self.path] if self.path else []), *libraries]


def _needed(path: str) -> Iterator[tuple[str, str]]:
    """Name and place of the libraries that a program needs; none of what is no program with libraries."""
    if shutil.which("ldd") is None:
        return
    with contextlib.suppress(OSError):
        done = subprocess.run(["ldd", path], capture_output=True, text=True, errors="replace", check=False)
        yield from _NEEDED.findall(done.stdout)


def sdk_of(
    specs: Sequence[Entry], target: Target, compiler: Callable[[], Compiler], jobs: int,
    progress: Callable[[int], AbstractContextManager[Progress]],
) -> str:  # fmt: skip
    """The folder of an SDK with these operators, made unless it is kept from before.

    Args:
        compiler: asked for only when there is something to build.
        progress: of so many sources.

    Raises:
        OpspecError: there is no cache folder to keep it in, or what building an SDK raises.
    """
    base = folder()
    if base is None:
        raise OpspecError("there is no cache folder to build the simulator in (OPSPEC_CACHE): name an SDK with --sdk")
    place = os.path.join(base, "sdk", _key(specs, target))
    if not os.path.isdir(place):
        known = compiler()
        with progress(source_count(specs, known)) as advance:
            build(place, target, specs, known, jobs, advance)
        made = os.scandir(os.path.dirname(place))
        for path in idle(item for item in made if item.is_dir() and not item.name.startswith(".")):
            shutil.rmtree(path, ignore_errors=True)
    os.utime(place)
    return place


def _key(specs: Sequence[Entry], target: Target) -> str:
    """A name for what an SDK is made of: this program, the specs, and what it plays."""
    digest = hashlib.blake2b(f"{target}".encode(), digest_size=12)
    of_program = (os.path.join(place, name) for place, _, names in os.walk(_PACKAGE) for name in names)
    sources = sorted(path for path in of_program if not path.endswith(".pyc"))
    for path in sources:
        stat = os.stat(path)
        digest.update(f"{path} {stat.st_size} {stat.st_mtime_ns};".encode())
    for spec in specs:
        digest.update(content(spec)[1])
    return digest.hexdigest()
