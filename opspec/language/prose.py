"""A typed tree as prose, in English and in Chinese: what a rule requires, and what a condition says.

The words come from one table per language and from the rows of the function library, so that a rule reads the same
in a message, on a page and in ``opspec show``.
"""

from __future__ import annotations

from opspec.language import text as source
from opspec.language import tree
from opspec.language.functions import FUNCTIONS
from opspec.language.types import PRODUCT, STR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import dataclass
    from typing import Literal

    Lang = Literal["en", "zh"]
else:
    from opspec.language.record import record as dataclass


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a language; ``{a}`` and ``{b}`` are noun phrases, a pair is (requirement, condition)."""

    compare: dict[str, tuple[str, str]]
    constant_equal: tuple[str, str]
    one_of: tuple[str, str]
    none_of: tuple[str, str]
    not_contain: tuple[str, str]
    within: dict[tuple[str, str], tuple[str, str]]
    null: tuple[str, str]
    not_null: tuple[str, str]
    not_empty: tuple[str, str]
    negation: tuple[str, str]
    table: tuple[str, str]
    every: str
    some: str
    every_of_range: str
    if_then: str
    if_else: str
    otherwise: str
    and_: str
    or_: str
    comma: str
    last: str
    last_or: str
    product: str
    attribute: dict[str, str]
    undefined: str
    must: tuple[tuple[str, str], ...]  # requirement -> condition, applied to the library's statements


_EN = Words(
    compare={
        "==": ("{a} must equal {b}", "{a} equals {b}"), "!=": ("{a} must differ from {b}", "{a} differs from {b}"),
        "<": ("{a} must be less than {b}", "{a} is less than {b}"), "<=": ("{a} must be at most {b}", "{a} is at most {b}"),
        ">": ("{a} must be greater than {b}", "{a} is greater than {b}"), ">=": ("{a} must be at least {b}", "{a} is at least {b}"),
        "in": ("{a} must be in {b}", "{a} is in {b}"), "not in": ("{a} must not be in {b}", "{a} is not in {b}"),
    },
    constant_equal=("{a} must be {b}", "{a} is {b}"),
    one_of=("{a} must be {b}", "{a} is {b}"),
    none_of=("{a} must not be {b}", "{a} is not {b}"),
    not_contain=("{b} must not contain {a}", "{b} does not contain {a}"),
    within={
        ("<=", "<="): ("{a} must be from {low} to {high}", "{a} is from {low} to {high}"),
        ("<", "<="): ("{a} must be greater than {low} and at most {high}", "{a} is greater than {low} and at most {high}"),
        ("<=", "<"): ("{a} must be at least {low} and less than {high}", "{a} is at least {low} and less than {high}"),
        ("<", "<"): ("{a} must be greater than {low} and less than {high}", "{a} is greater than {low} and less than {high}"),
    },
    null=("{a} must be null", "{a} is null"),
    not_null=("{a} must not be null", "{a} is not null"),
    not_empty=("{a} must not be empty", "{a} is not empty"),
    negation=("it must not hold that {a}", "it does not hold that {a}"),
    table=("({a}) must be a row of the table of combinations", "({a}) is a row of the table of combinations"),
    every="for every {v} of {a}, {b}",
    some="for some {v} of {a}, {b}",
    every_of_range="for every {v} from {low} up to {high}, exclusive, {b}",
    if_then="if {c}, {a}",
    if_else="if {c}, {a}; otherwise, {b}",
    otherwise="{a} if {c}, otherwise {b}",
    and_="{a}, and {b}",
    or_="{a}, or {b}",
    comma=", ",
    last=" and ",
    last_or=" or ",
    product="the product",
    attribute={},
    undefined="undefined",
    must=(("must not be ", "is not "), ("must be ", "is "), ("must not broadcast", "does not broadcast"),
          ("must broadcast", "broadcasts"), ("must not promote", "do not promote"), ("must promote", "promote"),
          ("must not decrease", "does not decrease"), ("must decrease", "decreases"), ("must differ", "differ"),
          ("must not start", "does not start"), ("must start", "starts")),
)  # fmt: skip

_ZH = Words(
    compare={
        "==": ("{a}必须等于{b}", "{a}等于{b}"), "!=": ("{a}必须不等于{b}", "{a}不等于{b}"),
        "<": ("{a}必须小于{b}", "{a}小于{b}"), "<=": ("{a}必须小于等于{b}", "{a}小于等于{b}"),
        ">": ("{a}必须大于{b}", "{a}大于{b}"), ">=": ("{a}必须大于等于{b}", "{a}大于等于{b}"),
        "in": ("{a}必须是{b}之一", "{a}是{b}之一"), "not in": ("{a}不能是{b}之一", "{a}不是{b}之一"),
    },
    constant_equal=("{a}必须是{b}", "{a}是{b}"),
    one_of=("{a}必须是{b}", "{a}是{b}"),
    none_of=("{a}不能是{b}", "{a}不是{b}"),
    not_contain=("{b}中不能有{a}", "{b}中没有{a}"),
    within={
        ("<=", "<="): ("{a}必须在{low}到{high}之间（含两端）", "{a}在{low}到{high}之间（含两端）"),
        ("<", "<="): ("{a}必须大于{low}且小于等于{high}", "{a}大于{low}且小于等于{high}"),
        ("<=", "<"): ("{a}必须大于等于{low}且小于{high}", "{a}大于等于{low}且小于{high}"),
        ("<", "<"): ("{a}必须大于{low}且小于{high}", "{a}大于{low}且小于{high}"),
    },
    null=("{a}必须是空指针", "{a}是空指针"),
    not_null=("{a}不能是空指针", "{a}不是空指针"),
    not_empty=("{a}不能是空Tensor", "{a}不是空Tensor"),
    negation=("不能出现以下情况：{a}", "以下情况不成立：{a}"),
    table=("（{a}）必须是组合表中的一行", "（{a}）是组合表中的一行"),
    every="对{a}中的每个{v}，{b}",
    some="{a}中存在{v}，使{b}",
    every_of_range="对从{low}到{high}（不含）的每个{v}，{b}",
    if_then="当{c}时，{a}",
    if_else="当{c}时，{a}；否则，{b}",
    otherwise="{a}（当{c}时，否则为{b}）",
    and_="{a}，且{b}",
    or_="{a}，或{b}",
    comma="、",
    last="和",
    last_or="或",
    product="产品",
    attribute={"dtype": "数据类型", "format": "数据格式", "rank": "维数", "numel": "元素个数", "values": "元素值", "value": "值"},
    undefined="无定义",
    must=(("必须", ""), ("不能", "不")),
)  # fmt: skip

WORDS: dict[Lang, Words] = {"en": _EN, "zh": _ZH}


def requirement(node: tree.Node, lang: Lang) -> str:
    """What a check requires, as a sentence without a final full stop."""
    return _Writer(lang, 0).statement(node)


def condition(node: tree.Node, lang: Lang) -> str:
    """What a guard says, to stand behind "if" or 当."""
    return _Writer(lang, 1).statement(node)


def phrase(node: tree.Node, lang: Lang) -> str:
    """A value as a noun phrase."""
    return _Writer(lang, 0).noun(node)


def listing(items: list[str], lang: Lang, last: Literal["and", "or"]) -> str:
    """``a, b and c``."""
    words = WORDS[lang]
    if len(items) < 2:
        return "".join(items)
    return words.comma.join(items[:-1]) + (words.last if last == "and" else words.last_or) + items[-1]


class _Writer:
    def __init__(self, lang: Lang, mood: int) -> None:
        self.lang = lang
        self.words = WORDS[lang]
        self.mood = mood  # 0 requires, 1 states

    # --- statements

    def statement(self, node: tree.Node) -> str:
        match node:
            case tree.Compare():
                return self._compare(node)
            case tree.IsNone():
                return self._form(self.words.not_null if node.negated else self.words.null, a=self.noun(node.operand))
            case tree.Logic():
                form = self.words.and_ if node.op == "and" else self.words.or_
                text = self.statement(node.items[0])
                for item in node.items[1:]:
                    text = form.format(a=text, b=self.statement(item))
                return text
            case tree.Unary(op="not"):
                return self._negation(node.operand)
            case tree.If():
                return self.words.if_else.format(
                    c=_Writer(self.lang, 1).statement(node.condition),
                    a=self.statement(node.then),
                    b=self.statement(node.other),
                )
            case tree.Each():
                return self._each(node)
            case tree.Call():
                return self._call(node)
            case tree.Table():
                return self._form(self.words.table, a=self.words.comma.join(map(self.noun, node.columns)))
        return self._form(self.words.constant_equal, a=self.noun(node), b="true")

    def _form(self, pair: tuple[str, str], **parts: str) -> str:
        return pair[self.mood].format(**parts)

    def _negation(self, node: tree.Node) -> str:
        opposite = negated(node)
        if opposite is not None:
            return self.statement(opposite)
        if isinstance(node, tree.Call) and node.function in FUNCTIONS:
            row = FUNCTIONS[node.function]
            return self._library(row.not_en if self.lang == "en" else row.not_zh, node)
        if isinstance(node, (tree.Param, tree.Let, tree.Var)):
            return self._form(self.words.constant_equal, a=self.noun(node), b="false")
        return self._form(self.words.negation, a=_Writer(self.lang, 1).statement(node))

    def _compare(self, node: tree.Compare) -> str:
        if len(node.ops) == 2 and tuple(node.ops) in self.words.within:
            low, middle, high = map(self.noun, node.operands)
            return self._form(self.words.within[node.ops[0], node.ops[1]], a=middle, low=low, high=high)
        pairs = zip(node.ops, node.operands, node.operands[1:], strict=False)
        texts = [self._pair(op, a, b) for op, a, b in pairs]
        text = texts[0]
        for other in texts[1:]:
            text = self.words.and_.format(a=text, b=other)
        return text

    def _pair(self, op: str, a: tree.Node, b: tree.Node) -> str:
        if op in ("in", "not in") and isinstance(b, tree.Seq) and not any(b.starred):
            names = listing([self.noun(item) for item in b.items], self.lang, "or")
            return self._form(self.words.one_of if op == "in" else self.words.none_of, a=self.noun(a), b=names)
        if op == "not in" and isinstance(a, tree.Const):
            if a.value == 0 and isinstance(b, tree.Attr) and b.name == "shape":
                return self._form(self.words.not_empty, a=self.noun(b.base))
            return self._form(self.words.not_contain, a=self.noun(a), b=self.noun(b))
        pair = self.words.constant_equal if op == "==" and isinstance(b, tree.Const) else self.words.compare[op]
        return self._form(pair, a=self.noun(a), b=self.noun(b))

    def _each(self, node: tree.Each) -> str:
        names = self.words.comma.join(node.variables)
        inner = self.statement(node.element)
        if node.condition is not None:
            inner = self.words.if_then.format(c=_Writer(self.lang, 1).statement(node.condition), a=inner)
        if node.quantifier == "all" and isinstance(node.source, tree.Call) and node.source.function == "range":
            args = [self.noun(arg) for arg in node.source.args]
            low, high = args if len(args) == 2 else ("0", args[0])
            return self.words.every_of_range.format(v=names, low=low, high=high, b=inner)
        form = self.words.every if node.quantifier == "all" else self.words.some
        return form.format(v=names, a=self.noun(node.source), b=inner)

    def _call(self, node: tree.Call) -> str:
        if node.function == "given":
            return self.statement(node.args[0])
        if node.function == "implies":
            return self.words.if_then.format(
                c=_Writer(self.lang, 1).statement(node.args[0]), a=self.statement(node.args[1])
            )
        row = FUNCTIONS[node.function]
        return self._library(row.en if self.lang == "en" else row.zh, node)

    def _library(self, form: str, node: tree.Call) -> str:
        if self.mood:
            for must, states in self.words.must:
                if must in form:
                    form = form.replace(must, states)
                    break
        return self._filled(form, node.args)

    def _filled(self, form: str, args: tuple[tree.Node, ...]) -> str:
        nouns = [self.noun(arg) for arg in args]
        return form.replace("{*}", "{all}").format(*nouns, all=listing(nouns, self.lang, "and"))

    # --- noun phrases

    def noun(self, node: tree.Node) -> str:
        match node:
            case tree.Attr():
                return self._attribute(node)
            case tree.Product():
                return self.words.product
            case tree.Const() if node.type in (STR, PRODUCT):
                return f'"{node.value}"' if node.type == STR else str(node.value)
            case tree.Param():
                return node.name
            case tree.If():
                condition_text = _Writer(self.lang, 1).statement(node.condition)
                return self.words.otherwise.format(a=self.noun(node.then), c=condition_text, b=self.noun(node.other))
            case tree.Call() if node.function in FUNCTIONS:
                row = FUNCTIONS[node.function]
                return self._filled(row.en if self.lang == "en" else row.zh, node.args)
            case tree.Undefined():
                return self.words.undefined
            case tree.IsNone():
                return source.write(node)
        return source.write(node)

    def _attribute(self, node: tree.Attr) -> str:
        base = self.noun(node.base)
        if self.lang == "en":
            return f"{base}.{node.name}"
        return f"{base}的{self.words.attribute.get(node.name, node.name)}"


_OPPOSITE = {"==": "!=", "!=": "==", "in": "not in", "not in": "in"}


def negated(node: tree.Node) -> tree.Node | None:
    """A node that says the opposite without a ``not``, where there is a plain one."""
    if isinstance(node, tree.Compare) and len(node.ops) == 1 and node.ops[0] in _OPPOSITE:
        return tree.Compare((_OPPOSITE[node.ops[0]],), node.operands, node.type)
    if isinstance(node, tree.IsNone):
        return tree.IsNone(node.operand, not node.negated, node.type)
    return node.operand if isinstance(node, tree.Unary) and node.op == "not" else None
