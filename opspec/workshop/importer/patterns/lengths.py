"""Wordings about the lengths of lists and arrays."""

from __future__ import annotations

import re

from opspec.language.text import spelled
from opspec.workshop.importer.draft import Draft, ParamDraft
from opspec.workshop.importer.draft import RuleDraft as Rule
from opspec.workshop.importer.mentions import PARAM, PARAMS, WITH, params_in
from opspec.workshop.importer.patterns.row import Rules, each, row


def _countable(param: ParamDraft) -> bool:
    return param.kind.endswith(("_list", "_array"))


def _same_length(draft: Draft, found: re.Match[str]) -> Rules:
    """As long as another list or array; or an element for each dim of a tensor, where the sentence says rank."""
    for a in params_in(draft, found["a"]):
        for b in params_in(draft, found["b"]):
            if a is not b and _countable(a) and (_countable(b) or (b.kind == "tensor" and "Ⓡ" in found[0])):
                other = f"len({spelled(b.name)})" if _countable(b) else f"{spelled(b.name)}.rank"
                yield Rule(f"{a.name}-same-length", f"len({spelled(a.name)}) == {other}", a.name)


def all_as_long(draft: Draft, found: re.Match[str]) -> Rules:
    """All of ``a`` have as many elements as the first."""
    params = [param for param in params_in(draft, found["a"]) if _countable(param)]
    for other in params[1:]:
        check = f"len({spelled(other.name)}) == len({spelled(params[0].name)})"
        yield Rule(f"{other.name}-same-length", check, other.name)


_A, _B, _OWN = rf"(?P<a>{PARAMS})", rf"(?P<b>{PARAMS})", rf"(?P<a>{PARAM})"
_LENGTH = r"(?:长度|元素个数|元素数量|个数|size|[tT]ensor个数|中[tT]ensor个数|大小)"
_THEIRS = r"(?:中|长度|个数|Ⓡ|中?[tT]ensor个数|列表长度|元素个数|元素数量)"

ROWS = (
    # scales的长度与xs的列表长度一致; dims的元素个数与x的维数一致
    row("length", rf"{_OWN}(?:列表)?{_LENGTH}{WITH}{_B}(?:列表)?{_THEIRS}?＝", _same_length),
    # xs支持最多50个Tensor
    row(
        "most tensors",
        rf"{_A}(?:支持)?(?:包含)?(?:最大[tT]ensor个数(?:为|是)|支持最多)(?P<n>\d{{1,9}})(?:个[tT]ensor)?",
        each(".most", "len({}) <= {n}", "tensor_list"),
    ),
    # stride、padding的长度一致
    row("lengths", rf"{_A}(?:数组|中)?(?:长度|元素个数|元素数量|[sS]ize)＝", all_as_long),
)
