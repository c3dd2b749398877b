"""The headers of the SDK: those that are written by hand, and the operators' under the names that CANN gives them."""

from __future__ import annotations

import os
from collections.abc import Iterable

from opspec import csrc
from opspec.codegen.prototypes import Entry, guard_of, header_of, header_path
from opspec.model.derived import usual_header

_TYPES = "aclnn/aclnn_base.h"


def own_headers() -> dict[str, str]:
    """Path below ``include`` -> text of the headers that are written by hand."""
    found = {}
    for folder, _, names in os.walk(csrc.INCLUDE):
        for name in names:
            if name.endswith(".h"):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as file:
                    found[os.path.relpath(path, csrc.INCLUDE).replace(os.sep, "/")] = file.read()
    return dict(sorted(found.items()))


def operator_headers(entries: Iterable[Entry]) -> dict[str, str]:
    """Path below ``include`` -> text of the operators' headers.

    An operator of which no header is known is found in one of its own name, and in those of its folder's others.
    Programs include them as ``aclnnop/NAME`` and as ``aclnnop/level2/NAME``: there the second one leads to the first.

    Raises:
        OpspecError: the path of a header leads out of its folder, or two operators declare one function.
    """
    entries = list(entries)
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(_place(entry), []).append(entry)
    siblings = _siblings(entries)
    found = {}
    for path, group in sorted(groups.items()):
        group = sorted(group, key=lambda one: one.operator)
        found[path] = header_of(group, guard_of(f"sdk/{path}"), _TYPES, siblings.get(path, ()))
        folder, _, name = path.rpartition("/")
        if folder == "aclnnop":
            found[f"{folder}/level2/{name}"] = f'/* Where programs look, too. */\n#include "../{name}"\n'
    return found


def _place(entry: Entry) -> str:
    return header_path(entry, usual_header(entry.operator))


def _siblings(entries: list[Entry]) -> dict[str, list[str]]:
    """Header -> headers that it includes: of operators of the same folder, where these are not known to be theirs."""
    folders: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.folder is not None:
            folders.setdefault(entry.folder, []).append(entry)
    found: dict[str, set[str]] = {}
    for group in folders.values():
        unknown = {_place(entry) for entry in group if entry.header is None}
        for path in map(_place, group):
            found.setdefault(path, set()).update(unknown - {path})
    return {path: sorted(others) for path, others in found.items() if others}
