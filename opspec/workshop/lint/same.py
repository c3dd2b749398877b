"""Checks of rules against each other: none says again what another one says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from opspec.language import normal, tree
from opspec.language.text import write
from opspec.model.definition import Definition, RuleDef
from opspec.model.enforcement import enforcement
from opspec.workshop.lint.subject import Fault, Found, Subject, of_each


@of_each
def duplicate(subject: Subject, definition: Definition) -> Found:
    """No two rules require the same under the same condition: a call would break both, and one of them would change
    without the other."""
    for first, rule in _alike(definition):
        if not _differences(first, rule, definition):
            yield Fault(rule.path, rule.id, f"the rule {rule.id!r} requires what {first.id!r} does")


@of_each
def contradiction(subject: Subject, definition: Definition) -> Found:
    """One requirement is enforced in one spelling and not in the other, or has two status codes."""
    for first, rule in _alike(definition):
        for difference in _differences(first, rule, definition):
            message = f"the rule {rule.id!r} requires what {first.id!r} does, {difference}"
            yield Fault(rule.path, rule.id, message)


def _alike(definition: Definition) -> Iterator[tuple[RuleDef, RuleDef]]:
    seen: dict[tuple[str, str], RuleDef] = {}
    for rule in definition.rules:
        if not rule.alternatives:
            first = seen.setdefault(normal.key(rule.check, rule.when), rule)
            if first is not rule:
                yield first, rule


def _differences(first: RuleDef, rule: RuleDef, definition: Definition) -> list[str]:
    that, this = (enforcement(item, definition) for item in (first, rule))
    same = this.usual == that.usual or this.assumed or that.assumed  # by default is nobody's word
    found = [] if same else [f"but is {this.usual} where that is {that.usual}"]
    return found + ([] if first.status == rule.status else [f"but leads to {rule.status}, not {first.status}"])


# --- equalities that follow


@dataclass(frozen=True, slots=True)
class Equality:
    """``x.dtype == y.dtype`` of params that are never null, as an edge between the two."""

    ends: tuple[str, str]
    guard: str
    rule: RuleDef


@of_each
def follows(subject: Subject, definition: Definition) -> Found:
    """An equality that others imply: a call that breaks it breaks one of those."""
    found = [edge for rule in definition.rules for edge in _equalities(rule)]
    kept: list[Equality] = []
    for edge in sorted(found, key=lambda edge: (edge.guard != "", not _stays(edge.rule))):
        path = _path([other for other in kept if other.guard in ("", edge.guard)], *edge.ends)
        if path is None:
            kept.append(edge)
        elif normal.key(path[0].check, path[0].when) != normal.key(edge.rule.check, edge.rule.when):
            others = " and ".join(repr(rule.id) for rule in path)
            yield Fault(edge.rule.path, edge.rule.id, f"the rule {edge.rule.id!r} follows from {others}")


def _stays(rule: RuleDef) -> bool:
    """Whether the rule has a word of its own, so that those that follow from it go first."""
    return rule.path[0] != "rules" or rule.enforced is not None or rule.in_row


def _equalities(rule: RuleDef) -> Iterator[Equality]:
    check = normal.normal(rule.check)
    if rule.alternatives or rule.basis != "documented" or not isinstance(check, tree.Compare) or check.ops != ("==",):
        return
    left, right = check.operands
    if isinstance(left, tree.Attr) and isinstance(right, tree.Attr) and _sure(left) and _sure(right):
        guard = "" if rule.when is None else write(normal.normal(rule.when))
        yield Equality((write(left), write(right)), guard, rule)


def _sure(node: tree.Attr) -> bool:
    """Whether it is there in every call: what holds of an absent param implies nothing."""
    return isinstance(node.base, tree.Param) and not node.base.nullable


def _path(edges: Iterable[Equality], start: str, end: str) -> list[RuleDef] | None:
    """The equalities that lead from one end to the other."""
    edges = list(edges)
    before: dict[str, tuple[str, RuleDef] | None] = {start: None}
    todo = [start]
    for place in todo:
        for edge in edges:
            for here, there in (edge.ends, edge.ends[::-1]):
                if here == place and there not in before:
                    before[there] = (place, edge.rule)
                    todo.append(there)
    if end not in before:
        return None
    found: list[RuleDef] = []
    step = before[end]
    while step is not None:
        found.append(step[1])
        step = before[step[0]]
    return found[::-1]
