"""``extends``: a spec that says only how its operator differs from another one.

Both functions work on the plain data of spec files, and are each other's opposite: ``inherited(parent, own)`` is the
whole spec, ``difference(parent, whole)`` what a file that extends the parent has to say. Of the clauses that the parent
cites those are inherited that the heir's own page has; a remark that cites none of these is not, nor one on products of
which the heir names none.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeAlias

from opspec.errors import SpecError, did_you_mean, shown
from opspec.model import param_changes
from opspec.model.derived import filled, left_out
from opspec.model.param_changes import AFTER, in_place, without_nulls
from opspec.vocabulary import products
from opspec.yamltext import Tree

Data: TypeAlias = dict[str, Tree]

#: what is never as in the other spec
OWN = ("operator", "extends", "without", "document", "deprecated", "configured", "twin", "helpers", "conflicts",
       "reference", "small")  # fmt: skip
#: mappings that are merged by key: what a key leads to is replaced whole, or merged by key, too
_BY_KEY = ("sets", "let", "rules", "results", "scenarios", "clauses")
_MERGED = ("rules", "scenarios", "let")
#: those whose entries cite clauses
_CITING = ("rules", "scenarios")
#: those whose entries have no order of their own: the ledger has the clauses as the page has them, params name sets
_UNORDERED = ("clauses", "sets")
#: what an entry that is an expression alone says by it
_ALONE = {"let": "is"}
#: what an entry's words say, key by key: an heir that changes this has words of its own, or none
_SAID = {"check", "when", "columns", "alternatives", "is"}
_WORDS = ("say", "fails", "en", "zh")


def inherited(parent: Data, own: Data, stated: Collection[str] | None = None) -> Data:
    """The whole spec of a file that extends another.

    Args:
        parent: the other spec, whole.
        own: what the file says.
        stated: ids of the clauses that its page has; None: as many as the parent cites.

    Raises:
        SpecError: it leaves out or refers to what the other one does not have.
    """
    parent = left_out(_as_stated(parent, stated, own.get("products")))
    whole: Data = {key: value for key, value in parent.items() if key not in _own(parent, own)}
    for key, value in own.items():
        if key in ("extends", "without"):
            continue
        before = whole.get(key)
        if key == "params":
            whole[key] = param_changes.applied(before, value)
        elif key in _BY_KEY and isinstance(before, dict) and isinstance(value, dict):
            whole[key] = _by_key(key, before, value)
        else:
            whole[key] = value
    _leave_out(whole, own.get("without", []))
    return filled({key: value for key, value in whole.items() if value is not None})


def _own(parent: Data, heir: Data) -> Collection[str]:
    """The keys of a spec that an heir has to say itself: its page, too, but where it is the same operator of another
    release, whose pages lie in the same places."""
    same = parent.get("operator") == heir.get("operator")
    return [key for key in OWN if not (same and key == "document")]


def _as_stated(parent: Data, stated: Collection[str] | None, named: Tree) -> Data:
    """A spec as another one inherits it: it cites the clauses that the other one's page has."""
    if stated is None:
        return parent
    result = {key: citing(value, stated) if key in _CITING else value for key, value in parent.items()}
    remarks, clauses = parent.get("remarks"), parent.get("clauses")
    if isinstance(remarks, list):
        said = [item for item in remarks if _is_said(item, stated) and _is_about(item, named)]
        result["remarks"] = citing(said, stated)
    if isinstance(clauses, dict):
        result["clauses"] = {name: rules for name, rules in clauses.items() if name in stated}
    return result


def _is_said(remark: Tree, stated: Collection[str]) -> bool:
    """Whether a page makes a remark: where it cites clauses, it has one of them."""
    names = remark.get("from") if isinstance(remark, dict) else None
    return not isinstance(names, list) or not names or any(name in stated for name in names)


def _is_about(remark: Tree, named: Tree) -> bool:
    """Whether a remark is on products of which a spec names any, whole or by their members."""
    on = remark.get("on") if isinstance(remark, dict) else None
    if not isinstance(on, list) or not on or not isinstance(named, dict):
        return True
    owners = products.owners()
    return bool({owners.get(str(name), name) for name in on} & {owners.get(name, name) for name in named})


def citing(entries: Tree, stated: Collection[str]) -> Tree:
    """Rules, scenarios or remarks that cite no other clauses than these."""
    if isinstance(entries, dict):
        return {name: _citing(entry, stated) for name, entry in entries.items()}
    return [_citing(entry, stated) for entry in entries] if isinstance(entries, list) else entries


def _citing(entry: Tree, stated: Collection[str]) -> Tree:
    """An entry that cites no other clauses than these; a check alone where it says nothing else."""
    names = entry.get("from") if isinstance(entry, dict) else None
    if not isinstance(entry, dict) or not isinstance(names, list) or all(name in stated for name in names):
        return entry
    kept: list[Tree] = [name for name in names if name in stated]
    rest: Data = {key: value for key, value in entry.items() if key != "from"}
    return {**rest, "from": kept} if kept else rest["check"] if list(rest) == ["check"] else rest


def _by_key(kind: str, parent: Data, own: Data) -> Data:
    """The parent's entries with the file's in their places; a new one stands behind the one before it in the file.

    ``after`` says another place, for a new one or one of the parent's; null is the first.
    """
    result = dict(parent)
    before: str | None = None
    for name, value in own.items():
        if value is None and name not in parent:
            hint = did_you_mean(name, parent)
            raise SpecError(f"the extended operator has no {shown(name)} in {kind}{hint}", path=(kind, name))
        placed = kind in _MERGED and isinstance(value, dict) and AFTER in value
        if isinstance(value, dict) and placed:
            before = _after(kind, name, value[AFTER], result)
            value = {key: item for key, item in value.items() if key != AFTER}
        if kind in _MERGED and isinstance(value, dict) and name in parent:
            old = parent[name]
            value = without_nulls({**_kept(_as_entry(kind, old), value), **value}) if value else old
        if placed or (before is not None and name not in result):
            result = _inserted(result, before, name, _shortest(kind, value) if placed else value)
        else:
            result[name] = value
        before = name
    return {name: value for name, value in result.items() if value is not None}


def _after(kind: str, name: str, after: Tree, entries: Data) -> str | None:
    """The entry that another one is to stand behind."""
    if after is None or (isinstance(after, str) and after in entries and after != name):
        return after
    hint = did_you_mean(str(after), entries.keys() - {name})
    raise SpecError(f"nothing called {str(after)!r} stands before it{hint}", path=(kind, name, AFTER))


def _as_entry(kind: str, value: Tree) -> Data:
    return value if isinstance(value, dict) else {_ALONE.get(kind, "check"): value}


def _shortest(kind: str, value: Tree) -> Tree:
    """An entry as the expression alone that it may be."""
    alone = _ALONE.get(kind, "check")
    return value[alone] if isinstance(value, dict) and list(value) == [alone] else value


def _kept(old: Data, own: Data) -> Data:
    """What an entry keeps of the parent's: of one that says something else not the words."""
    return {key: item for key, item in old.items() if key not in _WORDS} if _SAID & own.keys() else old


def _inserted(entries: Data, before: str | None, name: str, value: Tree) -> Data:
    result: Data = {name: value} if before is None else {}
    for key, item in entries.items():
        if key != name:
            result[key] = item
        if key == before:
            result[name] = value
    return result


def _leave_out(whole: Data, names: Tree) -> None:
    if not isinstance(names, list):
        raise SpecError(f"expected a list of rules, found {shown(names)}", path=("without",))
    rules = whole.get("rules")
    for i, name in enumerate(names):
        if not isinstance(rules, dict) or not isinstance(name, str) or name not in rules:
            known = rules if isinstance(rules, dict) else {}
            hint = did_you_mean(str(name), known)
            raise SpecError(f"the extended operator has no rule {shown(name)}{hint}", path=("without", i))
        rules = {key: value for key, value in rules.items() if key != name}
        whole["rules"] = rules


def difference(parent: Data, whole: Data, stated: Collection[str] | None = None) -> Data | None:
    """What a file says that extends ``parent`` and is ``whole``; None where that cannot be said in this form."""
    old, new = left_out(_as_stated(parent, stated, whole.get("products"))), left_out(whole)
    own: Data = {"operator": whole["operator"], "extends": _named(parent, whole)}
    of_heir = _own(parent, whole)
    for key in dict.fromkeys((*new, *(key for key in old if key not in of_heir))):
        value, before = new.get(key), old.get(key)
        if key in ("operator",) or (key not in of_heir and value == before and _in_same_order(old, new, (key,))):
            continue
        if key == "params":
            own[key] = param_changes.changes(before, value)
        elif key in _BY_KEY and isinstance(before, dict) and isinstance(value, dict):
            gone = [name for name in before if name not in value]
            if key == "rules" and gone:
                names: list[Tree] = [*gone]
                own["without"] = names
            own[key] = _key_differences(key, before, value)
            if key != "rules":
                own[key] = {**own[key], **dict.fromkeys(gone)}  # type: ignore[dict-item]
        else:
            own[key] = value
    own = {key: value for key, value in own.items() if value != {} or whole.get(key) == {}}  # deprecated: {}
    again = inherited(parent, own, stated)
    same = again == whole and _in_same_order(again, whole, _BY_KEY)
    return own if same else None


def _named(parent: Data, heir: Data) -> str:
    """What an heir calls the spec that it extends: the operator, with its release where that is another."""
    operator, release = str(parent["operator"]), parent.get("release")
    return operator if release == heir.get("release") else f"{release}/{operator}"


def _in_same_order(a: Data, b: Data, keys: tuple[str, ...]) -> bool:
    return all(_order(a.get(key)) == _order(b.get(key)) for key in keys if key in _BY_KEY and key not in _UNORDERED)


def _order(entries: Tree) -> list[str]:
    return list(entries) if isinstance(entries, dict) else []


def _key_differences(kind: str, parent: Data, entries: Data) -> Data:
    result: Data = {}
    before: str | None = None
    places = {name: place for place, name in enumerate(parent)}
    stay = in_place([(name, places[name]) for name in entries if name in parent])
    for name, value in entries.items():
        if name not in parent:
            if kind not in _UNORDERED and before is not None and before not in result and before in parent:
                result[before] = {} if kind in _MERGED else parent[before]
            is_first = before is None and kind in _MERGED and bool(parent)
            result[name] = {AFTER: None, **_as_entry(kind, value)} if is_first else value
        elif kind in _MERGED and name not in stay:
            result[name] = {AFTER: before, **_entry_changes(kind, parent[name], _as_entry(kind, value))}
        elif parent[name] != value:
            result[name] = _entry_difference(kind, parent[name], value) if kind in _MERGED else value
        before = name
    return result


def _entry_difference(kind: str, old: Tree, new: Tree) -> Tree:
    """The keys of an entry that differ; whole where it is an expression alone."""
    return _entry_changes(kind, old, new) if isinstance(new, dict) else new


def _entry_changes(kind: str, old: Tree, new: Data) -> Data:
    was = _as_entry(kind, old)
    changed: Data = {key: value for key, value in new.items() if was.get(key) != value}
    changed.update(dict.fromkeys(key for key in was if key not in new))
    if _SAID & changed.keys():
        was = _kept(was, changed)
        changed = {key: value for key, value in changed.items() if value is not None or key in was}
        changed.update({key: value for key, value in new.items() if key in _WORDS})
    return changed
