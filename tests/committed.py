"""The committed specs, for tests: all of them, in parts that workers share, or a fixed sample of them.

What is cheap is tested of every spec, in ``PARTS`` parts so that the workers share it. What is not is tested of the
specs that were written by hand and of a sample that changes only with the registry; ``OPSPEC_EXAMPLES`` multiplies
its size, for a long run.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterable
from pathlib import Path

from opspec.registry.content import beside, extended
from tests.paths import REPOSITORY

SPECS = sorted((REPOSITORY / "specs").glob("*/*/*.yaml"))

#: numbers to parametrise a test with that takes ``part(number)``
PARTS = range(8)

#: operators whose specs were written by hand, in every release
BY_HAND = (
    "aclnnAdaptiveAvgPool2dBackward", "aclnnBatchNormElemtBackward", "aclnnGeluBackwardV2",
    "aclnnGroupedBiasAddGrad", "aclnnPreluBackward",
)  # fmt: skip

MANY = int(os.environ.get("OPSPEC_EXAMPLES", "1"))


def part(number: int) -> list[Path]:
    """A part of all specs, large and small ones mixed."""
    return SPECS[number :: len(PARTS)]


def sample(size: int) -> list[Path]:
    """The specs written by hand, then ``size`` others, the same in every run."""
    mine = [path for path in SPECS if path.stem in BY_HAND]
    others = [path for path in SPECS if path.stem not in BY_HAND]
    return [*mine, *random.Random(9).sample(others, min(size * MANY, len(others)))]


def with_parents(paths: Iterable[Path]) -> list[Path]:
    """Spec files and what they extend."""
    found: dict[Path, None] = {}
    waiting = list(paths)
    while waiting:
        path = waiting.pop(0)
        if path not in found:
            found[path] = None
            parent = extended(path.read_bytes())
            waiting += [Path(str(beside(str(path), parent)))] if parent else []
    return list(found)


def operators(paths: Iterable[Path]) -> list[tuple[str, str]]:
    """(release, name) of the operators of spec files, twins too."""
    return [(path.parent.parent.name, name) for path in paths for name in path.stem.split("+")]
