"""The C compiler: found, told apart from others, and called."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from opspec.errors import OpspecError

_USUAL = ("cc", "gcc", "clang")
_SHOWN = 12  # lines of a compiler's complaints


@dataclass(frozen=True, slots=True)
class Compiler:
    """A C compiler.

    Args:
        words: the command: ``("gcc",)``, ``("ccache", "clang-17")``.
        identity: what it says of its version; objects of another one are not used again.
        machine: what it compiles for: ``x86_64-linux-gnu``.
    """

    words: tuple[str, ...]
    identity: str
    machine: str

    @property
    def architecture(self) -> str:
        """``x86_64``, ``aarch64``."""
        return self.machine.split("-", 1)[0]

    @property
    def is_gcc(self) -> bool:
        """Whether it takes options that are gcc's alone."""
        return "Free Software Foundation" in self.identity

    def compile(self, source: str, target: str, flags: Sequence[str]) -> None:
        """Compile a file; the object is there whole or not at all.

        Raises:
            OpspecError: the compiler refuses it.
        """
        partial = f"{target}.{os.getpid()}.tmp"
        self._run([*flags, "-c", "-o", partial, source], f"cannot compile {os.path.basename(source)}")
        os.replace(partial, target)

    def link(self, objects: Iterable[str], target: str, flags: Sequence[str]) -> None:
        """Make a shared library, which finds others where it lies itself.

        Raises:
            OpspecError: the linker refuses it.
        """
        soname = os.path.basename(target)
        known = ["-shared", f"-Wl,-soname,{soname}", "-Wl,-rpath,$ORIGIN", "-Wl,-z,defs"]
        self._run([*known, "-o", target, *objects, *flags], f"cannot link {soname}")

    def _run(self, words: list[str], what: str) -> None:
        done = _output([*self.words, *words])
        if done.returncode:
            lines = [line for line in done.stderr.splitlines() if line.strip()]
            faults = [line for line in lines if re.search(r"error|undefined", line)] or lines
            more = len(faults) - _SHOWN
            shown = [*faults[:_SHOWN], *([f"… and {more} lines more"] if more > 0 else [])]
            raise OpspecError("\n".join([f"{what}: {self.words[0]} ended with {done.returncode}", *shown]))


def find_compiler(asked: str | None) -> Compiler:
    """The compiler that is asked for, else ``$CC``, else the first usual one.

    Raises:
        OpspecError: there is none.
    """
    named = asked or os.environ.get("CC") or ""
    try:
        words = shlex.split(named)
    except ValueError as error:
        raise OpspecError(f"the compiler's command cannot be read: {error}", where=named) from None
    if not words:
        words = [name for name in _USUAL if shutil.which(name)][:1]
    if not words or shutil.which(words[0]) is None:
        what = f"there is no program {words[0]!r}" if words else f"there is no C compiler ({', '.join(_USUAL)})"
        raise OpspecError(f"{what}: install gcc or clang with libc's headers (Debian, Ubuntu: gcc libc6-dev), "
                          "or name a compiler with --cc")  # fmt: skip
    version, machine = _output([*words, "--version"]), _output([*words, "-dumpmachine"])
    if version.returncode or machine.returncode or not machine.stdout.strip():
        raise OpspecError("this is no C compiler that opspec knows: gcc and clang are", where=" ".join(words))
    return Compiler(tuple(words), version.stdout, machine.stdout.strip())


def _output(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False
        )
    except OSError as error:
        raise OpspecError(f"cannot start the compiler: {error.strerror}", where=command[0]) from None
