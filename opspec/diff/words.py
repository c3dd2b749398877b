"""What reports on differences say, in English and in Chinese."""

from __future__ import annotations

from collections.abc import Mapping

from opspec.diff.change import BREAKING, COMPATIBLE, DOCUMENTATION, MOVED, STATED
from opspec.vocabulary.languages import by_language
from opspec.vocabulary.literals import Lang

_ROWS: dict[str, tuple[str, str]] = {
    "none": ("nothing differs", "没有差异"),
    "accepted": ("accepted", "已接受"),
    "call": ("was legal, and is illegal now:", "原先合法、现在不合法的调用："),
    "on": (" ({})", "（{}）"),
    "title": ("From {} to {}", "从 {} 到 {}"),
    "operators": (
        "{both} operators are in both, {added} are new, {removed} are gone.",
        "两个版本共有算子{both}个，新增{added}个，移除{removed}个。",
    ),
    "partial": (
        "The registry holds but some operators of {}: what it lacks is neither new nor gone.",
        "登记库仅收录 {} 的部分算子：未收录的算子既不算新增，也不算移除。",
    ),
    "changes": ("changes", "变更数"),
    "of": ("of operators", "涉及算子"),
    "meaning": ("what that is", "含义"),
    "level": ("level", "级别"),
    "family": ("family", "算子族"),
    "no_family": ("others", "其他"),
    "rests": ("What breaks rests on", "不兼容变更的依据"),
    "worst": ("Most breaks in", "不兼容变更最多的算子"),
    "more": (
        "{n} changes of other levels are not listed: --level all lists them, --level LEVEL those of one.",
        "其余级别的{n}项变更未列出：--level all 列出全部，--level LEVEL 列出某一级别。",
    ),
    "head": ("operator, change, of, what, fingerprint", "算子,变更,对象,内容,指纹"),
    "breaks": ("What breaks", "不兼容变更"),
    "new": ("What is new", "新增内容"),
    "gone": ("What is gone", "移除内容"),
    "new_operators": ("Operators", "算子"),
    "new_products": ("Products", "产品"),
    "new_dtypes": ("Data types", "数据类型"),
    "new_else": ("What else is allowed", "其他放宽"),
    "added_on": (
        "{product}: the older page says no, the newer yes, of {n}: {names}",
        "{product}：旧文档不支持、新文档支持，{n}个算子：{names}",
    ),
    "named_on": (
        "{product}: named as supported by pages that left it open, of {n}",
        "{product}：旧文档未提及、新文档列为支持，{n}个算子",
    ),
    "excluded_on": (
        "{product}: named as not supported by pages that left it open, of {n}",
        "{product}：旧文档未提及、新文档列为不支持，{n}个算子",
    ),
    "deprecated": ("Deprecated", "废弃"),
    "stated": ("What is stated now", "新增说明"),
    "stated_intro": (
        "The newer pages limit what the older ones leave open. Whether the older release took such "
        "calls is not known; {n} of {of} are refused by the newer one, as recorded calls show. Most often:",
        "新文档限制了旧文档未说明的内容。旧版本是否接受此类调用尚不清楚；"
        "其中{n}项（共{of}项）的违反调用在新版本中有报错记录。最常见的有：",
    ),
    "families": ("By family", "按算子族统计"),
    "details": ("All changes", "全部变更"),
    "others": ("and {} more", "另有{}个"),
}

WORDS: Mapping[Lang, Mapping[str, str]] = by_language(_ROWS)

#: what each level means to who reads a report
LEVEL_MEANS: Mapping[Lang, Mapping[str, str]] = {
    "en": {
        BREAKING: "a call that was legal or came through is illegal or refused now, or does not compile",
        STATED: "the newer page limits what the older leaves open; that it breaks anything is not known",
        COMPATIBLE: "what was legal is legal still; something is new, wider or otherwise for programs",
        MOVED: "the same is said in other words, by other rules or under another name",
        DOCUMENTATION: "what is said is different, and no verdict",
    },
    "zh": {
        BREAKING: "原先合法或可通过的调用，现在不合法、报错或无法编译",
        STATED: "新文档限制了旧文档未说明的内容；是否影响现有程序尚不清楚",
        COMPATIBLE: "原先合法的调用仍合法；有新增、放宽或其他程序可见的变化",
        MOVED: "表述、规则或名称不同，要求不变",
        DOCUMENTATION: "仅说明不同，判定不变",
    },
}

#: what a breaking change rests on
GROUND_MEANS: Mapping[Lang, Mapping[str, str]] = {
    "en": {
        "interface": "what a compiler sees, or a page that says no: operator, signature, header, product",
        "both": "calls judged on both releases: they came through, and are refused now",
        "refused": "both pages, and calls of the newer release that break it: they are refused",
        "through": "both pages; calls of the newer release that break it come through: the runtime will not tell",
        "pages": "both pages alone",
    },
    "zh": {
        "interface": "编译可见或文档明确不支持：算子、签名、头文件、产品",
        "both": "两个版本均有调用记录：原先可通过，现在报错",
        "refused": "两版文档，且新版本的违反调用有报错记录",
        "through": "两版文档；新版本的违反调用可通过：运行时不会报错",
        "pages": "仅两版文档",
    },
}

#: beside a change: what recorded calls of the newer release show of its breach
SEEN: Mapping[Lang, Mapping[str, str]] = {
    "en": {"refused": "seen to be refused", "through": "seen to come through", "both": "seen on both releases"},
    "zh": {"refused": "有报错记录", "through": "有通过记录", "both": "两个版本均有记录"},
}
