"""A reading of random legal calls: what somebody who knows the field found in them, and which rules mend it.

``opspec example OPERATOR --count 20 --product PRODUCT --release 9.1.0`` prints the calls.
``examples-read/FAMILY.jsonl`` has a line for each operator of a family: how many of its calls were read, what no
engineer would write, and the rules that say so now. What is found and has no rule is what the page allows, or leaves
open.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

READ = Path(__file__).with_name("examples-read")


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read of an operator.

    Args:
        count: the calls that were read.
        found: what no engineer would write.
        mended: ids of the rules that were written or made stricter for it.
    """

    operator: str
    product: str
    count: int
    found: list[str]
    mended: list[str]


def families() -> list[str]:
    """The families whose calls were read."""
    return sorted(file.stem for file in READ.glob("*.jsonl"))


def readings(family: str) -> list[Reading]:
    """The lines of a family."""
    lines = (READ / f"{family}.jsonl").read_text(encoding="utf-8").splitlines()
    return [Reading(**json.loads(line)) for line in lines]
