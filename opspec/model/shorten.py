"""The plain data of a spec file in two forms: as it is written, and flat, as tools compare and merge it.

Flat means: with what it inherits, sets spelled out where they are used, and the clauses of the page in a list, each
with the rules that formalise it or why there are none. Both functions are each other's opposite.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from opspec.model.inherit import Data, difference
from opspec.model.ledger import Entry, Ledger, full_place, short_place
from opspec.vocabulary import dtypes
from opspec.yamltext import Tree

_SHORT = 32  # characters of a set that is not worth a name
_LETTERS = ("T", "U", "V", "W")
_NO_SETS: Mapping[str, Tree] = {}


def flat(value: Data, ledger: Ledger) -> Data:
    """A spec as it is written, with what it inherits -> flat."""
    result: Data = {key: item for key, item in value.items() if key not in ("sets", "clauses", "rules")}
    sets = value.get("sets")
    result["params"] = [
        _spelled_out(param, sets if isinstance(sets, dict) else {}) for param in _items(value, "params")
    ]
    names = _names(value)
    by_place: dict[str, list[str]] = {}
    rules: Data = {}
    for name, rule in _entries(value, "rules"):
        if isinstance(rule, dict) and "from" in rule:
            for place in rule["from"] or ():
                by_place.setdefault(full_place(str(place), names), []).append(name)
            rule = {key: item for key, item in rule.items() if key != "from"}
            rule = rule["check"] if list(rule) == ["check"] else rule
        if rule != {}:
            rules[name] = rule
    if rules:
        result["rules"] = rules
    for place, derived in _entries(value, "clauses"):
        by_place.setdefault(full_place(place, names), []).extend(map(str, derived or ()))
    clauses = [_clause(place, by_place, ledger) for place in dict.fromkeys((*ledger.clauses, *by_place))]
    if clauses:
        result["clauses"] = list(clauses)
    return result


def shortened(value: Data, sets: Mapping[str, Tree] = _NO_SETS, parent: Data | None = None) -> tuple[Data, Ledger]:
    """Flat -> as it is written, and the ledger beside it.

    Args:
        sets: names that sets have already.
        parent: the spec that it extends, as it is written and whole.
    """
    result: Data = {key: item for key, item in value.items() if key not in ("clauses", "rules", "params")}
    params = [defaults_left_out(param) for param in _items(value, "params") if isinstance(param, dict)]
    named = _named_sets(params, sets)
    if named:
        result["sets"] = dict(named)
    result["params"] = [_with_names(param, named) for param in params]
    names = _names(value)
    rules = dict(_entries(value, "rules"))
    own: dict[str, list[Tree]] = {}
    table: Data = {}
    entries: dict[str, Entry] = {}
    for clause in _items(value, "clauses"):
        assert isinstance(clause, dict)
        place = str(clause["at"])
        facts = {"words": clause.get("fingerprint"), "on": clause.get("on"), "why": clause.get("not_checkable")}
        entries[place] = Entry.model_validate(facts)
        short = short_place(place, names)
        derived: list[Tree] = []
        for rule in clause.get("rules") or ():
            if _has_check(rules.get(str(rule))):
                own.setdefault(str(rule), []).append(short)
            else:
                derived.append(rule)
        if derived:
            table[short] = derived
    if rules:
        result["rules"] = {name: _with_places(rule, own.get(name)) for name, rule in rules.items()}
    if table:
        result["clauses"] = table
    ledger = Ledger(clauses=entries)
    said = None if parent is None else difference(parent, result)
    return (result if said is None else said), ledger


def _items(value: Data, key: str) -> list[Tree]:
    found = value.get(key)
    return found if isinstance(found, list) else []


def _entries(value: Data, key: str) -> Iterable[tuple[str, Tree]]:
    found = value.get(key)
    return found.items() if isinstance(found, dict) else ()


def _names(value: Data) -> list[str]:
    return [str(param["name"]) for param in _items(value, "params") if isinstance(param, dict)]


def _has_check(rule: Tree) -> bool:
    return isinstance(rule, str) or (isinstance(rule, dict) and "check" in rule)


def _with_places(rule: Tree, places: list[Tree] | None) -> Tree:
    if places is None:
        return rule
    return {**(rule if isinstance(rule, dict) else {"check": rule}), "from": places}


def _clause(place: str, by_place: Mapping[str, list[str]], ledger: Ledger) -> Data:
    entry = ledger.clauses.get(place, Entry())
    clause: Data = {"at": place}
    if entry.words is not None:
        clause["fingerprint"] = entry.words
    if entry.on is not None:
        clause["on"] = list(entry.on)
    if place in by_place:
        clause["rules"] = list(by_place[place])
    elif entry.why is not None:
        clause["not_checkable"] = entry.why
    else:
        clause["not_yet"] = "yes"
    return clause


# --- params


def _is_tensor(param: Data) -> bool:
    return str(param.get("ctype")).removeprefix("const ") in ("aclTensor*", "aclTensorList*")


def defaults_left_out(param: Data) -> Data:
    """A param without what it says by default; a set of one is its member."""
    result = {key: item for key, item in param.items() if not (key == "optional" and item == "no")}
    if _is_tensor(param):
        if result.get("format") == ["ND"]:
            del result["format"]
        if result.get("strided") == "yes":
            del result["strided"]
    members = result.get("dtype")
    if isinstance(members, list) and len(members) == 1 and isinstance(members[0], str):
        result["dtype"] = members[0]
    return result


def _spelled_out(param: Tree, sets: Mapping[str, Tree]) -> Tree:
    if isinstance(param, dict) and isinstance(param.get("dtype"), str) and param["dtype"] in sets:
        return {**param, "dtype": sets[str(param["dtype"])]}
    return param


def _named_sets(params: list[Data], names: Mapping[str, Tree]) -> dict[str, Tree]:
    """Sets with a name: those that have one and are used, and those that stand twice."""
    uses = Counter(repr(param["dtype"]) for param in params if isinstance(param.get("dtype"), (dict, list)))
    members = {repr(param["dtype"]): param["dtype"] for param in params if "dtype" in param}
    named = {name: value for name, value in names.items() if repr(value) in uses}
    known = {repr(value) for value in named.values()}
    free = iter(name for name in (*_LETTERS, *(f"T{n}" for n in range(5, 1000))) if name not in named)
    for text, count in uses.most_common():
        if count > 1 and len(text) > _SHORT and text not in known:
            named[next(name for name in free if name.lower() not in dtypes.aliases())] = members[text]
    return named


def _with_names(param: Data, named: Mapping[str, Tree]) -> Data:
    members = param.get("dtype")
    name = next((name for name, value in named.items() if value == members and isinstance(value, (dict, list))), None)
    return param if name is None else {**param, "dtype": name}
