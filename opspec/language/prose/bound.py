"""What the writers of one sentence know: what stands for variables, and what there are no words for."""

from __future__ import annotations

from opspec.language import tree
from opspec.language.record import record


@record(frozen=True, slots=True)
class Bound:
    """What stands for a comprehension's variable.

    Args:
        text: its noun phrase.
        key: "every" or "some", where it is that element of a list.
        of: the list.
        several: whether it is a phrase for several things.
        params: the params that it lists, where it is that.
        last: what stands before the last of these: "and" or "or".
    """

    text: str
    key: str = ""
    of: tree.Node | None = None
    several: bool = False
    params: tuple[str, ...] = ()
    last: str = "and"


@record(frozen=True, slots=True)
class Notes:
    """What the writers of one sentence know together.

    Args:
        doubts: what there are no words for: names without words, and code.
        letters: noun phrase -> the letter that stands for it, and the phrase without its letter.
    """

    doubts: set[str]
    letters: dict[str, tuple[str, str]]
