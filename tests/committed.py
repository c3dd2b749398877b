"""The committed specs, for tests: all of them, in parts that workers share, or a fixed sample of them.

A promise about every spec is tested of a small sample, and in slow runs of all of them (``EVERY``). What costs too much
for that is tested of the specs that were written by hand and of a sample that changes only with the registry;
``OPSPEC_EXAMPLES`` multiplies its size, for a long run.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterable
from pathlib import Path

import pytest

from opspec.model.beside import spec_beside
from opspec.registry.content import said
from tests.paths import REPOSITORY

SPECS = sorted((REPOSITORY / "specs").glob("*/*/*.yaml"))

#: specs that say what differs from another release's, and so cost as much again and show little more
CARRIED = [path for path in SPECS if "/" in said(path.read_bytes(), "extends")]
_OWN = [path for path in SPECS if path not in set(CARRIED)]

#: operators whose specs were written by hand, in every release
BY_HAND = (
    "aclnnAdaptiveAvgPool2dBackward", "aclnnBatchNormElemtBackward", "aclnnGeluBackwardV2",
    "aclnnGroupedBiasAddGrad", "aclnnPreluBackward",
)  # fmt: skip

MANY = int(os.environ.get("OPSPEC_EXAMPLES", "1"))


def sample(size: int) -> list[Path]:
    """The specs written by hand, then ``size`` others, the same in every run; one in five extends another release's."""
    mine = [path for path in _OWN if path.stem in BY_HAND]
    others = [path for path in _OWN if path.stem not in BY_HAND]
    carried = size * MANY // 5
    return [
        *mine,
        *random.Random(9).sample(others, min(size * MANY - carried, len(others))),
        *random.Random(9).sample(CARRIED, min(carried, len(CARRIED))),
    ]


def with_parents(paths: Iterable[Path]) -> list[Path]:
    """Spec files and what they extend."""
    found: dict[Path, None] = {}
    waiting = list(paths)
    while waiting:
        path = waiting.pop(0)
        if path not in found:
            found[path] = None
            parent = said(path.read_bytes(), "extends")
            waiting += [Path(str(spec_beside(str(path), parent)))] if parent else []
    return list(found)


#: to parametrise a test of ``paths`` with: a few specs, and in slow runs all, in parts that workers share, large and
#: small ones mixed; of those that extend another release's every eighth
EVERY = [
    pytest.param([*random.Random(9).sample(_OWN, 5), *random.Random(9).sample(CARRIED, 2)], id="sample"),
    *(pytest.param(_OWN[number::8], id=f"part {number}", marks=pytest.mark.slow) for number in range(8)),
    pytest.param(CARRIED[::8], id="carried", marks=pytest.mark.slow),
]

#: the same of three operators in eight, where all of them cost too much for what they show
SOME = [*EVERY[:4], EVERY[-1]]


def operators(paths: Iterable[Path]) -> list[tuple[str, str]]:
    """(release, name) of the operators of spec files, twins too."""
    return [(path.parent.parent.name, name) for path in paths for name in path.stem.split("+")]
