"""What the libraries of an install export, read from their symbol tables with ``nm``."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from glob import escape, glob

from opspec.codegen.entries.layer import OBJECTS
from opspec.errors import OpspecError

#: in the order in which frameworks look for an operator
_OPERATORS = ("libcust_opapi.so", "libopapi_*.so", "libopapi.so")
#: objects that operators take are created here; a framework finds it behind the libraries of operators
_OBJECTS = ("libnnopbase.so",)

_FUNCTION = re.compile(r"aclnn[A-Za-z0-9_]+", re.ASCII)
_OWN = "libopspec_layer.so"


@dataclass(frozen=True, slots=True)
class Installed:
    """Real libraries.

    Args:
        libraries: absolute paths, in the order in which they are searched.
        functions: what they export of operators' functions and of those that make and destroy objects, sorted.
    """

    libraries: tuple[str, ...]
    functions: tuple[str, ...]


def installed(folders: Iterable[str]) -> Installed:
    """The libraries in folders, each an install or its ``lib64``.

    Raises:
        OpspecError: a folder has no library of operators, or a library cannot be read.
    """
    libraries: list[str] = []
    functions: set[str] = set()
    for folder in folders:
        inner = os.path.join(folder, "lib64")
        place = os.path.abspath(inner if os.path.isdir(inner) else folder)
        found = [path for pattern in _OPERATORS for path in _matching(place, pattern)]
        if not found:
            raise OpspecError("there is no library of operators (libopapi.so, libopapi_*.so)", where=folder)
        found += [path for pattern in _OBJECTS for path in _matching(place, pattern)]
        libraries += found
        for path in found:
            functions |= {name for name in exported(path) if _FUNCTION.fullmatch(name) or name in OBJECTS}
    return Installed(tuple(dict.fromkeys(libraries)), tuple(sorted(functions)))


def _matching(folder: str, pattern: str) -> list[str]:
    """Files that are not the layer itself under another name."""
    found = sorted(glob(os.path.join(escape(folder), pattern)))
    return [path for path in found if os.path.basename(os.path.realpath(path)) != _OWN]


def exported(library: str) -> set[str]:
    """Names of the functions that a library exports.

    Raises:
        OpspecError: there is no ``nm``, or it cannot read the file.
    """
    nm = os.environ.get("NM") or "nm"
    if shutil.which(nm) is None:
        raise OpspecError(f"there is no program {nm!r}: it comes with the compiler's binutils")
    command = [nm, "-D", "--defined-only", "--format=posix", library]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        reason = done.stderr.strip().rsplit(": ", 1)[-1] or f"nm ended with {done.returncode}"
        raise OpspecError(f"cannot read its symbols: {reason}", where=library)
    rows = (line.split() for line in done.stdout.splitlines())
    return {row[0].split("@", 1)[0] for row in rows if len(row) >= 2 and row[1] in ("T", "W", "i")}
