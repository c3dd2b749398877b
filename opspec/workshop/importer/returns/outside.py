"""Rows that say in general that something is not supported: they stand for the rules that cells of the page gave."""

from __future__ import annotations

import re

from opspec.language.text import spelled
from opspec.workshop.importer.draft import Draft, ParamDraft
from opspec.workshop.importer.mentions import ATTRIBUTES, params_in
from opspec.workshop.importer.returns.subjects import ANY_SUBJECT, SUBJECT, params_or_all
from opspec.workshop.importer.returns.violations import RANK_NOT, RANK_OVER
from opspec.workshop.importer.wording import AND, listed, maybe, one_of

_PRIVATE = re.compile(r"(?:Ⓕ|输入输出|⟧).{0,200}私有格式|(?:是|为)私有Ⓕ?|不支持私有")
#: x为空Tensor; x的shape为空
_EMPTY = re.compile(rf"(?P<a>{ANY_SUBJECT})(?:中?(?:[tT]ensor)?(?:是|为|存在|传入)?空[tT]ensor(?:场景)?|Ⓢ为空)")
#: x的数据格式不是ND
_NOT_ND = re.compile(rf"(?P<a>{ANY_SUBJECT})(?:[tT]ensor)?Ⓕ(?:不是|不为|非)ND")

_FACET = r"(?:[ⓉⒻⓈⓇ]|维度|取值|值|长度)"
_ALL = one_of(
    "输入(?:和|或|、)?输出", "输入", "输出", "(?:传入)?参数", "(?:如果)?传入参数类型为aclTensor且其"
)  # fmt: skip
_IS_NOT = one_of("不在", "不属于", "超出", "不支持", "不符合", "不是", "非法", "不合法")
#: x和y的数据类型、shape不在支持的范围之内
_OUTSIDE = re.compile(
    rf"(?P<a>{SUBJECT}|{_ALL})(?:[tT]ensor)?(?P<what>{listed(_FACET, AND, 8)})"
    rf"{_IS_NOT}"
)
#: mode的取值不在支持的范围内
_VALUE_OUTSIDE = re.compile(
    rf"(?P<a>{SUBJECT}){maybe('数值大小', '取值', '数值', '值', '参数')}"
    rf"(?:{_IS_NOT}|超过|为非法值|越界).{{0,24}}"
)
_PLATFORM = re.compile(
    r"(?:当前|该)?(?:平台|产品型号|产品|芯片|处理器|硬件平台)(?:不支持|不在支持的?(?:平台|产品)?(?:的?范围)(?:之?内)?).{0,8}"
)
_DOES_NOT_FIT = re.compile(r"不满足|不匹配|不符合|不对")

_RANK_KINDS = ("rank", "rank-bound")
_VALUE_KINDS = ("enum", "range", "axis", "each")
#: A facet in the row -> kinds of the rules that it stands for. A row that only says that a format is not supported is
#: boilerplate: of the calls that broke only a public format of such a row, recorded first phases refused 57 and
#: accepted 148.
_KINDS = {
    "Ⓣ": ("dtype",), "Ⓕ": ("private-format",), "Ⓢ": (*_RANK_KINDS, "shape"), "Ⓡ": _RANK_KINDS, "维度": _RANK_KINDS,
    "值": _VALUE_KINDS, "长度": ("length",),
}  # fmt: skip


def formats_or_emptiness(draft: Draft, text: str) -> list[str]:
    """The rules that rows about private formats, other formats than ND, or empty tensors alone stand for."""
    if _PRIVATE.search(text):
        return _ids(params_or_all(draft, text), ("private-format",))
    for pattern, kinds in ((_EMPTY, ("empty",)), (_NOT_ND, ("format", "private-format"))):
        found = pattern.fullmatch(text)
        if found:
            return _ids(params_or_all(draft, found["a"]), kinds)
    return []


def _ids(params: list[ParamDraft], kinds: tuple[str, ...]) -> list[str]:
    return [f"{param.name}.{kind}" for param in params if param.is_tensor for kind in kinds]


def rules(draft: Draft, text: str) -> list[str]:
    """The rules that a row such as 'dtype of x is not supported' stands for."""
    found = _OUTSIDE.match(text)
    if _PLATFORM.fullmatch(text):
        return ["product"]
    if not found:
        value = _VALUE_OUTSIDE.fullmatch(text)
        attributes = [param for param in params_in(draft, value["a"]) if not param.is_tensor] if value else []
        if attributes:
            kinds = (*_VALUE_KINDS, "length", "values", "bound")
            return [f"{param.name}.{kind}" for param in attributes for kind in kinds]
    found = found or RANK_OVER.regex.fullmatch(text) or RANK_NOT.regex.fullmatch(text)
    if not found:
        return []
    what = found.groupdict().get("what") or "Ⓡ"
    params = params_or_all(draft, found["a"])
    ids = [f"{param.name}.{kind}" for param in params for sign in _KINDS if sign in what for kind in _KINDS[sign]]
    if _DOES_NOT_FIT.search(text):
        ids += _relations(draft, params, [facet for sign, facet in ATTRIBUTES.items() if sign in what])
    return ids


def _relations(draft: Draft, params: list[ParamDraft], facets: list[str]) -> list[str]:
    """Rules of the operator's own about facets of these params: a row that says 'the shapes do not fit' means them."""
    if not params or not facets:
        return []
    reads = re.compile(rf"\b(?:{'|'.join(spelled(param.name) for param in params)})\.(?:{'|'.join(facets)})\b")
    return [rule.name for rule in draft.rules.values() if reads.search(rule.check)]
