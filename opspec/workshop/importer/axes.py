"""What a page calls the dims of a tensor, in the cell of its shape or in a sentence on it: ``B, N, S1, S2``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from opspec.workshop.importer.draft import Draft, ParamDraft
from opspec.workshop.importer.page import ParamRow, sentences

_SHAPE = re.compile(r"(?<![A-Za-z0-9_])[（(\[【]\s*([^（()）\[\]【】]{1,160}?)\s*[)）\]】]")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,15}")
_WORD = re.compile(r"[A-Za-z_]\w*", re.A)
_RUN = re.compile(r"[BNSTDH]{3,5}")  # letters of a layout without commas
#: what stands before the shape that a sentence gives a tensor
_LEAD = (
    r"(?:shape|形状|维度?(?:的?含义|的?表示)?)"
    r"(?:支持|要求|[仅只应可是为]|需要?|必须|固定|满足|表示|分别|形如|大小|[\d一二三四五六]维|[：:=，,\s])*$"
)
_NEXT = re.compile(r"[)）\]】]\s*(?:、|/|或者?|和|以及)\s*$")  # … and before another that it may have, too
_AND = re.compile(r"[`“”\s、,，和与及/]*")  # between params of which one thing is said
_NEAR = 16  # characters between a param and the shape that a sentence gives it
_TRANSPOSED = re.compile(r"(?<!不)(?<!无需)转置|ranspose\w*为true")  # what its dims are called then, in another order
ANY, UNNAMED = "*", "_"


def read(draft: Draft, rows: Iterable[ParamRow], elsewhere: Iterable[str]) -> None:
    """Notes for each tensor what the page calls its dims, in its row or, where that says nothing, elsewhere.

    Args:
        elsewhere: the texts of other parts of the page.
    """
    params = {name for param in draft.params.values() for name in (param.name, *param.also)}
    other = [(names, dims) for text in elsewhere for names, dims in _in_text(text, params)]
    for row in rows:
        param = draft.named(row.name)
        if param is None or not param.is_tensor:
            continue
        own = {row.name, param.name}
        texts = [line for column in ("about", "usage") for line in row.cells.get(column, ())]
        said = [dims for text in texts for names, dims in _in_text(text, params) if names <= own]
        found = [*filter(None, map(_dims, _SHAPE.findall(row.text("rank")))), *said]
        dims = _common(found or [dims for names, dims in other if names & own], param, draft.params.keys())
        if set(dims) - {UNNAMED, ANY}:
            param.properties["dims"] = ", ".join(dims)


def _in_text(text: str, params: set[str]) -> Iterator[tuple[set[str], list[str]]]:
    """The shapes that sentences state, each with the params that they say it of."""
    for sentence in sentences(text.replace("$", "")):
        said: set[str] | None = None
        for found in _SHAPE.finditer(sentence if not _TRANSPOSED.search(sentence) else ""):
            before = sentence[: found.start()]
            lead = re.search(_LEAD, before, re.I)
            if lead is not None:
                said = _subjects(before[: lead.start()], params)
            elif not _NEXT.search(before):
                said = None
            dims = _dims(found[1])
            if said is not None and dims:
                yield said, dims


def _subjects(text: str, params: set[str]) -> set[str]:
    """The params that a text ends with, near its end and behind any other shape."""
    text = re.split(r"[)）\]】]", text)[-1]
    found: set[str] = set()
    end = len(text)
    for name in reversed([one for one in _WORD.finditer(text) if one[0] in params]):
        if not (_AND.fullmatch(text, name.end(), end) if found else end - name.end() <= _NEAR):
            break
        found.add(name[0])
        end = name.start()
    return found


def _dims(text: str) -> list[str]:
    """The dims of a shape; none of one that is not written whole."""
    dims = [dim.strip() for dim in re.split(r"[,，]", text.strip("，, "))]
    dims = list(dims[0]) if len(dims) == 1 and _RUN.fullmatch(dims[0]) else dims
    is_whole = all(dims) and not any("." in dim or "…" in dim or (len(dim) > 1 and dim[0] == ANY) for dim in dims)
    return dims if is_whole else []


def _common(found: Sequence[list[str]], param: ParamDraft, params: Iterable[str]) -> list[str]:
    """The names that all shapes give the dims; of shapes with more and with fewer dims, of the last or the first."""
    rank = param.properties.get("rank")
    fitting = [dims for dims in found if ANY not in dims and str(len(dims)) == rank]
    found = fitting or ([] if isinstance(rank, str) and rank.isdigit() else found)
    if not found:
        return []
    if len({len(dims) for dims in found}) == 1 and ANY not in found[0]:
        return [_name(set(at), params) for at in zip(*found, strict=True)]
    back = _ends([dims[::-1] for dims in found], params)[::-1]
    front = _ends(found, params)
    return [ANY, *back] if len(back) >= len(front) else [*front, ANY]


def _ends(found: Sequence[list[str]], params: Iterable[str]) -> list[str]:
    """The names that dims have from one end on, as far as all shapes go."""
    named = (_name(set(at), params) for at in zip(*(list(takewhile(ANY.__ne__, dims)) for dims in found), strict=False))
    return list(takewhile(UNNAMED.__ne__, named))


def _name(names: set[str], params: Iterable[str]) -> str:
    return names.pop() if len(names) == 1 and _NAME.fullmatch(min(names)) and names.isdisjoint(params) else UNNAMED
