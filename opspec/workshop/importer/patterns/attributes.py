"""Wordings about values: of attributes, and under a condition of dtypes and presence, too."""

from __future__ import annotations

import re

from opspec.language.text import spelled
from opspec.workshop.importer import guards, lexicon
from opspec.workshop.importer.draft import Draft, ParamDraft
from opspec.workshop.importer.draft import RuleDraft as Rule
from opspec.workshop.importer.mentions import PARAM, PARAMS, params_in
from opspec.workshop.importer.patterns.row import Rules, each, row
from opspec.workshop.importer.wording import any_of, listed

# --- axes


def axis_in_bounds(param: ParamDraft, tensor: ParamDraft) -> Rules:
    """An axis, or each of several, is one of a tensor's; a scalar tensor counts as one of rank 1."""
    rank, name = f"max({spelled(tensor.name)}.rank, 1)", spelled(param.name)
    if param.kind == "int":
        yield Rule(f"{param.name}.axis", f"-{rank} <= {name} < {rank}", param.name)
    elif param.kind == "int_array":
        yield Rule(f"{param.name}.axis", f"all(-{rank} <= d < {rank} for d in {name})", param.name)


def axes_distinct(param: ParamDraft, tensor: ParamDraft) -> Rules:
    """No axis of an array is named twice, counted from the front or from the back."""
    if param.kind == "int_array":
        rank = f"max({spelled(tensor.name)}.rank, 1)"
        check = f"distinct([axis(d, {rank}) for d in {spelled(param.name)}])"
        yield Rule(f"{param.name}.distinct", check, param.name)


def _axis_in_bounds(draft: Draft, found: re.Match[str]) -> Rules:
    axes, tensors = params_in(draft, found["a"]), params_in(draft, found["b"])
    if len(axes) == len(tensors) == 1 and tensors[0].kind == "tensor":
        yield from axis_in_bounds(axes[0], tensors[0])


# --- what holds only under a condition

_SEPARATOR = r"(?:、|/|,|或者|或|和)"


def _dtype_in(draft: Draft, found: re.Match[str]) -> Rules:
    names = lexicon.dtypes_in(found["list"])
    if names.names and not names.unknown:
        members = ", ".join(names.names) + ("," if len(names.names) == 1 else "")
        for param in params_in(draft, found["a"]):
            if param.kind == "tensor":
                yield Rule(f"{param.name}-dtypes", f"{spelled(param.name)}.dtype in ({members})", param.name)


def _value_in(draft: Draft, found: re.Match[str]) -> Rules:
    words = re.split(_SEPARATOR, found["list"])
    for param in params_in(draft, found["a"]):
        literals = guards.literals(param, words)
        if param.kind in ("int", "string", "bool") and literals:
            yield Rule(f"{param.name}-values", guards.member(spelled(param.name), literals), param.name)


def _together(draft: Draft, found: re.Match[str]) -> Rules:
    first, *others = params_in(draft, found["a"])
    if all("optional" in param.properties for param in (first, *others)):
        for param in others:
            check = f"({spelled(first.name)} is None) == ({spelled(param.name)} is None)"
            yield Rule(f"{first.name}-with-{param.name}", check, first.name)


_A, _OWN = rf"(?P<a>{PARAMS})", rf"(?P<a>{PARAM})"
_RANK = r"(?:\.dim\(\)|Ⓡ|维度)"
_DTYPES = listed(r"[A-Z][A-Za-z0-9_]{1,24}", r"(?:、|/|,|或者|或|和|及)", 32)
_VALUES = listed(r"-?[A-Za-z0-9_]{1,40}", _SEPARATOR, 32)
_TAKES = any_of("支持", "能", "可以", "当前", most=4)
_NULL = "空指针|nullptr|空"
_IS = r"(?:为|是|传入?|取|配置为|设置为|支持|=|取值){1,4}"

ROWS = (
    # dim的取值范围为[-x.dim(), x.dim()-1]
    row(
        "axis",
        rf"{_OWN}.{{0,40}}?[\[(]-(?P<b>{PARAM}){_RANK},{PARAM}{_RANK}(?:-1\]|\)).{{0,24}}",
        _axis_in_bounds,
    ),
    # x的数据类型仅支持FLOAT16、FLOAT
    row(
        "dtypes", rf"{_A}Ⓣ(?:仅|只|也)?(?:支持|为|是|可以为)(?P<list>{_DTYPES})(?:类型|Ⓣ)?", _dtype_in, conditional=True
    ),
    # mode仅支持取0或1
    row("values", rf"{_A}(?:取值)?(?:仅|只)?{_TAKES}{_IS}(?P<list>{_VALUES})", _value_in, conditional=True),
    # bias只能传入空指针
    row(
        "absent",
        rf"{_A}(?:仅|只)?(?:支持|能)?(?:为|传入?|是|设置为)(?:空指针|空|nullptr|null)",
        each("-absent", "{} is None"),
        conditional=True,
    ),
    # x和y需同时传入或同为nullptr
    row(
        "together",
        rf"{_A}同时(?:传入?|存在|提供|配置|不?为(?:{_NULL}))(?:或者?(?:同时|同|都)?(?:不?为(?:{_NULL})|不传|不存在))?",
        _together,
    ),
    # scale必传
    row(
        "given",
        rf"{_A}(?:为|同时)?(?:必[选填传](?:参数|输入)?|传入?|提供|存在)",
        each("-given", "{} is not None"),
        conditional=True,
    ),
    # groups是8的整数倍
    row(
        "multiple",
        rf"{_OWN}(?:是|为|能被)?(?P<n>\d{{1,9}})(?:整倍数|整数倍|倍数|整除)",
        each(".multiple", "{} % {n} == 0", "int"),
    ),
)
