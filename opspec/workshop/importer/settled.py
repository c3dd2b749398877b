"""Statements that wait in a spec that is there, where the same statement does not wait in the other release's spec.

A page is imported once, the other release's spec is worked on: what people have since made of a statement there is
what becomes of the same statement here.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from opspec.model.ledger import path_beside, read_ledger, rules_called
from opspec.model.load import beside, whole
from opspec.model.shorten import flat
from opspec.workshop.importer.alike import Statements, Wordings
from opspec.workshop.importer.carry import by_place, meant, renamed, spellings
from opspec.workshop.importer.merge import without
from opspec.workshop.importer.naming import status_of
from opspec.yamltext import read_file


def settled(
    spec: Mapping[str, Any], base: Path, new: Statements, old: Statements, rules: Collection[str]
) -> dict[str, Any]:
    """A flat spec, of whose clauses those no longer wait that the other page has in no other meaning.

    Such a clause takes the other one's rules, if all of them are here and are the same; else its reason.

    Args:
        spec: the flat spec as it is.
        base: the file of the spec in the other release.
        new: what the page of the spec states.
        old: what the page of the other one states.
        rules: the ids of all rules that the spec has.
    """
    source = whole(read_file(str(base)), lambda operator: beside(str(base), operator))
    names = spellings(source.value, spec)
    other = by_place(renamed(flat(source.value, read_ledger(path_beside(str(base)))), names))
    words = Wordings.between(old, new, names)
    own, theirs = spec.get("rules", {}), other.get("rules", {})
    shared = {rule for rule in rules if _required(own.get(rule)) == _required(theirs.get(rule))}
    clauses = [
        _settled(clause, other.get("clauses", ()), words, shared) if "not_yet" in clause else clause
        for clause in spec.get("clauses", ())
    ]
    return {**spec, "clauses": clauses} if clauses else dict(spec)


def _settled(
    clause: dict[str, Any], known: Collection[dict[str, Any]], words: Wordings, shared: Collection[str]
) -> dict[str, Any]:
    """A clause that waits with what became of the same one; as it is where nothing has, or not all of it is here."""
    mark = clause.get("fingerprint", "")
    same = [
        item
        for item in known
        if words.equal(mark, item.get("fingerprint", "")) and _covers(item, clause) and "not_yet" not in item
    ]
    found = meant(clause, same, words)
    said = list(dict.fromkeys(rule for item in found for rule in item.get("rules", ())))
    rest = without(clause, "not_yet")
    if said:
        return {**rest, "rules": said} if all(rules_called(rule, shared) for rule in said) else clause
    reason = next((item["not_checkable"] for item in found if "not_checkable" in item), None)
    return clause if reason is None else {**rest, "not_checkable": reason}


def _covers(known: Mapping[str, Any], clause: Mapping[str, Any]) -> bool:
    """Whether a clause is about all products that another one is about; one that names none is about every one."""
    theirs = known.get("on")
    return status_of(known) == status_of(clause) and (not theirs or set(clause.get("on") or ("",)) <= set(theirs))


def _required(rule: Any) -> Any:
    """What a rule of a flat spec requires, be it written as its check alone or with more."""
    if not isinstance(rule, Mapping):
        return {"check": rule}
    return {key: item for key, item in rule.items() if key in ("check", "when")}
