"""Rules that a page leaves to common sense: what params owe each other, where another release's calls bear it out.

Older pages often do not say that an output has its input's shape; their first phases refuse a call that has another
one all the same. Such a rule of another release is inferred for a page that says nothing on the matter. Limits, lists
of dtypes and values are facts of a release: a page that does not name them does not imply them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from opspec.model.evidence import Recorded, together
from opspec.workshop.importer.alike import Statements, pieces, properties, vague

#: how a check reads a property
_CHECKS = {
    "dtype": re.compile(r"\.dtype|same dtype|castable\(|promot"),
    "format": re.compile(r"\.format|same format"),
    "shape": re.compile(r"\.shape|\.rank|\.numel|same (?:shape|rank)|\blen\(|broadcast"),
    "value": re.compile(r"\.values?\b"),
}
_NAME = re.compile(r"[A-Za-z_]\w*", re.A)
_INDEX = re.compile(r"\[[^\[\]]*\]")
_CONSTANT = re.compile(r"\b(?:[2-9]|\d\d+|[A-Z][A-Z0-9_]+)\b|['\"]")
#: a piece that says what a property has to be, and does not merely name it
_REQUIRES = re.compile(r"同|推导|转换|broadcast|广播|[=≠≤≥<>*(\[]|公式|对应")
_EVIDENCE = {
    "en": "{} refuses calls that break it, and nothing on this page goes against it",
    "zh": "{}会拒绝违反它的调用，本版文档亦无相反说明",
}


def read_by(rule: Any) -> set[str]:
    """The properties of params that a rule checks."""
    return {name for name, read in _CHECKS.items() if read.search(_check(rule))}


def implied(rule: Any, seen: Iterable[Recorded], params: Iterable[str], page: Statements) -> bool:
    """Whether a rule for which a page has no statement holds all the same.

    Args:
        rule: as the other release's spec has it.
        seen: what calls on the page's products say of it in the other release.
        params: those of the page.
        page: what the page states.
    """
    recorded = together(seen)
    check = _INDEX.sub("", _check(rule))
    names = set(params) & set(_NAME.findall(check))
    about = read_by(rule)
    if len(about) != 1 or len(names) < 2 or _CONSTANT.search(check) or not recorded.checked or recorded.mixed:
        return False
    return not any(_speaks(item, page.texts, names, about) for item in page.listed)


def inferred(rule: Any, release: str) -> dict[str, Any]:
    """The rule as one that no statement of the page says, with what it rests on."""
    own = dict(rule) if isinstance(rule, Mapping) else {"check": rule}
    known = {} if "enforced" in own else {"evidence": {lang: text.format(release) for lang, text in _EVIDENCE.items()}}
    return {**own, "basis": "inferred", **known}


def _check(rule: Any) -> str:
    return str(rule.get("check", "") if isinstance(rule, Mapping) else rule)


def _speaks(item: Mapping[str, Any], texts: Mapping[str, str], names: set[str], about: set[str]) -> bool:
    """Whether a statement says what the property of one of the params has to be."""
    text = texts.get(item["fingerprint"], "")
    place = str(item["at"]).split("/")
    if place[0] == "returns" and vague(text):
        return False
    named = names & set(_NAME.findall(text)) | (names & set(place[1:2]) if place[0] == "params" else set())
    if not named:
        return False
    said = pieces(text)
    return any(
        about & properties(piece) and (_REQUIRES.search(piece) or (_REQUIRES.search(rest) and not properties(rest)))
        for piece, rest in zip(said, (*said[1:], ""), strict=False)
    )
