"""What releases stand on, and what the frozen ones are held to.

One release of a registry is its *base*, named in ``base.txt``: its specs are whole. Every other release, older or
newer, says only what differs from the base, so that an edit of the base reaches them all. A release is *frozen* once
``frozen.jsonl`` lies beside its specs. The file has a digest of each entry of every spec with all that it inherits:

    {"op": "aclnnX", "entries": {"params": "5ab0c1", "params/self": "3f2a91", "rules/out-shape": "77c0de"}}

Digests are of what a call is judged by, as plain data: they do not depend on the code that reads specs, nor on
comments, the order of keys, words for readers, the clauses that a rule cites, names of sets, or on which file says it.
"""

from __future__ import annotations

import ast
import json
import os
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from hashlib import sha256
from typing import TypeAlias

from opspec.errors import OpspecError
from opspec.files import read_bytes
from opspec.model import lines
from opspec.model.beside import LONGEST_CHAIN, first_operator, is_release, release_folder
from opspec.model.raw import read, said
from opspec.model.shorten import defaults_left_out
from opspec.registry.folders import entries, registry_folder, releases
from opspec.yamltext import Tree

Data: TypeAlias = dict[str, Tree]
Entries: TypeAlias = dict[str, str]  # name -> digest

BASE = "base.txt"
FROZEN = "frozen.jsonl"
_LENGTH = 6  # hexadecimal digits: a change of an entry goes unseen once in sixteen million

#: what no call is judged by: words, citations, and what is spelled out where it is used
_NOT_HELD = {
    "document", "summary", "formula", "partial", "sets", "clauses", "remarks", "conflicts", "example", "reference",
    "small",
}  # fmt: skip
#: the same inside an entry
_WORDS = {"about", "dims", "summary", "say", "fails", "title", "meaning", "note", "evidence", "en", "zh", "from"}
#: mappings whose keys are names that an author chose; those at the top of a spec have an entry each
_BY_NAME = ("rules", "let", "results", "scenarios", "products")
_NAMES = {*_BY_NAME, "shapes", "rename"}
#: what an entry that is a text alone says by it
_ALONE = {"rules": "check", "let": "is"}


def base_of(registry: str) -> str | None:
    """The base of a registry folder, None where nothing says which release that is.

    Raises:
        OpspecError: what the file names is no release.
    """
    path = os.path.join(registry, BASE)
    if not os.path.isfile(path):
        return None
    text = read_bytes(path, 10_000).decode(errors="replace")
    said = [line for line in (line.split("#")[0].strip() for line in text.splitlines()) if line]
    if len(said) != 1 or not is_release(said[0]):
        raise OpspecError(f"expected one release such as 9.1.0, found {' '.join(said)[:60]!r}", where=path)
    return said[0]


# --- entries of a spec


def digests(value: Data) -> Entries:
    """A digest of each entry of a spec.

    Args:
        value: the whole spec: what it says and what it inherits.
    """
    found = _entries(value, _mapping(value.get("sets")))
    return {name: sha256(_short(item).encode()).hexdigest()[:_LENGTH] for name, item in found}


def changed(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str]:
    """Entry -> ``changed``, ``new`` or ``gone``, sorted by name."""
    kinds = {
        name: "new" if name not in before else "gone" if name not in after else "changed"
        for name in {*before, *after}
        if before.get(name) != after.get(name)
    }
    return dict(sorted(kinds.items()))


def path_of(value: Data, entry: str) -> tuple[str | int, ...]:
    """Where in a whole spec an entry stands; of one that is gone the top."""
    path: tuple[str | int, ...] = ()
    here: Tree = value
    for name in entry.split("/"):
        key: str | int = name
        if isinstance(here, list):
            names = [item.get("name", item.get("function")) for item in here if isinstance(item, dict)]
            if name not in names:
                return path
            key = names.index(name)
            here = here[key]
        elif isinstance(here, dict) and name in here:
            here = here[name]
        else:
            return path
        path = (*path, key)
    return path


def _entries(value: Data, sets: Data) -> Iterator[tuple[str, Tree]]:
    for key, item in value.items():
        if key in _NOT_HELD:
            continue
        if key == "params" and isinstance(item, list):
            params = [param for param in item if isinstance(param, dict)]
            yield key, [param.get("name") for param in params]
            yield from ((f"{key}/{param.get('name')}", _param(param, sets)) for param in params)
        elif key in _BY_NAME and isinstance(item, dict):
            named = ((name, _plain(_as_entry(key, said))) for name, said in item.items())
            yield from ((f"{key}/{name}", said) for name, said in named if said not in ({}, None))
        elif key == "twin" and isinstance(item, dict):
            yield from ((f"{key}/{name}", said) for name, said in _entries(item, sets))
        elif key == "helpers" and isinstance(item, list):
            for helper in item:
                if isinstance(helper, dict):
                    yield from (
                        (f"{key}/{helper.get('function')}/{name}", said) for name, said in _entries(helper, sets)
                    )
        elif item is not None:
            yield key, _plain(item)


def _param(param: Data, sets: Data) -> Tree:
    """A param without defaults that it writes out, sets spelled out and values without their meanings."""
    param = dict(param)
    if "dtype" in param:
        param["dtype"] = _spelled(param["dtype"], sets)
    if isinstance(param.get("enum"), dict):
        param["enum"] = list(_mapping(param["enum"]))
    return _plain(dict(defaults_left_out(param)))


def _spelled(members: Tree, sets: Data) -> Tree:
    """A dtype property, or one of its cases, with the members of sets in place of their names."""
    if isinstance(members, list):
        return [_spelled(item, sets) if isinstance(item, dict) else item for item in members]
    if isinstance(members, dict) and "is" in members:
        return {**members, "is": _spelled(members["is"], sets)}
    return sets.get(members, members) if isinstance(members, str) else members


def _as_entry(kind: str, said: Tree) -> Tree:
    return {_ALONE[kind]: said} if kind in _ALONE and isinstance(said, str) else said


def _plain(value: Tree, key: str = "") -> Tree:
    """What is left of a value without words, its expressions however they are spaced and put in parentheses."""
    if isinstance(value, dict):
        kept = value if key in _NAMES else {name: item for name, item in value.items() if name not in _WORDS}
        return {name: _plain(_as_entry(key, item), name) for name, item in kept.items() if item is not None}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value if value is None else _expression(value)


def _mapping(value: Tree) -> Data:
    return value if isinstance(value, dict) else {}


# --- expressions


@lru_cache(maxsize=50_000)  # specs have most of their texts in common
def _expression(text: str) -> Tree:
    """A text that may be read as an expression as its tree, any other without the breaks of its lines."""
    text = " ".join(text.split())
    if _WORD.fullmatch(text):
        return text
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return _tree(ast.parse(text, mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return text


_WORD = re.compile(r"\w+|const \w+\*")  # which is no expression, or one that is written in a single way


def _tree(node: object) -> Tree:
    """A tree of Python as lists; it is the same for all versions of Python."""
    if isinstance(node, ast.Constant):
        return ["constant", repr(node.value)]
    if isinstance(node, ast.BoolOp):
        return [type(node.op).__name__, *map(_tree, _items(node))]
    if isinstance(node, ast.AST):
        return [type(node).__name__, *(_tree(part) for name, part in ast.iter_fields(node) if name != "ctx")]
    if isinstance(node, list):
        return [_tree(part) for part in node]
    return None if node is None else str(node)


def _items(node: ast.BoolOp) -> Iterator[ast.expr]:
    """What ``and`` or ``or`` stands between: ``(a and b) and c`` is ``a and b and c``."""
    for item in node.values:
        if isinstance(item, ast.BoolOp) and type(item.op) is type(node.op):
            yield from _items(item)
        else:
            yield item


# --- the file


def frozen_file(spec: str) -> str | None:
    """The file that holds the release of a spec file to what it is; None where the release is not frozen."""
    path = os.path.join(release_folder(spec), FROZEN)
    return path if os.path.isfile(path) else None


def frozen_entries(path: str, operator: str) -> Entries | None:
    """What an operator is held to; None where the file does not have it.

    Raises:
        OpspecError: its line is damaged.
    """
    line = lines.line(path, "op", operator)
    return _parsed(line, path)[1] if line else None


def heirs(paths: Iterable[str]) -> list[str]:
    """The specs of frozen releases that extend one of these specs, directly or over others, and are none of them."""
    found: list[str] = []
    by_registry: dict[str, set[str]] = {}
    for path in paths:
        by_registry.setdefault(registry_folder(path), set()).add(os.path.abspath(path))
    for registry, given in by_registry.items():
        names = releases([registry])
        frozen = [name for name in names if os.path.isfile(os.path.join(registry, name, FROZEN))]
        files = {name: {one.path for one in entries([registry], name).values()} for name in names}
        if all(files[name] <= given for name in frozen):
            continue
        parents = {_name(path): _extended(path) for name in names for path in files[name]}
        wanted = set(map(_name, given))
        found += sorted(
            path
            for name in frozen
            for path in files[name] - given
            if not wanted.isdisjoint(_chain(_name(path), parents))
        )
    return found


def _name(path: str) -> str:
    """What a spec of another release calls the spec at a path: ``RELEASE/OPERATOR``."""
    return f"{os.path.basename(release_folder(path))}/{first_operator(path)}"


def _extended(path: str) -> str:
    """The same of what the spec at a path extends; empty where it extends nothing."""
    name = said(read(path), "extends")
    return name if not name or "/" in name else f"{os.path.basename(release_folder(path))}/{name}"


def _chain(name: str, parents: Mapping[str, str]) -> Iterator[str]:
    """What a spec extends, directly and over others."""
    for _ in range(LONGEST_CHAIN):
        name = parents.get(name, "")
        if not name:
            return
        yield name


def read_frozen(path: str) -> dict[str, Entries]:
    """Operator -> what it is held to; nothing where there is no file.

    Raises:
        OpspecError: a line is damaged.
    """
    rows = lines.read(path).splitlines()
    return dict(_parsed(row, f"{path}:{number}") for number, row in enumerate(rows, 1))


def frozen_text(operators: Mapping[str, Entries]) -> str:
    """The text of the file: an operator a line, sorted."""
    return "".join(
        f'{{"op": {json.dumps(name)}, "entries": {_short(dict(sorted(operators[name].items())))}}}\n'
        for name in sorted(operators)
    )


def _short(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _parsed(line: bytes, where: str) -> tuple[str, Entries]:
    try:
        row = json.loads(line)
        return str(row["op"]), {str(name): str(digest) for name, digest in row["entries"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise OpspecError(f"a damaged line: {error}", where=where) from None
