"""Conditions of statements as expressions: ``当x的数据类型为INT8时`` -> ``x.dtype == INT8``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from opspec.importer import lexicon
from opspec.importer.draft import Draft, ParamDraft
from opspec.importer.page import Scope
from opspec.language.text import spelled

_SPLIT = re.compile(
    r"^(?:当|如果|若|在|对于|其中|如)?(?P<when>(?:⟦\w+⟧).{0,120}?)(?:时|场景下?|情况下|的情况|场景中)(?:[,:：]|,?则)?(?P<then>.+)$"
)
_SPLIT_NOT = re.compile(r"^(?:当|如果|若)(?P<when>⟦\w+⟧.{0,80}?),(?:则)?(?P<then>.+)$")
_VALUES = r"(?P<values>(?:-?\d+(?:\.\d+)?|[A-Za-z_][A-Za-z0-9_]*|true|false|True|False)(?:(?:、|或者|或|/|,|和)(?:-?\d+(?:\.\d+)?|[A-Za-z_][A-Za-z0-9_]*))*)"
_IS = r"(?:取值)?(?:为|是|=|＝|==|等于|设置为|配置为|传入?|配置成|取值?)"
_DTYPE_IS = re.compile(rf"^⟦(?P<p>\w+)⟧Ⓣ?{_IS}{_VALUES}(?:Ⓣ|类型)?$")
_PRESENT = re.compile(
    r"^⟦(?P<p>\w+)⟧(?P<not>不为|非|不是|存在|不传)?(?P<is>为|是|传入?)?(?P<what>空指针|空|nullptr|null|NULL|不存在|存在|传入|有值)?$"
)
_RANK_IS = re.compile(r"^⟦(?P<p>\w+)⟧(?:Ⓢ|Ⓡ|维度)?(?:为|是|＝|=|等于)(?P<n>\d)(?P<unit>维?)$")
_BOOLS = {"true": True, "false": False, "1": True, "0": False}


def split(text: str) -> tuple[str, str] | None:
    """A statement in normal form as (condition, statement); None when it has no condition in front."""
    found = _SPLIT.match(text) or _SPLIT_NOT.match(text)
    return (found["when"], found["then"]) if found else None


def condition(draft: Draft, text: str) -> str | None:
    """The expression of a condition in normal form, or None when it is not understood whole."""
    parts = re.split(r"(?:,)?(?:并且|且|同时|以及(?=⟦))(?:当)?", text)
    found = [_one(draft, part.strip(",")) for part in parts]
    return " and ".join(part for part in found if part) if all(found) else None


def _one(draft: Draft, text: str) -> str | None:
    rank = _RANK_IS.match(text)
    if rank and (rank["unit"] or "Ⓡ" in text):
        param = draft.named(rank["p"])
        return f"{spelled(param.name)}.rank == {rank['n']}" if param and param.kind == "tensor" else None
    values = _DTYPE_IS.match(text)
    if values and (param := draft.named(values["p"])) is not None:
        found = _is_one_of(param, re.split(r"、|或者|或|/|,|和", values["values"]), "Ⓣ" in text)
        if found is not None:
            return found
    return _presence(draft, text)


def _is_one_of(param: ParamDraft, words: Sequence[str], dtype: bool) -> str | None:
    name = spelled(param.name)
    if param.kind in ("tensor", "scalar"):
        found = [lexicon.dtype(word) for word in words]
        return member(f"{name}.dtype", [word for word in found if word]) if all(found) else None
    if dtype:
        return None
    literals = [literal(param, word) for word in words]
    return member(name, [item for item in literals if item is not None]) if None not in literals else None


def literal(param: ParamDraft, word: str) -> str | None:
    """A value that a page names for an attribute, as a literal; None when it is no value of its type."""
    word = word.strip("\"'“”‘’`")
    match param.kind:
        case "bool":
            found = _BOOLS.get(word.lower())
            return None if found is None else str(found)
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


def member(subject: str, literals: Sequence[str]) -> str:
    """Equality with one value, membership in several."""
    unique = list(dict.fromkeys(literals))
    if len(unique) == 1:
        return (
            subject
            if unique[0] == "True"
            else f"not {subject}"
            if unique[0] == "False"
            else f"{subject} == {unique[0]}"
        )
    return f"{subject} in ({', '.join(unique)})"


def _presence(draft: Draft, text: str) -> str | None:
    found = re.match(
        r"^⟦(\w+)⟧(不为空指针|不为空|非空|存在|不为nullptr|非空指针|不是空指针|传入|有输入|为空指针|为空|不存在|为nullptr|传空指针|传入空指针|为null|不传|传空|为NULL)$",
        text,
    )
    param = draft.named(found[1]) if found else None
    if found is None or param is None or not param.ctype.endswith("*"):
        return None
    absent = found[2] in (
        "为空指针",
        "为空",
        "不存在",
        "为nullptr",
        "传空指针",
        "传入空指针",
        "为null",
        "不传",
        "传空",
        "为NULL",
    )
    return f"{spelled(param.name)} is {'None' if absent else 'not None'}"


def products(scope: Scope) -> str:
    """The condition that a call is for one of these products."""
    names = ", ".join(repr(name) for name in scope)
    return f"product == {names}" if len(scope) == 1 else f"product in ({names})"
