"""Conditions of statements as expressions: ``当x的数据类型为INT8时`` -> ``x.dtype == INT8``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from opspec.language.text import spelled
from opspec.workshop.importer import lexicon
from opspec.workshop.importer.draft import Draft, ParamDraft
from opspec.workshop.importer.page import Scope
from opspec.workshop.importer.wording import listed, maybe, one_of

_PARAM = r"⟦(?P<p>\w{1,80})⟧"
_WHEN = one_of("时", "场景下?", "情况下", "的情况", "场景中")
#: 当x为空时，y…: what follows 时 or 场景
_SPLIT = re.compile(
    rf"^{maybe('当', '如果', '若', '在', '对于', '其中', '如')}(?P<when>⟦\w{{1,80}}⟧.{{0,120}}?){_WHEN}"
    r"(?:[,:：]|,?则)?(?P<then>.+)$"
)
#: 如果x为空，则y…: no word ends the condition but the comma
_SPLIT_AT_COMMA = re.compile(r"^(?:当|如果|若)(?P<when>⟦\w{1,80}⟧.{0,80}?),(?:则)?(?P<then>.+)$")
_AND = re.compile(r",?(?:并且|且|同时|以及(?=⟦))当?")

_OR = r"(?:、|或者|或|/|,|和)"
_NUMBER = r"-?\d{1,20}(?:\.\d{1,20})?"
_VALUES = listed(rf"(?:{_NUMBER}|[A-Za-z_][A-Za-z0-9_]{{0,40}})", _OR, 32)
_IS = r"(?:取值)?(?:为|是|=|＝|==|等于|设置为|配置为|传入?|配置成|取值?)"
_VALUE_IS = re.compile(rf"^{_PARAM}Ⓣ?{_IS}(?P<values>{_VALUES})(?:Ⓣ|类型)?$")
_RANK_IS = re.compile(rf"^{_PARAM}(?:Ⓢ|Ⓡ|维度)?(?:为|是|＝|=|等于)(?P<n>\d)(?P<unit>维?)$")

_ABSENT = (
    "为空指针", "为空", "不存在", "为nullptr", "传空指针", "传入空指针", "为null", "不传", "传空", "为NULL",
)  # fmt: skip
_GIVEN = (
    "不为空指针", "不为空", "非空", "存在", "不为nullptr", "非空指针", "不是空指针", "传入", "有输入",
)  # fmt: skip
_PRESENCE = re.compile(rf"^{_PARAM}(?:(?P<absent>{one_of(*_ABSENT)})|{one_of(*_GIVEN)})$")
_BOOLS = {"true": "True", "false": "False", "1": "True", "0": "False"}


def split(text: str) -> tuple[str, str] | None:
    """A statement in normal form as (condition, statement); None when it has no condition in front."""
    found = _SPLIT.match(text) or _SPLIT_AT_COMMA.match(text)
    return (found["when"], found["then"]) if found else None


def condition(draft: Draft, text: str) -> str | None:
    """The expression of a condition in normal form, or None when it is not understood whole."""
    found = [_one(draft, part.strip(",")) for part in _AND.split(text)]
    return " and ".join(part for part in found if part) if all(found) else None


def _one(draft: Draft, text: str) -> str | None:
    rank = _RANK_IS.match(text)
    if rank and (rank["unit"] or "Ⓡ" in text):
        param = draft.named(rank["p"])
        return f"{spelled(param.name)}.rank == {rank['n']}" if param and param.kind == "tensor" else None
    is_one_of = _VALUE_IS.match(text)
    param = draft.named(is_one_of["p"]) if is_one_of else None
    if is_one_of and param is not None:
        found = _is_one_of(param, re.split(_OR, is_one_of["values"]), "Ⓣ" in text)
        if found is not None:
            return found
    return _presence(draft, text)


def _is_one_of(param: ParamDraft, words: Sequence[str], of_dtypes: bool) -> str | None:
    name = spelled(param.name)
    if param.kind in ("tensor", "scalar"):
        found = [dtype for word in words if (dtype := lexicon.dtype(word)) is not None]
        return member(f"{name}.dtype", found) if len(found) == len(words) else None
    known = [] if of_dtypes else literals(param, words)
    return member(name, known) if known else None


def _presence(draft: Draft, text: str) -> str | None:
    found = _PRESENCE.match(text)
    param = draft.named(found["p"]) if found else None
    if found is None or param is None or not param.is_pointer:
        return None
    return f"{spelled(param.name)} is {'None' if found['absent'] else 'not None'}"


def literal(param: ParamDraft, word: str) -> str | None:
    """A value that a page names for an attribute, as a literal; None when it is no value of its type."""
    word = word.strip("\"'“”‘’`")
    match param.kind:
        case "bool":
            return _BOOLS.get(word.lower())
        case "int":
            number = lexicon.value(word)
            return number if number is not None and re.fullmatch(r"-?\d+", number) else None
        case "float" | "float32":
            return lexicon.value(word)
        case "string":
            return repr(word) if re.fullmatch(r"[A-Za-z0-9_.+-]{1,40}", word) else None
        case "dtype":
            return lexicon.dtype(word)
    return None


def literals(param: ParamDraft, words: Sequence[str]) -> list[str]:
    """The distinct values that words name; empty when one of them is none of the attribute's type."""
    found = [literal(param, word) for word in words]
    return list(dict.fromkeys(item for item in found if item is not None)) if None not in found else []


def member(subject: str, values: Sequence[str]) -> str:
    """Equality with one value, membership in several."""
    unique = list(dict.fromkeys(values))
    if len(unique) > 1:
        return f"{subject} in ({', '.join(unique)})"
    match unique[0]:
        case "True":
            return subject
        case "False":
            return f"not {subject}"
    return f"{subject} == {unique[0]}"


def products(scope: Scope) -> str:
    """The condition that a call is for one of these products."""
    names = ", ".join(repr(name) for name in scope)
    return f"product == {names}" if len(scope) == 1 else f"product in ({names})"
