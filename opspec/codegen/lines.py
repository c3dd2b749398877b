"""Lines of generated C, broken where they are too long."""

from __future__ import annotations

import re

from opspec.codegen.ctext import WIDTH

#: A string literal, or a piece up to where a line may end: behind a comma, before an operator.
_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|, | (?=\|\| |&& |\| |\? |: )|.', re.DOTALL)


def wrapped(line: str, spare: int = 0) -> list[str]:
    """A line as lines of at most ``WIDTH`` columns, if its parts allow, each but the first indented once more.

    Args:
        spare: columns to leave free at the end of each line.
    """
    width = WIDTH - spare
    if len(line) <= width or line.lstrip().startswith(("/*", "*")):
        return [line]
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    lines = []
    current = part = ""
    for piece in [*_PIECE.findall(line), ""]:
        part += piece
        if piece not in (", ", " ", ""):
            continue
        if len(current + part.rstrip()) > width and current.strip():
            lines.append(current.rstrip())
            current = indent
            part = part.lstrip()
        current += part
        part = ""
    return [*lines, current]
