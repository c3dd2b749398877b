"""Worked calls: small ones with numbers in and out, which pages show.

``worked.jsonl`` of the base release has an operator a line, made by ``python -m opspec.workshop.worked``:

    {"operator": "aclnnX", "args": {…}, "out": {"out": [0.5, 1]}, "python": ["out = torch.x(self)"],
     "calls": ["torch.x"]}
"""

from __future__ import annotations

import json
import os
from typing import Any

from opspec.errors import OpspecError
from opspec.language.record import record
from opspec.model import lines

FILE = "worked.jsonl"
BASE = "base.txt"  # of a registry: the release whose operators were worked


@record(frozen=True, slots=True)
class Worked:
    """A call with numbers.

    Args:
        args: JSON values by param, as ``opspec check`` reads them; input tensors with their values. Empty, as ``out``,
            where no numbers are known.
        out: output, or param that is changed in place -> its elements afterwards, in row-major order; of a list one
            list each.
        python: lines of PyTorch that compute the same, of tensors named like the params; empty without numbers, since
            nothing then shows that they make the call of the example.
        calls: functions of PyTorch that come to the operator.
    """

    args: dict[str, Any]
    out: dict[str, list[Any]]
    python: list[str]
    calls: list[str]


def worked_of(spec: str, operator: str) -> Worked | None:
    """The worked call of an operator, None where there is none.

    Args:
        spec: the path of its spec: of the base, or of another release beside it.

    Raises:
        OpspecError: the file is damaged.
    """
    path = _file(spec)
    found = lines.line(path, "operator", operator)
    if not found:
        return None
    try:
        body = json.loads(found)
        return Worked(body.get("args", {}), body.get("out", {}), body.get("python", []), body["calls"])
    except (ValueError, KeyError) as error:
        raise OpspecError(f"the line of {operator} is damaged: {error}", where=path) from None


def _file(spec: str) -> str:
    """The file of the release that a spec lies in, or of the base beside it."""
    own = lines.file_of(spec, FILE)
    if lines.read(own):
        return own
    registry = os.path.dirname(os.path.dirname(own))
    text = lines.read(os.path.join(registry, BASE)).decode()
    base = next((row for row in text.split("\n") if row and not row.startswith("#")), "")
    return os.path.join(registry, base.strip(), FILE)
