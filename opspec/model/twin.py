"""Twins: the second operator of a page, made from the first by renaming its params.

Where two params become one, a rule that compares them with each other is always true and vanishes; two rules that
become the same are one; two that differ both stay, the output's under ``param.out-kind``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from opspec.errors import SpecError, did_you_mean
from opspec.language import build, record, tree
from opspec.language.functions import FUNCTIONS
from opspec.model import sugar
from opspec.model.defaults import spelled_dtype
from opspec.model.definition import Definition, ParamDef, RuleDef
from opspec.model.draft import Alternative, Draft, Path
from opspec.model.evidence import Witnesses
from opspec.model.expand import NOBODY, own_rule, recorded, settled
from opspec.model.faults import Faults, placed
from opspec.model.ledger import place_of
from opspec.model.names import Names
from opspec.model.order import in_order
from opspec.model.spec import Param, Twin
from opspec.vocabulary import ctypes_

SECTION = "twin/"  # what places in the section on the twin begin with: the ledger has those of the first operator's


def twin_of(first: Definition, known: Witnesses = NOBODY) -> Definition | None:
    """The definition of the spec's twin, or None when the spec has none.

    Args:
        known: what machines recorded of the twin's own rules; of others goes what they recorded of the first's.

    Raises:
        SpecError: the twin renames a param that is not there.
    """
    twin = first.spec.twin
    if twin is None:
        return None
    names = {param.name for param in first.params}
    for name in twin.rename:
        if name not in names:
            raise SpecError(f"the twin renames an unknown param {name!r}", path=("twin", "rename", name))
    params = _declared(_params(first, twin), twin)
    renamed = Renaming(twin.rename, {param.name: param.nullable and param.pointer for param in params})
    second = Definition(
        twin.operator,
        first.spec,
        params,
        {name: renamed(node) for name, node in first.lets.items()},
        first.let_paths,
        let_words={name: renamed.words(words) for name, words in first.let_words.items()},
        early=tuple((renamed(when), after) for when, after in first.early),
        results={twin.rename.get(name, name): renamed(node) for name, node in first.results.items()},
        places=first.places,
        clauses=first.clauses,
        returns=first.returns,
        header=twin.header or first.header,
        home=first.home,
        elsewhere=known.elsewhere,
        neighbours=known.neighbours,
    )
    rules = _with_own(_rules(first, twin, renamed), twin, second)
    return in_order(replace(second, rules=recorded(rules, known)))


def _with_own(rules: list[RuleDef], twin: Twin, second: Definition) -> Iterator[RuleDef]:
    """The rules with those that the twin's own table and text put in their place, or that do not hold for it."""
    if not (twin.params or twin.rules or twin.without):
        yield from rules
        return
    known = {rule.id: rule for rule in rules}
    names = Names(second.params, second.lets, {})
    faults = Faults()
    own = {draft.id: draft for draft in _drafts(twin, second, names, faults)}
    faults.tell()
    for i, name in enumerate(twin.without):
        if name not in known:
            raise SpecError(f"unknown rule {name!r}{did_you_mean(name, known)}", path=("twin", "without", i))
    for rule in rules:
        if rule.id in own:
            mine = own.pop(rule.id)
            sources = tuple(dict.fromkeys((*rule.sources, *mine.sources)))
            before = mine.but(status=rule.status, stage=rule.stage, sources=sources)
            yield settled(before.but(enforced=rule.enforced, in_row=rule.in_row), names, second)
        elif rule.id not in twin.without:
            yield rule
    yield from (settled(draft, names, second) for draft in own.values())


def _drafts(twin: Twin, second: Definition, names: Names, faults: Faults) -> Iterator[Draft]:
    context = sugar.Context(names, {param.name: param.kind for param in second.params})
    ctypes = {param.name: param.ctype for param in second.params}
    for i, own in enumerate(twin.params):
        path: Path = ("twin", "params", i)
        if own.name not in ctypes:
            raise SpecError(f"unknown param {own.name!r}{did_you_mean(own.name, ctypes)}", path=(*path, "name"))
        said = {name: getattr(own, name) for name in own.model_fields_set}
        with placed((*path, "dtype")):
            said["dtype"] = None if own.dtype is None else spelled_dtype(own.dtype, second.spec)
        param = Param.model_construct(**{**_NOTHING, **said, "ctype": ctypes[own.name], "optional": True})
        for draft in sugar.expand(param, path, context, faults):
            if not draft.id.endswith(".elements"):
                yield draft.but(sources=(f"{SECTION}params/{own.name}/{draft.path[len(path)]}",))
    for name, rule in twin.rules.items():
        path = ("twin", "rules", name)
        with faults.placed(path):
            places = tuple(place_of(place, second.clauses, list(ctypes)) for place in rule.from_)
            yield own_rule(name, rule, path, context).but(sources=places)


_NOTHING = {name: field.get_default() for name, field in Param.model_fields.items()}


def _params(first: Definition, twin: Twin) -> tuple[ParamDef, ...]:
    merged: dict[str, ParamDef] = {}
    for param in first.params:
        name = twin.rename.get(param.name, param.name)
        before = merged.get(name)
        if before is None:
            merged[name] = replace(param, name=name, spellings=tuple(s for s in param.spellings if s != name))
        else:
            ctype = param.ctype if before.io == "in" else before.ctype
            merged[name] = replace(before, io="inout", ctype=ctype.removeprefix("const "))
    return tuple(merged.values())


def _declared(params: tuple[ParamDef, ...], twin: Twin) -> tuple[ParamDef, ...]:
    """The params with the C types that the twin's own prototype has: pages and headers declare some otherwise."""
    own = {param.name: (i, ctypes_.parse(param.ctype)) for i, param in enumerate(twin.params) if param.ctype}
    for param in params:
        place, ctype = own.get(param.name, (0, ctypes_.parse(param.ctype)))
        if ctype.text().removeprefix("const ") != param.ctype.removeprefix("const "):
            message = f"{ctype.text()} is not {param.ctype} with or without const"
            raise SpecError(message, path=("twin", "params", place, "ctype"))
    return tuple(replace(param, ctype=own[param.name][1].text()) if param.name in own else param for param in params)


@dataclass(frozen=True, slots=True)
class Renaming:
    """Trees with their params renamed.

    Args:
        names: param -> its name in the twin; others keep theirs.
        nullable: the twin's params -> whether a call may leave them null.
    """

    names: Mapping[str, str]
    nullable: Mapping[str, bool]

    def __call__(self, node: tree.Node) -> tree.Node:
        """The tree of the twin."""
        if isinstance(node, tree.Param):
            name = self.names.get(node.name, node.name)
            return tree.Param(name, node.type, self.nullable[name], node.column)
        new = tree.rebuilt(node, self)
        if isinstance(new, tree.Logic):  # what was asked of two params, which are one in the twin
            items = tuple(dict.fromkeys(new.items))
            return items[0] if len(items) == 1 else record.replace(new, items=items)
        return new

    def words(self, texts: tuple[str, str]) -> tuple[str, str]:
        """The twin's words: a param is named in backticks alone, so that no word is taken for one."""
        en, zh = (_IN_CODE.sub(lambda found: _NAME.sub(self._name, found[0]), text) for text in texts)
        return en, zh

    def _name(self, found: re.Match[str]) -> str:
        return self.names.get(found[0], found[0])


_IN_CODE = re.compile(r"`[^`]*`")
_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")


def _rules(first: Definition, twin: Twin, renamed: Renaming) -> list[RuleDef]:
    result: dict[str, RuleDef] = {}
    for rule in first.rules:
        check = renamed(rule.check)
        when = None if rule.when is None else renamed(rule.when)
        if _always_true(check) or check in _conjuncts(when):
            continue
        subject, _, kind = rule.id.partition(".")
        new = rule.but(
            id=f"{twin.rename.get(subject, subject)}.{kind}" if kind else rule.id,
            check=check,
            when=when,
            param=None if rule.param is None else twin.rename.get(rule.param, rule.param),
            say=None if rule.say is None else renamed.words(rule.say),
            fails=None if rule.fails is None else renamed.words(rule.fails),
            alternatives=tuple(_alternative(item, renamed) for item in rule.alternatives),
        )
        before = result.get(new.id)
        if before is None:
            result[new.id] = new
        elif (before.check, before.when) == (new.check, new.when):
            result[new.id] = before.but(sources=tuple(dict.fromkeys((*before.sources, *new.sources))))
        else:
            new = new.but(id=f"{twin.rename.get(subject, subject)}.{subject}-{kind}")
            result[new.id] = new
    return [
        rule.but(contradicts=tuple(other for other in rule.contradicts if other in result)) for rule in result.values()
    ]


def _alternative(item: Alternative, renamed: Renaming) -> Alternative:
    when = None if item.when is None else renamed(item.when)
    parts = tuple((part, renamed(check)) for part, check in item.parts)
    return Alternative(item.id, renamed.words(item.words), when, parts)


def _conjuncts(when: tree.Node | None) -> tuple[tree.Node | None, ...]:
    return (None,) if when is None else build.conjuncts(when)


def _always_true(node: tree.Node) -> bool:
    """Whether a relation is one of a param with itself, as both that it was of are one in the twin."""
    match node:
        case tree.Compare(ops=("==",)):
            return node.operands[0] == node.operands[1]
        case tree.Compare(ops=("in",), operands=(left, tree.Seq(items=items))):
            return left in items
        case tree.Call() if FUNCTIONS[node.function].of_equals:
            return node.args[0] == node.args[1]
        case tree.Logic(op="and"):
            return all(map(_always_true, node.items))
    return False
