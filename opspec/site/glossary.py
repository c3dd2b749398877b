"""The glossary: names of products, dtypes, formats and status codes from the vocabulary, and the words of verdicts."""

from __future__ import annotations

from dataclasses import dataclass

from opspec.site.words import WORDS
from opspec.vocabulary import dtypes, formats, products, status

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.language.prose import Lang


@dataclass(frozen=True, slots=True)
class Term:
    """A row of the glossary; ``also`` are other spellings."""

    anchor: str
    name: str
    meaning: str
    also: tuple[str, ...] = ()


def groups(lang: Lang) -> list[tuple[str, str, list[Term]]]:
    """(anchor, title, terms) of each part."""
    words = WORDS[lang]
    return [
        ("terms", words["terms"], _terms(lang)),
        ("products", words["products"], _products(lang)),
        ("statuses", words["statuses"], _statuses(lang)),
        ("dtypes", words["dtypes"], _dtypes(lang)),
        ("formats", words["formats"], _formats(lang)),
    ]


def _products(lang: Lang) -> list[Term]:
    rows = [name for product in products.ids() for name in (product, *products.members(product))]
    return [Term(f"product-{name}", name, products.name(name, lang)) for name in rows]


def _statuses(lang: Lang) -> list[Term]:
    codes = [(status.number(name), name) for name in status.names()]
    return [Term(f"status-{code}", f"{code} {name}", status.meaning(code, lang)) for code, name in codes]


def _dtypes(lang: Lang) -> list[Term]:
    found = []
    for name in dtypes.names():
        bits = dtypes.bits(name)
        width = "" if bits is None else f", {bits} {WORDS[lang]['bits'].lower()}"
        also = tuple(sorted(spelling for spelling, own in dtypes.aliases().items() if own == name))
        found.append(Term(f"dtype-{name}", name, f"{dtypes.enumerator(name)} ({dtypes.number(name)}){width}", also))
    return found


def _formats(lang: Lang) -> list[Term]:
    words = WORDS[lang]
    found = []
    for name in formats.names():
        kind = "private" if formats.is_private(name) else "public" if formats.is_public(name) else "other"
        meaning = f"{formats.enumerator(name)} ({formats.number(name)}), {words[kind]}"
        found.append(Term(f"format-{name}", name, meaning))
    return found


def _terms(lang: Lang) -> list[Term]:
    return [Term(f"term-{anchor}", said[lang][0], said[lang][1]) for anchor, said in _WORDS.items()]


#: what the site's own words mean
_WORDS: dict[str, dict[Lang, tuple[str, str]]] = {
    "two-phase": {
        "en": ("two-phase interface", "The first phase, …GetWorkspaceSize, checks the arguments and says how much workspace is needed; the second runs the operator on a stream."),
        "zh": ("两段式接口", "第一段…GetWorkspaceSize检查参数并返回所需的workspace大小，第二段在Stream上执行算子。"),
    },
    "refused": {
        "en": ("refused", "Breaking the rule makes the first phase return its status code."),
        "zh": ("报错", "违反该规则时一阶段返回其返回码。"),
    },
    "unchecked": {
        "en": ("unchecked", "The first phase does not look at it: a call that breaks the rule may fail later, or compute something wrong in silence."),
        "zh": ("不检查", "一阶段不检查该规则：违反它的调用可能在之后失败，也可能无声地算出错误结果。"),
    },
    "contradicted": {
        "en": ("contradicted", "Programs that break the rule ran: the page is wrong there."),
        "zh": ("与实际矛盾", "违反该规则的程序运行成功，文档在此处有误。"),
    },
    "broadcast": {
        "en": ("broadcast", "Shapes are aligned at the right; dims that are equal, or of which one is 1, fit, and the result has the greater."),
        "zh": ("broadcast", "形状右对齐；相等或其中一个为1的维度可以匹配，结果取较大者。"),
    },
    "promotion": {
        "en": ("type promotion", "Operands of several data types are converted to one that a table gives for each pair."),
        "zh": ("数据类型推导", "不同数据类型的操作数转换为推导表给出的同一类型。"),
    },
    "contiguous": {
        "en": ("contiguous", "The elements of a tensor follow each other in row-major order; a view with strides of its own may be non-contiguous."),
        "zh": ("连续", "张量元素按行优先顺序依次存放；带有自身步长的视图可能是非连续的。"),
    },
    "private-format": {
        "en": ("private format", "A layout that only APIs which name it may be given, such as FRACTAL_NZ."),
        "zh": ("私有格式", "仅明确写明支持的接口才能使用的数据排布，如FRACTAL_NZ。"),
    },
}  # fmt: skip
