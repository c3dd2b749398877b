"""Prototypes of operators, and headers that hold them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from opspec.codegen import ctext
from opspec.codegen.stubs.render import render
from opspec.errors import OpspecError
from opspec.model.definition import Definition
from opspec.vocabulary import ctypes_

PHASE_PARAMS = ("uint64_t *workspaceSize", "aclOpExecutor **executor")


def prototypes(definition: Definition) -> list[str]:
    """The declarations of an operator: two phases, or the one function of a single-phase one; then of its helpers.

    Raises:
        OpspecError: the name of the operator is no name in C.
    """
    name = ctext.operator_name(definition.name)
    params = list(parameters(definition).values())
    if definition.spec.interface == "single-phase":
        return [_declared(name, params or ["void"])]
    stream = definition.spec.stream
    second = ["void *workspace", "uint64_t workspaceSize", "aclOpExecutor *executor", f"{stream} stream"]
    phases = [_declared(f"{name}GetWorkspaceSize", [*params, *PHASE_PARAMS]), _declared(name, second)]
    return [*phases, *(text for helper in definition.helpers for text in prototypes(helper))]


def functions(definition: Definition) -> list[str]:
    """The names of the functions that :func:`prototypes` declares."""
    name = ctext.operator_name(definition.name)
    if definition.spec.interface == "single-phase":
        return [name]
    return [f"{name}GetWorkspaceSize", name, *(one for helper in definition.helpers for one in functions(helper))]


def parameters(definition: Definition) -> dict[str, str]:
    """Param -> its declaration: ``const aclTensor *self``."""
    names = ctext.identifiers(tuple(param.name for param in definition.params), ("workspaceSize", "executor"))
    return {param.name: declared(param.ctype, names[param.name]) for param in definition.params}


def declared(ctype: str, name: str) -> str:
    """``const aclTensor*`` and ``self`` as C declares them: ``const aclTensor *self``."""
    found = ctypes_.parse(ctype)
    return f"{'const ' if found.const else ''}{found.base} {'*' * found.pointer}{name}"


def _declared(name: str, params: list[str]) -> str:
    line = f"aclnnStatus {name}({', '.join(params)});"
    return line if len(line) <= ctext.WIDTH else f"aclnnStatus {name}(\n    " + ",\n    ".join(params) + ");"


@dataclass(frozen=True, slots=True)
class Entry:
    """What a header says of an operator."""

    operator: str
    header: str | None
    about: str
    prototypes: tuple[str, ...]
    folder: str | None = None  # that the operator's page is in


def entry(definition: Definition) -> Entry:
    """What a header says of an operator.

    Raises:
        OpspecError: a name is no name in C.
    """
    document = definition.spec.document
    folder = document.rpartition("/")[0] if document else None
    return Entry(definition.name, definition.header, _about(definition), tuple(prototypes(definition)), folder or None)


def header(definitions: Iterable[Definition], guard: str) -> str:
    """A header with the prototypes of operators, of C11 and C++17, with and without CANN.

    Args:
        guard: the word that the header is guarded by.

    Raises:
        OpspecError: two operators declare one function, or a name is no name in C.
    """
    return header_of(map(entry, definitions), guard)


def header_of(entries: Iterable[Entry], guard: str, include: str = "", also: Sequence[str] = ()) -> str:
    """:func:`header` of entries.

    Args:
        include: a header that declares the types; without one they come from CANN's, or are declared here.
        also: headers that are included besides.

    Raises:
        OpspecError: two operators declare one function.
    """
    entries = list(entries)
    seen: dict[str, str] = {}
    for one in entries:
        for text in one.prototypes:
            function = text.split("(", 1)[0]
            if function in seen:
                raise OpspecError(f"{seen[function]} and {one.operator} both declare {function.split()[-1]}")
            seen[function] = one.operator
    return render("header.h.j2", guard=guard, entries=entries, include=include, also=also)


def _about(definition: Definition) -> str:
    twin, spec = definition.spec.twin, definition.spec
    own = twin.summary if twin is not None and definition.name == twin.operator else spec.summary
    declared_in = f" Declared in {definition.header}." if definition.header else ""
    summary = own or spec.summary
    does = f": {summary.text('en')}" if summary else "."
    return f"{definition.name}, CANN {spec.release}{does}{declared_in}"


def guard_of(name: str) -> str:
    """The guard of a file: ``OPSPEC_ACLNN_X_H`` for ``aclnn_x.h``."""
    return "OPSPEC_" + re.sub(r"[^A-Za-z0-9]", "_", name).upper()


def by_header(definitions: Iterable[Definition]) -> dict[str, str]:
    """File -> text: a header for each of the vendor's, under its name; for an operator of unknown header its own.

    Raises:
        OpspecError: the path of a header leads out of its folder.
    """
    groups: dict[str, list[Entry]] = {}
    for one in map(entry, definitions):
        groups.setdefault(header_path(one, f"{one.operator}.h"), []).append(one)
    return {name: header_of(group, guard_of(name)) for name, group in groups.items()}


def header_path(one: Entry, unknown: str) -> str:
    """The path of an operator's header, or ``unknown`` where the spec names none.

    Raises:
        OpspecError: it leads out of its folder.
    """
    name = one.header or unknown
    if not all(re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9_.-]*", part) for part in name.split("/")):
        raise OpspecError(f"not the path of a header: {name!r}", where=one.operator)
    return name
