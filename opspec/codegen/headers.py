"""The headers of the SDK: those that are written by hand, and the operators' under the names that CANN gives them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from opspec import csrc
from opspec.codegen.prototypes import Entry, guard_of, header_of, header_path

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

    Programs include them as ``aclnnop/NAME`` and as ``aclnnop/level2/NAME``: there the second one leads to the first.

    Raises:
        OpspecError: the path of a header leads out of its folder, or two operators declare one function.
    """
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(header_path(entry, assumed(entry.operator)), []).append(entry)
    found = {}
    for path, group in sorted(groups.items()):
        found[path] = header_of(sorted(group, key=lambda one: one.operator), guard_of(f"sdk/{path}"), _TYPES)
        folder, _, name = path.rpartition("/")
        if folder == "aclnnop":
            found[f"{folder}/level2/{name}"] = f'/* Where programs look, too. */\n#include "../{name}"\n'
    return found


def assumed(operator: str) -> str:
    """Where an operator is declared whose header is not known: where most are, ``aclnnop/aclnn_add_relu.h``."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", operator.removeprefix("aclnn"))
    return f"aclnnop/aclnn_{words.lower()}.h"
