"""Where the spec of an operator lies that another one extends: in the same release or one beside it, by file names."""

from __future__ import annotations

import os

LEDGER = ".ledger.json"  #: what the name of the file beside a spec ends with that lists the clauses of its page
LONGEST_CHAIN = 20  #: specs that extend each other in a row


def first_operator(path: str) -> str:
    """The first operator that a spec file's name tells."""
    return os.path.basename(path).split(".")[0].split("+")[0]


def spec_beside(path: str, extended: str) -> str | None:
    """The file of the spec that the one at ``path`` extends; None where there is none.

    Args:
        extended: an operator of the same release, or ``RELEASE/OPERATOR``.
    """
    family = os.path.dirname(os.path.abspath(path))
    release = os.path.dirname(family)
    other, _, operator = extended.rpartition("/")
    if other:
        release = os.path.join(os.path.dirname(release), other)
        family = os.path.join(release, os.path.basename(family))
    if not os.path.isdir(release):
        return None
    for folder in (family, *sorted(item.path for item in os.scandir(release) if item.is_dir())):
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
            if name.endswith((".yaml", ".yml")) and first_operator(name) == operator:
                return os.path.join(folder, name)
    return None
