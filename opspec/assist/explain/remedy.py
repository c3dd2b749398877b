"""What is likely to mend a call that breaks a rule, as far as a message tells how it breaks it.

Where the message names the dtype that it objects to, the operator's example is broken in the same way and repaired;
otherwise it is said which facets of which params the rule is about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from opspec.assist.explain.clues import Clues
from opspec.assist.repair.changes import by_name
from opspec.assist.repair.search import Repair
from opspec.language.prose import listing
from opspec.model.definition import Definition
from opspec.registry.info import RuleInfo
from opspec.registry.registry import Form
from opspec.validator.api import resolved
from opspec.validator.judge import judge
from opspec.workshop.examples.call import Place, put
from opspec.workshop.examples.legal import example

if TYPE_CHECKING:
    from opspec.language.prose import Lang

_FACETS = {
    "en": {"dtype": "the data type", "format": "the format", "rank": "the number of dims", "shape": "the shape",
           "layout": "the strides", "values": "the values", "value": "the value", "presence": "the presence",
           "product": "the product"},
    "zh": {"dtype": "数据类型", "format": "数据格式", "rank": "维数", "shape": "shape", "layout": "strides",
           "values": "元素值", "value": "取值", "presence": "是否为空", "product": "产品"},
}  # fmt: skip
_WORDS = {
    "en": {"change": "change {0} of {1}", "product": "call it on a product that is supported", "null": "pass {0}"},
    "zh": {"change": "更改{1}的{0}", "product": "在支持的产品上调用", "null": "传入{0}"},
}
_MOST_PARAMS = 3


def remedy(
    definition: Definition, form: Form, rule: RuleInfo, told: Clues, product: str | None, member: str | None, lang: Lang
) -> str:
    """What is likely to mend the call."""
    cast = _cast(definition, form, rule, told, product, member, lang)
    return cast if cast is not None else _general(rule, lang)


def _cast(
    definition: Definition, form: Form, rule: RuleInfo, told: Clues, product: str | None, member: str | None, lang: Lang
) -> str | None:
    """The repair of the operator's example with the dtype that the message objects to."""
    start = example(definition, form) if told.wrong is not None and rule.param is not None else None
    facets = {facet for name, facet in rule.facts if name}
    if start is None or rule.param is None or facets != {"dtype"} or start.get(rule.param) is None:
        return None
    call = put(start, Place(rule.param, "dtype"), told.wrong, by_name(definition.params))
    if call is None:
        return None
    if product is None and definition.spec.example is not None:
        product, member = resolved(definition.spec.example.product)
    verdict = judge(form, tuple(call.values()), product, member)
    if rule.id not in {finding.rule for finding in verdict.violations}:
        return None
    found = Repair(definition, form, product, member, call).nearest(1)
    return None if not found else ("; " if lang == "en" else "；").join(c.words(lang) for c in found[0].changes)


def _general(rule: RuleInfo, lang: Lang) -> str:
    words, named = _WORDS[lang], _FACETS[lang]
    if rule.kind == "product":
        return words["product"]
    facets = list(dict.fromkeys(facet for name, facet in rule.facts if name and facet != "presence"))
    params = list(dict.fromkeys(name for name, facet in rule.facts if name and facet in facets))
    if rule.param in params:
        params = [rule.param, *(name for name in params if name != rule.param)]
    if not facets:
        return words["null"].format(rule.param or "")
    said = listing([named.get(facet, facet) for facet in facets], lang, "or")
    return words["change"].format(said, listing(params[:_MOST_PARAMS], lang, "or"))
