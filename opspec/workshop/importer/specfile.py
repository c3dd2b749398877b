"""From a draft to the text of a spec file: defaults left out, only what loads kept."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from opspec.model.expand import define
from opspec.model.ledger import called_together
from opspec.model.shorten import defaults_left_out
from opspec.model.spec import NOT_SAID, Spec
from opspec.vocabulary import products
from opspec.workshop.importer import clauses
from opspec.workshop.importer.draft import ClauseDraft, Draft, ParamDraft
from opspec.workshop.importer.settling import loaded

_TENSOR_PROPERTIES = ("dtype", "format", "rank", "shape", "dims", "strided", "empty")
_OTHER_PROPERTIES = ("optional", "reserved", "length", "each", "enum", "range")


@dataclass(slots=True)
class Written:
    """A spec as plain data in its flat form, and what had to be left out of it because it means nothing."""

    value: dict[str, Any]
    left_out: list[str]


def spec_of(draft: Draft, release: str, header: str | None) -> Written:
    """The spec of a draft."""
    value = _head(draft, release, header)
    value["params"] = [_param(param) for param in draft.params.values()]
    value["rules"] = {rule.name: _rule(rule.check, rule.when, rule.param) for rule in draft.rules.values()}
    ids, left_out = loaded(value, lambda: _ids(value))
    _accounts(draft, value, ids)
    if draft.missing:
        value["partial"] = _partial(draft)
    value = {key: item for key, item in value.items() if item not in ({}, [], None)}
    if draft.deprecated is not None:
        value["deprecated"] = {"successors": draft.deprecated} if draft.deprecated else {}
    return Written(value, left_out)


def _ids(value: Mapping[str, Any]) -> set[str]:
    spec = Spec.model_validate({key: item for key, item in value.items() if item is not None})
    return {rule.id for rule in define(spec).rules}


def _head(draft: Draft, release: str, header: str | None) -> dict[str, Any]:
    value: dict[str, Any] = {
        "operator": draft.operator, "release": release, "document": draft.document, "header": header,
        "formula": list(draft.formulas), "products": _products(draft.products),
        "deterministic": draft.deterministic,
    }  # fmt: skip
    if draft.interface != "two-phase":
        value["interface"] = draft.interface
    if draft.stream != "aclrtStream":
        value["stream"] = draft.stream
    return value


def _products(support: Mapping[str, str]) -> dict[str, str]:
    order = [name for family in products.ids() for name in (family, *products.members(family))]
    return {name: support[name] for name in order if name in support}


def _partial(draft: Draft) -> dict[str, str]:
    what = ", ".join(draft.missing)
    return {"en": f"The page could not be read whole; not found: {what}.", "zh": f"页面未能完整解析，缺少：{what}。"}


# --- params


def _param(param: ParamDraft) -> dict[str, Any]:
    made: dict[str, Any] = {"name": param.name, "ctype": param.ctype}
    if param.io != "in":
        made["io"] = param.io
        if param.io == "inout" and param.ctype.startswith("const "):
            made["io"] = "in"
    if param.also:
        made["also"] = list(param.also)
    for name in (*_TENSOR_PROPERTIES, *_OTHER_PROPERTIES):
        value = param.properties.get(name)
        if value is None or (name in _TENSOR_PROPERTIES[1:] and not param.is_tensor):
            continue
        made[name] = _set(value) if name in ("dtype", "format") else value
    return _with_defaults(made) if param.is_tensor else made


def _with_defaults(made: dict[str, Any]) -> dict[str, Any]:
    """What a tensor's row does not say is said to be unknown; what is so by default is not said."""
    return defaults_left_out({**made, **{name: word for name, word in NOT_SAID.items() if name not in made}})


def _set(value: Any) -> Any:
    """A set without changes is a plain list; a change that repeats another is left out."""
    if not isinstance(value, dict):
        return value
    base = list(value["any"])
    changes: list[dict[str, Any]] = []
    for change in value["changes"]:
        if change.get("replace") and set(change["replace"]) == set(base) and not changes:
            continue
        if change not in changes:
            changes.append(change)
    kept = _consistent(base, changes)
    return {"any": base, "changes": kept} if kept else base


def _consistent(base: list[str], changes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The changes that leave something: one that takes away what is not there any more says nothing new."""
    sets: dict[str, set[str]] = {name: set(base) for name in products.ids()}
    kept = []
    for change in changes:
        families = {products.owner(name) for name in change["on"]}
        now = set.intersection(*(sets[name] for name in families)) if families else set(base)
        new = dict(change)
        if "subtract" in change:
            new["subtract"] = [name for name in change["subtract"] if name in now]
            if not new["subtract"] or len(new["subtract"]) == len(now):
                continue
            after = now - set(new["subtract"])
        elif "add" in change:
            new["add"] = [name for name in change["add"] if name not in now]
            if not new["add"]:
                continue
            after = now | set(new["add"])
        else:
            after = set(change["replace"])
            if after == now:
                continue
            if after < now and len(now - after) < len(after):  # what is missing is easier to read
                new = {"on": new["on"], "subtract": [name for name in base if name in now - after]}
            elif after > now:  # and so is what is there besides
                new = {"on": new["on"], "add": [name for name in change["replace"] if name not in now]}
        for name in families:
            sets[name] = after
        kept.append(new)
    return kept


def _rule(check: str, when: str | None, param: str | None) -> Any:
    if when is None:
        return {"check": check, "param": param} if param else check
    made = {"check": check, "when": when}
    return {**made, "param": param} if param else made


# --- the ledger


def _accounts(draft: Draft, value: dict[str, Any], ids: set[str]) -> None:
    for rule in value["rules"].values():
        if isinstance(rule, dict) and list(rule) == ["check", "param"] and _leads(rule["check"], rule["param"]):
            del rule["param"]
    value["rules"] = {
        name: rule["check"] if isinstance(rule, dict) and list(rule) == ["check"] else rule
        for name, rule in value["rules"].items()
    }
    value["clauses"] = [_clause(clause, ids) for clause in draft.clauses]


def _leads(check: str, param: str) -> bool:
    """Whether a finding's param would be this one anyway: the first that the check reads."""
    found = re.search(r"(?<![\w.])([A-Za-z_]\w*?)_?(?=\.(?:shape|dtype|format|rank)\b|\s*(?:[%<>=]|in\b|is\b))", check)
    return found is not None and found[1] == param


def _clause(clause: ClauseDraft, ids: set[str]) -> dict[str, Any]:
    made: dict[str, Any] = {"at": clause.at, "fingerprint": clauses.fingerprint(clause.text)}
    if clause.on:
        made["on"] = list(dict.fromkeys(clause.on))
    known = [name for name in dict.fromkeys(clause.rules) if name in ids]
    if known:
        made["rules"] = called_together(known, ids)
    elif clause.not_checkable:
        made["not_checkable"] = clause.not_checkable
    else:
        made["not_yet"] = "yes"
    return made
