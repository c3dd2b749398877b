"""The normal form of a statement: params marked, terms of art as single signs, words that say nothing gone.

Pages word one and the same requirement in dozens of ways; patterns are written against this form.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from opspec.importer import lexicon

DTYPE, FORMAT, SHAPE, RANK, EQUAL, UNEQUAL = "Ⓣ", "Ⓕ", "Ⓢ", "Ⓡ", "＝", "≠"
BROADCAST, PROMOTION, SCALAR_PROMOTION, CAST = "Ⓑ", "Ⓥ", "Ⓦ", "Ⓚ"

_REFERENCE = re.compile(
    r"[（(](?:请|可|具体|详细)*(?:参见|参考|详见|见|参照)[^（）()]*(?:[（(][^（）()]*[)）][^（）()]*)*[)）]|[，,]?(?:具体|详细)?(?:请)?(?:参见|参考|详见)\S*$"
)
_NOUNS = re.compile(r"(?:(?:传入|指定|如果传入|当传入|公式中|入参|出参|输入|输出|参数|张量|形参|属性|可选|必选|正向|指针)(?:的)?|[tT]ensor)+(?=⟦)")
_AFTER = re.compile(r"(?<=⟧)(?:[（(](?:非空|不为空|存在|可选)(?:时)?[)）]|张量|[tT]ensor|参数|指针|(?<!Ⓢ)矩阵)")
_TERMS = (
    (re.compile(r"TensorScalar互推导关系(?:/互推导关系)?|TensorScalar推导规则"), SCALAR_PROMOTION),
    (re.compile(r"(?:数据类型|dtype)?(?:互)?推导(?:规则|关系|原则)"), PROMOTION),
    (re.compile(r"(?:数据类型|dtype)?(?:互)?(?:转换|转化)(?:规则|关系)|可转换关系"), CAST),
    (re.compile(r"可?(?:[bB]roadcast|广播)(?:的)?(?:关系|规则|原则|条件|要求)"), BROADCAST),
    (re.compile(r"[dD]ata\s?[tT]ype|数据类型|dtype|Dtype|DataType"), DTYPE),
    (re.compile(r"数据格式|format|Format|数据排布格式"), FORMAT),
    (re.compile(r"shape\s*size|shapeSize"), "元素个数"),
    (re.compile(r"(?:[sS]hape的?)?(?:维度数量?|维度个数|维数|dim数量?)|[sS]hape的?维度(?=(?:与|和|跟|同|保持|需)?(?:⟦|一致|相同))"), RANK),
    (re.compile(r"(?:tensor)?[sS]hape(?:大小|信息|维度)?|形状|SHAPE"), SHAPE),
    (re.compile(r"维数|维度数量?|维度个数|dim数|dim数量"), RANK),
    (re.compile(r"不(?:保持)?(?:完全)?(?:一致|相同|相等|一样|等于|统一)|不同"), UNEQUAL),
    (re.compile(r"(?:完全)?(?:一致|相同|相等|一样|对齐相等)"), EQUAL),
    (re.compile(r"[bB]roadcast|广播"), "broadcast"),
)  # fmt: skip
_FILLERS = re.compile(
    r"需要|需|必须|必需|须|应该|应当|应|要求|保持|都|均|分别|请|可以(?=满足)|的|[“”\"'‘’\s]|之间|两者|二者|必(?!选|传)"
)


_AXES = re.compile(
    r"(?:shape的?)?(?:第([一二三四五六七八])(?:个)?(?:维度?|轴)|(最后一个?|倒数第[一二三四])(?:个)?(?:维度?|轴)|(尾轴|首轴)|第?0(?:维|轴))(?:的)?(?:大小|维度|长度|size|shape|值)*"
)
_ORDINALS = "零一二三四五六七八"


def _axis(found: re.Match[str]) -> str:
    """An axis named in words as ``.size(i)``; what pages write as 第1维 may count from 0 or from 1 and is left alone."""
    if found[1]:
        return f".size({_ORDINALS.index(found[1]) - 1})"
    if found[2]:
        return ".size(-1)" if found[2].startswith("最后") else f".size(-{_ORDINALS.index(found[2][-1])})"
    return ".size(-1)" if found[3] == "尾轴" else ".size(0)"


class Normaliser:
    """Turns statements of one operator's page into normal form.

    Args:
        names: names and other spellings of its params.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._marker = lexicon.marker(names)

    def marked(self, text: str) -> str:
        """The text with its params in brackets, otherwise as it stands."""
        return self._marker.sub(r"⟦\1⟧", text) if self._marker is not None else text

    def normal(self, text: str, own: str | None = None) -> str:
        """The normal form; ``own`` is the param whose row it stands in, the subject of a statement without one."""
        bare = _REFERENCE.sub("", text.strip().rstrip("。；;，,.：:"))
        names: list[str] = []

        def hide(found: re.Match[str]) -> str:
            names.append(found[1])
            return f"⟦{len(names) - 1}⟧"  # terms of art within a name are left alone

        bare = _AXES.sub(_axis, bare)
        bare = lexicon.arabic(bare)
        bare = re.sub(r"⟦(\w+)⟧", hide, self.marked(bare))
        for pattern, sign in _TERMS:
            bare = pattern.sub(sign, bare)
        bare = _FILLERS.sub("", bare)
        bare = _AFTER.sub("", _NOUNS.sub("", bare))
        bare = bare.replace("，", ",").replace("（", "(").replace("）", ")").rstrip(",.。;；")
        bare = re.sub(r"⟦(\d+)⟧", lambda found: f"⟦{names[int(found[1])]}⟧", bare)
        bare = re.sub(r"\.⟦dim⟧\(\)", ".dim()", bare)
        if own is not None and not bare.startswith("⟦"):
            bare = f"⟦{own}⟧{bare}"
        return bare
