"""What statements allow: limits of one value beside narrower ones, of which a page says the narrowest, for it says the
others; and which data types or formats params have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from opspec.language import build, tree
from opspec.language.prose.trees import is_attribute
from opspec.language.text import write
from opspec.model.definition import RuleDef
from opspec.vocabulary.literals import Lang

#: words that say a limit: that there is one value, that what there is lies above 0, or not below it
_ONLY: Mapping[Lang, str] = {"en": r"\b(?:always|only|must be)", "zh": "固定为|仅支持|只能为|必须为|须为"}
_POSITIVE: Mapping[Lang, str] = {
    "en": r"\b(?:above 0\b|greater than 0\b|must be positive)",
    "zh": r"(?<!时)须大于0(?![.\d])",
}
_NOT_NEGATIVE: Mapping[Lang, str] = {"en": r"\b(?:not negative|non-negative)\b", "zh": "不可为负|不能为负|非负"}


@dataclass(frozen=True, slots=True)
class Limit:
    """What a value may be: some values, or what lies between two, of which none is an open end.

    Args:
        least: and whether it is one of them; ``most`` alike.
    """

    values: frozenset[float] | None = None
    least: tuple[float, bool] | None = None
    most: tuple[float, bool] | None = None

    def holds(self, value: float) -> bool:
        """Whether the value may be this one."""
        if self.values is not None:
            return value in self.values
        above = self.least is None or value > self.least[0] or (value == self.least[0] and self.least[1])
        below = self.most is None or value < self.most[0] or (value == self.most[0] and self.most[1])
        return above and below

    def among(self, numbers: range) -> frozenset[int] | None:
        """Those of some integers that it may be; None where it may be others."""
        if self.values is not None:
            found = frozenset(int(value) for value in self.values if float(value).is_integer())
            return found if len(found) == len(self.values) else None
        kept = frozenset(filter(self.holds, numbers))
        return None if self.holds(numbers.start - 1) or self.holds(numbers.stop) else kept

    def is_said(self, text: str, lang: Lang) -> bool:
        """Whether words say it as such words do: ``always 256``, ``above 0``, ``in [0, 1]``."""
        if self.values is not None:
            value = f"{min(self.values):g}" if len(self.values) == 1 else ""
            return bool(value and re.search(rf"(?:{_ONLY[lang]}) ?{value}(?![.\w])", text, re.A))
        if self.least is not None and self.most is not None:
            ends = "[("[not self.least[1]], "])"[not self.most[1]]
            return f"{ends[0]}{self.least[0]:g}, {self.most[0]:g}{ends[1]}" in text
        if self.least is None or self.least[0]:
            return False
        return bool(re.search((_NOT_NEGATIVE if self.least[1] else _POSITIVE)[lang], text))

    def is_within(self, other: Limit) -> bool:
        """Whether all that this allows the other one does."""
        if self.values is not None:
            return all(map(other.holds, self.values))
        if other.values is not None:
            return False
        return _is_past(self.least, other.least, 1) and _is_past(self.most, other.most, -1)


def _is_past(own: tuple[float, bool] | None, other: tuple[float, bool] | None, sign: int) -> bool:
    """Whether an end lies no farther out than another."""
    if own is None or other is None:
        return other is None
    return sign * own[0] > sign * other[0] or (own[0] == other[0] and (other[1] or not own[1]))


def implied(rules: Iterable[RuleDef]) -> frozenset[str]:
    """The rules whose limit another of them, which counts in every call, narrows."""
    given = list(rules)
    found = [(rule, *limit) for rule in given if (limit := limit_of(rule.check)) is not None]
    always = [(rule, *limit) for rule in given if rule.when is None for limit in _limits(rule.check)]
    return frozenset(
        weak.id
        for weak, subject, wide in found
        for strong, other, narrow in always
        if strong.id != weak.id and subject == other
        if narrow.is_within(wide) and not (wide.is_within(narrow) and (weak.when is None and weak.id < strong.id))
    )


def _limits(check: tree.Node) -> Iterator[tuple[str, Limit]]:
    """All that a statement says so, part by part."""
    for part in build.conjuncts(check):
        limit = limit_of(part)
        if limit is not None:
            yield limit


def limit_of(check: tree.Node) -> tuple[str, Limit] | None:
    """What a statement says of a value that it compares with constants; None where it says something else."""
    match check:
        case tree.Compare(ops=("in",), operands=(subject, tree.Seq(items=items))):
            values = [_number(item) for item in items]
            known = [value for value in values if value is not None]
            return (write(subject), Limit(frozenset(known))) if len(known) == len(items) else None
        case tree.Compare(ops=("==",), operands=(subject, right)) if (value := _number(right)) is not None:
            return write(subject), Limit(frozenset({value}))
        case tree.Compare(ops=(("<=" | "<" | ">=" | ">") as op,), operands=(subject, right)):
            end = _number(right)
            if end is None:
                return None
            closed = (end, op in ("<=", ">="))
            return write(subject), Limit(most=closed) if op[0] == "<" else Limit(least=closed)
        case tree.Compare(ops=(("<=" | "<") as first, ("<=" | "<") as second), operands=(low, subject, high)):
            ends = _number(low), _number(high)
            if ends[0] is None or ends[1] is None:
                return None
            return write(subject), Limit(least=(ends[0], first == "<="), most=(ends[1], second == "<="))
    return None


def choices_of(part: tree.Node, attribute: str) -> tuple[tuple[str, frozenset[object], bool], ...]:
    """What a statement says of an attribute of params, where it says no more: param, values, and whether it is one of
    these or none; nothing of any other."""
    match part.operand if isinstance(part, tree.Given) else part:
        case tree.Compare(
            ops=(("==" | "in" | "!=" | "not in") as op,),
            operands=(tree.Attr(name=name, base=tree.Param(name=param)), (tree.Const() | tree.Seq()) as right),
        ) if name == attribute:
            items = right.items if isinstance(right, tree.Seq) else (right,)
            values = frozenset(item.value for item in items if isinstance(item, tree.Const))
            return ((param, values, op in ("==", "in")),) if len(values) == len(items) else ()
        case tree.Compare(ops=("not in",), operands=(tree.Const(value=value), tree.Seq(items=items))):
            params = [
                one.base.name for one in items if is_attribute(one, attribute) and isinstance(one.base, tree.Param)
            ]
            return tuple((param, frozenset({value}), False) for param in params) if len(params) == len(items) else ()
        case tree.Each(quantifier="all", variables=(own,), source=tree.Param() as source, condition=None, element=said):
            return choices_of(tree.substituted(said, {own: source}), attribute)
    return ()


def _number(node: tree.Node) -> float | None:
    """The number that a literal is."""
    if isinstance(node, tree.Unary) and node.op == "-":
        inner = _number(node.operand)
        return None if inner is None else -inner
    if isinstance(node, tree.Const) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
        return node.value
    return None


def runs(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """The first and the last of those of some numbers, which rise, that follow one another."""
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1] = found[-1][0], number
        else:
            found.append((number, number))
    return found
