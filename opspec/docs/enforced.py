"""What becomes of calls that break a rule, and how it is known, in words."""

from __future__ import annotations

from collections.abc import Mapping

from opspec.model.definition import RuleDef
from opspec.model.enforcement import Enforcement
from opspec.model.evidence import said
from opspec.vocabulary.enforcement import CONTRADICTED, NAMES, REFUSED, UNCHECKED, UNKNOWN
from opspec.vocabulary.literals import Enforcement as Outcome
from opspec.vocabulary.literals import Lang

WORDS = {
    "en": {"assumed": "{0} (assumed)", "on": "{0} on {1}", "comma": ", "},
    "zh": {"assumed": "{0}（默认推定）", "on": "{1}上{0}", "comma": "，"},
}  # fmt: skip
#: what a call gets that breaks a rule, ``{0}`` being the status of refusals: the words that marks of pages have
RETURNED: Mapping[Lang, Mapping[Outcome, str]] = {
    "en": {REFUSED: "{0}", UNKNOWN: "{0} or not checked", UNCHECKED: "not checked", CONTRADICTED: "legal"},
    "zh": {REFUSED: "{0}", UNKNOWN: "{0}或不检查", UNCHECKED: "不检查", CONTRADICTED: "合法"},
}

_PERHAPS: Mapping[Lang, str] = {"en": "may not be checked", "zh": "未必检查"}  #: on some products, where others refuse


def enforced_words(found: Enforcement, lang: Lang) -> str:
    """What becomes of them: ``refused, unchecked on 950``, with a word where that is presumed."""
    text = _ways(found, lang, NAMES[lang], NAMES[lang])
    return WORDS[lang]["assumed"].format(text) if _is_presumed(found) else text


def returned(found: Enforcement, code: str, lang: Lang, presumed: str) -> str:
    """What a call gets that breaks a rule: ``561002 (tiling), not checked on 950``; what is presumed has that mark."""
    names = {what: text.format(code) for what, text in RETURNED[lang].items()}
    text = _ways(found, lang, names, {**names, UNKNOWN: _PERHAPS[lang]} if found.usual == REFUSED else names)
    return f"{text} {presumed}" if _is_presumed(found) else text


def _ways(found: Enforcement, lang: Lang, names: Mapping[Outcome, str], elsewhere: Mapping[Outcome, str]) -> str:
    on: dict[str, list[str]] = {}
    for product, what in found.on:
        on.setdefault(elsewhere[what], []).append(product)
    comma = "、" if lang == "zh" else ", "
    told = (WORDS[lang]["on"].format(text, comma.join(products)) for text, products in on.items())
    return WORDS[lang]["comma"].join((names[found.usual], *told))


def _is_presumed(found: Enforcement) -> bool:
    """Whether no call of the release shows it; of what is said not to be known that says nothing."""
    return found.assumed and found.anywhere != {UNKNOWN}


def evidence_of(rule: RuleDef, lang: Lang) -> str:
    """How that is known: an author's words, and what was recorded."""
    zh = lang == "zh"
    parts = [rule.evidence[zh]] if rule.evidence else []
    parts += [said(rule.recorded, rule.recorded_elsewhere)[zh]] if rule.recorded else []
    return ("；" if zh else "; ").join(parts)
