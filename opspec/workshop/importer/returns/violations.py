"""The table of violations: what a row says is wrong, as the rule that the call then breaks."""

from __future__ import annotations

import re
from collections.abc import Sequence

from opspec.language.text import spelled
from opspec.workshop.importer.draft import Draft, ParamDraft
from opspec.workshop.importer.draft import RuleDraft as Rule
from opspec.workshop.importer.mentions import FACETS, PARAM, WITH, params_in
from opspec.workshop.importer.patterns import attributes, dims, equality, lengths, padding, promotion, reductions
from opspec.workshop.importer.patterns.row import Pattern, Rules, each, look_up, row
from opspec.workshop.importer.returns.subjects import SUBJECT
from opspec.workshop.importer.wording import any_of, maybe, one_of

_SEVERAL = re.compile(r",(?:或者?)?|或者")


def rules(draft: Draft, text: str) -> list[Rule]:
    """The rules that a row states; of several violations with commas between each must be known."""
    made = look_up(TABLE, draft, text)
    if made:
        return made
    parts = [look_up(TABLE, draft, part) for part in _SEVERAL.split(text)]
    return [rule for part in parts for rule in part] if len(parts) > 1 and all(parts) else []


# --- broadcast, promotion, conversion


def _sources(draft: Draft, text: str | None, kinds: Sequence[str], out: Sequence[ParamDraft]) -> list[ParamDraft]:
    """The params that a text names, or all inputs of these kinds."""
    named = params_in(draft, text) or [p for p in draft.params.values() if p.kind in kinds and p.io != "out"]
    return [param for param in named if param not in out]


def _not_castable(draft: Draft, found: re.Match[str]) -> Rules:
    outs = params_in(draft, found["a"])
    return promotion.castable_from(outs[0] if outs else None, _sources(draft, found["b"], ("tensor", "scalar"), outs))


def _not_broadcast_shape(draft: Draft, found: re.Match[str]) -> Rules:
    outs = params_in(draft, found["a"])
    sources = _sources(draft, found["b"] if "b" in found.groupdict() else None, ("tensor",), outs)
    return promotion.broadcast_shape(outs[0] if len(outs) == 1 else None, sources)


# --- ranks and axes


def _rank_not(draft: Draft, found: re.Match[str]) -> Rules:
    return dims.rank("in ({n}, {m})" if found["m"] else "== {n}")(draft, found)


def _axes_of(draft: Draft, found: re.Match[str]) -> tuple[ParamDraft, ParamDraft] | None:
    """(axes, the tensor whose they are): the one that the row names, otherwise the first input."""
    axes, named = params_in(draft, found["a"]), params_in(draft, found.groupdict().get("b"))
    first = next((param for param in draft.params.values() if param.kind == "tensor" and param.io != "out"), None)
    tensor = named[0] if named and named[0].kind == "tensor" else first
    if tensor is None or len(axes) != 1 or not re.match(r"dims?|axis|axes", axes[0].name, re.I):
        return None
    return axes[0], tensor


def _axis_outside(draft: Draft, found: re.Match[str]) -> Rules:
    pair = _axes_of(draft, found)
    if pair is not None:
        yield from attributes.axis_in_bounds(*pair)


def _axes_repeated(draft: Draft, found: re.Match[str]) -> Rules:
    pair = _axes_of(draft, found)
    if pair is not None:
        yield from attributes.axes_distinct(*pair)


# --- images


def _spatial_unequal(draft: Draft, found: re.Match[str]) -> Rules:
    tensors, arrays = params_in(draft, found["a"]), params_in(draft, found["b"])
    if len(tensors) == 1 and len(arrays) == 1:
        yield from dims.spatial_dims(tensors[0], arrays[0], len(re.findall(r"[DHWL]", found["axes"])))


# --- values of attributes

#: operator of the violation -> that of the rule
_OPPOSITE = {"小于等于": ">", "不大于": ">", "小于": ">=", "等于": "!="}


def _element_is(draft: Draft, found: re.Match[str]) -> Rules:
    bound = f"{_OPPOSITE[found['op']]} {found['n'].replace('零', '0')}"
    for param in params_in(draft, found["a"]):
        name = spelled(param.name)
        if param.kind == "int_array" and "each" not in param.properties:
            yield Rule(f"{param.name}.elements-bound", f"all(v {bound} for v in {name})", param.name)
        elif param.kind in ("int", "float", "float32") and "range" not in param.properties:
            yield Rule(f"{param.name}.bound", f"{name} {bound}", param.name)


def _flag_is(draft: Draft, found: re.Match[str]) -> Rules:
    for param in params_in(draft, found["a"]):
        if param.kind == "bool":
            name = spelled(param.name)
            yield Rule(f"{param.name}.flag", f"not {name}" if found["v"].lower() == "true" else name, param.name)


def _greater(draft: Draft, found: re.Match[str]) -> Rules:
    a, b = params_in(draft, found["a"]), params_in(draft, found["b"])
    if a and b and a[0].kind == b[0].kind == "int":
        yield Rule(f"{a[0].name}.order", f"{spelled(a[0].name)} <= {spelled(b[0].name)}", a[0].name)


_A, _B = rf"(?P<a>{SUBJECT})", rf"(?P<b>{SUBJECT})"
_ONE, _OTHER = rf"(?P<a>{PARAM})", rf"(?P<b>{PARAM})"
_N = r"(?P<n>-?\d{1,9})"
_UNEQUAL = r"(?:不一致|≠)"
_CANNOT = one_of("无法", "不能", "不满足", "不可", "不支持")
_RANK = any_of("Ⓢ", "Ⓡ", "维度", "dim", most=4)
_ELEMENTS = any_of("元素", "数值", "值", "有值", "取值", "维度", "轴", "的", most=4)
_COUNT = r"(?:长度|[sS]ize|元素个数|元素数量)"
_BROADCAST = r"(?:做|进行)?broadcast(?:之|以)?后Ⓢ?"
_OUT_OF = one_of("超过", "超出", "越界", "不在", "大于等于", "有值取值越界")

#: x的维度大于8
RANK_OVER = row(
    "rank over",
    rf"{_A}(?:中[tT]ensor)?(?:数据)?{_RANK}(?:大于|超过|高于|超出|>)(?P<n>\d)维?(?:以上)?",
    dims.rank("<= {n}"),
)
#: x的维度不是3维或4维
RANK_NOT = row("rank not", rf"{_A}{_RANK}(?:不是|不为|不等于|≠|非)(?P<n>\d)维?(?:(?:或|、|/)(?P<m>\d)维?)?", _rank_not)

TABLE: tuple[Pattern, ...] = (
    *padding.ROWS,
    # x1和x2推导后的数据类型无法转换为输出out的类型
    row(
        "not castable",
        rf"(?:{_B}?Ⓣ?)?(?:推导(?:出|之后|后)?)?(?:Ⓣ|类型|Ⓣ结果)?(?:无法|不能|不可)以?转换(?:为|成|到)(?:指定)?(?:输出)?{_ONE}(?:Ⓣ|类型)?",
        _not_castable,
    ),
    # x1、x2做broadcast后的shape与out的shape不一致
    row("not the broadcast shape", rf"{_B}{_BROADCAST}(?:与|和){_ONE}Ⓢ?{_UNEQUAL}", _not_broadcast_shape),
    # out的shape与x1、x2做broadcast后的shape不一致
    row("not the broadcast shape", rf"{_ONE}Ⓢ?(?:与|和){_B}{_BROADCAST}{_UNEQUAL}", _not_broadcast_shape),
    # out的shape与broadcast后的shape不一致
    row("not the broadcast shape", rf"{_ONE}Ⓢ?(?:与|和)broadcast(?:之|以)?后Ⓢ?{_UNEQUAL}", _not_broadcast_shape),
    # x1和x2的shape无法做broadcast
    row(
        "not broadcastable",
        rf"{_A}(?:Ⓢ|维度关系|Ⓢ关系)?(?:之间)?(?:{_CANNOT}|不符合)够?(?:互相)?(?:做|进行|被)?(?:Ⓑ|broadcast)",
        promotion.broadcastable,
    ),
    # x的数据类型与y的数据类型不一致; x、y的shape不一致
    row("unequal", rf"{_A}(?P<what>{FACETS}){WITH}{_B}(?P<that>{FACETS})?{_UNEQUAL}", equality.equal_to),
    row("unequal", rf"{_A}(?P<what>{FACETS}){_UNEQUAL}", equality.all_equal),
    # x1和x2的数据类型无法做数据类型推导
    row(
        "not promotable",
        rf"{_A}Ⓣ?(?:之间)?{_CANNOT}{maybe('做', '进行', '够')}Ⓣ?(?:Ⓥ|Ⓦ|推导)(?:Ⓣ|推导){{0,2}}",
        promotion.promotable,
    ),
    RANK_OVER,
    RANK_NOT,
    # x的维度小于2维
    row("rank under", rf"{_A}{_RANK}(?:小于|低于)(?P<n>\d)维?", dims.rank(">= {n}")),
    # stride的长度不为2; stride与padding的长度不一致
    row(
        "length not",
        rf"{_A}(?:数组)?(?:长度|[sS]ize|元素个数|元素数量|大小){{0,2}}(?:不为|不是|不等于|≠)(?P<n>\d{{1,9}})",
        each(".size", "len({}) == {n}", "int_array", "float_array", "bool_array"),
    ),
    row("lengths unequal", rf"{_A}(?:数组|中)?{_COUNT}(?:之间)?{_UNEQUAL}", lengths.all_as_long),
    # dims中有重复元素
    row(
        "axes repeated",
        rf"{_ONE}(?:数组)?中?(?:存在|有)?{_ELEMENTS}(?:有|存在)?重复(?:元素|值)?",
        _axes_repeated,
    ),
    # 当x.dim()=0时，dim的取值范围不在[-1, 0]内
    row("axis of a scalar tensor", rf"当{_OTHER}\.dim\(\)=0时,{_ONE}(?:取值范围)?不在\[-1,0\]内.*", _axis_outside),
    # dim的值超出x的维度范围
    row(
        "axis outside",
        rf"{_ONE}(?:数组)?(?:中|指定)?{_ELEMENTS}{_OUT_OF}.{{0,14}}?"
        rf"{_OTHER}?(?:输入)?(?:[tT]ensor)?{_RANK}(?:合法|有效)?(?:范围)?(?:之?内|之?外)?(?:\[-N.*)?",
        _axis_outside,
    ),
    # stride中某个元素小于等于0
    row(
        "element",
        rf"{_A}(?:中)?(?:存在|有)?(?:某个|某1?个?维度?|任意)?{_ELEMENTS}"
        r"(?P<op>小于等于|不大于|小于|等于)(?P<n>-?\d{1,9}|零)(?:元素)?",
        _element_is,
    ),
    # x和y不满足矩阵相乘条件
    row("no matrix product", rf"{PARAM}(?:和|与){PARAM}不满足(?:矩阵)?相乘条件", dims.reduce_dims),
    # x和out在N、C维度上的大小不相等
    row(
        "leading dims",
        rf"{_A}在?N(?:/|、|和)C(?:轴|维度?)?(?:维度)?上?{any_of('大小', 'size', most=2)}≠",
        dims.same_leading_dims,
    ),
    # out在H、W维度上的大小与size[0]和size[1]不相等
    row(
        "spatial dims",
        rf"{_ONE}在(?P<axes>[DHWL](?:、[DHW]){{0,3}})维度上{any_of('大小', 'size', most=2)}"
        rf"与(?P<b>(?:{PARAM}\[\d\](?:、|和)?){{1,4}})≠",
        _spatial_unequal,
    ),
    # keepDim为true
    row("flag", rf"{_A}为(?P<v>[tT]rue|[fF]alse)", _flag_is),
    # low大于high
    row("order", rf"{_ONE}大于{_OTHER}", _greater),
    # mode的取值不为1
    row("number not", rf"{_A}(?:取值)?(?:不为|≠){_N}", each(".value", "{} == {n}", "int")),
    # scale的元素个数不为1
    row("number of elements", rf"{_A}元素(?:个数|数量)(?:不为|≠)(?P<n>\d{{1,9}})", dims.numel_is),
    *reductions.ROWS,
)
