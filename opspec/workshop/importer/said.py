"""What pages said when they were imported: of every leaf of a spec that the importer wrote, a digest.

They lie in a file per release, ``imported.jsonl``, a line per spec file, named by its first operator:

    {"op": "aclnnX", "leaves": {"params/self/dtype": "e58bbc", "clauses/out-shape": "41f55b"}}

Only importing reads it; a wheel does not have it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TypeAlias

from opspec.errors import OpspecError
from opspec.model import lines

FILE = "imported.jsonl"

Digests: TypeAlias = dict[str, str]  # leaf -> digest


def said_of(folder: str, operator: str) -> Digests | None:
    """What the page of a spec file said, by the file's first operator; None of one that a person made.

    Args:
        folder: the release's.

    Raises:
        OpspecError: the file is damaged.
    """
    path = f"{folder}/{FILE}"
    line = lines.line(path, "op", operator)
    return _parsed(line, path)[1] if line else None


def with_said(folder: str, changed: Mapping[str, Digests]) -> tuple[str, str]:
    """The path of a release's file, and its text with what has changed."""
    path = f"{folder}/{FILE}"
    known = dict(_parsed(line, path) for line in lines.read(path).splitlines())
    known.update(changed)
    rows = (json.dumps({"op": name, "leaves": known[name]}, ensure_ascii=False) for name in sorted(known))
    return path, "".join(f"{row}\n" for row in rows)


def _parsed(line: bytes, path: str) -> tuple[str, Digests]:
    try:
        value = json.loads(line)
        return str(value["op"]), {str(leaf): str(digest) for leaf, digest in value["leaves"].items()}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise OpspecError(f'expected {{"op": …, "leaves": {{…}}}}, found {line[:60]!r}', where=path) from None
