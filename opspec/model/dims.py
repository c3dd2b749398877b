"""Symbolic shapes: which dim is bound where, and the rules that the patterns of a spec amount to.

A dim binds only where it stands alone, at the first param (in declared order) that is present and whose pattern
applies. Inside arithmetic it is checked, never solved. A name that is a param or a ``let`` is that value, not a dim.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from opspec.errors import SpecError, did_you_mean
from opspec.language import build, tree
from opspec.language.parse import names_in
from opspec.language.types import INT
from opspec.model.names import Names
from opspec.model.patterns import ShapePattern


class Condition(NamedTuple):
    """Products and an expression under which something is said."""

    on: list[str]
    when: str | None


@dataclass(frozen=True, slots=True)
class Use:
    """The patterns a param may have.

    Args:
        cases: conditions, of which the last holds and none of those before it; always when there are none.
    """

    param: str
    nullable: bool
    patterns: tuple[ShapePattern, ...]
    cases: tuple[Condition, ...] = ()

    def when(self, names: Names) -> tree.Node | None:
        """The condition under which the param has one of these shapes; None: always."""
        if not self.cases:
            return None
        *earlier, own = (names.condition(*case) for case in self.cases)
        parts: list[tree.Node] = [build.negated(build.TRUE if case is None else case) for case in earlier]
        parts += [] if own is None else [own]
        return build.all_of(parts) if parts else None


class _Binding(NamedTuple):
    """Item ``i`` of a pattern, which is the dim's value where the pattern applies."""

    use: Use
    pattern: ShapePattern
    i: int

    def value(self, names: Names) -> tree.Node:
        return self.pattern.position(self.i, names.param(self.use.param))

    def condition(self, names: Names) -> tree.Node | None:
        subject = names.param(self.use.param)
        parts: list[tree.Node] = [build.present(subject)] if self.use.nullable else []
        when = self.use.when(names)
        parts += [] if when is None else [when]
        if len(self.use.patterns) > 1:
            parts.append(self.pattern.rank_check(subject))
        return build.all_of(parts) if parts else None


def bind(uses: Iterable[Use], taken: Mapping[str, object]) -> dict[str, Callable[[Names], tree.Node]]:
    """Dim -> what makes the tree of its value, from the uses in order.

    Args:
        taken: names that are no dims (params, lets).

    Raises:
        SpecError: a dim that nothing binds.
    """
    bindings: dict[str, list[_Binding]] = {}
    mentioned: dict[str, str] = {}
    for use in uses:
        for pattern in use.patterns:
            for name in names_in(pattern.text):
                if name not in taken:
                    mentioned.setdefault(name, use.param)
            for name, i in _binds(use, pattern, taken):
                bindings.setdefault(name, []).append(_Binding(use, pattern, i))
    for name, param in mentioned.items():
        if name not in bindings:
            raise SpecError(
                f"nothing binds the dim {name!r} of {param}: it stands alone in no shape and is no param or let"
                f"{did_you_mean(name, [*bindings, *map(str, taken)])}"
            )
    return {name: partial(_value, found) for name, found in bindings.items()}


def _binds(use: Use, pattern: ShapePattern, taken: Mapping[str, object]) -> Iterable[tuple[str, int]]:
    for i, name in enumerate(pattern.names):
        if name is None or name in taken:
            continue
        rivals = [other for other in use.patterns if other is not pattern and _same_rank(other, pattern)]
        if all(i < len(other.names) and other.names[i] == name for other in rivals):
            yield name, i


def _same_rank(a: ShapePattern, b: ShapePattern) -> bool:
    return a.star is not None or b.star is not None or a.fixed == b.fixed


def _value(bindings: list[_Binding], names: Names) -> tree.Node:
    """The first binding whose condition holds; without an unconditional one the dim may stay undefined."""
    if len(bindings) == 1:
        return bindings[0].value(names)
    chosen: list[tuple[tree.Node | None, tree.Node]] = []
    for binding in bindings:
        chosen.append((binding.condition(names), binding.value(names)))
        if chosen[-1][0] is None:
            break
    value: tree.Node = tree.Undefined(INT)
    for condition, position in reversed(chosen):
        value = position if condition is None else build.chosen(condition, position, value)
    return value


def rank_check(use: Use, subject: tree.Node) -> tree.Node:
    """The ranks that a use's patterns allow."""
    exact = dict.fromkeys(pattern.fixed for pattern in use.patterns if pattern.star is None)
    if len(exact) > 1 and all(pattern.star is None for pattern in use.patterns):
        return build.member(build.attribute(subject, "rank"), [build.constant(rank, INT) for rank in exact])
    return build.any_of(list(dict.fromkeys(pattern.rank_check(subject) for pattern in use.patterns)))


def shape_check(use: Use, subject: tree.Node, names: Names, bound: Iterable[str]) -> tree.Node | None:
    """The shapes that a use's patterns allow; None when the pattern says the rank alone.

    Args:
        bound: the dims that are bound, of which those that are bound here ask for nothing.
    """
    if len(use.patterns) == 1:
        pattern = use.patterns[0]
        here = [
            name is not None and name in bound and names.let(name) == pattern.position(i, subject)
            for i, name in enumerate(pattern.names)
        ]
        if all(here):
            return None
    shape = build.attribute(subject, "shape")
    return build.any_of([build.equal(shape, names.read(pattern.text)) for pattern in use.patterns])
