"""Checks of what a rule can come to: that its guard can hold, that some call satisfies it, and that some breaks it."""

from __future__ import annotations

from collections.abc import Iterator

from opspec.language import tree
from opspec.language.facts import expanded
from opspec.language.types import BOOL
from opspec.model.definition import Definition, RuleDef
from opspec.workshop.lint.subject import Fault, Found, Subject, of_each
from opspec.workshop.lint.worlds import Worlds, applies, passes


def guards(subject: Subject) -> Found:
    """A guard that can never hold, or under which the check can never hold, is a mistake."""
    for definition in subject.definitions:
        worlds = Worlds(definition)
        for rule in _tried(definition):
            if rule.when is not None:
                calls = worlds.of(rule, rule.when)
                if calls is not None and not any(applies(rule, env) for env in calls):
                    yield Fault(rule.path, rule.id, f"the guard of {rule.id!r} can never hold", definition.name)
                    continue
            if _never(worlds, rule):
                yield Fault(rule.path, rule.id, f"no call can satisfy {rule.id!r}", definition.name)


@of_each
def idle(subject: Subject, definition: Definition) -> Found:
    """A rule that no call can break says nothing.

    A twin's is its own: of the first operator's it has what its params leave of them.
    """
    worlds = Worlds(definition, legal=False)
    written = "rules" if definition is subject.own else "twin"
    for rule in _tried(definition):
        if rule.path[0] == written and _always(worlds, rule):
            yield Fault(rule.path, rule.id, f"{rule.id!r} holds in every call")


def _tried(definition: Definition) -> Iterator[RuleDef]:
    """Rules whose check and guard are not constants, which say by themselves what they come to."""
    for rule in definition.rules:
        if not isinstance(rule.check, tree.Const) and rule.when != tree.Const(False, BOOL):
            yield rule


def _nodes(rule: RuleDef) -> list[tree.Node]:
    return [node for node in (rule.when, rule.check) if node is not None]


def _never(worlds: Worlds, rule: RuleDef) -> bool:
    """Whether the rule applies to some call and passes in none."""
    reached = False
    for env in worlds.of(rule, *_nodes(rule)) or ():
        if applies(rule, env):
            reached = True
            if passes(rule, env):
                return False
    return reached


def _always(worlds: Worlds, rule: RuleDef) -> bool:
    calls = worlds.of(rule, *_nodes(rule))
    return calls is not None and all(not applies(rule, env) or passes(rule, env) for env in calls)


def unused(subject: Subject) -> Found:
    """A derived value that nothing reads."""
    definition = subject.own
    used: set[str] = set()
    trees = [node for rule in definition.rules for node in _nodes(rule)]
    for node in [*trees, *(when for when, _ in definition.early), *definition.results.values()]:
        used.update(part.name for part in expanded(node, definition.lets) if isinstance(part, tree.Let))
    for name in definition.spec.let:
        if name not in used:
            yield Fault(("let", name), name, f"nothing uses the derived value {name!r}")
