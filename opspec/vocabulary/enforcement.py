"""What becomes of a call that breaks a rule: the four words that verdicts, pages, C and evidence share, and what people
are told of each.

A documented rule stands whatever the runtime does. Evidence says which of these it is, on each product; where no call
that was recorded of the release shows it, it is assumed.
"""

from __future__ import annotations

from opspec.later import typing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from opspec.vocabulary.literals import Enforcement, Lang

REFUSED: typing.Final = "refused"  # the first phase refuses the call, with the rule's status
UNCHECKED: typing.Final = "unchecked"  # it comes through the whole first phase; the rule stands, and nobody will tell
UNKNOWN: typing.Final = "unknown"  # the checks let it pass; whether kernel lookup or tiling refuses it is not known
CONTRADICTED: typing.Final = "contradicted"  # programs that break it ran: the page is wrong there

ALL: tuple[Enforcement, ...] = (REFUSED, UNCHECKED, UNKNOWN, CONTRADICTED)

#: each in one word
NAMES: Mapping[Lang, Mapping[Enforcement, str]] = {
    "en": {REFUSED: "refused", UNCHECKED: "unchecked", UNKNOWN: "unknown", CONTRADICTED: "contradicted"},
    "zh": {REFUSED: "报错", UNCHECKED: "不检查", UNKNOWN: "未知", CONTRADICTED: "与实际运行不符"},
}

#: what is told of a broken rule: where calls show it, and where it is assumed; nothing of what a status tells
_TOLD: Mapping[Lang, Mapping[Enforcement, tuple[str, str]]] = {
    "en": {
        REFUSED: ("", "assumed to be refused; no recorded call shows it"),
        UNCHECKED: (
            "the runtime will not tell you",
            "assumed to be unchecked; no recorded call shows it",
        ),
        UNKNOWN: (
            "it passes the argument checks; kernel lookup or tiling may refuse it",
            "it is assumed to pass the argument checks; kernel lookup or tiling may refuse it",
        ),
        CONTRADICTED: ("programs that break it run", "programs that break it are assumed to run"),
    },
    "zh": {
        REFUSED: ("", "推定会报错，无调用记录"),
        UNCHECKED: ("运行时不会报错", "推定运行时不检查，无调用记录"),
        UNKNOWN: (
            "可通过参数检查；之后查找算子实现或tiling时可能报错",
            "推定可通过参数检查；之后查找算子实现或tiling时可能报错",
        ),
        CONTRADICTED: ("违反它的程序可以运行", "推定违反它的程序可以运行"),
    },
}

#: what is told of the status 0 of an illegal call: where calls show it, and where it is assumed
_SUCCESS: Mapping[Lang, Mapping[Enforcement, tuple[str, str]]] = {
    "en": {
        UNCHECKED: (_TOLD["en"][UNCHECKED][0], "assumed"),
        UNKNOWN: ("as far as the argument checks go", "assumed, as far as the argument checks go"),
    },
    "zh": {
        UNCHECKED: (_TOLD["zh"][UNCHECKED][0], "推定"),
        UNKNOWN: ("仅就参数检查而言", "推定，仅就参数检查而言"),
    },
}


def told(found: Enforcement | None, assumed: bool, lang: Lang) -> str:
    """What people are told beside a broken rule; nothing where its status says it all.

    >>> told("unchecked", False, "en")
    'the runtime will not tell you'
    >>> told("refused", False, "en")
    ''
    """
    return "" if found is None else _TOLD[lang][found][assumed]


def of_success(ways: Iterable[tuple[Enforcement | None, bool]]) -> tuple[Enforcement, bool]:
    """What is known of an illegal call that no rule is refused for: as much as of the least known of its broken rules.

    Args:
        ways: what becomes of a call that breaks each, and whether that is assumed.

    >>> of_success([("unchecked", False), ("unknown", False)])
    ('unknown', False)
    """
    found = list(ways)
    usual: Enforcement = UNKNOWN if any(way == UNKNOWN for way, _ in found) else UNCHECKED
    return usual, any(assumed for _, assumed in found)


def told_of_success(found: Enforcement, assumed: bool, lang: Lang) -> str:
    """What people are told of the status of such a call.

    >>> told_of_success("unknown", False, "en")
    'as far as the argument checks go'
    """
    return _SUCCESS[lang][found][assumed]
