"""A change between two specs: its kind, its level, and the fingerprint by which it is accepted."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from opspec.vocabulary.literals import Lang

#: a call that was legal is illegal now, or does not compile any more
BREAKING = "breaking"
#: what was legal is legal still; something else is different for programs
COMPATIBLE = "compatible"
#: what is said is different, and no verdict
DOCUMENTATION = "documentation"
LEVELS: Mapping[str, Mapping[str, str]] = {
    BREAKING: {"en": "breaking", "zh": "不兼容"},
    COMPATIBLE: {"en": "compatible", "zh": "兼容"},
    DOCUMENTATION: {"en": "documentation", "zh": "文档"},
}


@dataclass(frozen=True, slots=True)
class Kind:
    """A class of changes."""

    level: str
    en: str
    zh: str


KINDS: Mapping[str, Kind] = {
    "operator-removed": Kind(BREAKING, "the operator is gone", "算子已移除"),
    "interface": Kind(BREAKING, "two phases become one, or one two", "两段式接口与单段式接口互换"),
    "param-removed": Kind(BREAKING, "a param is gone", "参数已移除"),
    "param-added": Kind(BREAKING, "a param is new: calls without it do not compile", "新增参数：旧调用无法编译"),
    "params-reordered": Kind(BREAKING, "params stand in another order", "参数顺序改变"),
    "param-type": Kind(BREAKING, "a param has another C type", "参数的 C 类型改变"),
    "param-required": Kind(BREAKING, "null is no longer allowed", "不再允许为空"),
    "product-removed": Kind(BREAKING, "a product is no longer supported", "不再支持某产品"),
    "narrowed": Kind(BREAKING, "fewer values are allowed", "允许的取值减少"),
    "stated": Kind(BREAKING, "values are limited of which nothing was said", "原先未说明取值，现有限制"),
    "replaced": Kind(BREAKING, "other values are allowed: some go, some come", "允许的取值改变：有减有增"),
    "rule-added": Kind(BREAKING, "a rule is new", "新增规则"),
    "rule-stricter": Kind(BREAKING, "a rule requires more", "规则变严"),
    "rule-changed": Kind(BREAKING, "a rule requires something else", "规则改变"),
    "header": Kind(BREAKING, "another header declares it", "声明所在头文件改变"),
    "operator-added": Kind(COMPATIBLE, "the operator is new", "新增算子"),
    "operator-deprecated": Kind(COMPATIBLE, "the page says not to use it any more", "算子已标记废弃"),
    "param-renamed": Kind(COMPATIBLE, "a param has another name", "参数更名"),
    "param-const": Kind(COMPATIBLE, "only the const of a param's C type differs", "参数的 C 类型仅 const 不同"),
    "param-optional": Kind(COMPATIBLE, "null is allowed now", "现允许为空"),
    "product-added": Kind(COMPATIBLE, "a product is supported now", "新增支持产品"),
    "widened": Kind(COMPATIBLE, "more values are allowed", "允许的取值增多"),
    "rule-removed": Kind(COMPATIBLE, "a rule is gone", "规则已移除"),
    "rule-looser": Kind(COMPATIBLE, "a rule requires less", "规则变宽"),
    "determinism": Kind(COMPATIBLE, "whether results are deterministic", "确定性说明改变"),
    "return-code": Kind(COMPATIBLE, "a rule's failure returns another status", "规则不满足时的返回码改变"),
    "operator-kept": Kind(DOCUMENTATION, "the page no longer says that it is deprecated", "不再标记废弃"),
    "product-unlisted": Kind(DOCUMENTATION, "the page no longer names a product", "文档不再提及某产品"),
    "header-named": Kind(DOCUMENTATION, "its header is known now, or no longer", "头文件说明新增或消失"),
    "rule-not-checked": Kind(
        DOCUMENTATION, "a rule is new or changed that programs break and run", "新增或改变的规则，违反它的程序仍可运行"
    ),
}


@dataclass(frozen=True, slots=True)
class Change:
    """A change of one operator.

    Args:
        subject: the param (and facet), the rule, the product or the like that it is about.
        before: how it was, in the spec's own terms; empty for nothing.
        after: how it is now.
        products: those that it is about; all when empty.
        says: a sentence or two for people, in English and in Chinese; empty where before and after say it.
        rules: rules that a call breaks now that is hit by it.
        lost: values that are no longer allowed.
        call: a call that was legal and is illegal now, as ``opspec check`` reads it.
    """

    operator: str
    kind: str
    subject: str = ""
    before: str = ""
    after: str = ""
    products: tuple[str, ...] = ()
    says: Mapping[str, str] | None = None
    rules: tuple[str, ...] = ()
    lost: tuple[object, ...] = ()
    call: Mapping[str, Any] | None = None

    @property
    def level(self) -> str:
        """Breaking, compatible or documentation."""
        return KINDS[self.kind].level

    @property
    def fingerprint(self) -> str:
        """What the change is accepted by: the same as long as the same thing changes in the same way."""
        told = "\0".join((self.operator, self.kind, self.subject, self.before, self.after, *self.products))
        return hashlib.blake2b(told.encode(), digest_size=5).hexdigest()

    def text(self, lang: Lang) -> str:
        """What is different, in a line."""
        if self.says is not None:
            return self.says[lang]
        return " → ".join(part for part in (self.before, self.after) if part)
