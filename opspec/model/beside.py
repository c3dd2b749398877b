"""Where the spec of an operator lies that another one extends: in the same release, found by file names alone."""

from __future__ import annotations

import os

LONGEST_CHAIN = 20  #: specs that extend each other in a row


def first_operator(path: str) -> str:
    """The first operator that a spec file's name tells."""
    return os.path.basename(path).split(".")[0].split("+")[0]


def spec_beside(path: str, operator: str) -> str | None:
    """The file of an operator's spec in the same release as the spec at ``path``; None where there is none."""
    family = os.path.dirname(os.path.abspath(path))
    release = os.path.dirname(family)
    if not os.path.isdir(family):
        return None
    for folder in (family, *sorted(item.path for item in os.scandir(release) if item.is_dir())):
        for name in sorted(os.listdir(folder)):
            if name.endswith((".yaml", ".yml")) and first_operator(name) == operator:
                return os.path.join(folder, name)
    return None
