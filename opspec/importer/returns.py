"""Rows of return codes: which rules they are about, and rules that only they state."""

from __future__ import annotations

import re

from opspec.importer import guards, patterns
from opspec.importer.draft import Draft, ParamDraft, RuleDraft
from opspec.importer.normal import Normaliser
from opspec.importer.page import ReturnStatement
from opspec.language.text import spelled

_PS = r"(?:(?:⟦\w+⟧|(?<![A-Za-z])[A-Za-z][A-Za-z0-9_]*(?=[、,或和]))(?:[（(][^（）()]*[)）])?(?:、|和|与|,|/|及|以及|或者|或|跟|同)*)+(?:中|列表中|列表)?(?:[tT]ensor)?"
_NOT = r"(?:不在|不属于|超出|不支持|不符合|不满足|在)(?:算子|当前|参数说明)?(?:Ⓣ|Ⓕ)?(?:可)?(?:支持)?(?:范围)?(?:之?内|之?外)?"
_AND = r"(?:、|和|与|或者?|/|,|及|以及)"
_FACET_WORDS = r"(?:[ⓉⒻⓈⓇ]|维度|取值|值|长度)"
_OUTSIDE = re.compile(
    rf"(?P<a>(?:{_PS})|输入和输出|输入或输出|输入输出|输入、输出|输入|输出|(?:传入)?参数|(?:如果)?传入参数类型为aclTensor且其)(?:[tT]ensor)?(?P<what>{_FACET_WORDS}(?:{_AND}{_FACET_WORDS})*)(?:不在|不属于|超出|不支持|不符合|不是|非法|不合法)(?:.{{0,14}})?"
)
_UNEQUAL = re.compile(rf"(?P<a>{_PS})(?P<what>{patterns._A})(?:不一致|≠)")
_UNEQUAL_TO = re.compile(
    rf"(?P<a>{_PS})(?P<what>{patterns._A}){patterns._JOIN}(?P<b>{_PS})(?P<that>{patterns._A})?(?:不一致|≠)"
)
_RANK_OVER = re.compile(
    rf"(?P<a>{_PS})(?:中[tT]ensor)?(?:Ⓢ|Ⓡ|维度|dim|数据维度)*(?:大于|超过|高于|超出|>)(?P<n>\d)维?(?:以上)?"
)
_LENGTH_NOT = re.compile(rf"(?P<a>{_PS})(?:数组)?(?:长度|[sS]ize|元素个数|元素数量|大小)*(?:不为|不是|不等于|≠)(?P<n>\d+)")
_LENGTHS_UNEQUAL = re.compile(rf"(?P<a>{_PS})(?:数组|中)?(?:长度|[sS]ize|元素个数|元素数量)(?:之间)?(?:不一致|≠)")
_ATTRIBUTE = re.compile(rf"(?P<a>{_PS})(?:数值大小|取值|数值|值|参数)?(?:不在|不属于|超出|超过|为非法值|非法|不合法|不符合|越界|不是|不支持).{{0,24}}")
_AXIS_OUT = re.compile(rf"(?P<a>⟦\w+⟧)(?:数组)?(?:中|指定)?(?:元素|数值|值|有值|取值|维度)*(?:超过|超出|越界|不在|大于等于|有值取值越界).{{0,14}}?(?P<b>⟦\w+⟧)?(?:输入)?(?:[tT]ensor)?(?:Ⓢ|Ⓡ|维度|dim)*(?:合法|有效)?(?:范围)?(?:之?内|之?外)?(?:\[-N.*)?")
_REPEATED = re.compile(r"(?P<a>⟦\w+⟧)(?:数组)?(?:中)?(?:存在|有)?(?:元素|数值|值|轴|维度)*(?:有|存在)?重复(?:元素|值)?")
_ANY_ELEMENT = re.compile(rf"(?P<a>{_PS})(?:中)?(?:存在|有)?(?:某个|某1?个?维度?|任意)?(?:元素|值|数值|维度)*(?:值)?(?P<op>小于等于|不大于|小于|等于)(?P<n>-?\d+|零)(?:元素)?")
_NC_UNEQUAL = re.compile(rf"(?P<a>{_PS})(?P<b>)(?:在)?N(?:/|、|和)C(?:轴|维度?)?(?:维度)?(?:上)?(?:大小|size)*≠")
_DHW_UNEQUAL = re.compile(r"(?P<a>⟦\w+⟧)在(?P<axes>[DHWL](?:、[DHW])*)维度上(?:大小|size)*与(?P<b>(?:⟦\w+⟧\[\d\](?:、|和)?)+)≠")
_IS_BOOL = re.compile(rf"(?P<a>{_PS})为(?P<v>[tT]rue|[fF]alse)")
_GREATER = re.compile(r"(?P<a>⟦\w+⟧)大于(?P<b>⟦\w+⟧)")
_NUMBER_NOT = re.compile(rf"(?P<a>{_PS})(?:取值)?(?:不为|≠)(?P<n>-?\d+)")
_NUMEL_NOT = re.compile(rf"(?P<a>{_PS})元素(?:个数|数量)(?:不为|≠)(?P<n>\d+)")
_AXIS_BY_RANK = re.compile(r"当(?P<b>⟦\w+⟧)\.dim\(\)=0时,(?P<a>⟦\w+⟧)(?:取值范围)?不在\[-1,0\]内.*")
_RANK_UNDER = re.compile(rf"(?P<a>{_PS})(?:Ⓢ|Ⓡ|维度|dim)*(?:小于|低于)(?P<n>\d)维?")
_NO_PRODUCT = re.compile(r"(?P<a>⟦\w+⟧)(?:和|与)(?P<b>⟦\w+⟧)不满足(?:矩阵)?相乘条件|(?P<c>⟦\w+⟧)(?:第2维|Reduce维度)?(?:和|与)(?P<d>⟦\w+⟧)(?:第1维度?|Reduce维度)≠")
_RANK_NOT = re.compile(rf"(?P<a>{_PS})(?:Ⓢ|Ⓡ|维度|dim)*(?:不是|不为|不等于|≠|非)(?P<n>\d)维?(?:(?:或|、|/)(?P<m>\d)维?)?")
_NO_PROMOTION = re.compile(
    rf"(?P<a>{_PS})Ⓣ?(?:之间)?(?:无法|不能|不满足|不可|不支持)(?:做|进行|够)?(?:Ⓣ)?(?:Ⓥ|Ⓦ|推导)(?:Ⓣ|推导)*"
)
_NO_BROADCAST = re.compile(
    rf"(?P<a>{_PS})(?:Ⓢ|维度关系|Ⓢ关系)?(?:之间)?(?:无法|不能|不满足|不可|不支持|不符合)(?:够)?(?:互相)?(?:做|进行|被)?(?:Ⓑ|broadcast)"
)
_NO_CAST = re.compile(
    rf"(?:(?P<b>{_PS})?Ⓣ?)?(?:推导(?:出|之后|后)?)?(?:Ⓣ|类型|Ⓣ结果)?(?:无法|不能|不可)(?:以)?转换(?:为|成|到)(?:指定)?(?:输出)?(?P<a>⟦\w+⟧)(?:Ⓣ|类型)?"
)
_BROADCAST_UNEQUAL = re.compile(
    rf"(?P<b>{_PS})(?:做|进行)?broadcast(?:之|以)?后Ⓢ?(?:与|和)(?P<a>⟦\w+⟧)Ⓢ?(?:不一致|≠)|(?P<c>⟦\w+⟧)Ⓢ?(?:与|和)(?P<d>{_PS})(?:做|进行)?broadcast(?:之|以)?后Ⓢ?(?:不一致|≠)|(?P<e>⟦\w+⟧)Ⓢ?(?:与|和)broadcast(?:之|以)?后Ⓢ?(?:不一致|≠)"
)
_NULL = re.compile(r"空指针|nullptr|为空$|NULL")
_PRIVATE = re.compile(r"(?:Ⓕ|输入输出|⟧).*私有格式|(?:是|为)私有Ⓕ?|不支持私有")
_EMPTY = re.compile(rf"(?P<a>(?:{_PS})|输入和?输出|输入|)(?:中)?(?:[tT]ensor)?(?:是|为|存在|传入)?空[tT]ensor(?:场景)?")
_NOT_ND = re.compile(rf"(?P<a>(?:{_PS})|输入和?输出|输入|)(?:[tT]ensor)?Ⓕ(?:不是|不为|非)ND")
_CONDITIONAL = re.compile(r"^(?:当|如果⟦|若)|时[,，]|场景")
_WHAT = {"Ⓣ": ("dtype",), "Ⓕ": ("format", "private-format"), "Ⓢ": ("rank", "rank-bound", "shape"), "Ⓡ": ("rank", "rank-bound"), "维度": ("rank", "rank-bound"), "取值": ("enum", "range", "axis", "each"), "值": ("enum", "range", "axis", "each"), "长度": ("length",)}  # fmt: skip


def read(draft: Draft, normaliser: Normaliser, row: ReturnStatement) -> tuple[list[str], bool]:
    """(ids of the rules that a row is about, whether a rule is known): rules that are not there yet are added."""
    text = re.sub(r"时$", "", normaliser.normal(row.text))
    if row.number == 161001 or _NULL.search(text):
        return _null(draft, text), True
    stated = _stated(draft, text)
    if stated:
        return stated, True
    made = _new_rules(draft, text) or _several(draft, text)
    return [draft.add(rule) for rule in made] or _outside(draft, text), bool(made)


def _stated(draft: Draft, text: str) -> list[str]:
    """Rows about private formats or empty tensors alone."""
    if _PRIVATE.search(text):
        params = _params(draft, text) or list(draft.params.values())
        return [f"{param.name}.private-format" for param in params if param.is_tensor]
    for pattern, kinds in ((_EMPTY, ("empty",)), (_NOT_ND, ("format", "private-format"))):
        found = pattern.fullmatch(text)
        if found:
            params = _params(draft, found["a"]) or list(draft.params.values())
            return [f"{param.name}.{kind}" for param in params if param.is_tensor for kind in kinds]
    return []


def _null(draft: Draft, text: str) -> list[str]:
    if _CONDITIONAL.search(text):
        return _null_when(draft, text)
    named = [param for name in re.findall(r"⟦(\w+)⟧", text) if (param := draft.named(name)) is not None]
    for param in named:
        if param.kind in ("tensor", "tensor_list", "scalar", "scalar_list") or param.ctype.endswith("*"):
            param.properties.setdefault("null-row", True)
    pool = named or [param for param in draft.params.values() if param.ctype.endswith("*")]
    return [f"{param.name}.null" for param in pool]


def _null_when(draft: Draft, text: str) -> list[str]:
    """A null pointer that is an error under a condition."""
    cut = guards.split(text)
    condition = guards.condition(draft, cut[0]) if cut else None
    params = _params(draft, cut[1]) if cut else []
    if condition is None:
        for param in params or _params(draft, text):
            param.properties.setdefault("optional", "yes")
        return []
    if cut is None or not params or "不是空" in cut[1] or "不为空" in cut[1]:
        return []
    made = []
    for param in params:
        param.properties.setdefault("optional", "yes")
        made.append(RuleDraft(f"{param.name}.needed", f"{spelled(param.name)} is not None", param.name, condition))
    return [draft.add(rule) for rule in made]


def _params(draft: Draft, text: str | None) -> list[ParamDraft]:
    """The params that a row names; names that the operator does not have are slips of the page."""
    found = [draft.named(name) for name in re.findall(r"⟦(\w+)⟧", text or "")]
    return list({param.name: param for param in found if param is not None}.values())


def _new_rules(draft: Draft, text: str) -> list[RuleDraft]:
    for step in (_cast, _broadcast, _equality, _promotion, _ranks, _lengths, _axes, _elements, _product, _images, _attributes):
        made = step(draft, text)
        if made:
            return made
    return []


def _several(draft: Draft, text: str) -> list[RuleDraft]:
    """Rows that say several things with commas between: each must be known."""
    parts = [_new_rules(draft, part) for part in re.split(r",(?:或者?)?|或者", text)]
    return [rule for part in parts for rule in part] if len(parts) > 1 and all(parts) else []


def _equality(draft: Draft, text: str) -> list[RuleDraft]:
    found = _UNEQUAL_TO.fullmatch(text)
    if found:
        return list(patterns._equal_to(draft, found))
    found = _UNEQUAL.fullmatch(text)
    return list(patterns._all_equal(draft, found)) if found else []


def _promotion(draft: Draft, text: str) -> list[RuleDraft]:
    found = _NO_PROMOTION.fullmatch(text)
    if not found:
        return []
    params = [param for param in _params(draft, found["a"]) if param.io != "out"]
    if len(params) < 2 or any(param.kind != "tensor" for param in params):
        return []
    return [
        RuleDraft(f"{a.name}-{b.name}-promote", f"promotable({spelled(a.name)}.dtype, {spelled(b.name)}.dtype)", a.name)
        for a, b in patterns._pairs(params)
    ]


def _broadcast(draft: Draft, text: str) -> list[RuleDraft]:
    found = _BROADCAST_UNEQUAL.fullmatch(text)
    if found:
        outs = _params(draft, found["a"] or found["c"] or found["e"])
        sources = _params(draft, found["b"] or found["d"]) or [
            param for param in draft.params.values() if param.kind == "tensor" and param.io == "in"
        ]
        sources = [param for param in sources if param not in outs]
        if len(outs) == 1 and len(sources) > 1 and all(param.kind == "tensor" for param in (*outs, *sources)):
            shapes = ", ".join(f"{spelled(param.name)}.shape" for param in sources)
            out = outs[0]
            return [
                RuleDraft(f"{out.name}-broadcast-shape", f"{spelled(out.name)}.shape == broadcast({shapes})", out.name)
            ]
    found = _NO_BROADCAST.fullmatch(text)
    if not found:
        return []
    params = [param for param in _params(draft, found["a"]) if param.io != "out"]
    if len(params) < 2 or any(param.kind != "tensor" for param in params):
        return []
    return [
        RuleDraft(
            f"{a.name}-{b.name}-broadcast", f"broadcastable({spelled(a.name)}.shape, {spelled(b.name)}.shape)", a.name
        )
        for a, b in patterns._pairs(params)
    ]


def _cast(draft: Draft, text: str) -> list[RuleDraft]:
    found = _NO_CAST.fullmatch(text)
    if not found or text.startswith("计算结果"):
        return []
    outs = _params(draft, found["a"])
    sources = _params(draft, found["b"]) or [
        param for param in draft.params.values() if param.kind in ("tensor", "scalar") and param.io != "out"
    ]
    sources = [param for param in sources if param not in outs]
    source = patterns.promoted(sources) if sources else None
    if len(outs) != 1 or outs[0].kind != "tensor" or source is None:
        return []
    out = outs[0]
    return [RuleDraft(f"{out.name}-castable", f"castable({source}, {spelled(out.name)}.dtype)", out.name)]


def _ranks(draft: Draft, text: str) -> list[RuleDraft]:
    found = _RANK_OVER.fullmatch(text)
    if found:
        rules = [
            r for p in _params(draft, found["a"]) if p.is_tensor for r in patterns.rank_rule(p, f"<= {found['n']}")
        ]
        return rules
    found = _RANK_NOT.fullmatch(text)
    if found:
        bound = f"in ({found['n']}, {found['m']})" if found["m"] else f"== {found['n']}"
        return [r for p in _params(draft, found["a"]) if p.is_tensor for r in patterns.rank_rule(p, bound)]
    found = _RANK_UNDER.fullmatch(text)
    if found:
        return [r for p in _params(draft, found["a"]) if p.is_tensor for r in patterns.rank_rule(p, f">= {found['n']}")]
    return []


def _lengths(draft: Draft, text: str) -> list[RuleDraft]:
    found = _LENGTH_NOT.fullmatch(text)
    if found:
        params = [param for param in _params(draft, found["a"]) if param.kind.endswith("_array")]
        return [
            RuleDraft(f"{param.name}.size", f"len({spelled(param.name)}) == {found['n']}", param.name)
            for param in params
        ]
    found = _LENGTHS_UNEQUAL.fullmatch(text)
    return list(patterns._all_as_long(draft, found)) if found else []


def _axes(draft: Draft, text: str) -> list[RuleDraft]:
    """Axes out of range, or named twice: of the tensor that the row names, otherwise of the first input."""
    first = next((param for param in draft.params.values() if param.kind == "tensor" and param.io != "out"), None)
    repeated = _REPEATED.fullmatch(text)
    found = repeated or _AXIS_BY_RANK.fullmatch(text) or _AXIS_OUT.fullmatch(text)
    axes = _params(draft, found["a"]) if found else []
    if first is None or found is None or len(axes) != 1 or not re.match(r"dims?|axis|axes", axes[0].name, re.I):
        return []
    named = _params(draft, found.groupdict().get("b"))
    tensor = named[0] if named and named[0].kind == "tensor" else first
    rank, name = f"max({spelled(tensor.name)}.rank, 1)", spelled(axes[0].name)
    if repeated:
        check = f"distinct([axis(d, {rank}) for d in {name}])"
        return [RuleDraft(f"{axes[0].name}.distinct", check, axes[0].name)] if axes[0].kind == "int_array" else []
    if axes[0].kind == "int":
        return [RuleDraft(f"{axes[0].name}.axis", f"-{rank} <= {name} < {rank}", axes[0].name)]
    if axes[0].kind == "int_array":
        return [RuleDraft(f"{axes[0].name}.axis", f"all(-{rank} <= d < {rank} for d in {name})", axes[0].name)]
    return []


def _elements(draft: Draft, text: str) -> list[RuleDraft]:
    found = _ANY_ELEMENT.fullmatch(text)
    if not found:
        return []
    number = found["n"].replace("零", "0")
    bound = {"小于等于": "> ", "不大于": "> ", "小于": ">= ", "等于": "!= "}[found["op"]] + number
    made = []
    for param in _params(draft, found["a"]):
        name = spelled(param.name)
        if param.kind == "int_array" and "each" not in param.properties:
            made.append(RuleDraft(f"{param.name}.elements-bound", f"all(v {bound} for v in {name})", param.name))
        elif param.kind in ("int", "float", "float32") and "range" not in param.properties:
            made.append(RuleDraft(f"{param.name}.bound", f"{name} {bound}", param.name))
    return made


def _images(draft: Draft, text: str) -> list[RuleDraft]:
    """Rows of the resampling family: N and C agree, and D, H, W are the elements of an array."""
    found = _NC_UNEQUAL.fullmatch(text)
    if found:
        return list(patterns.same_leading_dims(draft, found))
    found = _DHW_UNEQUAL.fullmatch(text)
    if not found:
        return []
    tensors, arrays = _params(draft, found["a"]), _params(draft, found["b"])
    if len(tensors) != 1 or len(arrays) != 1 or tensors[0].kind != "tensor" or arrays[0].kind != "int_array":
        return []
    x, size, count = spelled(tensors[0].name), spelled(arrays[0].name), len(re.findall(r"[DHWL]", found["axes"]))
    check = f"{x}.shape[2:{2 + count}] == {size}[:{count}]"
    return [RuleDraft(f"{tensors[0].name}-spatial", check, tensors[0].name, f"{x}.format not in (NHWC, NDHWC)")]


def _attributes(draft: Draft, text: str) -> list[RuleDraft]:
    """Rows that say which values of attributes are wrong."""
    found = _IS_BOOL.fullmatch(text)
    if found:
        flags = [param for param in _params(draft, found["a"]) if param.kind == "bool"]
        wrong = found["v"].lower() == "true"
        return [RuleDraft(f"{p.name}.flag", f"not {spelled(p.name)}" if wrong else spelled(p.name), p.name) for p in flags]
    found = _GREATER.fullmatch(text)
    if found:
        a, b = _params(draft, found["a"]), _params(draft, found["b"])
        if a and b and a[0].kind == b[0].kind == "int":
            return [RuleDraft(f"{a[0].name}.order", f"{spelled(a[0].name)} <= {spelled(b[0].name)}", a[0].name)]
    found = _NUMBER_NOT.fullmatch(text)
    if found:
        numbers = [param for param in _params(draft, found["a"]) if param.kind == "int"]
        return [RuleDraft(f"{p.name}.value", f"{spelled(p.name)} == {found['n']}", p.name) for p in numbers]
    found = _NUMEL_NOT.fullmatch(text)
    return list(patterns._numel_is(draft, found)) if found else []


def _product(draft: Draft, text: str) -> list[RuleDraft]:
    found = _NO_PRODUCT.fullmatch(text)
    return list(patterns._reduce_dims(draft, found)) if found else []


def _outside(draft: Draft, text: str) -> list[str]:
    """The rules of sugar that a row such as 'dtype of x is not supported' stands for."""
    found = _OUTSIDE.match(text)
    if not found:
        attribute = _ATTRIBUTE.fullmatch(text)
        params = [param for param in _params(draft, attribute["a"]) if not param.is_tensor] if attribute else []
        if params:
            kinds = ("enum", "range", "axis", "each", "length", "values", "bound")
            return [f"{param.name}.{kind}" for param in params for kind in kinds]
    found = found or _RANK_OVER.fullmatch(text) or _RANK_NOT.fullmatch(text)
    if not found:
        return []
    what = found.groupdict().get("what") or "Ⓡ"
    kinds = [kind for sign, names in _WHAT.items() if sign in what for kind in names]
    # A row that only says that a format is not supported is boilerplate: of the calls that broke only a public format
    # of such a row, recorded first phases refused 57 and accepted 148.
    kinds = [kind for kind in kinds if kind != "format"]
    params = _params(draft, found["a"]) or list(draft.params.values())
    if not re.search(r"不满足|不匹配|不符合|不对", text):
        return [f"{param.name}.{kind}" for param in params for kind in kinds]
    facets = [facet for sign, facet in patterns._FACETS.items() if sign in what]
    return [f"{param.name}.{kind}" for param in params for kind in kinds] + _relations(draft, params, facets)


def _relations(draft: Draft, params: list[ParamDraft], facets: list[str]) -> list[str]:
    """Rules of the operator's own about facets of these params: a row that says 'the shapes do not fit' means them."""
    names = "|".join(re.escape(spelled(param.name)) for param in params)
    reads = re.compile(rf"\b(?:{names})\.(?:{'|'.join(facets)})\b") if names and facets else None
    return [rule.name for rule in draft.rules.values() if reads is not None and reads.search(rule.check)]

