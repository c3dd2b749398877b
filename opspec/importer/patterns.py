"""The table of sentence patterns: a statement in normal form yields checks.

A row serves many pages. Its function gets the draft and the match, and yields rules; what a row is for stands in its
name. Patterns are tried in order, and a statement must match whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from opspec.importer import guards, lexicon
from opspec.importer.draft import TENSORS, Draft, ParamDraft, RuleDraft, equal
from opspec.importer.normal import Normaliser
from opspec.importer.page import Scope
from opspec.language.text import spelled

Made = Iterator[RuleDraft]
_PS = r"(?:⟦\w+⟧(?:、|和|与|,|/|及|以及|或|跟|同)?)+"
_A = r"(?:[ⓉⒻⓈⓇ]|维度)(?:(?:、|和|与|及|,|/|以及)?(?:[ⓉⒻⓈⓇ]|维度))*"
#: 维度 may mean the dims or their number: of the two readings the weaker is certain
_FACETS = {"Ⓣ": "dtype", "Ⓕ": "format", "Ⓢ": "shape", "Ⓡ": "rank", "维度": "rank"}
_JOIN = r"(?:与|和|同|跟|同于|等于|与其)"


@dataclass(frozen=True, slots=True)
class Pattern:
    """A row of the table."""

    name: str
    regex: re.Pattern[str]
    make: Callable[[Draft, re.Match[str]], Made]


def apply(draft: Draft, normaliser: Normaliser, text: str, own: str | None, scope: Scope = ()) -> list[RuleDraft]:
    """The rules that a statement yields; none when no pattern knows it."""
    return in_normal_form(draft, normaliser.normal(text, own), own, scope)


#: Rows that say something only under a condition: without one they repeat a cell.
_CONDITIONAL_ONLY = frozenset({"dtypes", "values", "absent"})


def in_normal_form(draft: Draft, normal: str, own: str | None, scope: Scope = ()) -> list[RuleDraft]:
    """The same for a statement in normal form."""
    guard = guards.products(scope) if scope else None
    rest = normal
    if own is not None and rest.startswith(f"⟦{own}⟧") and re.match(r"(?:当|如果|若)⟦", rest[len(own) + 2 :]):
        rest = rest[len(own) + 2 :]
    rest = re.sub(r"(?<=＝),(?:Ⓢ)?为?[\[(][^\[\]()]*[\])]$", "", rest)  # a shape that repeats it in letters
    for _ in range(3):
        whole = _matched(draft, rest, guard is not None)
        if whole:
            return [_guarded(rule, guard) for rule in whole]
        cut = guards.split(rest)
        condition = guards.condition(draft, cut[0]) if cut else None
        if cut is None or condition is None:
            return _joined(draft, rest, own, guard)
        guard = condition if guard is None else f"{guard} and {condition}"
        rest = cut[1] if cut[1].startswith("⟦") or own is None else f"⟦{own}⟧{cut[1]}"
    return []


def _joined(draft: Draft, text: str, own: str | None, guard: str | None) -> list[RuleDraft]:
    """Two requirements with a comma between: each must be known, or nothing is concluded."""
    parts = [part for part in re.split(r",(?:且|并且|同时|并)?|且(?=[ⓉⒻⓈⓇ⟦])", text) if part]
    if not 1 < len(parts) <= 4:
        return []
    subject = re.match(r"⟦\w+⟧", text)
    made: list[RuleDraft] = []
    for part in parts:
        whole = part if part.startswith("⟦") or subject is None else subject[0] + part
        rules = _matched(draft, whole, guard is not None)
        if not rules:
            return []
        made += rules
    return [_guarded(rule, guard) for rule in made]


def _matched(draft: Draft, text: str, guarded: bool = True) -> list[RuleDraft]:
    for pattern in TABLE:
        if pattern.name in _CONDITIONAL_ONLY and not guarded:
            continue
        found = pattern.regex.fullmatch(text)
        if found:
            rules = list(pattern.make(draft, found))
            if rules:
                return rules
    return []


def _guarded(rule: RuleDraft, guard: str | None) -> RuleDraft:
    if guard is not None:
        rule.when = guard if rule.when is None else f"{guard} and {rule.when}"
    return rule


def _params(draft: Draft, text: str) -> list[ParamDraft]:
    """The distinct params that a list names; empty when one is none of the operator's."""
    found = [draft.named(name) for name in re.findall(r"⟦(\w+)⟧", text)]
    if any(param is None for param in found):
        return []
    return list({param.name: param for param in found if param is not None}.values())


def _facets(text: str) -> list[str]:
    return list(dict.fromkeys(_FACETS[sign] for sign in re.findall(r"[ⓉⒻⓈⓇ]|维度", text)))


# --- equality


def _equal_to(draft: Draft, found: re.Match[str]) -> Made:
    """a's dtype is b's: equal to the first named, and to the others."""
    mine, theirs = _params(draft, found["a"]), _params(draft, found["b"])
    for facet in _facets(found["what"] or found["that"] or ""):
        for a in mine:
            for b in theirs:
                yield from same(a, b, facet)


def _all_equal(draft: Draft, found: re.Match[str]) -> Made:
    params = _params(draft, found["a"])
    for facet in _facets(found["what"]):
        for other in params[1:]:
            yield from same(other, params[0], facet)


def same(a: ParamDraft, b: ParamDraft, facet: str) -> Made:
    """The rule that two params agree in a facet, named after the later of the two."""
    allowed = (*TENSORS, "scalar") if facet == "dtype" else TENSORS
    if a is b or a.kind not in allowed or b.kind not in allowed or "scalar" in (a.kind, b.kind):
        return
    yield RuleDraft(f"{a.name}-same-{facet}", equal(a, b, facet), a.name)


def _uniform(draft: Draft, found: re.Match[str]) -> Made:
    for param in _params(draft, found["a"]):
        if param.kind == "tensor_list":
            for facet in _facets(found["what"]):
                name = spelled(param.name)
                yield RuleDraft(
                    f"{param.name}.uniform-{facet}", f"all(t.{facet} == {name}[0].{facet} for t in {name})", param.name
                )


# --- broadcast and promotion


def _pairs(params: Sequence[ParamDraft]) -> Iterator[tuple[ParamDraft, ParamDraft]]:
    for i, first in enumerate(params):
        for second in params[i + 1 :]:
            yield first, second


def _broadcastable(draft: Draft, found: re.Match[str]) -> Made:
    params = _params(draft, found["a"] + found["b"])
    if any(param.kind != "tensor" for param in params):
        return
    for a, b in _pairs(params):
        if a.io == "out" or b.io == "out":
            continue
        yield RuleDraft(
            f"{a.name}-{b.name}-broadcast", f"broadcastable({spelled(a.name)}.shape, {spelled(b.name)}.shape)", a.name
        )


def _broadcastable_to(draft: Draft, found: re.Match[str]) -> Made:
    mine, theirs = _params(draft, found["a"]), _params(draft, found["b"])
    for a in mine:
        for b in theirs:
            if a is not b and a.kind == b.kind == "tensor":
                check = f"broadcastable_to({spelled(a.name)}.shape, {spelled(b.name)}.shape)"
                yield RuleDraft(f"{a.name}-broadcast-to-{b.name}", check, a.name)


def _is_broadcast(draft: Draft, found: re.Match[str]) -> Made:
    mine, theirs = _params(draft, found["a"]), _params(draft, found["b"])
    theirs = [param for param in theirs if param not in mine]
    if len(mine) == 1 and mine[0].kind == "tensor" and len(theirs) > 1 and all(p.kind == "tensor" for p in theirs):
        shapes = ", ".join(f"{spelled(param.name)}.shape" for param in theirs)
        check = f"{spelled(mine[0].name)}.shape == broadcast({shapes})"
        yield RuleDraft(f"{mine[0].name}-broadcast-shape", check, mine[0].name)


def _promotable(draft: Draft, found: re.Match[str]) -> Made:
    params = _params(draft, found["a"] + (found["b"] or ""))
    if len(params) < 2 or any(param.kind != "tensor" for param in params):
        return
    for a, b in _pairs([param for param in params if param.io != "out"]):
        check = f"promotable({spelled(a.name)}.dtype, {spelled(b.name)}.dtype)"
        yield RuleDraft(f"{a.name}-{b.name}-promote", check, a.name)


def promoted(params: Sequence[ParamDraft]) -> str | None:
    """The dtype that params promote to, as an expression; None when their kinds have no promotion."""
    kinds = [param.kind for param in params]
    names = [f"{spelled(param.name)}.dtype" for param in params]
    if len(params) == 1 and kinds == ["tensor"]:
        return names[0]
    if set(kinds) == {"tensor"}:
        text = names[0]
        for name in names[1:]:
            text = f"promote({text}, {name})"
        return text
    if kinds == ["tensor", "scalar"]:
        return f"promote_scalar({names[0]}, {names[1]})"
    return None


def _castable_from(draft: Draft, found: re.Match[str]) -> Made:
    """The output's dtype is one that what the inputs promote to converts to."""
    mine, theirs = _params(draft, found["a"]), _params(draft, found["b"])
    theirs = [param for param in theirs if param not in mine]
    source = promoted(theirs) if theirs else None
    if len(mine) == 1 and mine[0].kind == "tensor" and source:
        yield RuleDraft(f"{mine[0].name}-castable", f"castable({source}, {spelled(mine[0].name)}.dtype)", mine[0].name)


def _castable_to(draft: Draft, found: re.Match[str]) -> Made:
    mine, theirs = _params(draft, found["a"]), _params(draft, found["b"])
    theirs = [param for param in theirs if param not in mine]
    target = promoted(theirs) if theirs else None
    if len(mine) == 1 and mine[0].kind in ("tensor", "scalar") and target:
        check = f"castable({spelled(mine[0].name)}.dtype, {target})"
        yield RuleDraft(f"{mine[0].name}-castable", check, mine[0].name)


def _cast_rule(draft: Draft, found: re.Match[str]) -> Made:
    """'satisfy the conversion rule': what an output holds is converted to its dtype, an input's to the other's."""
    params = _params(draft, found["a"] + (found["b"] or ""))
    if len(params) != 2 or any(param.kind != "tensor" for param in params):
        return
    a, b = params
    if b.io == "out" and a.io != "out":
        a, b = b, a
    source, target = (b, a) if a.io == "out" else (a, b)
    check = f"castable({spelled(source.name)}.dtype, {spelled(target.name)}.dtype)"
    yield RuleDraft(f"{a.name}-castable", check, a.name)


def _castable_to_literal(draft: Draft, found: re.Match[str]) -> Made:
    dtype = lexicon.dtype(found["d"])
    for param in _params(draft, found["a"]):
        if param.kind == "tensor" and dtype is not None:
            yield RuleDraft(f"{param.name}-castable", f"castable({spelled(param.name)}.dtype, {dtype})", param.name)


def _is_promoted(draft: Draft, found: re.Match[str]) -> Made:
    mine, theirs = _params(draft, found["a"]), _params(draft, found["b"])
    theirs = [param for param in theirs if param not in mine]
    source = promoted(theirs) if theirs else None
    if len(mine) == 1 and mine[0].kind == "tensor" and source:
        yield RuleDraft(f"{mine[0].name}-promoted", f"{spelled(mine[0].name)}.dtype == {source}", mine[0].name)


# --- ranks, lengths, numbers


def _rank_at_most(draft: Draft, found: re.Match[str]) -> Made:
    for param in _params(draft, found["a"]):
        if param.is_tensor:
            yield from rank_rule(param, f"<= {next(n for n in found.groups()[1:] if n)}")


def rank_rule(param: ParamDraft, bound: str) -> Made:
    """A bound on a tensor's rank, unless its row has one already."""
    if "rank" not in param.properties:
        name = spelled(param.name)
        check = f"all(t.rank {bound} for t in {name})" if param.kind == "tensor_list" else f"{name}.rank {bound}"
        yield RuleDraft(f"{param.name}.rank-bound", check, param.name)


def _same_length(draft: Draft, found: re.Match[str]) -> Made:
    mine, theirs = _params(draft, found["a"]), _params(draft, found["b"])
    for a in mine:
        for b in theirs:
            if a is not b and _countable(a) and (_countable(b) or (b.kind == "tensor" and "Ⓡ" in found[0])):
                other = f"len({spelled(b.name)})" if _countable(b) else f"{spelled(b.name)}.rank"
                yield RuleDraft(f"{a.name}-same-length", f"len({spelled(a.name)}) == {other}", a.name)


def _countable(param: ParamDraft) -> bool:
    return param.kind.endswith(("_list", "_array"))


def _same_count(draft: Draft, found: re.Match[str]) -> Made:
    """元素个数等于x中Tensor的个数: a scalar list or array has as many elements as a tensor list has tensors."""
    yield from _same_length(draft, found)


def _divisible(draft: Draft, found: re.Match[str]) -> Made:
    for param in _params(draft, found["a"]):
        if param.kind == "int":
            yield RuleDraft(f"{param.name}.multiple", f"{spelled(param.name)} % {found['n']} == 0", param.name)


def _axis_bounds(draft: Draft, found: re.Match[str]) -> Made:
    """取值范围为[-self.dim(), self.dim()-1]."""
    mine, theirs = _params(draft, found["a"]), _params(draft, found["b"])
    if len(mine) == 1 and len(theirs) == 1 and theirs[0].kind == "tensor":
        rank = f"max({spelled(theirs[0].name)}.rank, 1)"
        name = spelled(mine[0].name)
        if mine[0].kind == "int":
            yield RuleDraft(f"{mine[0].name}.axis", f"-{rank} <= {name} < {rank}", mine[0].name)
        elif mine[0].kind == "int_array":
            yield RuleDraft(f"{mine[0].name}.axis", f"all(-{rank} <= d < {rank} for d in {name})", mine[0].name)


_DIM = r"⟦\w+⟧(?:Ⓢ)?(?:\.size\(-?\d\)|\[-?\d\])(?:维度|大小)*"


def _dim(draft: Draft, text: str) -> tuple[str, ParamDraft] | None:
    """A dim of a tensor, or an element of an array, as an expression."""
    found = re.match(r"⟦(\w+)⟧(?:Ⓢ)?(?:\.size\((-?\d)\)|\[(-?\d)\])", text)
    param = draft.named(found[1]) if found else None
    if found is None or param is None:
        return None
    index = found[2] or found[3]
    if param.kind == "tensor":
        return f"{spelled(param.name)}.shape[{index}]", param
    return (f"{spelled(param.name)}[{index}]", param) if param.kind == "int_array" else None


def _channels(draft: Draft, found: re.Match[str]) -> Made:
    """A vector with an element for each channel: axis 1, or the last one where the format says so."""
    owners = _params(draft, found["b"])
    if len(owners) == 1 and owners[0].kind == "tensor":
        other = spelled(owners[0].name)
        axis = f"({other}.shape[-1] if {other}.format in (NHWC, NDHWC) else {other}.shape[1])"
        for param in _params(draft, found["a"]):
            if param.kind == "tensor":
                yield RuleDraft(f"{param.name}-channels", f"{spelled(param.name)}.numel == {axis}", param.name)


def _numel_is(draft: Draft, found: re.Match[str]) -> Made:
    for param in _params(draft, found["a"]):
        if param.kind == "tensor":
            yield RuleDraft(f"{param.name}-numel", f"{spelled(param.name)}.numel == {found['n']}", param.name)


def same_leading_dims(draft: Draft, found: re.Match[str]) -> Made:
    """N and C of images agree: axes 0 and 1, wherever the channels do not come last."""
    params = [param for param in _params(draft, found["a"] + (found["b"] or "")) if param.kind == "tensor"]
    for other in params[1:]:
        left, right = spelled(params[0].name), spelled(other.name)
        check = f"{left}.shape[:2] == {right}.shape[:2]"
        yield RuleDraft(f"{other.name}-same-nc", check, other.name, f"{left}.format not in (NHWC, NDHWC)")


def _same_dim(draft: Draft, found: re.Match[str]) -> Made:
    """A dim equals another, an attribute or a number."""
    first = _dim(draft, found["a"])
    named = re.fullmatch(r"⟦(\w+)⟧", found["b"])
    attribute = draft.named(named[1]) if named else None
    second = _dim(draft, found["b"])
    other = second[0] if second else found["b"] if found["b"].isdigit() else None
    if attribute is not None and attribute.kind == "int":
        other = spelled(attribute.name)
    if first is not None and other is not None and first[0] != other:
        yield RuleDraft(f"{first[1].name}-dim", f"{first[0]} == {other}", first[1].name)


def _dim_multiple(draft: Draft, found: re.Match[str]) -> Made:
    dim = _dim(draft, found["a"])
    if dim is not None:
        yield RuleDraft(f"{dim[1].name}-dim-multiple", f"{dim[0]} % {found['n']} == 0", dim[1].name)


def _reduce_dims(draft: Draft, found: re.Match[str]) -> Made:
    """The dim over which a matrix product sums, of matrices whose transposition is in their strides."""
    params = _params(draft, found[0])
    if len(params) == 2 and all(param.kind == "tensor" for param in params):
        a, b = sorted(params, key=list(draft.params.values()).index)
        left, right = spelled(a.name), spelled(b.name)
        yield RuleDraft(
            f"{b.name}-reduce-dim", f"{left}.shape[-1] == {right}.shape[-2]", b.name,
            f"{left}.rank >= 2 and {right}.rank >= 2",
        )  # fmt: skip


def _at_least_as_many(draft: Draft, found: re.Match[str]) -> Made:
    for a in _params(draft, found["a"]):
        for b in _params(draft, found["b"]):
            left, right = spelled(a.name), spelled(b.name)
            if a.kind == b.kind == "tensor_list":
                yield RuleDraft(f"{a.name}-numel", f"all(a.numel >= b.numel for a, b in zip({left}, {right}))", a.name)
            elif a.kind == b.kind == "tensor" and a is not b:
                yield RuleDraft(f"{a.name}-numel", f"{left}.numel >= {right}.numel", a.name)


def _most_tensors(draft: Draft, found: re.Match[str]) -> Made:
    for param in _params(draft, found["a"]):
        if param.kind == "tensor_list":
            yield RuleDraft(f"{param.name}.most", f"len({spelled(param.name)}) <= {found['n']}", param.name)


def _all_as_long(draft: Draft, found: re.Match[str]) -> Made:
    params = [param for param in _params(draft, found["a"]) if _countable(param)]
    for other in params[1:]:
        check = f"len({spelled(other.name)}) == len({spelled(params[0].name)})"
        yield RuleDraft(f"{other.name}-same-length", check, other.name)


def _dtype_in(draft: Draft, found: re.Match[str]) -> Made:
    """A set of dtypes under a condition; without one it is the cell's affair."""
    names = lexicon.dtypes_in(found["list"])
    if names.names and not names.unknown:
        members = ", ".join(names.names) + ("," if len(names.names) == 1 else "")
        for param in _params(draft, found["a"]):
            if param.kind == "tensor":
                yield RuleDraft(f"{param.name}-dtypes", f"{spelled(param.name)}.dtype in ({members})", param.name)


def _value_in(draft: Draft, found: re.Match[str]) -> Made:
    """Values of an attribute under a condition."""
    for param in _params(draft, found["a"]):
        words = re.split(r"、|/|,|或者|或|和", found["list"])
        literals = [guards.literal(param, word) for word in words]
        if param.kind in ("int", "string", "bool") and literals and None not in literals:
            check = guards.member(spelled(param.name), [item for item in literals if item is not None])
            yield RuleDraft(f"{param.name}-values", check, param.name)


def _must_be_absent(draft: Draft, found: re.Match[str]) -> Made:
    for param in _params(draft, found["a"]):
        if param.ctype.endswith("*"):
            yield RuleDraft(f"{param.name}-absent", f"{spelled(param.name)} is None", param.name)


def _row(name: str, regex: str, make: Callable[[Draft, re.Match[str]], Made]) -> Pattern:
    return Pattern(name, re.compile(regex), make)


_OWN = r"(?P<a>⟦\w+⟧)"
TABLE: tuple[Pattern, ...] = (
    _row("equal", rf"(?P<a>{_PS})(?P<what>{_A}){_JOIN}(?:其)?(?P<b>{_PS})(?P<that>{_A})?(?:＝|为＝)", _equal_to),
    _row("equal", rf"(?P<a>{_PS})(?P<what>{_A})(?:同|跟随)(?P<b>{_PS})(?P<that>{_A})?", _equal_to),
    _row("all equal", rf"(?P<a>{_PS})(?P<what>{_A})(?:两两|相互|必|完全)?(?:＝|为＝|一一对应＝)", _all_equal),
    _row("all equal", rf"(?P<a>{_PS})(?:是)?(?P<what>{_A})＝(?:[tT]ensor)?", _all_equal),
    _row("uniform", rf"{_OWN}(?:该参数)?(?:中|内)?(?:所有|各|每个|列表内|里)?(?:[tT]ensor)?(?P<what>{_A})(?:之间)?＝", _uniform),
    _row("uniform", rf"{_OWN}该参数中所有[tT]ensor(?P<what>{_A})＝", _uniform),
    _row("result of broadcast", rf"{_OWN}Ⓢ?(?:是|为|与|等于|和)?(?P<b>{_PS})Ⓢ?(?:进行|做|经过|互相)?(?:broadcast)(?:之)?后(?:结果)?Ⓢ?＝?", _is_broadcast),
    _row("broadcast", rf"(?P<a>{_PS})Ⓢ?(?:能|可)?(?:与|和|同)(?P<b>{_PS})Ⓢ?(?:能|可)?(?:能够|可以|能|可)?(?:满足|进行|做|符合)?(?:Ⓑ|broadcast)", _broadcastable),
    _row("broadcast", rf"(?P<a>{_PS})Ⓢ?(?P<b>)(?:能够|可以|能|可|互相)?(?:满足|进行|做|符合)(?:Ⓑ|broadcast)", _broadcastable),
    _row("broadcast to", rf"(?P<a>{_PS})Ⓢ?(?:可以|可|能|能够|支持)?broadcast(?:到|成|为|至)(?P<b>{_PS})Ⓢ?", _broadcastable_to),
    _row("promotion", rf"(?P<a>{_PS})Ⓣ?(?:与|和)(?P<b>{_PS})Ⓣ?满足(?:Ⓣ)?(?:Ⓥ)", _promotable),
    _row("promotion", rf"(?P<a>{_PS})Ⓣ?(?P<b>)(?:之间)?(?:满足|可以进行|能进行)(?:Ⓣ)?(?:Ⓥ|推导)", _promotable),
    _row("promoted dtype", rf"{_OWN}Ⓣ(?:与|和|是|为|等于)(?P<b>{_PS})(?:进行)?Ⓣ?(?:互)?推导(?:之)?后(?:结果)?(?:Ⓣ|类型|结果)?＝?", _is_promoted),
    _row("castable from", rf"{_OWN}Ⓣ(?:是|为)?(?P<b>{_PS})(?:进行)?Ⓣ?(?:互)?(?:推导)?(?:之)?后?(?:结果)?Ⓣ?(?:能够|可以|可|能)转换(?:为|成)?Ⓣ?", _castable_from),
    _row("castable from", rf"{_OWN}Ⓣ(?:是|为)?(?P<b>{_PS})(?:与\S*)?推导之?后?可转换Ⓣ", _castable_from),
    _row("castable to", rf"{_OWN}Ⓣ(?:是|为)?(?:能够|可以|可|能)?转换(?:为|成|到)(?P<b>{_PS})(?:推导(?:之)?后)?(?:Ⓣ|结果)?(?:Ⓣ)?", _castable_to),
    _row("castable to a dtype", rf"{_OWN}Ⓣ(?:是|为)?(?:可以|可|能)?转换(?:为|成|到)(?P<d>[A-Z][A-Za-z0-9_]+)Ⓣ?", _castable_to_literal),
    _row("conversion rule", rf"(?P<a>{_PS})Ⓣ?(?:与|和)(?P<b>{_PS})Ⓣ?满足Ⓚ", _cast_rule),
    _row("rank at most", rf"(?P<a>{_PS})(?:数据)?(?:Ⓢ|Ⓡ|维度)?(?:不支持(\d)维以上|(?:不超过|不大于|不高于|小于等于|最大支持|最多支持|最高支持|最大为)(\d)维?|不能超过(\d)维?)", _rank_at_most),
    _row("length", rf"{_OWN}(?:列表)?(?:长度|元素个数|元素数量|个数|size|[tT]ensor个数|中[tT]ensor个数|大小){_JOIN}(?P<b>{_PS})(?:列表)?(?:中|长度|个数|Ⓡ|中?[tT]ensor个数|列表长度|元素个数|元素数量)?＝", _same_length),
    _row("count", rf"{_OWN}(?:元素个数|长度)(?:与|和|等于)(?P<b>{_PS})中?[tT]ensor个数＝?", _same_count),
    _row("axis", rf"{_OWN}.{{0,40}}?[\[(]-(?P<b>⟦\w+⟧)(?:\.dim\(\)|Ⓡ|维度),⟦\w+⟧(?:\.dim\(\)|Ⓡ|维度)(?:-1\]|\)).{{0,24}}", _axis_bounds),
    _row("channels", rf"(?P<a>{_PS})(?:Ⓢ)?(?:长度|size|大小)?(?:需|要)?(?:与|和)(?P<b>⟦\w+⟧)(?:Ⓢ)?(?:中)?[cC]hannel轴(?:长度|size|大小)?＝", _channels),
    _row("number of elements", rf"(?P<a>{_PS})元素(?:个数|数量)(?:为|是|等于)(?P<n>\d+)", _numel_is),
    _row("leading dims", rf"(?P<a>{_PS})(?:Ⓢ)?N(?:轴)?(?:、|/|和)C(?:轴|维度?)?(?:大小|size)*(?:与|和)(?P<b>{_PS})＝", same_leading_dims),
    _row("same dim", rf"(?P<a>{_DIM})(?:与|和|等于|＝|=|为|是)(?P<b>{_DIM}|⟦\w+⟧|\d+)(?:大小|维度)*＝?", _same_dim),
    _row("dim multiple", rf"(?P<a>{_DIM})(?:是|为|能被)?(?P<n>\d+)(?:整倍数|整数倍|倍数|整除|对齐)", _dim_multiple),
    _row("reduce dims", r"⟦\w+⟧Reduce维度(?:与|和)⟦\w+⟧Reduce维度大小?＝", _reduce_dims),
    _row("as many elements", rf"(?P<a>{_PS})(?:元素个数)大于等于(?P<b>{_PS})(?:元素个数)", _at_least_as_many),
    _row("most tensors", rf"(?P<a>{_PS})(?:支持)?(?:包含)?(?:最大[tT]ensor个数(?:为|是)|支持最多)(?P<n>\d+)(?:个[tT]ensor)?", _most_tensors),
    _row("lengths", rf"(?P<a>{_PS})(?:数组|中)?(?:长度|元素个数|元素数量|[sS]ize)＝", _all_as_long),
    _row("dtypes", rf"(?P<a>{_PS})Ⓣ(?:仅|只|也)?(?:支持|为|是|可以为)(?P<list>[A-Z][A-Z0-9_a-z]*(?:(?:、|/|,|或者|或|和|及)[A-Z][A-Z0-9_a-z]*)*)(?:类型|Ⓣ)?", _dtype_in),
    _row("values", rf"(?P<a>{_PS})(?:取值)?(?:仅|只)?(?:支持|能|可以|当前)*(?:为|是|传入?|取|配置为|设置为|支持|=|取值)+(?P<list>-?[A-Za-z0-9_]+(?:(?:、|/|,|或者|或|和)-?[A-Za-z0-9_]+)*)", _value_in),
    _row("absent", rf"(?P<a>{_PS})(?:仅|只)?(?:支持|能)?(?:为|传入?|是|设置为)(?:空指针|空|nullptr|null)", _must_be_absent),
    _row("multiple", rf"{_OWN}(?:是|为|能被)?(?P<n>\d+)(?:整倍数|整数倍|倍数|整除)", _divisible),
)  # fmt: skip
