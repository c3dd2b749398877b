"""Reductions: the output's shape follows from the input's, the reduced axes and keepdim.

Pages word it in many ways (derived, actual, does not fit); with these params there is only one shape they can mean.
"""

from __future__ import annotations

import re

from opspec.language.text import spelled
from opspec.workshop.importer.draft import Draft, ParamDraft, RuleDraft
from opspec.workshop.importer.mentions import params_in
from opspec.workshop.importer.patterns.row import Pattern, Rules, row

_KEEP = re.compile(r"keepdims?", re.I)
_AXES = re.compile(r"dims?|ax[ei]s", re.I)


def _reduced(draft: Draft, found: re.Match[str]) -> Rules:
    keep = _one(draft, _KEEP, ("bool",))
    axes = _one(draft, _AXES, ("int", "int_array"))
    x = next((param for param in draft.params.values() if param.kind == "tensor" and param.io != "out"), None)
    if keep is None or axes is None or x is None or _noop(draft):
        return
    for out in params_in(draft, found[0]):
        if out.kind == "tensor" and out.io == "out":
            shape = f"reduced({spelled(x.name)}.shape, {_named_axes(axes)}, {spelled(keep.name)})"
            check = f"{spelled(out.name)}.shape == {shape}"
            yield RuleDraft(f"{out.name}-reduced", check, out.name)


def _one(draft: Draft, name: re.Pattern[str], kinds: tuple[str, ...]) -> ParamDraft | None:
    found = [param for param in draft.params.values() if name.fullmatch(param.name) and param.kind in kinds]
    return found[0] if len(found) == 1 else None


def _noop(draft: Draft) -> bool:
    """Whether an attribute says that no axis means none, where it means all otherwise."""
    return any(param.name.lower().startswith("noop") for param in draft.params.values())


def _named_axes(axes: ParamDraft) -> str:
    name = spelled(axes.name)
    if axes.kind == "int":
        return f"({name},)"
    return name if "optional" not in axes.properties else f"({name} if {name} is not None else ())"


#: violations
ROWS: tuple[Pattern, ...] = (
    # out的shape与推导的shape不一致
    row("not reduced", r".{0,200}(?:Ⓢ|维度).{0,200}(?:不匹配|不满足|≠|!=|不一致|少1|不为1|推导).{0,200}", _reduced),
)
