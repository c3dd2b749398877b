"""The plain data of a spec file in two forms: as it is written, and flat, as tools compare and merge it.

Flat means: with what it inherits, sets spelled out where they are used, and the clauses of the page in a list, each
with its id, its place, and the rules that formalise it or why there are none. Both functions are each other's opposite.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from opspec.model.derived import left_out
from opspec.model.inherit import Data, difference
from opspec.model.ledger import KINDS, Entry, Ledger, named_after
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
    cited: dict[str, list[str]] = {}
    rules: Data = {}
    explicit = dict(_entries(value, "clauses"))
    named = _named(ledger, explicit)
    for name, rule in _entries(value, "rules"):
        own = [str(item) for item in rule.get("from") or ()] if isinstance(rule, dict) else []
        for clause in dict.fromkeys((*named.pop(name, ()), *own)):
            cited.setdefault(clause, []).append(name)
        if isinstance(rule, dict) and "from" in rule:
            rule = {key: item for key, item in rule.items() if key != "from"}
            rule = rule["check"] if list(rule) == ["check"] else rule
        if rule != {}:
            rules[name] = rule
    if rules:
        result["rules"] = rules
    for name, derived in explicit.items():
        cited.setdefault(name, []).extend(map(str, derived or ()))
    for name, clauses_ in named.items():
        for clause in clauses_ if _is_derived(name) else ():
            cited.setdefault(clause, []).append(name)
    clauses = [_clause(name, cited, ledger) for name in dict.fromkeys((*ledger.clauses, *cited))]
    if clauses:
        result["clauses"] = list(clauses)
    return result


def _named(ledger: Ledger, explicit: Mapping[str, Tree]) -> dict[str, list[str]]:
    """Name -> the clauses that have it, where the spec does not say what formalises them."""
    named: dict[str, list[str]] = {}
    for clause in ledger.clauses:
        name = None if clause in explicit else named_after(clause)
        if name is not None:
            named.setdefault(name, []).append(clause)
    return named


def _is_derived(rule: str) -> bool:
    """Whether a name is one of sugar: param and kind, or a kind alone."""
    return "." in rule or rule in KINDS


def shortened(value: Data, sets: Mapping[str, Tree] = _NO_SETS, parent: Data | None = None) -> tuple[Data, Ledger]:
    """Flat -> as it is written, and the ledger beside it.

    Args:
        sets: names that sets have already.
        parent: the spec that it extends, as it is written and whole.
    """
    result: Data = {key: item for key, item in value.items() if key not in ("clauses", "rules", "params")}
    params = [defaults_left_out(param) for param in _items(value, "params") if isinstance(param, dict)]
    named = _named_sets(params, sets)
    inherited = dict(_entries(parent, "sets")) if parent is not None else {}
    if named or inherited:
        result["sets"] = {**inherited, **named}  # an heir need not deny a set that it does not use
    result["params"] = [_with_names(param, named) for param in params]
    rules = dict(_entries(value, "rules"))
    citing: dict[str, list[Tree]] = {}
    table: Data = {}
    entries: dict[str, Entry] = {}
    for clause in _items(value, "clauses"):
        assert isinstance(clause, dict)
        name = str(clause["id"])
        facts = {"words": clause.get("fingerprint"), "on": clause.get("on"), "why": clause.get("not_checkable")}
        place = clause["at"]
        entries[name] = Entry.model_validate({"at": None if place == name else place, **facts})
        formalise = [str(rule) for rule in clause.get("rules") or ()]
        naming, derived = _citations(name, formalise, rules)
        for rule in naming:
            citing.setdefault(rule, []).append(name)
        if derived is not None:
            table[name] = derived
    if rules:
        result["rules"] = {name: _citing(rule, citing.get(name)) for name, rule in rules.items()}
    if table:
        result["clauses"] = table
    ledger = Ledger(clauses=entries)
    own = None if parent is None else difference(parent, result, ledger.clauses)
    return (left_out(result) if own is None else own), ledger


def _items(value: Data, key: str) -> list[Tree]:
    found = value.get(key)
    return found if isinstance(found, list) else []


def _entries(value: Data, key: str) -> Iterable[tuple[str, Tree]]:
    found = value.get(key)
    return found.items() if isinstance(found, dict) else ()


def _has_check(rule: Tree) -> bool:
    return isinstance(rule, str) or (isinstance(rule, dict) and "check" in rule)


def _citations(clause: str, formalise: list[str], rules: Data) -> tuple[list[str], list[Tree] | None]:
    """Of the rules that formalise a clause those that have to name it, and what ``clauses`` has to say of it."""
    written = [rule for rule in formalise if _has_check(rules.get(rule))]
    derived: list[Tree] = [rule for rule in formalise if rule not in written]
    name = named_after(clause)
    if name in formalise and derived in ([], [name]):
        return [rule for rule in written if rule != name], None
    misleads = name is not None and name not in formalise and (name in rules or _is_derived(name))
    return written, derived if derived or misleads else None


def _citing(rule: Tree, clauses: list[Tree] | None) -> Tree:
    if clauses is None:
        return rule
    return {**(rule if isinstance(rule, dict) else {"check": rule}), "from": clauses}


def _clause(name: str, cited: Mapping[str, list[str]], ledger: Ledger) -> Data:
    entry = ledger.clauses.get(name, Entry())
    clause: Data = {"id": name, "at": entry.at or name}
    if entry.words is not None:
        clause["fingerprint"] = entry.words
    if entry.on is not None:
        clause["on"] = list(entry.on)
    if cited.get(name):
        clause["rules"] = list(cited[name])
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
