"""``opspec layer build``: operators and their entries become objects, and with the layer's own C one library.

The library has two names. As ``libopspec_layer.so`` it is put in front of a program's libraries by ``LD_PRELOAD``; as
``libcust_opapi.so`` a framework finds it with ``dlopen`` ahead of the real ones. It is one file, so that a process that
meets it both ways has one state: objects that were seen created by either name are known to the other.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from opspec import csrc
from opspec.build import together
from opspec.build.compiler import Compiler
from opspec.build.installed import Installed
from opspec.build.processes import Task, results
from opspec.codegen.entries import findings
from opspec.codegen.entries.forward import forward_file
from opspec.codegen.entries.layer import MESSAGE, OBJECTS, config_file, entry_file, entry_name, exports_map
from opspec.codegen.rules import vocabulary
from opspec.codegen.rules.operator import operator_file
from opspec.errors import OpspecError
from opspec.files import make_folder
from opspec.registry.folders import Entry as Spec

LIBRARY = "libopspec_layer.so"
FORWARDER = "libcust_opapi.so"
#: links to the library: beside it, and where frameworks look below a vendor's folder
FORWARDERS = {FORWARDER: LIBRARY, f"opspec/op_api/lib/{FORWARDER}": f"../../../{LIBRARY}"}

#: rules run four times as fast with -O1 as with -O0, and more is not worth the time it takes; names are hidden, so that
#: those the layer shares with a simulator in its place stay apart; variables of threads need no call
FLAGS = ("-std=c11", "-O1", "-fPIC", "-fvisibility=hidden", "-ftls-model=initial-exec")
#: a tenth less to do, for rules that are as fast: registers given out in the simpler way, and neither branches nor
#: constants looked at once more, of which what is generated leaves few
_OF_GCC = (
    "-fira-algorithm=priority", "-fno-if-conversion", "-fno-if-conversion2", "-fno-tree-ccp", "-fno-tree-bit-ccp",
)  # fmt: skip
_SOURCES = (csrc.RULES, csrc.SHARED, csrc.LAYER)


@dataclass(frozen=True, slots=True)
class LayerTarget:
    """What a layer is for.

    Args:
        product, member: their numbers in C; 0 to ask the device at run time.
        installed: the real libraries; None to find them at run time only.
    """

    product: int = 0
    member: int = 0
    installed: Installed | None = None


def build(
    out: str, target: LayerTarget, specs: Sequence[Spec], compiler: Compiler, jobs: int, progress: Callable[[str], None]
) -> list[str]:
    """Make a layer; the functions that are checked.

    Args:
        progress: called once for each of :func:`opspec.build.together.batches`.

    Raises:
        OpspecError: the folder cannot be written, or a source does not compile.
    """
    with tempfile.TemporaryDirectory(prefix="opspec-layer-") as folder:
        work = _Work(compiler, folder, target.installed)
        checked, objects = _operators(work, specs, jobs, progress)
        forwarded = sorted(set(target.installed.functions) - set(checked) - set(OBJECTS)) if target.installed else []
        seen = {*checked, *OBJECTS, MESSAGE}
        names = sorted(seen if target.installed is None else {*target.installed.functions, MESSAGE})
        libraries = target.installed.libraries if target.installed else ()
        work.write("layer_config.c", config_file(target.product, target.member, libraries, forwarded))
        work.write("layer_forward.S", forward_file(forwarded))
        work.write("exports.map", exports_map(names))
        objects += work.own_objects(jobs)
        _link(work, out, objects, target.installed is not None)
    return [name for name in names if name not in (*forwarded, *OBJECTS, MESSAGE)]


class _Work:
    """A folder of sources and objects."""

    def __init__(self, compiler: Compiler, folder: str, installed: Installed | None) -> None:
        self.compiler = compiler
        self.folder = folder
        self.functions = None if installed is None else frozenset(installed.functions)
        self.write(vocabulary.HEADER, vocabulary.header())
        self.write(vocabulary.SOURCE, vocabulary.source())
        for name, text in findings.files().items():
            self.write(name, text)

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def write(self, name: str, text: str) -> str:
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def compile(self, source: str) -> str:
        target = self.path(os.path.splitext(os.path.basename(source))[0] + ".o")
        folders = [word for folder in (*_SOURCES, csrc.INCLUDE, self.folder) for word in ("-I", folder)]
        own = _OF_GCC if self.compiler.is_gcc else ()
        self.compiler.compile(source, target, [*FLAGS, *own, *folders])
        return target

    def operators(self, specs: Sequence[Spec]) -> tuple[list[str], list[str]]:
        """The functions that are checked, and their object; none of what the install has no function of."""
        found = {entry_name(one): one for one in together.definitions(specs)}
        known = {name: one for name, one in found.items() if self.functions is None or name in self.functions}
        texts = {one.name: operator_file(one) + "\n" + entry_file(one) for one in known.values()}
        named = f"{specs[0].operator}.c"
        return [*known], [self.compile(self.write(named, together.source(texts)))] if texts else []

    def own_objects(self, jobs: int) -> list[str]:
        """Objects of what is written by hand, and of what is written for the whole layer."""
        sources = [
            *(os.path.join(folder, name) for folder in _SOURCES for name in sorted(os.listdir(folder))),
            *(self.path(name) for name in (vocabulary.SOURCE, findings.SOURCE, "layer_config.c", "layer_forward.S")),
        ]
        known = [path for path in sources if path.endswith((".c", ".S"))]
        return results([Task(path, self.compile, (path,)) for path in known], jobs, lambda _: None)


def _operators(
    work: _Work, specs: Sequence[Spec], jobs: int, progress: Callable[[str], None]
) -> tuple[list[str], list[str]]:  # fmt: skip
    """Functions and objects of the operators."""
    found = results([Task(few[0].operator, work.operators, (few,)) for few in together.batches(specs)], jobs, progress)
    return [name for names, _ in found for name in names], [path for _, paths in found for path in paths]


def _link(work: _Work, out: str, objects: list[str], forwards: bool) -> None:
    """The library takes its place when it is whole; links to it are there when it forwards."""
    made = work.path(LIBRARY)
    script = f"-Wl,--version-script={work.path('exports.map')}"
    listed = work.write("objects.txt", "".join(f'"{path}"\n' for path in objects))
    work.compiler.link([f"@{listed}"], made, [script, "-Wl,-z,nodelete", "-lpthread", "-ldl", "-lm"])
    make_folder(out)
    try:
        _place(made, os.path.join(out, LIBRARY))
        for name, leads in FORWARDERS.items():
            path = os.path.join(out, name)
            if os.path.lexists(path):
                os.unlink(path)
            if forwards:
                make_folder(os.path.dirname(path))
                os.symlink(leads, path)
    except OSError as error:
        raise OpspecError(f"cannot write: {error.strerror}", where=out) from None


def _place(source: str, target: str) -> None:
    temporary = f"{target}.{os.getpid()}.tmp"
    with open(source, "rb") as file, open(temporary, "wb") as copy:
        copy.write(file.read())
    os.chmod(temporary, 0o755)
    os.replace(temporary, target)
