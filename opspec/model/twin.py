"""Twins: the second operator of a page, made from the first by renaming its params.

Where two params become one, a rule that compares them with each other is always true and vanishes; two rules that
become the same are one; two that differ both stay, the output's under ``param.out-kind``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from opspec.language import tree
from opspec.model.definition import Alternative, Definition, ParamDef, RuleDef
from opspec.model.expand import SpecError, in_order
from opspec.model.spec import Twin


def twin_of(first: Definition) -> Definition | None:
    """The definition of the spec's twin, or None when the spec has none.

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
    params = _params(first, twin)
    renamed = Renaming(twin.rename, {param.name: param.nullable and param.pointer for param in params})
    return Definition(
        twin.operator,
        first.spec,
        params,
        {name: renamed(node) for name, node in first.lets.items()},
        first.let_paths,
        in_order(_rules(first, twin, renamed)),
        tuple((renamed(when), after) for when, after in first.early),
        {twin.rename.get(name, name): renamed(node) for name, node in first.results.items()},
        twin.header or first.header,
    )


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
        return tree.rebuilt(node, self)


def _rules(first: Definition, twin: Twin, renamed: Renaming) -> list[RuleDef]:
    result: dict[str, RuleDef] = {}
    for rule in first.rules:
        check = renamed(rule.check)
        if _always_true(check):
            continue
        subject, _, kind = rule.id.partition(".")
        new = replace(
            rule,
            id=f"{twin.rename.get(subject, subject)}.{kind}" if kind else rule.id,
            check=check,
            when=None if rule.when is None else renamed(rule.when),
            param=None if rule.param is None else twin.rename.get(rule.param, rule.param),
            alternatives=tuple(_alternative(item, renamed) for item in rule.alternatives),
        )
        before = result.get(new.id)
        if before is None:
            result[new.id] = new
        elif (before.check, before.when) == (new.check, new.when):
            result[new.id] = replace(before, sources=tuple(dict.fromkeys((*before.sources, *new.sources))))
        else:
            new = replace(new, id=f"{twin.rename.get(subject, subject)}.{subject}-{kind}")
            result[new.id] = new
    return [
        replace(rule, contradicts=tuple(other for other in rule.contradicts if other in result))
        for rule in result.values()
    ]


def _alternative(item: Alternative, renamed: Renaming) -> Alternative:
    when = None if item.when is None else renamed(item.when)
    return Alternative(item.id, when, tuple((part, renamed(check)) for part, check in item.parts))


def _always_true(node: tree.Node) -> bool:
    match node:
        case tree.Compare(ops=("==",)):
            return node.operands[0] == node.operands[1]
        case tree.Call(function="broadcastable_to" | "castable" | "broadcastable"):
            return node.args[0] == node.args[1]
        case tree.Logic(op="and"):
            return all(map(_always_true, node.items))
    return False
