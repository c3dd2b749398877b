"""The table of calls: which operator stands for a call of ATen or torch_npu, and where its arguments come from.

``data/*.yaml``: ``calls``, a mapping by the call's name with these keys (an operator's name alone is short for the
first); ``defaults`` of params that nothing else is said of; ``quiet``, calls that start nothing on a device; ``none``,
calls that no operator stands for; ``split``, how many tensors of a list torch_npu hands over at once.

=========  ===========================================================================================================
operator   the aclnn operator
when       a condition over the call's arguments, where there are ``cases``
args       param -> where its argument comes from. A param that is not named takes the call's argument of the same
           name (apart from case, underscores, ``Optional`` and ``Ref``), outputs take the results in their order, and
           any other what ``defaults`` say.
number     argument that is a tensor by the schema -> the entry for calls with a number there, such as ``x + 1``
cases      entries, of which the first whose ``when`` holds is taken; a stand-in alone has none, nor an operator
schema     torch_npu's own, for the stand-in
returns    what the stand-in makes: a tensor like an argument, or of a shape and a dtype
let        name -> an expression that the others of the entry may read by the name
format     the argument with the number of the private format that the results have
example    arguments of a legal call: tests make it
=========  ===========================================================================================================

Where an argument comes from is an expression of the rule language (``specs/LANGUAGE.md``) over the call's arguments and
its ``result``, or ``result0``, ``result1`` …; a tensor made of ``shape`` and ``dtype``; a scalar made of ``value`` and
``dtype``; a list of these, the first that has a value; or null. An expression that reads an absent argument
stands for null. What torch_npu chooses by itself and no user can change is given as the pages want it: the table is
about models.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import TypeAlias

from opspec.errors import OpspecError, did_you_mean, shown
from opspec.yamltext.document import Tree
from opspec.yamltext.reader import read

FILES = ("aten.yaml", "npu.yaml")


@dataclass(frozen=True, slots=True)
class Made:
    """A tensor that no argument of the call is.

    Args:
        shape, dtype: expressions, of which the first counts that has a value.
        several: how many of them, where it is a list; the others may read which one it is, ``i``.
    """

    shape: tuple[str, ...]
    dtype: tuple[str, ...]
    several: str | None = None


@dataclass(frozen=True, slots=True)
class Number:
    """A scalar in a dtype that torch_npu gives it, whatever the call has."""

    value: str
    dtype: str


#: None: null; a text: an expression; several: the first that is defined
One: TypeAlias = str | Made | Number
Source: TypeAlias = One | tuple[One, ...] | None


@dataclass(frozen=True, slots=True)
class Case:
    """One operator that a call may stand for.

    Args:
        when: the condition; None holds always.
    """

    operator: str
    when: str | None = None
    args: Mapping[str, Source] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Entry:
    """What stands for a call; see the module for the keys."""

    name: str
    cases: tuple[Case, ...]
    number: Mapping[str, tuple[Case, ...]] = field(default_factory=dict)
    schema: str | None = None
    returns: tuple[str | Made, ...] = ()
    let: Mapping[str, str] = field(default_factory=dict)
    format: str | None = None
    example: Mapping[str, Tree] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Table:
    """All entries.

    Args:
        defaults: of params that no entry names, by the param's name.
        quiet: calls that start nothing on a device.
        none: calls that no operator stands for; stand-ins among them have an entry without cases.
        split: the beginning of calls' names -> most tensors of a list that an operator is given at once.
    """

    entries: Mapping[str, Entry]
    defaults: Mapping[str, Source]
    quiet: frozenset[str]
    none: frozenset[str]
    split: Mapping[str, int]

    def most(self, name: str) -> int | None:
        """How many tensors of a list of a call are handed over at once; None: all."""
        return next((most for begins, most in self.split.items() if name.startswith(begins)), None)

    def judged(self, name: str) -> Entry | None:
        """The entry of a call that an operator stands for."""
        return None if name in self.none else self.entries.get(name)


@functools.cache
def table() -> Table:
    """The table in the package."""
    folder = files("opspec.torch") / "data"
    return merged(read((folder / name).read_bytes(), name).value for name in FILES)


def merged(documents: Iterator[Tree]) -> Table:
    """The table that some documents make together.

    Raises:
        OpspecError: one of them is not of that form.
    """
    entries: dict[str, Entry] = {}
    defaults: dict[str, Source] = {}
    quiet: set[str] = set()
    none: set[str] = set()
    split: dict[str, int] = {}
    for document in documents:
        body = _mapping(document, "the table", ("calls", "defaults", "quiet", "none", "split"))
        for name, tree in _mapping(body.get("calls") or {}, "calls").items():
            entries[name] = _entry(name, tree)
        given = _mapping(body.get("defaults") or {}, "defaults")
        defaults.update({param: _source(source, param) for param, source in given.items()})
        quiet.update(_text(item, "quiet") for item in _list(body.get("quiet") or [], "quiet"))
        none.update(_text(item, "none") for item in _list(body.get("none") or [], "none"))
        split.update(_counts(body.get("split") or {}, "split"))
    none.update(name for name, entry in entries.items() if not entry.cases)
    return Table(entries, defaults, frozenset(quiet), frozenset(none), split)


_CASE = ("operator", "when", "args")
_ENTRY = (*_CASE, "cases", "number", "schema", "returns", "let", "format", "example")


def _entry(name: str, tree: Tree) -> Entry:
    body = {"operator": tree} if isinstance(tree, str) else _mapping(tree, name, _ENTRY)
    own = {key: value for key, value in body.items() if key in (*_CASE, "cases")}
    schema, format_ = body.get("schema"), body.get("format")
    return Entry(
        name,
        _cases(own, name) if own or schema is None else (),
        {key: _cases(value, f"{name} number {key}") for key, value in _mapping(body.get("number") or {}, name).items()},
        None if schema is None else _text(schema, name),
        tuple(_returned(item, name) for item in _list(body.get("returns") or [], name)),
        _texts(body.get("let") or {}, name),
        None if format_ is None else _text(format_, name),
        _mapping(body.get("example") or {}, name),
    )


def _cases(tree: Tree, where: str) -> tuple[Case, ...]:
    """One case, or the several of ``cases``."""
    if isinstance(tree, str):
        return (Case(tree),)
    body = _mapping(tree, where, (*_CASE, "cases"))
    if "cases" in body:
        return tuple(case for item in _list(body["cases"], where) for case in _cases(item, where))
    when = body.get("when")
    args = {param: _source(source, where) for param, source in _mapping(body.get("args") or {}, where).items()}
    return (Case(_text(body.get("operator"), where), None if when is None else _text(when, where), args),)


def _source(tree: Tree, where: str) -> Source:
    if tree is None:
        return None
    if isinstance(tree, list):
        return tuple(_one(item, where) for item in tree)
    return _one(tree, where)


def _one(tree: Tree, where: str) -> One:
    if isinstance(tree, dict) and "value" in tree:
        body = _mapping(tree, where, ("value", "dtype"))
        return Number(_text(body.get("value"), where), _text(body.get("dtype"), where))
    return _returned(tree, where)


def _returned(tree: Tree, where: str) -> str | Made:
    if isinstance(tree, str):
        return tree
    body = _mapping(tree, where, ("shape", "dtype", "several"))
    several = body.get("several")
    shape, dtype = (_alternatives(body.get(key), where) for key in ("shape", "dtype"))
    return Made(shape, dtype, None if several is None else _text(several, where))


def _alternatives(tree: Tree, where: str) -> tuple[str, ...]:
    return tuple(_text(item, where) for item in (tree if isinstance(tree, list) else [tree]))


def _texts(tree: Tree, where: str) -> dict[str, str]:
    return {key: _text(value, where) for key, value in _mapping(tree, where).items()}


def _counts(tree: Tree, where: str) -> dict[str, int]:
    found = _texts(tree, where)
    wrong = next((value for value in found.values() if not (value.isdecimal() and int(value))), None)
    if wrong is not None:
        raise OpspecError(f"a number above 0 is expected, found {shown(wrong)}", where=where)
    return {key: int(value) for key, value in found.items()}


def _text(tree: Tree, where: str) -> str:
    if not isinstance(tree, str):
        raise OpspecError(f"a text is expected, found {shown(tree)}", where=where)
    return tree


def _list(tree: Tree, where: str) -> list[Tree]:
    if not isinstance(tree, list):
        raise OpspecError(f"a list is expected, found {shown(tree)}", where=where)
    return tree


def _mapping(tree: Tree, where: str, keys: tuple[str, ...] = ()) -> dict[str, Tree]:
    if not isinstance(tree, dict):
        raise OpspecError(f"a mapping is expected, found {shown(tree)}", where=where)
    wrong = next((key for key in tree if keys and key not in keys), None)
    if wrong is not None:
        raise OpspecError(f"unknown key {shown(wrong)}{did_you_mean(wrong, keys)}", where=where)
    return tree
