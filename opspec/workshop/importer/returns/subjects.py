"""What rows of return codes are about, in their wordings."""

from __future__ import annotations

from opspec.workshop.importer.draft import Draft, ParamDraft
from opspec.workshop.importer.mentions import params_in

#: x、y和z（非空时）中Tensor; a name that the operator does not have is a slip of the page
SUBJECT = (
    r"(?:(?:⟦\w{1,80}⟧|(?<![A-Za-z])[A-Za-z][A-Za-z0-9_]{0,80}(?=[、,或和]))(?:[（(][^（）()]{0,80}[)）])?"
    r"(?:、|和|与|,|/|及|以及|或者|或|跟|同){0,3}){1,64}(?:中|列表中|列表)?(?:[tT]ensor)?"
)
#: the same, or words for all of them
ANY_SUBJECT = rf"(?:{SUBJECT}|输入和?输出|输入|)"


def params_or_all(draft: Draft, text: str | None) -> list[ParamDraft]:
    """The params that a row names; all when it names none."""
    return params_in(draft, text) or list(draft.params.values())
