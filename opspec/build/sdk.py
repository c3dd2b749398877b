"""``opspec sdk build``: operators become C, C becomes objects, objects become libraries, and all of it takes its place.

Work is done by processes, a few operators at a time. Objects that another build made of the same are in the cache.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from opspec import csrc
from opspec.build import layout, objects, together
from opspec.build.compiler import Compiler
from opspec.build.groups import GROUPS, group_of
from opspec.build.layout import Target
from opspec.build.processes import Task, results
from opspec.codegen.entries import findings
from opspec.codegen.entries.simulator import filtered_file, phases_file
from opspec.codegen.headers import operator_headers, own_headers
from opspec.codegen.prototypes import Entry, entry, functions
from opspec.codegen.rules import vocabulary
from opspec.codegen.rules.operator import operator_file
from opspec.errors import OpspecError
from opspec.model.definition import Definition
from opspec.registry.folders import Entry as Spec

FLAGS = ("-std=c11", "-fPIC")
#: Operators' rules are most of what there is to compile, and optimising would double its time: a call that takes some
#: microseconds to be judged is fast beside all else that a host program does with it.
_OF_OPERATORS = "-O0"
_BY_HAND = "-O1"
#: what is told of a call names what a library has said of it, which may be closed since
_STAYS = ("-Wl,-z,nodelete",)
_INCLUDES = (csrc.RULES, csrc.SHARED, csrc.SIMULATOR)

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Built:
    """What became of operators that were compiled together: the objects of each group."""

    entries: tuple[Entry, ...]
    functions: tuple[str, ...]
    objects: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Work:
    """What a process needs to compile: the same for all operators."""

    compiler: Compiler | None  # None: headers only
    flags: tuple[str, ...]
    mark: bytes  # of compiler, flags and included headers
    folder: str  # for sources and objects


def build(
    out: str, target: Target, specs: Sequence[Spec], compiler: Compiler | None, jobs: int, progress: Progress
) -> list[str]:
    """Make an SDK; its operators. What is in its place is replaced whole, or not at all.

    Args:
        compiler: None to make headers only.
        jobs: how many processes to use.
        progress: called with the name of every source that is done.

    Raises:
        OpspecError: the folder is no SDK and not empty, an operator cannot be declared, or a source does not compile.
    """
    out = os.path.realpath(out)
    _check_out(out)
    with _staging(out) as stage:
        _write(stage, {f"include/{path}": text for path, text in own_headers().items()})
        entries = _compiled(stage, target, specs, compiler, jobs, progress)
        _write(stage, {f"include/{path}": text for path, text in operator_headers(entries).items()})
        architecture = compiler.architecture if compiler else os.uname().machine
        names = [one.operator for one in entries]
        files = layout.small_files(target, names, architecture)
        if compiler is None:
            files = {path: text for path, text in files.items() if path == layout.MARK}
        _write(stage, files)
        for path, leads in layout.links(architecture).items() if compiler else ():
            os.symlink(leads, os.path.join(stage, path))
        _take_place(stage, out)
    return names


def source_count(specs: Sequence[Spec], compiler: Compiler | None) -> int:
    """How often ``progress`` is called."""
    return len(together.batches(specs)) + (
        sum(len(library.sources()) for library in layout.LIBRARIES) + 3 if compiler else 0
    )


def _compiled(
    stage: str, target: Target, specs: Sequence[Spec], compiler: Compiler | None, jobs: int, progress: Progress,
) -> list[Entry]:  # fmt: skip
    """Libraries in their place; the operators as they are declared."""
    generated = os.path.join(stage, layout.WORK, "src")
    _write(generated, {vocabulary.HEADER: vocabulary.header(), vocabulary.SOURCE: vocabulary.source()})
    _write(generated, {**findings.files(), "sim_target.c": layout.target_source(target)})
    work = _work(stage, generated, compiler)
    by_hand = [
        path
        for library in (layout.LIBRARIES if compiler else ())
        for path in [*library.sources(), *_generated_sources(library, generated)]
    ]
    tasks: list[Task[Any]] = [Task(few[0].operator, _operators, (work, few)) for few in together.batches(specs)]
    batches = len(tasks)
    tasks += [Task(os.path.basename(path), _object, (work, path)) for path in by_hand]
    found = results(tasks, jobs, progress)
    built: list[Built] = found[:batches]
    if compiler:
        _link(stage, compiler, dict(zip(by_hand, found[batches:], strict=True)), generated, built)
    shutil.rmtree(work.folder)
    return sorted((entry for one in built for entry in one.entries), key=lambda entry: entry.operator)


def _work(stage: str, generated: str, compiler: Compiler | None) -> _Work:
    folders = (*_INCLUDES, os.path.join(stage, "include"), generated)
    flags = (*FLAGS, *(word for folder in folders for word in ("-I", folder)))
    mark = _mark(compiler, folders) if compiler else b""
    return _Work(compiler, flags, mark, os.path.join(stage, layout.WORK))


def _generated_sources(library: layout.Library, folder: str) -> list[str]:
    if library is not layout.LIBRARIES[0]:
        return []
    return [os.path.join(folder, name) for name in (vocabulary.SOURCE, findings.SOURCE, "sim_target.c")]


# --- a process's part


def _operators(work: _Work, specs: Sequence[Spec]) -> Built:
    definitions = together.definitions(specs)
    declared = tuple(map(entry, definitions))
    names = tuple(name for one in definitions for name in functions(one))
    texts: dict[str, dict[str, str]] = {}
    for spec, definition in zip(specs, definitions, strict=True) if work.compiler else ():
        texts.setdefault(group_of(definition, spec.family), {}).update(_texts(definition))
    objects = {group: _cached(work, next(iter(few)), together.source(few)) for group, few in texts.items()}
    return Built(declared, names, objects)


def _texts(definition: Definition) -> dict[str, str]:
    """The C of an operator and of the functions beside it, by their names."""
    texts = {definition.name: operator_file(definition) + "\n" + phases_file(definition)}
    return texts | {one.name: operator_file(one, beside=True) + "\n" + phases_file(one) for one in definition.helpers}


def _object(work: _Work, path: str) -> str:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return _cached(work, os.path.splitext(os.path.basename(path))[0], text, path)


def _cached(work: _Work, name: str, text: str, path: str = "") -> str:
    """The object of a source, compiled unless it is at hand.

    Args:
        path: of a source that is there; without it the source is operators', and is written.
    """
    assert work.compiler is not None
    digest = hashlib.blake2b(text.encode(), digest_size=12, key=work.mark).hexdigest()
    target = os.path.join(work.folder, f"{name}-{digest}.o")  # sources of two folders may share a name
    if not objects.fetch(name, digest, target):
        source = path or os.path.join(work.folder, "src", f"{name}.c")
        if not path:
            with open(source, "w", encoding="utf-8") as file:
                file.write(text)
        work.compiler.compile(source, target, [*work.flags, _BY_HAND if path else _OF_OPERATORS])
        objects.keep(name, digest, target)
    return target


def _mark(compiler: Compiler, folders: Sequence[str]) -> bytes:
    """At most 64 bytes that tell apart what sources may be compiled with."""
    digest = hashlib.blake2b(digest_size=32)
    digest.update("\0".join([*compiler.words, compiler.identity, *FLAGS, _OF_OPERATORS, _BY_HAND]).encode())
    for folder in folders:
        for path, _, names in sorted(os.walk(folder)):
            for name in sorted(names):
                if name.endswith(".h"):
                    with open(os.path.join(path, name), "rb") as file:
                        digest.update(f"{name};".encode() + file.read())
    return digest.digest()


# --- libraries


def _link(stage: str, compiler: Compiler, by_hand: dict[str, str], generated: str, built: Sequence[Built]) -> None:
    folder = os.path.join(stage, "lib64")
    os.makedirs(folder, exist_ok=True)
    search = ("-L", folder)

    def made(name: str, parts: Sequence[str], needs: Sequence[str], rest: Sequence[str]) -> None:
        words = [*rest, *_STAYS, *search, *(f"-l{need}" for need in needs)]
        compiler.link(parts, os.path.join(folder, f"lib{name}.so"), words)

    for library in layout.LIBRARIES:
        parts = [by_hand[path] for path in [*library.sources(), *_generated_sources(library, generated)]]
        made(library.name, parts, library.needs, library.system)
    exports = os.path.join(generated, "exports")
    with open(exports, "w", encoding="utf-8") as file:
        file.write(f"{{ global: {' '.join(f'{name};' for name in layout.OPERATORS_EXPORT)} local: *; }};\n")
    rest = ("-Xlinker", f"--version-script={exports}")  # -Wl would split a path at its commas
    for group in GROUPS:
        parts = [one.objects[group] for one in built if group in one.objects]
        made(layout.operator_library(group), parts, layout.OPERATORS_NEED, rest)
    source, of_all = os.path.join(generated, "opapi.c"), os.path.join(generated, "opapi.o")
    with open(source, "w", encoding="utf-8") as file:
        file.write(filtered_file(name for one in built for name in one.functions))
    compiler.compile(source, of_all, [*FLAGS, _BY_HAND])
    auxiliary = [
        word for group in GROUPS for word in ("-Xlinker", f"--auxiliary=lib{layout.operator_library(group)}.so")
    ]
    made(layout.ALL_OPERATORS, [of_all], (), auxiliary)


# --- places


def _check_out(out: str) -> None:
    if not os.path.lexists(out):
        return
    if not os.path.isdir(out):
        raise OpspecError("cannot write the SDK here: it is no folder", where=out)
    if os.listdir(out) and not os.path.isfile(os.path.join(out, layout.MARK)):
        raise OpspecError("cannot write the SDK here: the folder is not empty, and no SDK to be replaced", where=out)


@contextmanager
def _staging(out: str) -> Iterator[str]:
    """A folder beside the SDK's place, gone afterwards unless it took that place."""
    parent, name = os.path.split(out)
    try:
        os.makedirs(parent, exist_ok=True)
        stage = tempfile.mkdtemp(prefix=f".{name}.", dir=parent)
        os.chmod(stage, 0o755)
    except OSError as error:
        raise OpspecError(f"cannot make the folder: {error.strerror}", where=out) from None
    try:
        yield stage
    except OSError as error:
        raise OpspecError(f"cannot write the SDK: {error.strerror or error}", where=out) from error
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def _take_place(stage: str, out: str) -> None:
    """Put the SDK where it belongs; what was there comes back if that fails."""
    old = f"{stage}.old"
    if os.path.isdir(out):
        os.rename(out, old)
    try:
        os.rename(stage, out)
    except OSError:
        if os.path.isdir(old):
            os.rename(old, out)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _write(folder: str, texts: dict[str, str]) -> None:
    for path, text in texts.items():
        target = os.path.join(folder, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
