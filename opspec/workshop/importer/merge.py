"""Importing again: what a person wrote stays, what only the importer wrote follows the page.

A spec is looked at as leaves: each property of each param, each rule, each clause, each other key. For every file the
importer keeps the digests of the leaves that it wrote (:mod:`opspec.workshop.importer.said`). A leaf that still has its
digest is the importer's; any other is a person's.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from opspec.model.spec import Param

Leaf = tuple[str, ...]
_ABSENT = object()
WORDS = ("words",)  # the words of a rule or derived value are a leaf behind its own
_AUTHORED = ("say", "fails", "en", "zh")
_PARAM_KEYS = [field_.alias or name for name, field_ in Param.model_fields.items()]


@dataclass(slots=True)
class Merged:
    """The spec that results.

    Args:
        changed: leaves that follow the page: (leaf, "new" | "changed" | "gone").
        kept: leaves where a person's word stays though the page says something else.
    """

    value: dict[str, Any]
    changed: list[tuple[str, str]] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)


def merge(current: Mapping[str, Any], imported: dict[str, Any], base: Mapping[str, str] | None) -> Merged:
    """Three-way: the file as it is, the page's spec as it is now, digests of what was imported before.

    Args:
        base: None for a file that a person made: it stays as it is, and is only compared.
    """
    mine, theirs = dict(leaves(current)), dict(leaves(imported))
    result: dict[Leaf, Any] = {}
    merged = Merged({})
    for leaf in dict.fromkeys((*mine, *theirs)):
        old, new = mine.get(leaf, _ABSENT), theirs.get(leaf, _ABSENT)
        name = "/".join(leaf)
        before = None if base is None else base.get(name)
        by_importer = base is not None and (None if old is _ABSENT else digest(old)) == before
        if leaf[2:] == WORDS:
            if old is not _ABSENT and result.get(leaf[:2], _ABSENT) == mine.get(leaf[:2]):
                result[leaf] = old  # the author's words, as long as what they say is the same
            continue
        if by_importer:
            if new is not _ABSENT:
                result[leaf] = new
            if old != new:
                merged.changed.append((name, "gone" if new is _ABSENT else "new" if old is _ABSENT else "changed"))
            continue
        if old is not _ABSENT:
            result[leaf] = old
        if old != new and new is not _ABSENT and (base is None or digest(new) != before):
            merged.kept.append(name)
    _without_orphans(merged, result, theirs)
    merged.value = built(result, current, imported)
    return merged


def _without_orphans(merged: Merged, result: dict[Leaf, Any], imported: Mapping[Leaf, Any]) -> None:
    """Takes back new rules that only statements yield of which a person wrote what became of them."""
    used = {rule for leaf, value in result.items() if leaf[0] == "clauses" for rule in value.get("rules", ())}
    stated = {rule for leaf, value in imported.items() if leaf[0] == "clauses" for rule in value.get("rules", ())}
    for name, kind in list(merged.changed):
        key, _, rule = name.partition("/")
        if key == "rules" and kind == "new" and rule in stated and rule not in used:
            merged.changed.remove((name, kind))
            del result[(key, rule)]


def leaves(spec: Mapping[str, Any]) -> Iterator[tuple[Leaf, Any]]:
    """The leaves of a spec, in its order. Place and products of a clause are none: they belong to its words."""
    for key, value in spec.items():
        if key == "params":
            yield ("params",), [param["name"] for param in value]
            for param in value:
                yield from ((("params", param["name"], name), item) for name, item in param.items() if name != "name")
        elif key in ("rules", "scenarios", "let"):
            for name, item in value.items():
                own, words = _without_words(item)
                yield (key, name), own
                if words:
                    yield (key, name, *WORDS), words
        elif key == "clauses":
            yield from (((key, name_of(item)), without(item, *_IDENTITY, "on")) for item in value)
        else:
            yield (key,), value


def _without_words(entry: Any) -> tuple[Any, dict[str, Any]]:
    """A rule or derived value as an importer would write it, and the author's words for it."""
    words = {name: entry[name] for name in _AUTHORED if name in entry} if isinstance(entry, Mapping) else {}
    if not words:
        return entry, {}
    own = without(entry, *words)
    alone = list(own) in (["check"], ["is"])
    return (next(iter(own.values())) if alone else own), words


def _with_words(entry: Any, words: Mapping[str, Any]) -> dict[str, Any]:
    """The opposite."""
    key = "check" if {"say", "fails"} & words.keys() else "is"
    return {**(entry if isinstance(entry, Mapping) else {key: entry}), **words}


_IDENTITY = ("id", "at")


def name_of(clause: Mapping[str, Any]) -> str:
    """What a clause is called: its id; its place, where it has none yet."""
    return str(clause.get("id", clause["at"]))


def without(entry: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    """An entry without some of its keys."""
    return {name: item for name, item in entry.items() if name not in keys}


def digest(value: Any) -> str:
    """Six hex digits that stand for a leaf's value."""
    text = json.dumps(plain(value), ensure_ascii=False, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=3).hexdigest()


def plain(value: Any) -> Any:
    """A value as the file would give it back: all scalars are text."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value if value is None else str(value)


def built(leaves_: Mapping[Leaf, Any], current: Mapping[str, Any], imported: Mapping[str, Any]) -> dict[str, Any]:
    """The spec of these leaves, its clauses in the order of ``imported``, others as in ``current``."""
    spec: dict[str, Any] = {}
    names = leaves_.get(("params",), [])
    for leaf, value in leaves_.items():
        match leaf:
            case ("params",):
                spec["params"] = []
            case ("params", _, _):
                continue
            case ("clauses", name):
                spec.setdefault("clauses", []).append(_placed(name, value, imported, current))
            case (key, name, "words"):
                spec[key][name] = _with_words(spec[key][name], value)
            case (key, name):
                spec.setdefault(key, {})[name] = value
            case (key,):
                spec[key] = value
    for name in names:
        found = {leaf[2]: value for leaf, value in leaves_.items() if leaf[0] == "params" and leaf[1:2] == (name,)}
        spec["params"].append({"name": name, **{key: found[key] for key in _PARAM_KEYS if key in found}})
    if "clauses" in spec:
        order = _order(imported, current)
        spec["clauses"].sort(key=lambda item: order.index(name_of(item)))
        spec["clauses"] = [_with_products(item, current, imported) for item in spec["clauses"]]
    return spec


def _order(imported: Mapping[str, Any], current: Mapping[str, Any]) -> list[str]:
    order: list[str] = [name_of(item) for item in imported.get("clauses", ())]
    behind = 0
    for name in map(name_of, current.get("clauses", ())):
        if name not in order:
            order.insert(behind, name)
        behind = order.index(name) + 1
    return order


def _placed(name: str, clause: Mapping[str, Any], *specs: Mapping[str, Any]) -> dict[str, Any]:
    """A clause with its id and its place, as the first of these specs that has it says."""
    same = (item for spec in specs for item in spec.get("clauses", ()) if name_of(item) == name)
    return {**{key: item for key, item in next(same).items() if key in _IDENTITY}, **clause}


def _with_products(clause: dict[str, Any], *specs: Mapping[str, Any]) -> dict[str, Any]:
    """A clause with the products that the newest spec with these words for it says they are about."""
    same = [
        item
        for spec in specs
        for item in spec.get("clauses", ())
        if name_of(item) == name_of(clause) and item.get("fingerprint") == clause.get("fingerprint")
    ]
    return {**clause, "on": same[-1]["on"]} if same and "on" in same[-1] else clause


def digests(spec: Mapping[str, Any]) -> dict[str, str]:
    """The digests of all leaves of a spec."""
    return {"/".join(leaf): digest(value) for leaf, value in leaves(spec)}
