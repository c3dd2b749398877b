"""What a statement in normal form mentions: params in brackets, and facets of them as single signs."""

from __future__ import annotations

import re

from opspec.workshop.importer import normal
from opspec.workshop.importer.draft import Draft, ParamDraft
from opspec.workshop.importer.wording import listed, maybe

PARAM = r"⟦\w{1,80}⟧"
#: x、y和z: as group ``a`` or ``b`` of a pattern
PARAMS = rf"(?:{PARAM}{maybe('、', '和', '与', ',', '/', '及', '以及', '或', '跟', '同')}){{1,64}}"
_FACET = rf"(?:[{normal.DTYPE}{normal.FORMAT}{normal.SHAPE}{normal.RANK}]|维度)"
#: 数据类型、shape: as group ``what`` or ``that`` of a pattern
FACETS = listed(_FACET, maybe("、", "和", "与", "及", ",", "/", "以及"), 8)
#: between a subject and what it is compared with
WITH = r"(?:与|和|同|跟|同于|等于|与其)"
#: Sign -> attribute in expressions. 维度 may mean the dims or their number: of the two readings the weaker is certain.
ATTRIBUTES = {
    normal.DTYPE: "dtype", normal.FORMAT: "format", normal.SHAPE: "shape", normal.RANK: "rank", "维度": "rank",
}  # fmt: skip


def params_in(draft: Draft, text: str | None) -> list[ParamDraft]:
    """The distinct params that a text names, in its order."""
    found = [draft.named(name) for name in re.findall(r"⟦(\w+)⟧", text or "")]
    return list({param.name: param for param in found if param is not None}.values())


def facets_in(text: str | None) -> list[str]:
    """The distinct facets that a text names, as attributes in expressions."""
    return list(dict.fromkeys(ATTRIBUTES[sign] for sign in re.findall(_FACET, text or "")))
