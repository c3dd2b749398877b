"""A typed tree as prose, in English and in Chinese: what a rule requires, and what a condition says.

The words come from one table per language and from the rows of the function library, so that a rule reads the same
in a message, on a page and in ``opspec show``.
"""

from __future__ import annotations

from opspec.language import text as source
from opspec.language import tree
from opspec.language.functions import FUNCTIONS, said
from opspec.language.types import DTYPE, FORMAT, INT, INTS, PRODUCT, STR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from dataclasses import dataclass
    from typing import Literal, TypeGuard

    Lang = Literal["en", "zh"]
else:
    from opspec.language.record import record as dataclass


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a language; ``{a}`` and ``{b}`` are noun phrases, a pair is (requirement, condition)."""

    compare: dict[str, tuple[str, str]]
    same: dict[str, tuple[str, str]]  # for dtypes, formats and shapes, which are compared whole
    constant: dict[str, tuple[str, str]]
    one_of: tuple[str, str]
    none_of: tuple[str, str]
    empty: tuple[str, str]
    contain: tuple[str, str]
    not_contain: tuple[str, str]
    within: tuple[str, str]  # with an interval, in the notation of both languages
    mirrored: tuple[str, str]  # [-R, R): what may count a tensor's axes, from either end
    at_least_one: str  # behind a number that counts as one where it is zero
    between: dict[tuple[str, str], tuple[str, str]]  # where the bounds are phrases
    null: tuple[str, str]
    not_null: tuple[str, str]
    not_empty: tuple[str, str]
    negation: tuple[str, str]
    table: tuple[str, str]
    every: str
    some: str
    side_by_side: str
    each: str
    each_value: str
    each_dim: str
    alternatives: tuple[str, str]
    alternative: str
    if_then: str
    if_nested: str
    if_else: str
    otherwise: str
    it: str
    and_: str
    or_: str
    comma: str
    last: str
    last_or: str
    product: str
    attribute: dict[str, str]
    length: str
    last_value: str
    first_value: str
    dims: dict[str, str]
    agree: dict[str, tuple[str, str]]
    also: str
    undefined: str
    must: tuple[tuple[str, str], ...]  # requirement -> condition, applied to the library's statements


_EN = Words(
    compare={
        "==": ("{a} must equal {b}", "{a} equals {b}"), "!=": ("{a} must differ from {b}", "{a} differs from {b}"),
        "<": ("{a} must be less than {b}", "{a} is less than {b}"), "<=": ("{a} must be at most {b}", "{a} is at most {b}"),
        ">": ("{a} must be greater than {b}", "{a} is greater than {b}"), ">=": ("{a} must be at least {b}", "{a} is at least {b}"),
        "in": ("{a} must be in {b}", "{a} is in {b}"), "not in": ("{a} must not be in {b}", "{a} is not in {b}"),
    },
    same={},
    constant={"==": ("{a} must be {b}", "{a} is {b}"), "!=": ("{a} must not be {b}", "{a} is not {b}")},
    one_of=("{a} must be {b}", "{a} is {b}"),
    none_of=("{a} must not be {b}", "{a} is not {b}"),
    empty=("{a} must be empty", "{a} is empty"),
    contain=("{b} must contain {a}", "{b} contains {a}"),
    not_contain=("{b} must not contain {a}", "{b} does not contain {a}"),
    within=("{a} must be in the range {interval}", "{a} is in the range {interval}"),
    mirrored=("{a} must be in the range [-R, R), R being {b}", "{a} is in the range [-R, R), R being {b}"),
    at_least_one="{a} (1 where that is 0)",
    between={
        ("<=", "<="): ("{a} must be at least {low} and at most {high}", "{a} is at least {low} and at most {high}"),
        ("<", "<="): ("{a} must be greater than {low} and at most {high}", "{a} is greater than {low} and at most {high}"),
        ("<=", "<"): ("{a} must be at least {low} and less than {high}", "{a} is at least {low} and less than {high}"),
        ("<", "<"): ("{a} must be greater than {low} and less than {high}", "{a} is greater than {low} and less than {high}"),
    },
    null=("{a} must be null", "{a} is null"),
    not_null=("{a} must not be null", "{a} is not null"),
    not_empty=("{a} must not be empty", "{a} is not empty"),
    negation=("it must not hold that {a}", "it does not hold that {a}"),
    table=("({a}) must be a row of the table of combinations", "({a}) is a row of the table of combinations"),
    every="for every {v} in {a}, {b}",
    some="for at least one {v} in {a}, {b}",
    side_by_side="for every {v}, {b}",
    each="every element of {a}",
    each_value="every element of {a}.values",
    each_dim="every dim of {a}.shape",
    alternatives=("one of these must hold: {items}", "one of these holds: {items}"),
    alternative="({n}) {a}",
    if_then="if {c}, {a}",
    if_nested="if {c}: {a}",
    if_else="if {c}, {a}; otherwise, {b}",
    otherwise="{a} if {c}, otherwise {b}",
    it="it",
    and_="{a}, and {b}",
    or_="{a}, or {b}",
    comma=", ",
    last=" and ",
    last_or=" or ",
    product="the product",
    attribute={},
    length="the length of {a}",
    last_value="the last element of {a}.values",
    first_value="the first element of {a}.values",
    dims={"first": "the first {n} dims of {a}", "but_last": "{a} without its last {n} dims",
          "last": "the last {n} dims of {a}", "but_first": "{a} without its first {n} dims"},
    agree={
        "first": ("the first {n} dims of {a} and {b} must agree", "the first {n} dims of {a} and {b} agree"),
        "but_last": ("{a} and {b} must agree except in their last {n} dims", "{a} and {b} agree except in their last {n} dims"),
        "last": ("the last {n} dims of {a} and {b} must agree", "the last {n} dims of {a} and {b} agree"),
        "but_first": ("{a} and {b} must agree except in their first {n} dims", "{a} and {b} agree except in their first {n} dims"),
    },
    also="; ",
    undefined="undefined",
    must=(("must not be ", "is not "), ("must be ", "is ")),
)  # fmt: skip

_ZH = Words(
    compare={
        "==": ("{a}必须等于{b}", "{a}等于{b}"), "!=": ("{a}不能等于{b}", "{a}不等于{b}"),
        "<": ("{a}必须小于{b}", "{a}小于{b}"), "<=": ("{a}必须小于等于{b}", "{a}小于等于{b}"),
        ">": ("{a}必须大于{b}", "{a}大于{b}"), ">=": ("{a}必须大于等于{b}", "{a}大于等于{b}"),
        "in": ("{a}必须为{b}之一", "{a}为{b}之一"), "not in": ("{a}不能为{b}之一", "{a}不为{b}之一"),
    },
    same={"==": ("{a}必须与{b}一致", "{a}与{b}一致"), "!=": ("{a}不能与{b}相同", "{a}与{b}不同")},
    constant={"==": ("{a}必须为{b}", "{a}为{b}"), "!=": ("{a}不能为{b}", "{a}不为{b}")},
    one_of=("{a}必须为{b}", "{a}为{b}"),
    none_of=("{a}不能为{b}", "{a}不为{b}"),
    empty=("{a}必须为空Tensor", "{a}为空Tensor"),
    contain=("{b}中必须有{a}", "{b}中有{a}"),
    not_contain=("{b}中不能有{a}", "{b}中没有{a}"),
    within=("{a}必须在{interval}范围内", "{a}在{interval}范围内"),
    mirrored=("{a}的取值范围必须为[-R, R)，R为{b}", "{a}在[-R, R)范围内，R为{b}"),
    at_least_one="{a}（0按1计）",
    between={
        ("<=", "<="): ("{a}必须大于等于{low}且小于等于{high}", "{a}大于等于{low}且小于等于{high}"),
        ("<", "<="): ("{a}必须大于{low}且小于等于{high}", "{a}大于{low}且小于等于{high}"),
        ("<=", "<"): ("{a}必须大于等于{low}且小于{high}", "{a}大于等于{low}且小于{high}"),
        ("<", "<"): ("{a}必须大于{low}且小于{high}", "{a}大于{low}且小于{high}"),
    },
    null=("{a}必须为空指针", "{a}为空指针"),
    not_null=("{a}不能为空指针", "{a}不为空指针"),
    not_empty=("{a}不能为空Tensor", "{a}不为空Tensor"),
    negation=("不能出现以下情况：{a}", "以下情况不成立：{a}"),
    table=("（{a}）必须是组合表中的一行", "（{a}）是组合表中的一行"),
    every="对{a}中的每个{v}，{b}",
    some="{a}中至少有一个{v}，使得{b}",
    side_by_side="对每个{v}，{b}",
    each="{a}中每个元素",
    each_value="{a}的每个元素值",
    each_dim="{a}的shape的每一维",
    alternatives=("必须满足以下条件之一：{items}", "满足以下条件之一：{items}"),
    alternative="（{n}）{a}",
    if_then="当{c}时，{a}",
    if_nested="当{c}时：{a}",
    if_else="当{c}时，{a}；否则，{b}",
    otherwise="{a}（{c}时；否则为{b}）",
    it="",
    and_="{a}，且{b}",
    or_="{a}，或{b}",
    comma="、",
    last="和",
    last_or="或",
    product="产品",
    attribute={"dtype": "数据类型", "format": "数据格式", "rank": "维数", "numel": "元素个数", "values": "元素值", "value": "值"},
    length="{a}的长度",
    last_value="{a}的最后一个元素值",
    first_value="{a}的第一个元素值",
    dims={"first": "{a}的前{n}维", "but_last": "{a}除最后{n}维外的部分",
          "last": "{a}的最后{n}维", "but_first": "{a}除前{n}维外的部分"},
    agree={
        "first": ("{a}与{b}的前{n}维必须一致", "{a}与{b}的前{n}维一致"),
        "but_last": ("{a}与{b}除最后{n}维外必须一致", "{a}与{b}除最后{n}维外一致"),
        "last": ("{a}与{b}的最后{n}维必须一致", "{a}与{b}的最后{n}维一致"),
        "but_first": ("{a}与{b}除前{n}维外必须一致", "{a}与{b}除前{n}维外一致"),
    },
    also="；",
    undefined="无定义",
    must=(("必须", ""), ("不能", "不")),
)  # fmt: skip

WORDS: dict[Lang, Words] = {"en": _EN, "zh": _ZH}


@dataclass(frozen=True, slots=True)
class Terms:
    """What sentences of an operator call its derived values.

    Args:
        words: derived value -> its noun phrases in English and in Chinese, names of params in backticks.
        trees: derived value -> what it stands for.
    """

    words: Mapping[str, tuple[str, str]]
    trees: Mapping[str, tree.Node]

    def phrase(self, name: str, lang: Lang) -> str:
        """The words for a derived value; its name where it has none."""
        said = self.words.get(name)
        return authored(said, lang) if said is not None and said[lang == "zh"] else name


NO_TERMS = Terms({}, {})


def authored(texts: tuple[str, str], lang: Lang) -> str:
    """An author's own words: the backticks tell names from words, and are not shown."""
    return texts[lang == "zh"].replace("`", "")


def requirement(node: tree.Node, lang: Lang, terms: Terms = NO_TERMS) -> str:
    """What a check requires, as a sentence without a final full stop."""
    return _Writer(lang, 0, terms).statement(node)


def condition(node: tree.Node, lang: Lang, terms: Terms = NO_TERMS) -> str:
    """What a guard says, to stand behind "if" or 当."""
    return _Writer(lang, 1, terms).statement(node)


def guarded(when: tree.Node | None, node: tree.Node, lang: Lang, terms: Terms = NO_TERMS) -> str:
    """What a check requires where its guard holds."""
    writer = _Writer(lang, 0, terms)
    return writer.statement(node) if when is None else writer.if_then(when, node)


def phrase(node: tree.Node, lang: Lang, terms: Terms = NO_TERMS) -> str:
    """A value as a noun phrase."""
    return _Writer(lang, 0, terms).noun(node)


def listing(items: list[str], lang: Lang, last: Literal["and", "or"]) -> str:
    """``a, b and c``."""
    words = WORDS[lang]
    if len(items) < 2:
        return "".join(items)
    return words.comma.join(items[:-1]) + (words.last if last == "and" else words.last_or) + items[-1]


class _Writer:
    """Writes one statement.

    Args:
        mood: 0 requires, 1 states.
        bound: a comprehension's variable -> the phrase that stands for it.
    """

    def __init__(self, lang: Lang, mood: int, terms: Terms, bound: dict[str, str] | None = None) -> None:
        self.lang = lang
        self.terms = terms
        self.words = WORDS[lang]
        self.mood = mood
        self.bound = bound or {}

    def stating(self, node: tree.Node) -> str:
        """A condition inside what this writer writes."""
        return _Writer(self.lang, 1, self.terms, self.bound).statement(node)

    # --- statements

    def statement(self, node: tree.Node) -> str:
        match node:
            case tree.Compare():
                return self._compare(node)
            case tree.IsNone():
                return self._form(self.words.not_null if node.negated else self.words.null, a=self.noun(node.operand))
            case tree.Logic():
                return self._logic(node)
            case tree.Unary(op="not"):
                return self._negation(node.operand)
            case tree.If():
                return self._branches(node.condition, node.then, node.other)
            case tree.Each():
                return self._each(node)
            case tree.Given():
                return self.statement(node.operand)
            case tree.Implies():
                return self.if_then(node.condition, node.then)
            case tree.Call():
                row = FUNCTIONS[node.function]
                return self._library(row.en if self.lang == "en" else row.zh, node)
            case tree.Table():
                return self._form(self.words.table, a=self.words.comma.join(map(self.noun, node.columns)))
        return self._form(self.words.constant["=="], a=self.noun(node), b="true")

    def _form(self, pair: tuple[str, str], **parts: str) -> str:
        return pair[self.mood].format(**parts)

    def if_then(self, when: tree.Node, node: tree.Node) -> str:
        """A requirement under a condition; it does not name again what the condition is about."""
        form = self.words.if_nested if _is_conditional(node) else self.words.if_then
        return form.format(c=self.stating(when), a=self._about(when, node))

    def _branches(self, when: tree.Node, then: tree.Node, other: tree.Node, before: tree.Node | None = None) -> str:
        if _is_true(other):
            return self.if_then(when, then)
        if _is_true(then):
            return self.if_then(tree.Unary("not", when, when.type), other)
        if isinstance(other, tree.If) and not (_is_true(other.then) or _is_true(other.other)):
            rest = self._branches(other.condition, other.then, other.other, then)
        else:
            rest = self._about(then, other)
        return self.words.if_else.format(c=self.stating(when), a=self._about(before or when, then), b=rest)

    def _about(self, before: tree.Node, node: tree.Node) -> str:
        """The statement of ``node``, with a pronoun (in Chinese with nothing) where ``before`` has the same subject."""
        text = self.statement(node)
        subject, known = _subject(node), _subject(before)
        if subject is None or known is None or isinstance(node, (tree.Logic, tree.Each)):
            return text
        name = self.noun(subject)
        if name != self.noun(known) or not text.startswith(name):
            return text
        return self.words.it + text[len(name) :]

    def _logic(self, node: tree.Logic) -> str:
        if node.op == "or" and any(isinstance(item, (tree.Logic, tree.If, tree.Each)) for item in node.items):
            return self._alternatives(node)
        if node.op == "or" and _is_one_of(node):
            return self._one_of(node)
        if node.op == "and" and any(map(_is_conditional, node.items)):
            return self.words.also.join(map(self.statement, node.items))
        form = self.words.and_ if node.op == "and" else self.words.or_
        text = self.statement(node.items[0])
        for before, item in zip(node.items, node.items[1:], strict=False):
            text = form.format(a=text, b=self._about(before, item))
        return text

    def _one_of(self, node: tree.Logic) -> str:
        subject, values = "", []
        for item in node.items:
            if isinstance(item, tree.Compare):
                subject = self.noun(item.operands[0])
                values.append(self.noun(item.operands[1]))
        return self._form(self.words.one_of, a=subject, b=listing(values, self.lang, "or"))

    def _alternatives(self, node: tree.Logic) -> str:
        """Numbered, since "a, or b, and c" does not say what belongs together."""
        parts = [self.words.alternative.format(n=n, a=self.stating(item)) for n, item in enumerate(node.items, 1)]
        return self._form(self.words.alternatives, items=("; " if self.lang == "en" else "；").join(parts))

    def _negation(self, node: tree.Node) -> str:
        opposite = negated(node)
        if opposite is not None:
            return self.statement(opposite)
        if isinstance(node, tree.Call):
            row = FUNCTIONS[node.function]
            return self._library(row.not_en if self.lang == "en" else row.not_zh, node)
        if isinstance(node, (tree.Param, tree.Let, tree.Var)):
            return self._form(self.words.constant["=="], a=self.noun(node), b="false")
        return self._form(self.words.negation, a=self.stating(node))

    def _compare(self, node: tree.Compare) -> str:
        if len(node.ops) == 2 and node.ops in self.words.between:
            return self._within(node)
        pairs = zip(node.ops, node.operands, node.operands[1:], strict=False)
        texts = [self._pair(op, a, b) for op, a, b in pairs]
        text = texts[0]
        for other in texts[1:]:
            text = self.words.and_.format(a=text, b=other)
        return text

    def _within(self, node: tree.Compare) -> str:
        low, middle, high = node.operands
        if isinstance(low, tree.If):
            return self._branches(low.condition, *(_spanned(node, part, high) for part in (low.then, low.other)))
        if isinstance(high, tree.If):
            return self._branches(high.condition, *(_spanned(node, low, part) for part in (high.then, high.other)))
        if _mirrored(node):
            return self._form(self.words.mirrored, a=self.noun(middle), b=self._at_least_one(high))
        bounds = self.noun(low), self.noun(high)
        if not (_short(low) and _short(high)):
            pair = self.words.between[node.ops[0], node.ops[1]]
            return self._form(pair, a=self.noun(middle), low=bounds[0], high=bounds[1])
        if isinstance(low, tree.Const) and isinstance(high, tree.Const) and _neighbours(node):
            return self._form(self.words.one_of, a=self.noun(middle), b=listing(list(bounds), self.lang, "or"))
        interval = _interval(node.ops[0], *bounds, node.ops[1])
        return self._form(self.words.within, a=self.noun(middle), interval=interval)

    def _at_least_one(self, node: tree.Node) -> str:
        """``max(x.rank, 1)``, and any other bound."""
        if (
            isinstance(node, tree.Call)
            and node.function == "max"
            and len(node.args) == 2
            and _number(node.args[1]) == 1
        ):
            return self.words.at_least_one.format(a=self.noun(node.args[0]))
        return self.noun(node)

    def _pair(self, op: str, a: tree.Node, b: tree.Node) -> str:
        if op in ("in", "not in") and isinstance(b, tree.Seq) and not any(b.starred):
            names = listing([self.noun(item) for item in b.items], self.lang, "or")
            return self._form(self.words.one_of if op == "in" else self.words.none_of, a=self.noun(a), b=names)
        if op in ("in", "not in") and isinstance(a, tree.Const):
            denied = op == "not in"
            if a.value == 0 and isinstance(b, tree.Attr) and b.name == "shape":
                return self._form(self.words.not_empty if denied else self.words.empty, a=self.noun(b.base))
            form = self.words.not_contain if denied else self.words.contain
            return self._form(form, a=self.noun(a), b=self.noun(b))
        if op == "==" and isinstance(a, tree.Slice) and isinstance(b, tree.Slice):
            agreeing = self._agreeing(a, b)
            if agreeing is not None:
                return agreeing
        if op in ("==", "!=") and isinstance(b, tree.If):
            return self._branches(b.condition, _compared(op, a, b.then), _compared(op, a, b.other))
        return self._form(self._equality(op, b) or self.words.compare[op], a=self.noun(a), b=self.noun(b))

    def _agreeing(self, a: tree.Slice, b: tree.Slice) -> str | None:
        """``x[:-2] == y[:-2]``: in which dims two shapes must agree."""
        part, same = _part(a), (a.low, a.high) == (b.low, b.high)
        if part is None or not same or not _same_attribute((a.base, b.base)):
            return None
        first = self._base(a.base) if self.lang == "zh" else self.noun(a.base)
        return self._form(self.words.agree[part[0]], a=first, b=self.noun(b.base), n=str(part[1]))

    def _equality(self, op: str, b: tree.Node) -> tuple[str, str] | None:
        """``is 1`` of a literal, ``equals`` of what varies."""
        if isinstance(b, (tree.Const, tree.Seq)) or (isinstance(b, tree.Unary) and isinstance(b.operand, tree.Const)):
            return self.words.constant.get(op)
        return self.words.same.get(op) if b.type in (DTYPE, FORMAT, INTS) else None

    def _each(self, node: tree.Each) -> str:
        as_phrase = self._of_every_element(node)
        if as_phrase is not None:
            return as_phrase
        if node.quantifier == "all" and node.condition is None and _is_zip(node.source):
            return self._side_by_side(node, node.source.items)
        names = self.words.comma.join(node.variables)
        # One or the other: what writes a part twice at every level takes exponential time.
        inner = self.if_then(node.condition, node.element) if node.condition else self.statement(node.element)
        form = self.words.every if node.quantifier == "all" else self.words.some
        return form.format(v=names, a=self._source(node.source), b=inner)

    def _side_by_side(self, node: tree.Each, sources: tuple[tree.Node, ...]) -> str:
        """Elements of lists that are read together: ``for every i, x[i] must …``."""
        taken = {part.name for part in tree.walk(node) if isinstance(part, (tree.Param, tree.Let, tree.Var))}
        index = next(name for name in ("i", "j", "k", "index") if name not in taken - set(node.variables))
        names = [source.write(part) for part in sources]
        bound = {var: f"{name}[{index}]" for var, name in zip(node.variables, names, strict=True)}
        inner = _Writer(self.lang, self.mood, self.terms, {**self.bound, **bound}).statement(node.element)
        return self.words.side_by_side.format(v=index, b=inner)

    def _source(self, node: tree.Node) -> str:
        if not isinstance(node, tree.Range):
            return self.noun(node)
        return _interval("<=", "0" if node.low is None else self.noun(node.low), self.noun(node.high), "<")

    def _of_every_element(self, node: tree.Each) -> str | None:
        """``every element of x must be …``, where the statement names its one variable once and denies nothing."""
        named = [part for part in tree.walk(node.element) if isinstance(part, tree.Var) and part.name in node.variables]
        plain = node.quantifier == "all" and node.condition is None and len(node.variables) == 1 and len(named) == 1
        if not plain or not isinstance(node.source, (tree.Param, tree.Let, tree.Attr)) or _denies(node.element):
            return None
        subject = _subject(node.element)
        if subject is None or named[0] not in tree.walk(subject):
            return None
        bound = {**self.bound, node.variables[0]: self._every(node.source)}
        return _Writer(self.lang, self.mood, self.terms, bound).statement(node.element)

    def _every(self, source: tree.Node) -> str:
        if isinstance(source, tree.Attr) and source.name in ("values", "shape"):
            form = self.words.each_value if source.name == "values" else self.words.each_dim
            return form.format(a=self.noun(source.base))
        return self.words.each.format(a=self.noun(source))

    def _library(self, form: str, node: tree.Call) -> str:
        form = said(form, self.mood)
        if self.mood:
            for must, states in self.words.must:
                if must in form:
                    form = form.replace(must, states)
                    break
        return self._filled(form, node.args)

    def _filled(self, form: str, args: tuple[tree.Node, ...]) -> str:
        nouns = [self.noun(arg) for arg in args]
        if self.lang == "zh" and "{0}与{1}" in form and _same_attribute(args):
            nouns[0] = self._base(args[0])  # a与b的shape, not a的shape与b的shape
        return form.replace("{*}", "{all}").format(*nouns, all=self._listed(args, nouns))

    def _listed(self, args: tuple[tree.Node, ...], nouns: list[str]) -> str:
        if self.lang == "zh" and len(args) > 1 and _same_attribute(args):
            nouns = [*map(self._base, args[:-1]), nouns[-1]]
        return listing(nouns, self.lang, "and")

    def _base(self, node: tree.Node) -> str:
        return self.noun(node.base) if isinstance(node, tree.Attr) else self.noun(node)

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
            case tree.Let():
                return self.terms.phrase(node.name, self.lang)
            case tree.Var() if node.name in self.bound:
                return self.bound[node.name]
            case tree.If():
                return self.words.otherwise.format(
                    a=self.noun(node.then), c=self.stating(node.condition), b=self.noun(node.other)
                )
            case tree.Length():
                return self.words.length.format(a=self.noun(node.operand))
            case tree.Call():
                row = FUNCTIONS[node.function]
                return self._filled(said(row.en if self.lang == "en" else row.zh, 0), node.args)
            case tree.Index():
                return self._index(node)
            case tree.Slice():
                return self._slice(node)
            case tree.Undefined():
                return self.words.undefined
        return source.write(node)

    def _attribute(self, node: tree.Attr) -> str:
        base = self.noun(node.base)
        if self.lang == "en":
            return f"the {node.name} of {base}" if " " in base else f"{base}.{node.name}"
        return f"{base}的{self.words.attribute.get(node.name, node.name)}"

    def _index(self, node: tree.Index) -> str:
        """The last and the first value of a tensor have a name; anything else is clearest as it is written."""
        if isinstance(node.base, tree.Attr) and node.base.name == "values":
            place = _number(node.index)
            if place in (0, -1):
                form = self.words.first_value if place == 0 else self.words.last_value
                return form.format(a=self.noun(node.base.base))
        return source.write(node)

    def _slice(self, node: tree.Slice) -> str:
        part = _part(node)
        if part is None or not isinstance(node.base, tree.Attr):
            return source.write(node)
        return self.words.dims[part[0]].format(a=self._attribute(node.base), n=part[1])


# --- questions about trees


def _subject(node: tree.Node) -> tree.Node | None:
    """What the sentence of a statement begins with, where that is a thing."""
    match node:
        case tree.Compare():
            if node.ops[0] in ("in", "not in") and isinstance(node.operands[0], tree.Const):
                right = node.operands[1]
                return right.base if node.operands[0].value == 0 and isinstance(right, tree.Attr) else right
            return node.operands[1] if len(node.ops) == 2 else node.operands[0]
        case tree.IsNone():
            return node.operand
        case tree.Unary(op="not"):
            return _subject(node.operand)
        case tree.Call() if said(FUNCTIONS[node.function].en, 0).startswith("{0} must"):
            return node.args[0]
        case tree.Param() | tree.Let() | tree.Var() | tree.Attr():
            return node
    return None


def _compared(op: str, a: tree.Node, b: tree.Node) -> tree.Compare:
    return tree.Compare((op,), (a, b), a.type)


def _is_one_of(node: tree.Logic) -> bool:
    """Whether all alternatives are values of one thing."""
    subjects = [item.operands[0] for item in node.items if isinstance(item, tree.Compare) and item.ops == ("==",)]
    return len(subjects) == len(node.items) and all(subject == subjects[0] for subject in subjects)


def _is_zip(node: tree.Node) -> TypeGuard[tree.Zip]:
    """Whether lists with names stand side by side."""
    named = (tree.Param, tree.Let, tree.Attr)
    return isinstance(node, tree.Zip) and all(isinstance(item, named) for item in node.items)


def _is_conditional(node: tree.Node) -> bool:
    if isinstance(node, tree.Compare):
        return isinstance(node.operands[-1], tree.If)
    return isinstance(node, (tree.If, tree.Each, tree.Implies))


def _part(node: tree.Slice) -> tuple[str, int] | None:
    """Which dims a slice leaves: the key of the words for it and a number."""
    if (node.low is None) == (node.high is None):
        return None
    number = _number(node.high if node.low is None else node.low)
    if not number:
        return None
    keys = ("first", "but_last") if node.low is None else ("but_first", "last")
    return keys[number < 0], abs(number)


def _is_true(node: tree.Node) -> bool:
    return isinstance(node, tree.Const) and node.value is True


def _spanned(node: tree.Compare, low: tree.Node, high: tree.Node) -> tree.Compare:
    return tree.Compare(node.ops, (low, node.operands[1], high), node.type)


def _denies(node: tree.Node) -> bool:
    """Whether "every … must …" would be read in two ways."""
    if isinstance(node, tree.Compare):
        return any(op in ("!=", "not in") for op in node.ops)
    return isinstance(node, (tree.IsNone, tree.Unary, tree.Logic, tree.If, tree.Each))


def _same_attribute(args: tuple[tree.Node, ...]) -> bool:
    names = {arg.name if isinstance(arg, tree.Attr) else None for arg in args}
    return len(names) == 1 and None not in names


def _short(node: tree.Node) -> bool:
    """Whether a bound fits into an interval."""
    return isinstance(node, (tree.Const, tree.Param, tree.Let, tree.Var, tree.Unary, tree.Binary, tree.Attr))


def _mirrored(node: tree.Compare) -> bool:
    """``-r <= x < r``, where r is no literal."""
    low, _, high = node.operands
    negative = isinstance(low, tree.Unary) and low.op == "-" and low.operand == high
    return negative and node.ops == ("<=", "<") and _number(high) is None


def _neighbours(node: tree.Compare) -> bool:
    low, high = _number(node.operands[0]), _number(node.operands[2])
    return node.ops == ("<=", "<=") and low is not None and high == low + 1


def _interval(low_op: str, low: str, high: str, high_op: str) -> str:
    return f"{'[' if low_op == '<=' else '('}{low}, {high}{']' if high_op == '<=' else ')'}"


def _number(node: tree.Node | None) -> int | None:
    """The integer that a literal is, with its sign."""
    if isinstance(node, tree.Unary) and node.op == "-":
        inner = _number(node.operand)
        return None if inner is None else -inner
    plain = isinstance(node, tree.Const) and isinstance(node.value, int) and not isinstance(node.value, bool)
    return node.value if plain else None  # type: ignore[union-attr,return-value]


_OPPOSITE = {"==": "!=", "!=": "==", "in": "not in", "not in": "in"}
_OPPOSITE_ORDER = {"<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def negated(node: tree.Node) -> tree.Node | None:
    """A node that says the opposite without a ``not``, where there is a plain one."""
    if isinstance(node, tree.Compare) and len(node.ops) == 1 and node.ops[0] in _OPPOSITE:
        return tree.Compare((_OPPOSITE[node.ops[0]],), node.operands, node.type)
    if isinstance(node, tree.Compare) and len(node.ops) == 1 and all(item.type == INT for item in node.operands):
        return tree.Compare((_OPPOSITE_ORDER[node.ops[0]],), node.operands, node.type)  # NaN is no integer
    if isinstance(node, tree.IsNone):
        return tree.IsNone(node.operand, not node.negated, node.type)
    return node.operand if isinstance(node, tree.Unary) and node.op == "not" else None
