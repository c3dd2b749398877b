"""The committed specs, for tests: all of them, in parts that workers share, or a fixed sample of them.

A promise about every spec is tested of a small sample, and in slow runs of all of them (``EVERY``). What costs too much
for that is tested of the specs that were written by hand and of a sample that changes only with the registry;
``OPSPEC_EXAMPLES`` multiplies its size, for a long run. ``OPSPEC_TURN``, a number that goes up from run to run, leaves
of what is long a share to each run: the same in all processes, and all of it in as many runs as there are shares.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TypeVar

import pytest
from _pytest.mark import ParameterSet

from opspec.model.beside import spec_beside
from opspec.model.definition import Definition
from opspec.model.load import load_file
from opspec.model.raw import said
from tests.paths import REPOSITORY

T = TypeVar("T")

TURN = os.environ.get("OPSPEC_TURN", "")


def in_turn(items: Iterable[T], shares: int = 2) -> list[T]:
    """The items that are this run's, each in its turn; all where nobody takes turns."""
    return list(islice(items, int(TURN) % shares, None, shares) if TURN else items)


SPECS = sorted((REPOSITORY / "specs").glob("*/*/*.yaml"))

#: specs that say what differs from another release's, and so cost as much again and show little more
CARRIED = [path for path in SPECS if "/" in said(path.read_bytes(), "extends")]
_OWN = sorted({*SPECS} - {*CARRIED})

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


def _part(paths: list[Path], name: str) -> ParameterSet:
    """Specs for slow runs; with ``--dist loadgroup`` one worker has them for all tests, and reads them once."""
    return pytest.param(paths, id=name, marks=(pytest.mark.slow, pytest.mark.xdist_group(name)))


#: to parametrise a test of ``paths`` with: a few specs, and in slow runs all, in parts that workers share, large and
#: small ones mixed; of those that extend another release's every eighth
EVERY = [
    pytest.param([*random.Random(9).sample(_OWN, 5), *random.Random(9).sample(CARRIED, 2)], id="sample"),
    *(_part(_OWN[number::8], f"part {number}") for number in in_turn(range(8))),
    _part(CARRIED[::8], "carried"),
]

#: the same of a third of the parts, where all of them cost too much for what they show
SOME = [EVERY[0], *EVERY[1:-1][::3], EVERY[-1]]


def operators(paths: Iterable[Path]) -> list[tuple[str, str]]:
    """(release, name) of the operators of spec files, twins too."""
    return [(path.parent.parent.name, name) for path in paths for name in path.stem.split("+")]


def defined(paths: Iterable[Path]) -> Iterator[Definition]:
    """The operators of committed specs; what a test finds out about one is known to the next."""
    for path in paths:
        yield from _definitions(path)


@lru_cache(maxsize=256)  # more than a part of them
def _definitions(path: Path) -> tuple[Definition, ...]:
    return load_file(str(path)).definitions
