"""Explained failures as lines for people. Nothing of a log reaches them unescaped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from opspec.assist.explain.explain import Explained, Meant
from opspec.errors import printable
from opspec.jsontext import written
from opspec.vocabulary import products
from opspec.vocabulary.enforcement import UNCHECKED

if TYPE_CHECKING:
    from opspec.language.prose import Lang

_WORDS = {
    "en": {
        "line": "line {0}",
        "times": "{0} times",
        "said": "said",
        "advice": "so",
        "change": "likely change",
        "source": "source",
        "silent": "the runtime does not look at it",
        "call": "a call to fill in",
        "holds": "as the message says",
        "lacks": "but not",
        "unknown": "no spec describes {0}{1}",
        "no_operator": "no operator is named",
        "no_rule": "no message tells which rule it is: look for one in the process log or by aclGetRecentErrMsg, or "
        "give the call itself to opspec check",
        "takes": "takes {0}",
        "any": "takes any",
        "more": " and {0} more",
    },
    "zh": {
        "line": "第{0}行",
        "times": "共{0}次",
        "said": "消息",
        "advice": "建议",
        "change": "可能的修改",
        "source": "出处",
        "silent": "运行时不检查",
        "call": "可填写的调用",
        "holds": "与消息一致",
        "lacks": "未采用",
        "unknown": "没有{0}的规格{1}",
        "no_operator": "未指明算子",
        "no_rule": "没有消息指明是哪条规则：请在进程日志中查找，或用aclGetRecentErrMsg获取，或用opspec check检查该调用",
        "takes": "支持{0}",
        "any": "均支持",
        "more": "等另外{0}个",
    },
}
_MOST_NAMES = 12
_LONGEST = 300  # characters of a message that are shown


def as_lines(explained: Explained, lang: Lang, paint: Callable[[str, str], str]) -> Iterator[str]:
    """The lines of one failure."""
    words, failure = _WORDS[lang], explained.failure
    operator = failure.operator or (failure.unknown or words["no_operator"])
    head = [paint("bold", printable(operator)), explained.product or "", words["line"].format(failure.line)]
    head += [words["times"].format(failure.times)] if failure.times > 1 else []
    head += [printable(failure.frame)] if failure.frame else []
    yield "  ".join(filter(None, head))
    if failure.unknown is not None:
        yield f"  {words['unknown'].format(printable(failure.unknown), printable(explained.hint))}"
    for code, said, advice in explained.codes:
        yield f"  {paint('yellow', code)}  {said}"
        if advice is not None:
            yield f"    {words['advice']}: {advice}"
    for message in failure.messages:
        yield f"  {words['said']}: {printable(message[:_LONGEST])}"
    for number, meant in enumerate(explained.meant, 1):
        yield from _rule(number, meant, failure.operator is None, words, lang, paint)
    if not explained.meant and failure.operator is not None:
        yield f"  {words['no_rule']}"
    if explained.template is not None:
        yield f"  {words['call']}:"
        for key, items in (("holds", explained.holds), ("lacks", explained.lacks)):
            if items:
                yield f"    {words[key]}: {', '.join(f'{item.path} = {_shown(item.shown)}' for item in items)}"
        yield f"    {written(explained.template)}"


def _rule(
    number: int, meant: Meant, guessed: bool, words: dict[str, str], lang: Lang, paint: Callable[[str, str], str]
) -> Iterator[str]:
    operator = f"{meant.operator}  " if guessed else ""
    yield f"  {paint('red', f'{number}.')} {operator}{printable(meant.requires)}"
    silent = f"  {words['silent']}" if meant.enforcement == UNCHECKED else ""
    source = f"  {words['source']}: {printable(meant.source)}" if meant.source else ""
    yield f"     {paint('dim', f'{meant.release}/{meant.operator}/{meant.rule.id}{source}{silent}')}"
    yield f"     {paint('green', words['change'])}: {printable(meant.change)}"
    for product, row in meant.products.items():
        said = [str(row["enforcement"])]
        if "takes" in row:
            said.append(_taken(row["takes"], words))
        yield f"       {product} ({products.name(product, lang)}): {', '.join(said)}"


def _shown(value: Any) -> str:
    return "null" if value is None else printable(value if isinstance(value, str) else written(value))


def _taken(names: object, words: dict[str, str]) -> str:
    if not isinstance(names, list):
        return words["any"]
    more = words["more"].format(len(names) - _MOST_NAMES) if len(names) > _MOST_NAMES else ""
    return words["takes"].format(", ".join(names[:_MOST_NAMES]) or "-") + more
