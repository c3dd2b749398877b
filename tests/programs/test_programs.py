"""Host programs that never heard of opspec compile, link and run against an SDK, and end as they say of themselves.

What is expected of a program stands in the comment at its top: ``links`` (the link line of which generation), ``exit`` or
``signal`` (0 where neither is named), ``calls`` per operator and how many were refused, every ``error`` and ``warning``
(a rule as OPERATOR/RULE, or a kind of finding) with its number where that is not 1, and what it ``says``.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from opspec.calls.read import calls
from opspec.validator.api import registry
from opspec.validator.judge import judge
from tests.sdk.small import Small
from tests.stubs.compilers import ran

HERE = Path(__file__).resolve().parent
PROGRAMS = sorted([*HERE.glob("*.cpp"), *HERE.glob("*.c")], key=lambda path: path.stem)

#: The operators that the programs call.
OPERATORS = sorted(set(re.findall(r"^ \* calls: (.*)$", "\n".join(p.read_text() for p in PROGRAMS), re.M)))

#: What programs are linked with, by the release that their authors wrote them for.
LINKS = {
    "old": ("-lascendcl", "-lnnopbase", "-lopapi"),
    "new": (
        "-lopapi_math", "-lopapi_nn", "-lopapi_cv", "-lopapi_transformer", "-lacl_rt", "-lnnopbase", "-lhccl",
        "-lhccl_fwk", "-lc_sec",
    ),
    "none": ("-ldl",),
}  # fmt: skip


@dataclass(frozen=True)
class Expected:
    """What the comment at the top of a program says."""

    links: str
    soc: str
    exit: int
    signal: str | None
    calls: dict[str, int]
    refused: int
    errors: dict[str, int]
    warnings: dict[str, int]
    says: tuple[str, ...]

    @classmethod
    def of(cls, path: Path) -> Expected:
        """The comment of a file."""
        said = re.findall(r"^ \* (\w+): (.*)$", path.read_text(encoding="ascii").split("*/")[0], re.M)
        known = dict(said)
        called = dict(_counted(item) for item in known["calls"].split(", ") if item != "none")
        return cls(
            known["links"], known.get("soc", ""), int(known.get("exit", 0)), known.get("signal"),
            {name: number for name, number in called.items() if name != "refused"}, called.get("refused", 0),
            dict(_counted(text) for name, text in said if name == "error"),
            dict(_counted(text) for name, text in said if name == "warning"),
            tuple(text for name, text in said if name == "says"),
        )  # fmt: skip


def _counted(item: str) -> tuple[str, int]:
    name, _, number = item.partition(" ")
    return name, int(number or 1)
