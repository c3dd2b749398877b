"""Params of a spec that extends another one: by name, what differs in each.

    params:
      self: {rank: 0-8, strided: null}
      bias: {was: biasOptional}
      mode: {ctype: int64_t, after: bias}
      alpha: null

Keys are laid over those of the parent's param, and one with null is not said; ``null`` alone says that there is no
such param. Params that are not named are the parent's and stand where they stand there. ``was`` is the name that a
param has in the parent. A new param stands behind the entry before it, the first entry behind all others; ``after``
names another place for it, or for one of the parent's, and ``after: null`` is the first.

``applied(parent, changes(parent, params)) == params`` wherever ``changes`` can say it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from opspec.errors import SpecError, did_you_mean, several, shown
from opspec.yamltext import Path, Tree

Data: TypeAlias = dict[str, Tree]

#: keys of an entry that are no property of the param
WAS, AFTER = "was", "after"


def applied(parent: Tree, own: Tree) -> list[Tree]:
    """The params of a spec that says ``own`` of those of ``parent``.

    >>> applied([{"name": "a"}, {"name": "b"}], {"c": {"ctype": "bool", "after": "a"}, "b": {"rank": "2"}})
    [{'name': 'a'}, {'name': 'c', 'ctype': 'bool'}, {'name': 'b', 'rank': '2'}]

    Raises:
        SpecError: it is no map, or names a param that is not there; all faults at once, each with its path.
    """
    if not isinstance(own, dict):
        raise SpecError("in a spec that extends another, params are {name: what differs}", path=("params",))
    known = _by_name(parent)
    found = [*_faults(known, own)]
    if found:
        raise several(found)
    params = {name: _merged(name, old, own) for name, old in _kept(known, own)}
    order = [*params]
    last = order[-1] if order else None
    for name, entry in own.items():
        if not isinstance(entry, dict):
            continue
        is_new = name not in params
        if is_new:
            params[name] = _param(name, entry)
        if is_new or AFTER in entry:
            order = _moved(order, name, entry.get(AFTER, last))
        last = name
    return [params[name] for name in order]


def origin(own: Tree, name: str) -> str:
    """What the parent calls a param of a spec that says ``own`` of its params."""
    entry = own.get(name) if isinstance(own, dict) else None
    return str(entry.get(WAS, name)) if isinstance(entry, dict) else name


def without_nulls(entry: Mapping[str, Tree]) -> Data:
    """An entry without keys that are not said.

    ``reserved: null`` says that null is what stands there, unless the entry says ``optional``, which is that it may be.
    """
    is_optional = entry.get("optional") is not None
    return {key: value for key, value in entry.items() if value is not None or (key == "reserved" and not is_optional)}


def _by_name(params: Tree) -> dict[str, Data]:
    items = params if isinstance(params, list) else ()
    return {str(param["name"]): param for param in items if isinstance(param, dict) and "name" in param}


def _kept(known: Mapping[str, Data], own: Data) -> Iterator[tuple[str, Data]]:
    """Params that are the parent's, with their names here, in its order."""
    renamed = {origin(own, name): name for name in own if origin(own, name) != name}
    for old, param in known.items():
        if old in renamed:
            yield renamed[old], param
        elif old not in own or (own[old] is not None and origin(own, old) == old):
            yield old, param


def _merged(name: str, old: Data, own: Data) -> Data:
    entry = own.get(name)
    return old if entry is None else without_nulls({**old, **_param(name, entry)})


def _param(name: str, entry: Tree) -> Data:
    said = entry if isinstance(entry, dict) else {}
    return {"name": name, **{key: value for key, value in said.items() if key not in (WAS, AFTER)}}


def _moved(order: list[str], name: str, before: Tree) -> list[str]:
    rest = [other for other in order if other != name]
    place = 0 if before is None else rest.index(str(before)) + 1
    return [*rest[:place], name, *rest[place:]]


def _faults(known: Mapping[str, Data], own: Data) -> Iterator[SpecError]:
    """What of the entries means nothing."""
    there = {name for name, _ in _kept(known, own)}
    claims = Counter(origin(own, name) for name, entry in own.items() if isinstance(entry, dict) and WAS in entry)
    for name, entry in own.items():
        path = ("params", name)
        if isinstance(entry, dict):
            yield from _faults_of(path, entry, known, claims)
            after = entry.get(AFTER)
            if after is not None and (after not in there or after == name):
                hint = did_you_mean(str(after), there - {name})
                yield SpecError(f"no param {shown(after)} stands before it{hint}", path=(*path, AFTER))
            there.add(name)
        elif entry is not None:
            yield SpecError(f"expected {{key: value}} of what differs, or null, found {shown(entry)}", path=path)
        elif name not in known:
            yield SpecError(_unknown(name, known), path=path)


def _faults_of(path: Path, entry: Data, known: Mapping[str, Data], claims: Counter[str]) -> Iterator[SpecError]:
    name, was = str(path[-1]), entry.get(WAS)
    if "name" in entry:
        yield SpecError("its key is its name; `was` is the name that it has in the other spec", path=(*path, "name"))
    if WAS not in entry and name not in known and "ctype" not in entry:
        yield SpecError(f"{_unknown(name, known)}; a new one has its ctype", path=path)
    if WAS in entry and str(was) not in known:
        yield SpecError(_unknown(was, known), path=(*path, WAS))
    elif WAS in entry and was != name and name in known and not claims[name]:
        message = f"{shown(name)} is another param of the extended operator, and nothing says what it is called here"
        yield SpecError(message, path=(*path, WAS))
    if claims[str(was)] > 1:
        yield SpecError(f"two params were {shown(was)}", path=(*path, WAS))


def _unknown(name: Tree, known: Mapping[str, Data]) -> str:
    return f"the extended operator has no param {shown(name)}{did_you_mean(str(name), known)}"


# --- the opposite


def changes(parent: Tree, params: Tree) -> Data:
    """What a spec that extends ``parent`` says of its params."""
    known, whole = _by_name(parent), _by_name(params)
    renamed = _renamed(known, whole)
    was = {name: renamed.get(name, name) for name in whole if name in known or name in renamed}
    places = {old: place for place, old in enumerate(known)}
    stay = in_place([(name, places[old]) for name, old in was.items()])
    result: Data = {}
    last = max(was, key=lambda name: places[was[name]], default=None)
    before: str | None = None
    for name, param in whole.items():
        old = was.get(name)
        entry: Data = {} if old in (None, name) else {WAS: old}
        if name not in stay and (before != last or name in was):
            entry[AFTER] = before
        entry.update(_properties(param) if old is None else _changed(known[old], param))
        if entry:
            result[name] = entry
            last = name
        before = name
    gone = [name for name in known if name not in was.values()]
    return {**result, **dict.fromkeys(gone)}


def _properties(param: Data) -> Data:
    return {key: value for key, value in param.items() if key != "name"}


def _changed(old: Data, new: Data) -> Data:
    """The properties of a param that differ from another's, null for those that it does not have."""
    result = {key: value for key, value in _properties(new).items() if old.get(key) != value}
    return {**result, **dict.fromkeys(key for key in old if key not in new)}


def _renamed(known: Mapping[str, Data], whole: Mapping[str, Data]) -> dict[str, str]:
    """Params that stand where the parent has one that is not here, and mean what that one means: their names there."""
    olds = [*known]
    result: dict[str, str] = {}
    place = 0  # behind the one before
    for name, param in whole.items():
        if name in known:
            place = olds.index(name) + 1
        elif place < len(olds) and olds[place] not in whole:
            changed = _changed(known[olds[place]], param)
            # One key for the old name, and as many as differ: fewer than saying the param as a new one.
            if 1 + len(changed) < len(_properties(param)) and not {"about", "reserved"} & changed.keys():
                result[name] = olds[place]
                place += 1
    return result


def in_place(items: Sequence[tuple[str, int]]) -> set[str]:
    """The longest part of a list that is in order: the others have moved."""
    best: list[list[tuple[str, int]]] = []
    for name, place in items:
        ahead = max((run for run in best if run[-1][1] < place), key=len, default=[])
        best.append([*ahead, (name, place)])
    return {name for name, _ in max(best, key=len, default=[])}
