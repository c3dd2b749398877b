"""Wordings of broadcast, of promotion to a common dtype, and of conversion to another."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations

from opspec.language.text import spelled
from opspec.workshop.importer.draft import Draft, ParamDraft
from opspec.workshop.importer.draft import RuleDraft as Rule
from opspec.workshop.importer.mentions import PARAM, PARAMS, params_in
from opspec.workshop.importer.patterns.row import Maker, Rules, row
from opspec.workshop.importer.wording import maybe, one_of


def all_tensors(params: Sequence[ParamDraft]) -> bool:
    """Whether each is one tensor: lists and scalars have neither broadcast nor promotion of their own."""
    return all(param.kind == "tensor" for param in params)


def _sides(draft: Draft, found: re.Match[str]) -> tuple[ParamDraft | None, list[ParamDraft]]:
    """(the one param of ``a``, the params of ``b``) of a match."""
    mine = params_in(draft, found["a"])
    theirs = [param for param in params_in(draft, found["b"]) if param not in mine]
    return (mine[0] if len(mine) == 1 else None), theirs


# --- broadcast


def of_each_two(check: str, name: str) -> Maker:
    """What makes a rule for each two of the inputs that a statement names.

    Args:
        check: with ``{}`` for either of them.
        name: the rule's, behind theirs.
    """

    def make(draft: Draft, found: re.Match[str]) -> Rules:
        given = [param for param in params_in(draft, found[0]) if param.io != "out"]  # an output takes no part
        for a, b in combinations(given, 2) if all_tensors(given) else ():
            yield Rule(f"{a.name}-{b.name}-{name}", check.format(spelled(a.name), spelled(b.name)), a.name)

    return make


#: they broadcast with each other
broadcastable = of_each_two("broadcastable({}.shape, {}.shape)", "broadcast")
#: they promote to a common dtype
promotable = of_each_two("promotable({}.dtype, {}.dtype)", "promote")


def broadcast_shape(out: ParamDraft | None, sources: Sequence[ParamDraft]) -> Rules:
    """A tensor has the shape that others broadcast to."""
    if out is not None and len(sources) > 1 and all_tensors((out, *sources)):
        shapes = ", ".join(f"{spelled(param.name)}.shape" for param in sources)
        yield Rule(f"{out.name}-broadcast-shape", f"{spelled(out.name)}.shape == broadcast({shapes})", out.name)


def _broadcastable_to(draft: Draft, found: re.Match[str]) -> Rules:
    for a in params_in(draft, found["a"]):
        for b in params_in(draft, found["b"]):
            if a is not b and all_tensors((a, b)):
                check = f"broadcastable_to({spelled(a.name)}.shape, {spelled(b.name)}.shape)"
                yield Rule(f"{a.name}-broadcast-to-{b.name}", check, a.name)


def _broadcast_shape(draft: Draft, found: re.Match[str]) -> Rules:
    return broadcast_shape(*_sides(draft, found))


# --- promotion


def promoted(params: Sequence[ParamDraft]) -> str | None:
    """The dtype that params promote to, as an expression; None when their kinds have no promotion."""
    kinds = [param.kind for param in params]
    names = [f"{spelled(param.name)}.dtype" for param in params]
    if kinds == ["tensor", "scalar"]:
        return f"promote_scalar({names[0]}, {names[1]})"
    if not params or not all_tensors(params):
        return None
    text = names[0]
    for name in names[1:]:
        text = f"promote({text}, {name})"
    return text


def _is_promoted(draft: Draft, found: re.Match[str]) -> Rules:
    out, sources = _sides(draft, found)
    common = promoted(sources)
    if out is not None and out.kind == "tensor" and common:
        yield Rule(f"{out.name}-promoted", f"{spelled(out.name)}.dtype == {common}", out.name)


# --- conversion


def castable_from(out: ParamDraft | None, sources: Sequence[ParamDraft]) -> Rules:
    """What others promote to converts to the dtype of a tensor."""
    source = promoted(sources)
    if out is not None and out.kind == "tensor" and source:
        yield Rule(f"{out.name}-castable", f"castable({source}, {spelled(out.name)}.dtype)", out.name)


def _castable_from(draft: Draft, found: re.Match[str]) -> Rules:
    return castable_from(*_sides(draft, found))


def _castable_to(draft: Draft, found: re.Match[str]) -> Rules:
    mine, theirs = _sides(draft, found)
    target = promoted(theirs)
    if mine is not None and mine.kind in ("tensor", "scalar") and target:
        yield Rule(f"{mine.name}-castable", f"castable({spelled(mine.name)}.dtype, {target})", mine.name)


_A, _B, _OWN = rf"(?P<a>{PARAMS})", rf"(?P<b>{PARAMS})", rf"(?P<a>{PARAM})"
_CAN = maybe("能够", "可以", "能", "可")
_MAY = one_of("能够", "可以", "可", "能")
_DOES = one_of("满足", "进行", "做", "符合")
_AFTER = r"之?后(?:结果)?"
_BECOMES = r"(?:到|成|为|至)"

ROWS = (
    # out的shape是x1和x2做broadcast之后的shape
    row(
        "result of broadcast",
        rf"{_OWN}Ⓢ?(?:是|为|与|等于|和)?{_B}Ⓢ?(?:进行|做|经过|互相)?broadcast{_AFTER}Ⓢ?＝?",
        _broadcast_shape,
    ),
    # x1的shape可以和x2的shape做broadcast; x1与x2满足broadcast关系
    row("broadcast", rf"{_A}Ⓢ?(?:能|可)?(?:与|和|同){_B}Ⓢ?(?:能|可)?{_CAN}{_DOES}?(?:Ⓑ|broadcast)", broadcastable),
    # x的shape可以broadcast到out的shape
    row(
        "broadcast to",
        rf"{_A}Ⓢ?{maybe('可以', '可', '能', '能够', '支持')}broadcast{_BECOMES}{_B}Ⓢ?",
        _broadcastable_to,
    ),
    # x1的数据类型与x2的数据类型需满足数据类型推导规则
    row("promotion", rf"{_A}Ⓣ?(?:与|和){_B}Ⓣ?满足Ⓣ?Ⓥ", promotable),
    # out的数据类型与x1、x2推导之后的数据类型一致
    row(
        "promoted dtype",
        rf"{_OWN}Ⓣ(?:与|和|是|为|等于){_B}(?:进行)?Ⓣ?互?推导{_AFTER}(?:Ⓣ|类型|结果)?＝?",
        _is_promoted,
    ),
    # out的数据类型是x1、x2推导后可转换的数据类型
    row(
        "castable from",
        rf"{_OWN}Ⓣ(?:是|为)?{_B}(?:进行)?Ⓣ?互?(?:推导)?之?后?(?:结果)?Ⓣ?{_MAY}转换(?:为|成)?Ⓣ?",
        _castable_from,
    ),
    # x的数据类型可转换为out的数据类型
    row(
        "castable to",
        rf"{_OWN}Ⓣ(?:是|为)?{_MAY}?转换(?:为|成|到){_B}(?:推导(?:之)?后)?(?:Ⓣ|结果)?Ⓣ?",
        _castable_to,
    ),
)
