"""Checks of the file, of ids and names, and of params against the prototype's conventions."""

from __future__ import annotations

import os
from collections.abc import Iterator

from opspec.model.beside import spec_beside
from opspec.model.spec import Param
from opspec.vocabulary import dtypes, formats
from opspec.workshop.lint.subject import Fault, Found, Subject
from opspec.workshop.retired import clauses_of


def file_name(subject: Subject) -> Found:
    """Finding an operator reads file names alone, so they must tell the truth."""
    spec = subject.loaded.spec
    stem = os.path.splitext(os.path.basename(subject.path))[0]
    wanted = "+".join(definition.name for definition in subject.definitions)
    if stem != wanted:
        yield Fault(("operator",), "operator", f"the file is named {stem}, its operators ask for {wanted}")
    folders = os.path.dirname(os.path.abspath(subject.path)).split(os.sep)[-2:]
    if spec.release not in folders:
        yield Fault(("release",), "release", f"the file lies in {'/'.join(folders)}, its release is {spec.release}")


def retired(subject: Subject) -> Found:
    """An id that was retired keeps its meaning forever: nothing else may take it."""
    own = subject.own
    for name in sorted(own.clauses.keys() & clauses_of(subject.retired, own.spec.release, own.name)):
        yield Fault(("operator",), name, f"the id of the clause {name!r} is retired")
    for definition in subject.definitions:
        for rule in definition.rules:
            if f"{definition.spec.release}/{definition.name}/{rule.id}" in subject.retired:
                yield Fault(rule.path, rule.id, f"the id {rule.id!r} is retired", definition.name)


def successors(subject: Subject) -> Found:
    """Who reads that an operator is going away looks its successors up in the same release."""
    spec = subject.loaded.spec
    for i, name in enumerate(spec.deprecated.successors if spec.deprecated else ()):
        if spec_beside(subject.path, name) is None:
            message = f"the successor {name!r} has no spec in this release"
            yield Fault(("deprecated", "successors", i), name, message)


def shadowed(subject: Subject) -> Found:
    """A param or derived value that hides a word of the vocabulary makes rules hard to read."""
    words = {*dtypes.names(), *formats.names(), "product", "undefined"}
    for i, param in enumerate(subject.own.spec.params):
        if param.name in words:
            message = f"the param {param.name!r} hides a word of the vocabulary"
            yield Fault(("params", i, "name"), param.name, message)
    for name in subject.own.lets:
        if name in words:
            message = f"the derived value {name!r} hides a word of the vocabulary"
            yield Fault(subject.own.let_paths[name], name, message)


def prototype(subject: Subject) -> Found:
    """The prototype is generated from the params: direction, const, and the params that every first phase ends with."""
    for i, param in enumerate(subject.loaded.spec.params):
        if param.name in ("workspaceSize", "executor") and subject.loaded.spec.interface == "two-phase":
            message = f"{param.name} ends every first phase and is not listed"
            yield Fault(("params", i), param.name, message)
        if param.io == "inout" and param.ctype.startswith("const "):
            message = f"{param.name} is written by the call and cannot be const"
            yield Fault(("params", i, "ctype"), param.name, message)
        for name in _misplaced(param):
            yield Fault(("params", i, name), f"{param.name}.{name}", f"{name!r} says nothing about a {param.ctype}")


_TENSOR_ONLY = ("format", "rank", "shape", "dims", "strided", "empty")


def _misplaced(param: Param) -> Iterator[str]:
    tensors = param.ctype.removeprefix("const ") in ("aclTensor*", "aclTensorList*")
    for name in _TENSOR_ONLY:
        if not tensors and getattr(param, name) is not None:
            yield name
    if "List" not in param.ctype and param.uniform:
        yield "uniform"
