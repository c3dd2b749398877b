"""What is likely to mend a call that breaks a rule, as far as a message tells how it breaks it.

What it says of arguments is put into a legal call; where that breaks the rule, the call is repaired. So is the
operator's example with the dtype that the message objects to; otherwise it is said which dtypes or formats the rule
takes, or else which facets of which params it is about.
"""

from __future__ import annotations

from collections.abc import Iterator

from opspec.assist.explain.clues import Clues
from opspec.assist.explain.ranking import names_taken
from opspec.assist.explain.template import Template
from opspec.assist.repair.changes import PLAIN
from opspec.assist.repair.search import Repair
from opspec.calls.examples.call import Call, Place, example, put
from opspec.language.interpret import Env, evaluate
from opspec.language.prose import listing
from opspec.registry.info import RuleInfo
from opspec.registry.registry import Form
from opspec.validator.api import resolved
from opspec.vocabulary.literals import Lang

_FACETS = {
    "en": {"dtype": "the data type", "format": "the format", "rank": "the number of dims", "shape": "the shape",
           "layout": "the strides", "values": "the values", "value": "the value", "presence": "the presence",
           "product": "the product"},
    "zh": {"dtype": "数据类型", "format": "数据格式", "rank": "维数", "shape": "shape", "layout": "strides",
           "values": "元素值", "value": "取值", "presence": "是否为空", "product": "产品"},
}  # fmt: skip
_WORDS = {
    "en": {
        "change": "change {0} of {1}",
        "product": "call it on a product that is supported",
        "null": "pass {0}",
        "make": "make {0} {1}",
    },
    "zh": {"change": "更改{1}的{0}", "product": "在支持的产品上调用", "null": "传入{0}", "make": "将{0}改为{1}"},
}
_MOST_PARAMS = 3
_MOST_NAMES = 6  # dtypes or formats of a change


def remedy(form: Form, rule: RuleInfo, told: Clues, made: Template | None, product: str | None, lang: Lang) -> str:
    """What is likely to mend the call."""
    for call, on in _broken(form, rule, told, made, product):
        owner, member = resolved(on)
        if _breaks(call, rule, Env(call, form.info.lets, owner, member)):
            found = Repair(form, owner, member, call).nearest(1)
            if found:
                return ("; " if lang == "en" else "；").join(change.words(lang) for change in found[0].changes)
    return _general(rule, form, product, lang)


def _breaks(call: Call, rule: RuleInfo, env: Env) -> bool:
    """Whether a call breaks a rule, looked at for itself: a verdict leaves out what another finding explains."""
    return (rule.when is None or evaluate(rule.when, env) is True) and evaluate(rule.check, env) is False


def _broken(
    form: Form, rule: RuleInfo, told: Clues, made: Template | None, product: str | None
) -> Iterator[tuple[Call, str | None]]:
    """Calls that may break a rule as the message says that it is broken, each with its product."""
    if made is not None and made.failing is not None:
        yield made.failing, made.product
    if told.wrong is None or rule.param is None or {facet for name, facet in rule.facts if name} != {"dtype"}:
        return
    start, own = example(form), form.info.example
    if start is not None and own is not None and start.get(rule.param) is not None:
        call = put(start, Place(rule.param, "dtype"), told.wrong, form.param_infos)
        if call is not None:
            yield call, product or own[0]


def _general(rule: RuleInfo, form: Form, product: str | None, lang: Lang) -> str:
    words, named = _WORDS[lang], _FACETS[lang]
    if rule.kind == "product":
        return words["product"]
    takes = [name for name in names_taken(rule, form, *resolved(product)) or () if not name.endswith("UNDEFINED")]
    if takes:
        takes = [PLAIN] if PLAIN in takes else takes
        return words["make"].format(rule.param, listing(takes[:_MOST_NAMES], lang, "or"))
    facets = list(dict.fromkeys(facet for name, facet in rule.facts if name and facet != "presence"))
    params = list(dict.fromkeys(name for name, facet in rule.facts if name and facet in facets))
    if rule.param in params:
        params = [rule.param, *(name for name in params if name != rule.param)]
    if not facets:
        return words["null"].format(rule.param or "")
    said = listing([named.get(facet, facet) for facet in facets], lang, "or")
    return words["change"].format(said, listing(params[:_MOST_PARAMS], lang, "or"))
