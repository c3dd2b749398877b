"""Padding: how an output grows by what an array says for each side of each axis.

The array goes from the last axis to the first, two numbers an axis: before and after.
"""

from __future__ import annotations

import re

from opspec.language.text import spelled
from opspec.workshop.importer.draft import Draft, ParamDraft, RuleDraft
from opspec.workshop.importer.mentions import PARAM, params_in
from opspec.workshop.importer.patterns.row import Pattern, Rules, row, tensors_in


def _less(draft: Draft, found: re.Match[str]) -> Rules:
    """Every number is less than the axis that it pads."""
    for pad in _arrays(draft, found["pad"]):
        for x in tensors_in(draft, found["x"]):
            name = spelled(pad.name)
            check = f"all({name}[i] < {spelled(x.name)}.shape[-1 - i // 2] for i in range(len({name})))"
            yield RuleDraft(f"{pad.name}.within", check, pad.name)


def _grows(draft: Draft, found: re.Match[str]) -> Rules:
    for pad in _arrays(draft, found["pad"]):
        for x in tensors_in(draft, found["x"]):
            yield from _grown(draft, found["out"], x, pad)


def _gradient(draft: Draft, found: re.Match[str]) -> Rules:
    """The gradient has the shape of the forward pass's output: the input's, grown."""
    pads = [param for param in draft.params.values() if param.kind == "int_array"]
    inputs = [param for param in draft.params.values() if param.kind == "tensor" and param.name == "self"]
    if len(pads) == len(inputs) == 1:
        yield from _grown(draft, found["out"], inputs[0], pads[0])


def _grown(draft: Draft, out: str, x: ParamDraft, pad: ParamDraft) -> Rules:
    for param in tensors_in(draft, out):
        a, b, p = spelled(param.name), spelled(x.name), spelled(pad.name)
        grown = f"{b}.shape[-1 - i] + {p}[2 * i] + {p}[2 * i + 1]"
        check = f"all({a}.shape[-1 - i] == {grown} for i in range(len({p}) // 2))"
        yield RuleDraft(f"{param.name}-padded", check, param.name)


def _arrays(draft: Draft, text: str) -> list[ParamDraft]:
    return [param for param in params_in(draft, text) if param.kind == "int_array"]


_PAD, _X, _OUT = rf"(?P<pad>{PARAM})", rf"(?P<x>{PARAM})", rf"(?P<out>{PARAM})"
_VALUE = r"(?:大小|值|数值)?"
_LAST = r"(?:后\d维度|\.size\(-1\))"

#: violations
ROWS: tuple[Pattern, ...] = (
    # padding内的数值大于等于self的维度
    row("padding not less", rf"{_PAD}(?:内|里|中)?数值大于等于(?:对)?{_X}(?:对|\.size\(-1\))?(?:维度)?{_VALUE}", _less),
    # out后两维度的值不等于self后两维度的值加padding前四个值
    row("not padded", rf"{_OUT}{_LAST}{_VALUE}≠{_X}{_LAST}{_VALUE}加(?:对)?{_PAD}(?:2个值)?", _grows),
    # gradOutput的shape与pad正向传播output的shape不一致
    row(
        "gradient not padded",
        rf"{_OUT}Ⓢ与\w{{1,40}}pad\w{{0,10}}正向传播(?:输出)?output(?:Ⓢ)?(?:＝|≠|不一致)?",
        _gradient,
    ),
)
