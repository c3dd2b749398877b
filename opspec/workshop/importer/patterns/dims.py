"""Wordings about ranks, dims and numbers of elements."""

from __future__ import annotations

import re

from opspec.language.text import spelled
from opspec.workshop.importer.draft import Draft, ParamDraft
from opspec.workshop.importer.draft import RuleDraft as Rule
from opspec.workshop.importer.mentions import PARAM, PARAMS, params_in
from opspec.workshop.importer.patterns.row import Maker, Rules, each, row, tensors_in
from opspec.workshop.importer.wording import any_of

_CHANNELS_FIRST = "{0}.format not in (NHWC, NDHWC)"


def rank(bound: str) -> Maker:
    """A bound such as ``<= {n}`` on the rank of tensors, unless their rows have given it already."""

    def make(draft: Draft, found: re.Match[str]) -> Rules:
        said = bound.format(**found.groupdict())
        for param in params_in(draft, found["a"]):
            if param.is_tensor and "rank" not in param.properties:
                name = spelled(param.name)
                check = f"all(t.rank {said} for t in {name})" if param.kind == "tensor_list" else f"{name}.rank {said}"
                yield Rule(f"{param.name}.rank-bound", check, param.name)

    return make


# --- single dims

_INDEX = r"(?:\.size\((-?\d)\)|\[(-?\d)\])"
_DIM = rf"{PARAM}Ⓢ?(?:\.size\(-?\d\)|\[-?\d\])(?:维度|大小){{0,2}}"
_READ_DIM = re.compile(rf"⟦(\w+)⟧Ⓢ?{_INDEX}")


def _dim(draft: Draft, text: str) -> tuple[str, ParamDraft] | None:
    """A dim of a tensor, or an element of an array, as an expression; and whose it is."""
    found = _READ_DIM.match(text)
    param = draft.named(found[1]) if found else None
    if found is None or param is None:
        return None
    index = found[2] or found[3]
    if param.kind == "tensor":
        return f"{spelled(param.name)}.shape[{index}]", param
    return (f"{spelled(param.name)}[{index}]", param) if param.kind == "int_array" else None


def _same_dim(draft: Draft, found: re.Match[str]) -> Rules:
    """A dim equals another, an attribute or a number."""
    left, right = _dim(draft, found["a"]), _dim(draft, found["b"])
    named = re.fullmatch(PARAM, found["b"])
    attribute = draft.named(found["b"][1:-1]) if named else None
    other = right[0] if right else found["b"] if found["b"].isdigit() else None
    if attribute is not None and attribute.kind == "int":
        other = spelled(attribute.name)
    if left is not None and other is not None and left[0] != other:
        yield Rule(f"{left[1].name}-dim", f"{left[0]} == {other}", left[1].name)


def _dim_multiple(draft: Draft, found: re.Match[str]) -> Rules:
    dim = _dim(draft, found["a"])
    if dim is not None:
        yield Rule(f"{dim[1].name}-dim-multiple", f"{dim[0]} % {found['n']} == 0", dim[1].name)


# --- dims that terms of the field name


def _channels(draft: Draft, found: re.Match[str]) -> Rules:
    """A vector with an element for each channel: axis 1, or the last one where the format says so."""
    owners = params_in(draft, found["b"])
    if len(owners) == 1 and owners[0].kind == "tensor":
        other = spelled(owners[0].name)
        axis = f"({other}.shape[-1] if {other}.format in (NHWC, NDHWC) else {other}.shape[1])"
        for param in tensors_in(draft, found["a"]):
            yield Rule(f"{param.name}-channels", f"{spelled(param.name)}.numel == {axis}", param.name)


def same_leading_dims(draft: Draft, found: re.Match[str]) -> Rules:
    """N and C of images agree: axes 0 and 1, wherever the channels do not come last."""
    params = tensors_in(draft, found[0])
    for other in params[1:]:
        left, right = spelled(params[0].name), spelled(other.name)
        check = f"{left}.shape[:2] == {right}.shape[:2]"
        yield Rule(f"{other.name}-same-nc", check, other.name, _CHANNELS_FIRST.format(left))


def spatial_dims(tensor: ParamDraft, sizes: ParamDraft, count: int) -> Rules:
    """The dims of an image behind N and C are the elements of an array."""
    if tensor.kind == "tensor" and sizes.kind == "int_array":
        x, size = spelled(tensor.name), spelled(sizes.name)
        check = f"{x}.shape[2:{2 + count}] == {size}[:{count}]"
        yield Rule(f"{tensor.name}-spatial", check, tensor.name, _CHANNELS_FIRST.format(x))


def reduce_dims(draft: Draft, found: re.Match[str]) -> Rules:
    """The dim over which a matrix product sums, of matrices whose transposition is in their strides."""
    params = params_in(draft, found[0])
    if len(params) == 2 and all(param.kind == "tensor" for param in params):
        a, b = sorted(params, key=list(draft.params.values()).index)
        left, right = spelled(a.name), spelled(b.name)
        check = f"{left}.shape[-1] == {right}.shape[-2]"
        yield Rule(f"{b.name}-reduce-dim", check, b.name, f"{left}.rank >= 2 and {right}.rank >= 2")


# --- numbers of elements


#: tensors of ``n`` elements
numel_is = each("-numel", "{}.numel == {n}", "tensor")


def _at_least_as_many(draft: Draft, found: re.Match[str]) -> Rules:
    for a in params_in(draft, found["a"]):
        for b in params_in(draft, found["b"]):
            left, right = spelled(a.name), spelled(b.name)
            if a.kind == b.kind == "tensor_list":
                yield Rule(f"{a.name}-numel", f"all(a.numel >= b.numel for a, b in zip({left}, {right}))", a.name)
            elif a.kind == b.kind == "tensor" and a is not b:
                yield Rule(f"{a.name}-numel", f"{left}.numel >= {right}.numel", a.name)


_A, _B, _OWN = rf"(?P<a>{PARAMS})", rf"(?P<b>{PARAMS})", rf"(?P<a>{PARAM})"
_RANK = r"(?:数据)?(?:Ⓢ|Ⓡ|维度)?"
_AT_MOST = r"(?:不超过|不大于|不高于|小于等于|最大支持|最多支持|最高支持|最大为|不能超过)"

ROWS = (
    # x的维度不支持8维以上; x的维度不超过8维
    row("rank at most", rf"{_A}{_RANK}不支持(?P<n>\d)维以上", rank("<= {n}")),
    row("rank at most", rf"{_A}{_RANK}{_AT_MOST}(?P<n>\d)维?", rank("<= {n}")),
    # weight的shape长度与x的channel轴长度一致
    row(
        "channels",
        rf"{_A}Ⓢ?(?:长度|size|大小)?(?:需|要)?(?:与|和)(?P<b>{PARAM})Ⓢ?中?[cC]hannel轴(?:长度|size|大小)?＝",
        _channels,
    ),
    # scale的元素个数为1
    row("number of elements", rf"{_A}元素(?:个数|数量)(?:为|是|等于)(?P<n>\d{{1,9}})", numel_is),
    # x的N轴和C轴的大小与out一致
    row(
        "leading dims",
        rf"{_A}Ⓢ?N轴?(?:、|/|和)C(?:轴|维度?)?{any_of('大小', 'size', most=2)}(?:与|和){_B}＝",
        same_leading_dims,
    ),
    # x的最后一维与y的第一维相等; x的尾轴为64
    row(
        "same dim",
        rf"(?P<a>{_DIM})(?:与|和|等于|＝|=|为|是)(?P<b>{_DIM}|{PARAM}|\d{{1,9}})(?:大小|维度){{0,2}}＝?",
        _same_dim,
    ),
    # x的尾轴是32的整数倍
    row(
        "dim multiple", rf"(?P<a>{_DIM})(?:是|为|能被)?(?P<n>\d{{1,9}})(?:整倍数|整数倍|倍数|整除|对齐)", _dim_multiple
    ),
    # x的Reduce维度与y的Reduce维度大小相等
    row("reduce dims", rf"{PARAM}Reduce维度(?:与|和){PARAM}Reduce维度大小?＝", reduce_dims),
    # x的元素个数大于等于y的元素个数
    row("as many elements", rf"{_A}元素个数大于等于{_B}元素个数", _at_least_as_many),
)
