"""What becomes of calls that break a rule, and how it is known, in words."""

from __future__ import annotations

from opspec.model.definition import RuleDef
from opspec.model.enforcement import Enforcement
from opspec.model.evidence import said
from opspec.vocabulary.enforcement import NAMES, UNKNOWN
from opspec.vocabulary.literals import Lang

WORDS = {
    "en": {"assumed": "{0} (assumed)", "on": "{0} on {1}", "comma": ", "},
    "zh": {"assumed": "{0}（默认推定）", "on": "{1}上{0}", "comma": "，"},
}  # fmt: skip


def enforced_words(found: Enforcement, lang: Lang, assumed: str = "") -> str:
    """What becomes of them: ``refused, unchecked on 950``; what no call of the release shows is marked as assumed, but
    for what is said not to be known.

    Args:
        assumed: the mark for that; by default a word.
    """
    words, names = WORDS[lang], NAMES[lang]
    parts = [names[found.usual], *(words["on"].format(names[what], product) for product, what in found.on)]
    text = words["comma"].join(parts)
    if not found.assumed or found.anywhere == {UNKNOWN}:
        return text
    return f"{text} {assumed}" if assumed else words["assumed"].format(text)


def evidence_of(rule: RuleDef, lang: Lang) -> str:
    """How that is known: an author's words, and what was recorded."""
    zh = lang == "zh"
    parts = [rule.evidence[zh]] if rule.evidence else []
    parts += [said(rule.recorded, rule.recorded_elsewhere)[zh]] if rule.recorded else []
    return ("；" if zh else "; ").join(parts)
