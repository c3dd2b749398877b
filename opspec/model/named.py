"""Names of a file for sentences and for lists of products that stand in it more than once.

    words:
      recorded: {en: recorded calls show it, zh: 调用记录表明如此}
    groups:
      older: [910, 310p]

``evidence: recorded`` says the sentence, ``on: older`` the products. Names hold in their own file; specs that extend
it see what they stand for. All functions work on the plain data of a spec file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from opspec.errors import SpecError, did_you_mean
from opspec.yamltext import Path, Tree

Data: TypeAlias = dict[str, Tree]

#: where the file gives names, and what they are names of
KEYS = {"words": "sentence", "groups": "group of products"}
#: keys of texts in both languages
_TEXTS = frozenset({"say", "fails", "evidence", "about", "partial", "summary", "resolution", "title"})
#: mappings whose values are such texts, and how far below the top they stand
_OF_TEXTS: dict[Path, tuple[int, ...]] = {("params", "enum"): (2,), ("formula", "where"): (1, 2)}
#: parts of a spec, or of a function beside its operator, whose keys are names of other things
_OTHERS = frozenset({*KEYS, "let", "results", "example", "clauses"})

_Change: TypeAlias = Callable[[str, Path, Tree], Tree]


def spelled(data: Data) -> Data:
    """A spec with what its names stand for in their places."""
    if not KEYS.keys() & data.keys():
        return data
    names = {key: _entries(data, key) for key in KEYS}

    def change(key: str, _: Path, value: Tree) -> Tree:
        return names[key].get(value, value) if isinstance(value, str) else value

    return {key: _changed(item, (key,), change) for key, item in data.items() if key not in KEYS}


def named(data: Data, written: Mapping[str, Tree]) -> Data:
    """A spec with the names of a file for what has one there: ``spelled(named(data, written)) == data``."""
    names = {key: _entries(written, key) for key in KEYS}
    used: dict[str, set[str]] = {key: set() for key in KEYS}

    def change(key: str, _: Path, value: Tree) -> Tree:
        name = next((name for name, item in names[key].items() if item == value and not isinstance(value, str)), None)
        if name is None:
            return value
        used[key].add(name)
        return name

    result = {key: _changed(item, (key,), change) for key, item in data.items()}
    kept: Data = {key: {name: item for name, item in names[key].items() if name in used[key]} for key in KEYS}
    return {**result, **{key: value for key, value in kept.items() if value}}


def place(data: Mapping[str, Tree], path: Path) -> Path:
    """Where a part of the spelled-out spec stands in the file: what a name stands for, where the name is given."""
    value: Tree = dict(data)
    for number, part in enumerate(path):
        value = _child(value, part)
        key = _kind(path[: number + 1])
        if key is not None and isinstance(value, str) and value in _entries(data, key):
            return (key, value, *path[number + 1 :])
    return path


def unused(data: Mapping[str, Tree]) -> Iterator[Path]:
    """Names that nothing in the file uses."""
    used: set[tuple[str, Tree]] = set()

    def change(key: str, _: Path, value: Tree) -> Tree:
        if isinstance(value, str):
            used.add((key, value))
        return value

    for key, item in data.items():
        _changed(item, (key,), change)
    yield from ((key, name) for key in KEYS for name in _entries(data, key) if (key, name) not in used)


def faults(data: Mapping[str, Tree]) -> Iterator[SpecError]:
    """Names that have no meaning, and what is no mapping of names."""
    for key in KEYS:
        if key in data and not isinstance(data[key], dict):
            yield SpecError(f"expected {{name: {KEYS[key]}}}", path=(key,))
    names = {key: _entries(data, key) for key in KEYS}
    found: list[SpecError] = []

    def change(key: str, path: Path, value: Tree) -> Tree:
        if isinstance(value, str) and names[key] and value not in names[key]:
            hint = did_you_mean(value, names[key])
            # A text that stands for both languages is no name, but one word that is nearly a name is meant to be it.
            if key == "groups" or (hint and " " not in value):
                found.append(SpecError(f"no {KEYS[key]} of this file is called {value!r}{hint}", path=path))
        return value

    for key, item in data.items():
        _changed(item, (key,), change)
    yield from found


def _changed(value: Tree, path: Path, change: _Change) -> Tree:
    """A part of a spec with what has or may have a name changed."""
    if _is_of_others(path):
        return value
    key = _kind(path)
    if key is not None:
        value = change(key, path, value)
    if isinstance(value, dict):
        return {name: _changed(item, (*path, name), change) for name, item in value.items()}
    if isinstance(value, list):
        return [_changed(item, (*path, number), change) for number, item in enumerate(value)]
    return value


def _is_of_others(path: Path) -> bool:
    """Whether the keys of a mapping are names of something else: of params, of derived values."""
    top = path[2:] if path[0] == "helpers" else path
    if len(top) == 1:
        return top[0] in _OTHERS
    return path == ("twin", "rename") or (path[-3:-2] == ("alternatives",) and path[-1] == "shapes")


def _kind(path: Path) -> str | None:
    """Which names may stand at a path of a spec."""
    if path[0] == "params" and len(path) > 1:  # by place or by name, which could be mistaken for a key
        path = ("params", 0, *path[2:])
    if path[0] == "early_success" or path[-2:-1] == ("rules",):  # a text in one language; a rule's id
        return None
    if len(path) - 2 in _OF_TEXTS.get((path[0], *path[-2:-1]), ()):
        return "words"
    if path[-1] == "on":
        return "groups"
    return "words" if path[-1] in _TEXTS and path[0] != "remarks" else None


def _entries(data: Mapping[str, Tree], key: str) -> Data:
    found = data.get(key)
    return found if isinstance(found, dict) else {}


def _child(value: Tree, part: str | int) -> Tree:
    if isinstance(value, dict):
        return value.get(str(part))
    return value[part] if isinstance(value, list) and isinstance(part, int) and part < len(value) else None
