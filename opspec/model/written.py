"""A spec file as people write it, and as it is read: blocks of rules and names put aside.

``opened(closed(data, written)) == data`` whatever the file; and ``closed(opened(written), written) == written`` for a
file in which what has a name stands by its name.
"""

from __future__ import annotations

from collections.abc import Mapping

from opspec.errors import several
from opspec.model import blocks, named
from opspec.model.blocks import Data
from opspec.yamltext import Path, Tree


def opened(written: Data) -> Data:
    """The plain data that a file stands for; itself where it has neither blocks nor names.

    Raises:
        SpecError: a block has another form than ``{when, rules}``, two rules have one id, a name means nothing.
    """
    rules = written.get("rules")
    has_blocks = isinstance(rules, dict) and any(map(blocks.is_block, rules.values()))
    found = [*named.faults(written), *(blocks.faults(rules) if has_blocks and isinstance(rules, dict) else ())]
    if found:
        raise several(found)
    if has_blocks and isinstance(rules, dict):
        return named.spelled({**written, "rules": blocks.opened(rules)})
    return named.spelled(written)


def closed(data: Data, written: Mapping[str, Tree]) -> Data:
    """Plain data as a file says it, in the blocks and by the names that the file has."""
    rules, own = data.get("rules"), written.get("rules")
    if isinstance(rules, dict) and isinstance(own, dict):
        data = {**data, "rules": blocks.closed(rules, own)}
    return named.named(data, written)


def place(written: Mapping[str, Tree], path: Path, column: int = 0) -> tuple[Path, int]:
    """Where a part of the plain data stands in a file, and a column of its text.

    >>> place({"rules": {"a": {"when": "x", "rules": {"b": {"check": "y"}}}}}, ("rules", "b", "check"), 3)
    (('rules', 'a', 'rules', 'b', 'check'), 3)
    """
    rules = written.get("rules")
    if path[:1] == ("rules",) and len(path) > 1 and isinstance(rules, dict):
        entry = next((entry for entry in blocks.entries(rules) if entry.name == path[1]), None)
        if entry is not None:
            path, column = entry.within(path[2:], column)
    return named.place(written, path), column
