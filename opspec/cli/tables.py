"""What people read as tables: as wide as the terminal, and in a pipe as wide as their content."""

from __future__ import annotations

import os
import sys

from rich.console import Console
from rich.markup import escape

from opspec.errors import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.model.definition import ParamDef
    from opspec.model.spec import Param

ENDLESS = 100_000  #: columns of a pipe: whatever reads it looks for whole ids and whole lines


def console(*, stderr: bool = False) -> Console:
    """Where to print: nothing is folded, broken or cut where no terminal, and no ``COLUMNS``, makes it necessary."""
    stream = sys.stderr if stderr else sys.stdout
    bounded = stream.isatty() or os.environ.get("COLUMNS", "").isdecimal()
    return Console(stderr=stderr, highlight=False, width=None if bounded else ENDLESS)


def safe(text: str) -> str:
    """A text of a spec, a page or a call for printing: no markup, and nothing that moves a terminal's cursor."""
    return escape(printable(text))


def dims(own: Param, param: ParamDef) -> str:
    """How many dims a tensor has, or its symbols."""
    said = own.shape if own.shape is not None else own.rank
    if param.kind not in ("tensor", "tensor_list") or said is None:
        return ""
    texts = said if isinstance(said, list) else [said]
    return ", ".join(item if isinstance(item, str) else f"{item.is_}" for item in texts)
