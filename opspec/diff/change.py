"""A change between two specs: its kind, its level, and the fingerprint by which it is accepted."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from opspec.vocabulary.literals import Lang

#: a call that was legal or came through is illegal or refused now, or does not compile any more
BREAKING = "breaking"
#: the newer page limits what the older one leaves open: nothing shows that programs notice
STATED = "stated"
#: what was legal is legal still; something else is different for programs
COMPATIBLE = "compatible"
#: the same is said in other words, by other rules, or under another name
MOVED = "moved"
#: what is said is different, and no verdict
DOCUMENTATION = "documentation"
LEVELS: Mapping[str, Mapping[str, str]] = {
    BREAKING: {"en": "breaking", "zh": "不兼容"},
    STATED: {"en": "stated", "zh": "新增说明"},
    COMPATIBLE: {"en": "compatible", "zh": "兼容"},
    MOVED: {"en": "moved", "zh": "等价改写"},
    DOCUMENTATION: {"en": "documentation", "zh": "文档"},
}

#: what recorded calls of the newer release show of a limit that is new: its breach is refused, or comes through to the
#: end of the first phase; on both releases, of what the runtime does otherwise; nothing, where only pages speak
Seen = Literal["refused", "through", "both", ""]


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
    "header": Kind(BREAKING, "another header declares it", "声明所在头文件改变"),
    "product-removed": Kind(BREAKING, "the older page says yes to a product, the newer no", "不再支持某产品"),
    "runtime-refuses": Kind(
        BREAKING, "calls came through that the newer first phase refuses", "原先可通过的调用，现由一阶段接口报错"
    ),
    "param-required": Kind(BREAKING, "null is no longer allowed", "不再允许为空"),
    "narrowed": Kind(BREAKING, "fewer values are allowed", "允许的取值减少"),
    "replaced": Kind(BREAKING, "other values are allowed: some go, some come", "允许的取值改变：有减有增"),
    "rule-stricter": Kind(BREAKING, "a rule requires more", "规则变严"),
    "rule-changed": Kind(BREAKING, "a rule requires something else", "规则改变"),
    "values-stated": Kind(STATED, "values are limited of which nothing was said", "原先未说明取值，现有限制"),
    "rule-stated": Kind(STATED, "a rule about something of which nothing was said", "原先未说明，现有规则"),
    "product-excluded": Kind(
        STATED, "the newer page says no to a product that the older leaves open", "现明确不支持某产品"
    ),
    "operator-added": Kind(COMPATIBLE, "the operator is new", "新增算子"),
    "operator-deprecated": Kind(COMPATIBLE, "the page says not to use it any more", "算子已标记废弃"),
    "product-added": Kind(COMPATIBLE, "the older page says no to a product, the newer yes", "新增支持产品"),
    "param-renamed": Kind(COMPATIBLE, "a param has another name", "参数更名"),
    "param-const": Kind(COMPATIBLE, "only the const of a param's C type differs", "参数的 C 类型仅 const 不同"),
    "param-optional": Kind(COMPATIBLE, "null is allowed now", "现允许为空"),
    "runtime-accepts": Kind(
        COMPATIBLE, "calls come through that the older first phase refused", "原先报错的调用，现可通过一阶段接口"
    ),
    "runtime-status": Kind(
        COMPATIBLE, "both first phases refuse it, with different statuses", "两个版本均报错，返回码不同"
    ),
    "widened": Kind(COMPATIBLE, "more values are allowed", "允许的取值增多"),
    "rule-looser": Kind(COMPATIBLE, "a rule requires less", "规则变宽"),
    "values-open": Kind(COMPATIBLE, "the newer page leaves values open that the older limits", "不再说明取值限制"),
    "rule-open": Kind(COMPATIBLE, "the newer page leaves open what the older requires", "不再说明某规则"),
    "determinism": Kind(COMPATIBLE, "whether results are deterministic", "确定性说明改变"),
    "values-moved": Kind(MOVED, "another rule limits the same values", "取值限制改由其他规则表述"),
    "rule-moved": Kind(MOVED, "other rules require the same", "规则改写，要求不变"),
    "operator-kept": Kind(DOCUMENTATION, "the page no longer says that it is deprecated", "不再标记废弃"),
    "product-named": Kind(
        DOCUMENTATION, "the newer page says yes to a product that the older does not name", "文档新列出支持某产品"
    ),
    "product-unlisted": Kind(DOCUMENTATION, "the newer page no longer names a product", "文档不再提及某产品"),
    "header-named": Kind(DOCUMENTATION, "its header is known now, or no longer", "头文件说明新增或消失"),
    "return-code": Kind(DOCUMENTATION, "the page gives a rule another status", "文档中规则的返回码改变"),
    "rule-not-checked": Kind(
        DOCUMENTATION, "a rule is new or changed that programs break and run", "新增或改变的规则，违反它的程序仍可运行"
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Change:
    """A change of one operator.

    Args:
        subject: the param (and facet), the rule, the product or the like that it is about.
        before: how it was, in the spec's own terms; empty for nothing.
        after: how it is now.
        products: those that it is about; all that both sides support when empty.
        says: a sentence or two for people, in English and in Chinese; empty where before and after say it.
        rules: rules that a call breaks now that is hit by it.
        lost: values that are no longer allowed.
        seen: what recorded calls show of it.
        by: of what moved, the rules of the other side that say it.
        call: a call that was legal and is illegal now, as ``opspec check`` reads it.
    """

    operator: str
    kind: str
    subject: str = ""
    before: str = ""
    after: str = ""
    products: tuple[str, ...] = ()
    says: Mapping[Lang, str] | None = None
    rules: tuple[str, ...] = ()
    lost: tuple[object, ...] = ()
    seen: Seen = ""
    by: tuple[str, ...] = ()
    call: Mapping[str, Any] | None = None

    @property
    def level(self) -> str:
        """One of :data:`LEVELS`."""
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
