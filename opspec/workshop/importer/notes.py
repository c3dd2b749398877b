"""Notes on products: how dtypes and formats differ from what the table lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from opspec.workshop.importer import lexicon
from opspec.workshop.importer.draft import Draft, ParamDraft
from opspec.workshop.importer.facts import scoped_lines
from opspec.workshop.importer.normal import Normaliser
from opspec.workshop.importer.page import ParamRow, Scope, Statement

_WORD = r"[A-Za-z][A-Za-z0-9_]*"
_LIST = rf"(?P<list>{_WORD}(?:(?:、|,|，|/|和|或|以及|及|与)\s*{_WORD})*)"
_SUBJECT = r"(?P<who>(?:⟦\w+⟧(?:、|和|与|,|/|及|以及)?)*|输入和?输出|输入|输出|)"
_OF = r"(?P<what>Ⓣ|Ⓕ|Ⓣ类型|)"
_FORMS = (
    ("subtract", re.compile(rf"{_SUBJECT}{_OF}(?:暂)?不支持{_LIST}(?:Ⓣ|Ⓕ|类型)?")),
    ("subtract", re.compile(rf"{_SUBJECT}{_OF}{_LIST}不支持")),
    ("add", re.compile(rf"{_SUBJECT}{_OF}(?:还|额外|另外|新增)支持{_LIST}(?:Ⓣ|Ⓕ|类型)?")),
    ("replace", re.compile(rf"{_SUBJECT}{_OF}(?:类型)?(?:仅|只|当前|目前)*支持(?:为)?:?{_LIST}(?:Ⓣ|Ⓕ|类型)?")),
    ("replace", re.compile(rf"{_SUBJECT}(?P<what>Ⓣ|Ⓕ)(?:仅|只)?(?:支持为|可以?为|为|是):?{_LIST}(?:类型)?")),
)  # fmt: skip
_FOOTNOTE = re.compile(r"角标[“\"'‘]?(\d+)[”\"'’]?代表该系列(?:产品)?(不支持|支持|仅支持)")


def read(draft: Draft, normaliser: Normaliser, statement: Statement, own: ParamDraft | None = None) -> list[str]:
    """Applies a statement about sets on some products; returns the ids of the rules that hold it."""
    footnote = _FOOTNOTE.search(statement.text)
    if footnote and statement.scope:
        return _footnote(draft, footnote[1], footnote[2] == "不支持", statement.scope)
    if not statement.scope:
        return []
    touched: list[str] = []
    for text in _parts(normaliser.normal(statement.text)):
        found = _change(draft, text, statement.scope, own)
        if not found:
            return touched
        touched += found
    return touched


def _parts(text: str) -> list[str]:
    """A statement cut where a comma separates one subject's sets from another's."""
    return [part for part in re.split(r",(?=⟦|Ⓣ|Ⓕ|不支持|支持|仅支持)", text) if part]


def _change(draft: Draft, text: str, scope: Scope, own: ParamDraft | None) -> list[str]:
    for how, pattern in _FORMS:
        found = pattern.fullmatch(text)
        if not found:
            continue
        for kind, known in (("dtype", lexicon.dtypes_in), ("format", lexicon.formats_in)):
            names = known(found["list"])
            if names.names and not names.unknown and not (kind == "dtype" and found["what"] == "Ⓕ"):
                params = _subjects(draft, found["who"], kind, own)
                named = bool(found["who"]) or own is not None
                return [rule for param in params for rule in change(param, kind, how, names.names, scope, named)]
    return []


def _subjects(draft: Draft, who: str, kind: str, own: ParamDraft | None) -> list[ParamDraft]:
    named = [param for name in re.findall(r"⟦(\w+)⟧", who) if (param := draft.named(name)) is not None]
    if not who and own is not None:
        named = [own]
    pool = named or list(draft.params.values())
    if who == "输入":
        pool = [param for param in pool if param.io != "out"]
    elif who == "输出":
        pool = [param for param in pool if param.io != "in"]
    return [param for param in pool if isinstance(param.properties.get(kind), dict)]


def change(param: ParamDraft, kind: str, how: str, names: Sequence[str], scope: Scope, named: bool) -> list[str]:
    """Adds a change to a set; a note that names no param touches only params whose sets it can be about."""
    value = param.properties.get(kind)
    if not isinstance(value, dict):
        return []
    base: list[str] = value["any"]
    if how == "replace":
        kept = [name for name in names if name in base]
        if not named:
            if not kept:
                return []
            names = kept
        if set(names) == set(base):
            return [f"{param.name}.{kind}"]
        entry = {"on": list(scope), "replace": list(names)}
    elif how == "subtract":
        gone = [name for name in names if name in base]
        if not gone or len(gone) == len(base):
            return []
        entry = {"on": list(scope), "subtract": gone}
    else:
        new = [name for name in names if name not in base]
        if not new or (not named and not any(name in base for name in names)):
            return [f"{param.name}.{kind}"] if not new else []
        entry = {"on": list(scope), "add": new}
    if entry not in value["changes"]:
        value["changes"].append(entry)
    return [f"{param.name}.{kind}"]


def _footnote(draft: Draft, mark: str, gone: bool, scope: Scope) -> list[str]:
    touched = []
    for param in draft.params.values():
        for kind in ("dtype", "format"):
            value = param.properties.get(kind)
            if isinstance(value, dict):
                marked = [name for name in value["any"] if mark in param.marks.get(name, ())]
                if marked and gone:
                    touched += change(param, kind, "subtract", marked, scope, True)
    return touched


def read_row(draft: Draft, normaliser: Normaliser, row: ParamRow) -> None:
    """Sets that the lines of a row's text give for products."""
    param = draft.named(row.name)
    if param is None or not param.is_tensor:
        return
    for scope, line in scoped_lines(_lines(row)):
        if scope:
            read(draft, normaliser, Statement(line.rstrip("。；;"), row.line, scope), param)


def _lines(row: ParamRow) -> Iterable[str]:
    for column in ("usage", "about"):
        yield from row.cells.get(column, ())
