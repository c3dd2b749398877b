"""Explained failures as lines for people. Nothing of a log reaches them unescaped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from opspec.assist.explain.answer import Asked, Explained, Meant
from opspec.errors import printable
from opspec.jsontext import written
from opspec.registry.versions import Reading
from opspec.vocabulary import messages, products
from opspec.vocabulary.enforcement import NAMES, REFUSED, told
from opspec.vocabulary.languages import by_language
from opspec.vocabulary.literals import Lang

_ROWS: dict[str, tuple[str, str]] = {
    "line": ("line {0}", "第{0}行"),
    "times": ("{0} times", "共{0}次"),
    "said": ("said", "消息"),
    "advice": ("so", "建议"),
    "change": ("likely change", "可能的修改"),
    "source": ("source", "出处"),
    "call": (
        "a legal call to begin with (values that no message gives are an example's: put yours there)",
        "可由此着手的合法调用（消息未给出的shape和取值来自示例，请换成自己的）",
    ),
    "holds": ("as the message says", "与消息一致"),
    "wrong": ("not as the message says, for that is what is wrong", "与消息不同，因为问题就在这里"),
    "lacks": (
        "not as the message says, for no legal call was found that has it, too",
        "与消息不同，因为未找到含有它的合法调用",
    ),
    "mended": ("the call, mended", "修改后的调用"),
    "read": ("not said there: {0}", "其中未说明：{0}"),
    "release": ("the release, so the newest, {0} (--release)", "版本，按最新的{0}处理（--release）"),
    "by": ("by CANN {0} ({1})", "按CANN {0}处理（{1}）"),
    "not_in": ("{0} does not have {1}: by {2}, the newest that does", "{0}没有{1}：按最新的{2}处理"),
    "product": ("the product, so {0} (--product)", "产品，按{0}处理（--product）"),
    "and": (" and ", "；"),
    "unknown": ("no spec describes {0}{1}", "没有{0}的规格{1}"),
    "no_operator": ("no operator is named", "未指明算子"),
    "maybe": ("the kernel that is named is started for {0}", "所提到的kernel由以下算子下发：{0}"),
    "machine": ("there: {0}", "运行环境：{0}"),
    "cause": ("no argument of the call, as far as it says", "据此看来，与调用参数无关"),
    "also": ("it may be no argument of the call", "可能与调用参数无关"),
    "look": ("look at", "请检查"),
    "after": ("it comes after the refused call above: that one first", "发生在上面被拒绝的调用之后：请先处理该调用"),
    "allows": (
        "the page of {0} allows what is refused there: is your CANN newer or older?",
        "{0}文档允许此处被拒绝的内容：所用CANN是否更新或更旧？",
    ),
    "requires": ("{0} What the page requires:", "{0}文档的要求："),
    "nothing": (
        "no rule of the page of {0} surely says so: if opspec check calls your call legal, your runtime "
        "refuses what that page allows: is your CANN newer or older?",
        "{0}文档没有规则明确说明这一点：如果opspec check认为该调用合法，则是运行时拒绝了文档允许的内容："
        "所用CANN是否更新或更旧？",
    ),
    "by_status": ("what the status leaves: rules that are refused with it", "仅凭状态码可能涉及的规则"),
    "no_rule": (
        "no message tells which rule it is: look for one in the process log or by aclGetRecentErrMsg, or "
        "give the call itself to opspec check",
        "没有消息指明是哪条规则：请在进程日志中查找，或用aclGetRecentErrMsg获取，或用opspec check检查该调用",
    ),
    "takes": ("takes {0}", "支持{0}"),
    "any": ("takes any", "均支持"),
    "more": (" and {0} more", "等另外{0}个"),
}

_WORDS: dict[Lang, dict[str, str]] = by_language(_ROWS)
_MOST_NAMES = 12
_LONGEST = 300  # characters of a message that are shown
_LONG_CLAUSE = 300  # characters of a clause in place of which is told what it requires of the call that failed


def as_lines(
    explained: Explained, lang: Lang, paint: Callable[[str, str], str], asked: Asked | None = None
) -> Iterator[str]:
    """The lines of one failure.

    Args:
        asked: how it was asked for; what neither that nor the log says is told.
    """
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
    if failure.machine.cann or failure.machine.torch_npu:
        versions = (("CANN", failure.machine.cann), ("torch_npu", failure.machine.torch_npu))
        yield f"  {words['machine'].format(', '.join(f'{name} {printable(got)}' for name, got in versions if got))}"
    for message in failure.messages:
        yield f"  {words['said']}: {printable(message[:_LONGEST])}"
    if asked is not None and not explained.whole:
        yield from _taken_for_granted(explained, asked, words, lang)
    yield from _elsewhere(explained, words, lang)
    by_status = False
    for number, meant in enumerate(explained.meant, 1):
        if meant.by_status and not by_status:
            by_status = True
            yield f"  {words['by_status']}:"
        yield from _rule(number, meant, explained, words, lang, paint)
    if not explained.meant and not explained.causes and failure.operator is not None and not explained.whole:
        yield f"  {words['no_rule']}"
    if explained.template is not None:
        yield f"  {words['mended' if explained.whole else 'call']}:"
        lacks = explained.lacks
        wrong = [item for item in lacks if item.objected]
        open_ = [item for item in lacks if not item.objected]
        for key, items in (("holds", explained.holds), ("wrong", wrong), ("lacks", open_)):
            if items:
                yield f"    {words[key]}: {', '.join(f'{item.path} = {_shown(item.shown)}' for item in items)}"
        yield f"    {written(explained.template)}"


def _elsewhere(explained: Explained, words: dict[str, str], lang: Lang) -> Iterator[str]:
    """What may be wrong beside the arguments, and whether the page allows what was refused."""
    after = explained.failure.after and explained.failure.operator is None
    if after:
        yield f"  {words['after']}"
    for name, meaning, look in () if after else explained.causes_in(lang):
        head = words["also" if messages.leaves_rules(name) else "cause"]
        yield f"  {head}: {meaning}"
        yield f"    {words['look']}: {look}"
    if explained.maybe:
        yield f"  {words['maybe'].format(', '.join(explained.maybe))}"
    known = explained.failure.operator is not None and explained.release is not None
    if known and explained.page_allows:
        said = words["allows"].format(explained.release)
        yield f"  {words['requires'].format(said) if explained.meant else said}"
    elif known and explained.is_unspoken:
        yield f"  {words['nothing'].format(explained.release)}"


def _taken_for_granted(explained: Explained, asked: Asked, words: dict[str, str], lang: Lang) -> Iterator[str]:
    """Which release and product were looked at, where neither the log nor the question says."""
    open_ = []
    if explained.reading is not None and explained.release is not None:
        yield from (f"  {printable(said)}" for said in _read_as(explained, explained.reading, words, lang))
    elif asked.release is None and explained.release is not None:
        open_.append(words["release"].format(explained.release))
    if explained.product is None and explained.template is not None and explained.template["product"] is not None:
        open_.append(words["product"].format(explained.template["product"]))
    if open_:
        yield f"  {words['read'].format(words['and'].join(open_))}"


def _read_as(explained: Explained, reading: Reading, words: dict[str, str], lang: Lang) -> Iterator[str]:
    """By which release, and what says so."""
    yield reading.words(lang) or words["by"].format(reading.release, reading.said_by(lang))
    if explained.release != reading.release:
        yield words["not_in"].format(reading.release, explained.failure.operator, explained.release)


def _rule(
    number: int, meant: Meant, explained: Explained, words: dict[str, str], lang: Lang, paint: Callable[[str, str], str]
) -> Iterator[str]:
    operator = f"{meant.operator}  " if explained.failure.operator is None else ""
    short = explained.whole or len(meant.requires) > _LONG_CLAUSE
    clause = meant.here if meant.here and short else meant.requires
    yield f"  {paint('red', f'{number}.')} {operator}{printable(clause)}"
    way = "" if meant.told or meant.enforcement == REFUSED else told(meant.enforcement, meant.rule.assumed, lang)
    silent = f"  {way}" if way else ""
    source = f"  {words['source']}: {printable(meant.source)}" if meant.source else ""
    yield f"     {paint('dim', f'{meant.release}/{meant.operator}/{meant.rule.id}{source}{silent}')}"
    yield f"     {paint('green', words['change'])}: {printable(meant.change)}"
    differ = len({str(row["enforcement"]) for row in meant.products.values()}) > 1
    for product, row in meant.products.items():
        said = [name for way, name in NAMES[lang].items() if differ and way == row["enforcement"]]
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
