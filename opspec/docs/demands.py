"""What an operator demands, in one form: to see whether another form of it demands the same in other rules."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from opspec.language import build, tree
from opspec.language.normal import normal
from opspec.language.text import write
from opspec.model.definition import Definition, RuleDef

_LONGEST = 20  # nodes of a derived value that is written out


@dataclass(frozen=True, slots=True)
class Demands:
    """The parts of all checks.

    Args:
        parts: (what must hold, under which condition).
        alike: what must be equal in every call, each with one that stands for all that are equal to it.
    """

    parts: frozenset[tuple[str, str]]
    alike: Mapping[str, str]

    @classmethod
    def of(cls, definition: Definition) -> Demands:
        """What the rules of an operator demand that it documents or that follow from what it documents."""
        return definition.once(cls._of)

    @classmethod
    def _of(cls, definition: Definition) -> Demands:
        rules = [rule for rule in definition.rules if not rule.alternatives and rule.basis != "observed"]
        parts: set[tuple[str, str]] = set()
        alike: dict[str, str] = {}
        for rule in rules:
            when = _condition(rule, definition.lets)
            for part in _conjuncts(rule.check, definition.lets):
                parts.add((write(part), when))
                sides = _equal(part)
                if sides is not None and not when:
                    _join(alike, *sides)
        return cls(frozenset(parts), {name: _root(alike, name) for name in alike})

    def include(self, rule: RuleDef, lets: Mapping[str, tree.Node]) -> bool:
        """Whether they say what another form's rule says, under its condition or in every call.

        Args:
            lets: the derived values of that form.
        """
        when = _condition(rule, lets)
        return not rule.alternatives and all(
            (write(part), when) in self.parts or (write(part), "") in self.parts or self._equate(part)
            for part in _conjuncts(rule.check, lets)
        )

    def include_in_some_calls(self, rule: RuleDef, lets: Mapping[str, tree.Node]) -> bool:
        """Whether they say what another form's rule says, be it under a condition of their own."""
        said = {part for part, _ in self.parts} | {_condition(rule, lets)}  # what it takes for granted itself
        return not rule.alternatives and all(
            write(part) in said or self._equate(part) for part in _conjuncts(rule.check, lets)
        )

    def _equate(self, part: tree.Node) -> bool:
        sides = _equal(part)
        if sides is None:
            return False
        first, second = (self.alike.get(side, side) for side in sides)
        return first == second


def _condition(rule: RuleDef, lets: Mapping[str, tree.Node]) -> str:
    return "" if rule.when is None else write(normal(_spelled(rule.when, lets)))


def _conjuncts(check: tree.Node, lets: Mapping[str, tree.Node]) -> Iterator[tree.Node]:
    yield from build.conjuncts(normal(_spelled(check, lets)))


def _spelled(node: tree.Node, lets: Mapping[str, tree.Node]) -> tree.Node:
    """An expression with derived values in place of their names, which another form may call otherwise."""
    if isinstance(node, tree.Let) and node.name in lets and _is_short(lets[node.name]):
        return _spelled(lets[node.name], lets)
    return tree.rebuilt(node, lambda part: _spelled(part, lets))


def _is_short(node: tree.Node) -> bool:
    """Whether it may be written wherever its name stands, be that in values that are written out themselves."""
    return sum(1 for _ in itertools.islice(tree.walk(node), _LONGEST + 1)) <= _LONGEST


def _equal(node: tree.Node) -> tuple[str, str] | None:
    """The two things that must be equal, where it is one attribute of both."""
    if not isinstance(node, tree.Compare) or node.ops != ("==",):
        return None
    left, right = node.operands
    same = isinstance(left, tree.Attr) and isinstance(right, tree.Attr) and left.name == right.name
    return (write(left), write(right)) if same else None


def _root(alike: Mapping[str, str], name: str) -> str:
    while alike.get(name, name) != name:
        name = alike[name]
    return name


def _join(alike: dict[str, str], first: str, second: str) -> None:
    one, other = _root(alike, first), _root(alike, second)
    alike[one] = one
    alike[other] = one
