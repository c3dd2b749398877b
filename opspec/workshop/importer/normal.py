"""The normal form of a statement: params marked, terms of art as single signs, words that say nothing gone.

Pages word one and the same requirement in dozens of ways; patterns are written against this form.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from opspec.workshop.importer import lexicon
from opspec.workshop.importer.wording import any_of, maybe, one_of

DTYPE, FORMAT, SHAPE, RANK, EQUAL, UNEQUAL = "Ⓣ", "Ⓕ", "Ⓢ", "Ⓡ", "＝", "≠"
BROADCAST, PROMOTION, SCALAR_PROMOTION, CAST = "Ⓑ", "Ⓥ", "Ⓦ", "Ⓚ"

_SEE = one_of("参见", "参考", "详见")
#: （具体请参见…）, and the same at the end of a sentence
_REFERENCE = re.compile(
    rf"[（(]{any_of('请', '可', '具体', '详细', most=4)}(?:{_SEE}|见|参照)[^（）()]{{0,400}}"
    r"(?:[（(][^（）()]{0,400}[)）][^（）()]{0,400}){0,8}[)）]"
    rf"|[，,]?{maybe('具体', '详细')}(?:请)?{_SEE}\S{{0,400}}$"
)
#: what a param is called before its name: 输入张量x
_NOUN = one_of(
    *("传入", "指定", "如果传入", "当传入", "公式中", "入参", "出参", "输入", "输出", "参数", "张量"),
    *("形参", "属性", "可选", "必选", "正向", "指针"),
)
_NOUNS = re.compile(rf"(?:{_NOUN}的?|[tT]ensor){{1,8}}(?=⟦)")
#: and what stands behind it: x（非空时）
_AFTER = re.compile(r"(?<=⟧)(?:[（(](?:非空|不为空|存在|可选)(?:时)?[)）]|张量|[tT]ensor|参数|指针|(?<!Ⓢ)矩阵)")
_TERMS = (
    (re.compile(r"TensorScalar互推导关系(?:/互推导关系)?|TensorScalar推导规则"), SCALAR_PROMOTION),
    (re.compile(r"(?:数据类型|dtype)?互?推导(?:规则|关系|原则)"), PROMOTION),
    (re.compile(r"(?:数据类型|dtype)?互?(?:转换|转化)(?:规则|关系)|可转换关系"), CAST),
    (re.compile(r"可?(?:[bB]roadcast|广播)的?(?:关系|规则|原则|条件|要求)"), BROADCAST),
    (re.compile(r"[dD]ata\s?[tT]ype|数据类型|dtype|Dtype|DataType"), DTYPE),
    (re.compile(r"数据格式|format|Format|数据排布格式"), FORMAT),
    (re.compile(r"shape\s*size|shapeSize"), "元素个数"),
    (
        re.compile(
            r"(?:[sS]hape的?)?(?:维度数量?|维度个数|维数|dim数量?)"
            r"|[sS]hape的?维度(?=(?:与|和|跟|同|保持|需)?(?:⟦|一致|相同))"
        ),
        RANK,
    ),
    (re.compile(r"(?:tensor)?[sS]hape(?:大小|信息|维度)?|形状|SHAPE"), SHAPE),
    (re.compile(r"不(?:保持)?(?:完全)?(?:一致|相同|相等|一样|等于|统一)|不同"), UNEQUAL),
    (re.compile(r"(?:完全)?(?:一致|相同|相等|一样|对齐相等)"), EQUAL),
    (re.compile(r"[bB]roadcast|广播"), "broadcast"),
)
_FILLERS = re.compile(
    r"需要|需|必须|必需|须|应该|应当|应|要求|保持|都|均|分别|请|可以(?=满足)|的|[“”\"'‘’\s]|之间|两者|二者|必(?![选传填])"
)

_ORDINALS = "零一二三四五六七八"
#: 第一维, 倒数第二个维度, 尾轴; what pages write as 第1维 may count from 0 or from 1 and is left alone
_AXES = re.compile(
    r"(?:shape的?)?(?:第(?P<nth>[一二三四五六七八])个?(?:维度?|轴)|(?P<back>最后一个?|倒数第[一二三四])个?(?:维度?|轴)"
    r"|(?P<end>尾轴|首轴)|第?0(?:维|轴))的?" + any_of("大小", "维度", "长度", "size", "shape", "值", most=4)
)


def _axis(found: re.Match[str]) -> str:
    """An axis named in words as ``.size(i)``."""
    if found["nth"]:
        return f".size({_ORDINALS.index(found['nth']) - 1})"
    if found["back"]:
        return ".size(-1)" if found["back"].startswith("最后") else f".size(-{_ORDINALS.index(found['back'][-1])})"
    return ".size(-1)" if found["end"] == "尾轴" else ".size(0)"


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
        bare = lexicon.arabic(_AXES.sub(_axis, bare))
        names: list[str] = []

        def hide(found: re.Match[str]) -> str:
            names.append(found[1])
            return f"⟦{len(names) - 1}⟧"

        # a term of art within a param's name is left alone: names are numbers until the terms are signs
        bare = re.sub(r"⟦(\w+)⟧", hide, self.marked(bare))
        for pattern, sign in _TERMS:
            bare = pattern.sub(sign, bare)
        bare = _AFTER.sub("", _NOUNS.sub("", _FILLERS.sub("", bare)))
        bare = bare.replace("，", ",").replace("（", "(").replace("）", ")").rstrip(",.。;；")
        bare = re.sub(r"⟦(\d+)⟧", lambda found: f"⟦{names[int(found[1])]}⟧", bare)
        bare = bare.replace(".⟦dim⟧()", ".dim()")  # a method, though a param may be called so
        return bare if own is None or bare.startswith("⟦") else f"⟦{own}⟧{bare}"
