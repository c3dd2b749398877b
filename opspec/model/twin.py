"""Twins: the second operator of a page, made from the first by renaming its params.

Where two params become one, a rule that compares them with each other is always true and vanishes; two rules that
become the same are one; two that differ both stay, the output's under ``param.out-kind``.
"""

from __future__ import annotations

from dataclasses import replace

from opspec.language import parse, tree
from opspec.language.record import replace as record_replace
from opspec.language.text import write
from opspec.model.definition import Definition, ParamDef, RuleDef
from opspec.model.expand import SpecError, settle
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
    lets = {name: _renamed(text, first, twin) for name, text in first.lets.items()}
    second = Definition(
        twin.operator, first.spec, params, lets, dict(first.let_paths), [], header=twin.header or first.header
    )
    second.rules = _rules(first, twin)
    second.early = [(_renamed(when, first, twin), after) for when, after in first.early]
    settle(second)
    return second


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


def _renamed(text: str, first: Definition, twin: Twin) -> str:
    return write(rename(parse.parse(text, first.scope), twin.rename))


def rename(node: tree.Node, names: dict[str, str]) -> tree.Node:
    """The tree with params renamed."""
    changes: dict[str, object] = {}
    if isinstance(node, tree.Param):
        changes["name"] = names.get(node.name, node.name)
    for name in type(node).__match_args__:
        value = getattr(node, name)
        if hasattr(value, "column"):
            changes[name] = rename(value, names)
        elif name in ("operands", "items", "args", "columns"):
            changes[name] = tuple(rename(item, names) for item in value)
    result: tree.Node = record_replace(node, **changes) if changes else node
    return result


def _rules(first: Definition, twin: Twin) -> list[RuleDef]:
    result: dict[str, RuleDef] = {}
    for rule in first.rules:
        check = rename(parse.parse(rule.check, first.scope), twin.rename)
        if _always_true(check):
            continue
        subject, _, kind = rule.id.partition(".")
        rule_id = f"{twin.rename.get(subject, subject)}.{kind}" if kind else rule.id
        when = _renamed(rule.when, first, twin) if rule.when is not None else None
        param = twin.rename.get(rule.param, rule.param) if rule.param is not None else None
        new = replace(
            rule, id=rule_id, check=write(check), when=when, param=param, alternatives=_alternatives(rule, first, twin)
        )
        before = result.get(rule_id)
        if before is None:
            result[rule_id] = new
        elif (before.check, before.when) == (new.check, new.when):
            result[rule_id] = replace(before, sources=tuple(dict.fromkeys((*before.sources, *new.sources))))
        else:
            new = replace(new, id=f"{twin.rename.get(subject, subject)}.{subject}-{kind}")
            result[new.id] = new
    kept = set(result)
    return [
        replace(rule, contradicts=tuple(other for other in rule.contradicts if other in kept))
        for rule in result.values()
    ]


def _alternatives(
    rule: RuleDef, first: Definition, twin: Twin
) -> tuple[tuple[str, str | None, tuple[tuple[str, str], ...]], ...]:
    return tuple(
        (
            name,
            _renamed(guard, first, twin) if guard is not None else None,
            tuple((part, _renamed(check, first, twin)) for part, check in parts),
        )
        for name, guard, parts in rule.alternatives
    )


def _always_true(node: tree.Node) -> bool:
    match node:
        case tree.Compare(ops=("==",)):
            return node.operands[0] == node.operands[1]
        case tree.Call(function="broadcastable_to" | "castable" | "broadcastable"):
            return node.args[0] == node.args[1]
        case tree.Logic(op="and"):
            return all(map(_always_true, node.items))
    return False
