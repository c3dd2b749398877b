"""Checks of what a spec's release stands on, and of what a frozen release is held to."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import partial

from opspec.errors import OpspecError
from opspec.model.load import Source, beside, whole
from opspec.registry import folders
from opspec.workshop import releases
from opspec.workshop.lint.subject import Fault, Found, Problem, Subject
from opspec.yamltext import read_file

FROZEN = "frozen"  # the id of the check


def base(subject: Subject) -> Found:
    """All releases stand on one, side by side: an edit of any other reaches its own release alone."""
    own, others = _releases(subject.loaded.source)
    known = releases.base_of(folders.registry_folder(subject.path))
    if not others:
        return
    if known == own:
        message = f"{own} is the base of all releases: its specs are whole, and extend none of {others[0]}"
    elif len(others) > 1:
        message = f"{own} stands on {', which stands on '.join(others)}: a release stands on the base alone"
    elif known not in (None, others[0]):
        message = f"{own} stands on {others[0]}, the base of all releases is {known}"
    else:
        return
    yield Fault(("extends",), "extends", message)


def _releases(source: Source) -> tuple[str, list[str]]:
    """The release of a spec, and those that it goes through to what it extends in the end."""
    own = here = str(source.value.get("release"))
    others = []
    parent = source.parent
    while parent is not None:
        release = str(parent.value.get("release"))
        if release != here:
            others.append(release)
        here, parent = release, parent.parent
    return own, others


def frozen(subject: Subject) -> Found:
    """What a released release says changes when somebody means it: an edit of its base reaches it unseen."""
    return _changes(subject.loaded.source, subject.path)


def _changes(source: Source, path: str) -> Found:
    file = releases.frozen_file(path)
    if file is None:
        return
    operator = str(source.value.get("operator"))
    name = f"{source.value.get('release')}/{operator}"
    before = releases.frozen_entries(file, operator)
    if before is None:
        yield Fault(("operator",), "operator", f"{name} is new in a frozen release; {_accepts(name)}")
        return
    for entry, kind in releases.changed(before, releases.digests(source.value)).items():
        verb = "is changed" if kind == "changed" else f"is {kind}"
        message = f"{name} is frozen, and its {entry} {verb}; {_accepts(name)}"
        yield Fault(releases.path_of(source.value, entry), entry, message)


def elsewhere(paths: Iterable[str]) -> Iterator[Problem]:
    """What these specs change in specs of frozen releases that extend them and are none of them."""
    for path in releases.heirs(paths):
        try:
            source = whole(read_file(path), partial(beside, path))
        except OpspecError as error:
            yield from (Problem(fault.where or path, "load", fault.message) for fault in error.faults)
            continue
        for fault in _changes(source, path):
            yield Problem(source.where(fault.path), FROZEN, fault.message, f"{source.value['operator']}/{fault.about}")


def missing(folder: str, there: Iterable[str]) -> Iterator[Problem]:
    """A problem for each operator of a frozen release that has no spec any more.

    Args:
        folder: the folder of a release.
        there: the operators that it has.
    """
    path = os.path.join(folder, releases.FROZEN)
    for number, name in enumerate(releases.read_frozen(path), 1):
        if name not in there:
            full = f"{os.path.basename(folder)}/{name}"
            message = f"{full} is frozen, and has no spec any more; {_accepts(full)}"
            yield Problem(f"{path}:{number}", FROZEN, message, f"{name}/operator")


def _accepts(name: str) -> str:
    return f"'opspec freeze {name}' accepts that"
