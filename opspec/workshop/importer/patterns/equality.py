"""Wordings of equality: params agree in dtype, format, shape or rank."""

from __future__ import annotations

import re

from opspec.language.text import spelled
from opspec.workshop.importer.draft import TENSORS, Draft, ParamDraft, equal
from opspec.workshop.importer.draft import RuleDraft as Rule
from opspec.workshop.importer.mentions import FACETS, PARAM, PARAMS, WITH, facets_in, params_in
from opspec.workshop.importer.patterns.row import Rules, row


def same(a: ParamDraft, b: ParamDraft, facet: str) -> Rules:
    """Two tensors, or lists of them, agree in a facet; the rule is named after the first."""
    if a is not b and a.kind in TENSORS and b.kind in TENSORS:
        yield Rule(f"{a.name}-same-{facet}", equal(a, b, facet), a.name)


def equal_to(draft: Draft, found: re.Match[str]) -> Rules:
    """Each of ``a`` agrees with each of ``b`` in ``what``, or in ``that`` where only the end of the sentence says."""
    for facet in facets_in(found["what"] or found["that"]):
        for mine in params_in(draft, found["a"]):
            for other in params_in(draft, found["b"]):
                yield from same(mine, other, facet)


def all_equal(draft: Draft, found: re.Match[str]) -> Rules:
    """All of ``a`` agree in ``what``: the others with the first."""
    params = params_in(draft, found["a"])
    for facet in facets_in(found["what"]):
        for other in params[1:]:
            yield from same(other, params[0], facet)


def uniform(draft: Draft, found: re.Match[str]) -> Rules:
    """The elements of a tensor list agree among themselves."""
    for param in params_in(draft, found["a"]):
        if param.kind == "tensor_list":
            name = spelled(param.name)
            for facet in facets_in(found["what"]):
                check = f"all(t.{facet} == {name}[0].{facet} for t in {name})"
                yield Rule(f"{param.name}.uniform-{facet}", check, param.name)


_A, _B = rf"(?P<a>{PARAMS})", rf"(?P<b>{PARAMS})"
_WHAT, _THAT = rf"(?P<what>{FACETS})", rf"(?P<that>{FACETS})?"
_EACH = r"(?:中|内)?(?:所有|各|每个|列表内|里)?(?:[tT]ensor)?"

ROWS = (
    # x的数据类型与y的数据类型一致
    row("equal", rf"{_A}{_WHAT}{WITH}其?{_B}{_THAT}(?:＝|为＝)", equal_to),
    # x的shape同y
    row("equal", rf"{_A}{_WHAT}(?:同|跟随){_B}{_THAT}", equal_to),
    # x、y的数据类型两两一致
    row("all equal", rf"{_A}{_WHAT}(?:两两|相互|必|完全)?(?:＝|为＝|一一对应＝)", all_equal),
    # xs中所有Tensor的数据类型之间一致
    row("uniform", rf"(?P<a>{PARAM})(?:该参数)?{_EACH}{_WHAT}(?:之间)?＝", uniform),
)
