"""What reports on differences say, in English and in Chinese."""

from __future__ import annotations

from collections.abc import Mapping

from opspec.diff.change import BREAKING, COMPATIBLE, DOCUMENTATION, MOVED, STATED
from opspec.vocabulary.literals import Lang

WORDS: Mapping[Lang, Mapping[str, str]] = {
    "en": {
        "none": "nothing differs",
        "accepted": "accepted",
        "call": "was legal, and is illegal now:",
        "on": " ({})",
        "title": "From {} to {}",
        "operators": "{both} operators are in both, {added} are new, {removed} are gone.",
        "partial": "The registry holds but some operators of {}: what it lacks is neither new nor gone.",
        "changes": "changes",
        "of": "of operators",
        "meaning": "what that is",
        "level": "level",
        "family": "family",
        "no_family": "others",
        "rests": "What breaks rests on",
        "worst": "Most breaks in",
        "more": "{n} changes of other levels are not listed: --level all lists them, --level LEVEL those of one.",
        "head": "operator, change, of, what, fingerprint",
        "breaks": "What breaks",
        "new": "What is new",
        "gone": "What is gone",
        "new_operators": "Operators",
        "new_products": "Products",
        "new_dtypes": "Data types",
        "new_else": "What else is allowed",
        "added_on": "{product}: the older page says no, the newer yes, of {n}: {names}",
        "named_on": "{product}: named as supported by pages that left it open, of {n}",
        "excluded_on": "{product}: named as not supported by pages that left it open, of {n}",
        "deprecated": "Deprecated",
        "stated": "What is stated now",
        "stated_intro": "The newer pages limit what the older ones leave open. Whether the older release took such "
        "calls is not known; {n} of {of} are refused by the newer one, as recorded calls show. Most often:",
        "families": "By family",
        "details": "All changes",
        "others": "and {} more",
    },
    "zh": {
        "none": "没有差异",
        "accepted": "已接受",
        "call": "原先合法、现在不合法的调用：",
        "on": "（{}）",
        "title": "从 {} 到 {}",
        "operators": "两个版本共有算子{both}个，新增{added}个，移除{removed}个。",
        "partial": "登记库仅收录 {} 的部分算子：未收录的算子既不算新增，也不算移除。",
        "changes": "变更数",
        "of": "涉及算子",
        "meaning": "含义",
        "level": "级别",
        "family": "算子族",
        "no_family": "其他",
        "rests": "不兼容变更的依据",
        "worst": "不兼容变更最多的算子",
        "more": "其余级别的{n}项变更未列出：--level all 列出全部，--level LEVEL 列出某一级别。",
        "head": "算子,变更,对象,内容,指纹",
        "breaks": "不兼容变更",
        "new": "新增内容",
        "gone": "移除内容",
        "new_operators": "算子",
        "new_products": "产品",
        "new_dtypes": "数据类型",
        "new_else": "其他放宽",
        "added_on": "{product}：旧文档不支持、新文档支持，{n}个算子：{names}",
        "named_on": "{product}：旧文档未提及、新文档列为支持，{n}个算子",
        "excluded_on": "{product}：旧文档未提及、新文档列为不支持，{n}个算子",
        "deprecated": "废弃",
        "stated": "新增说明",
        "stated_intro": "新文档限制了旧文档未说明的内容。旧版本是否接受此类调用尚不清楚；"
        "其中{n}项（共{of}项）的违反调用在新版本中有报错记录。最常见的有：",
        "families": "按算子族统计",
        "details": "全部变更",
        "others": "另有{}个",
    },
}

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
