"""Symbolic shapes: which dim is bound where, and the rules that the patterns of a spec amount to.

A dim binds only where it stands alone, at the first param (in declared order) that is present and whose pattern
applies. Inside arithmetic it is checked, never solved. A name that is a param or a ``let`` is that value, not a dim.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from opspec.errors import did_you_mean
from opspec.language.text import spelled
from opspec.model.patterns import PatternError, ShapePattern, dims_in


@dataclass(frozen=True, slots=True)
class Use:
    """The patterns a param may have when ``when`` holds (always, when None)."""

    param: str
    nullable: bool
    patterns: tuple[ShapePattern, ...]
    when: str | None = None


@dataclass(frozen=True, slots=True)
class _Binding:
    condition: str | None
    value: str


def bind(uses: Iterable[Use], taken: Mapping[str, object]) -> dict[str, str]:
    """Dim -> the expression that is its value, from the uses in order.

    Args:
        taken: names that are no dims (params, lets).

    Raises:
        PatternError: a dim that nothing binds.
    """
    bindings: dict[str, list[_Binding]] = {}
    mentioned: dict[str, str] = {}
    for use in uses:
        for pattern in use.patterns:
            for name in dims_in(pattern):
                if name not in taken:
                    mentioned.setdefault(name, use.param)
            for name, value in _binds(use, pattern, taken):
                bindings.setdefault(name, []).append(_Binding(_condition(use, pattern), value))
    for name, param in mentioned.items():
        if name not in bindings:
            raise PatternError(
                f"nothing binds the dim {name!r} of {param}: it stands alone in no shape and is no param or let"
                f"{did_you_mean(name, [*bindings, *map(str, taken)])}"
            )
    return {name: _value(found) for name, found in bindings.items()}


def _binds(use: Use, pattern: ShapePattern, taken: Mapping[str, object]) -> Iterable[tuple[str, str]]:
    for i, name in enumerate(pattern.names):
        if name is None or name in taken:
            continue
        position = pattern.position(i, spelled(use.param))
        rivals = [other for other in use.patterns if other is not pattern and _same_rank(other, pattern)]
        if all(i < len(other.names) and other.names[i] == name for other in rivals):
            yield name, position


def _same_rank(a: ShapePattern, b: ShapePattern) -> bool:
    return a.star is not None or b.star is not None or a.fixed == b.fixed


def _condition(use: Use, pattern: ShapePattern) -> str | None:
    parts = []
    if use.nullable:
        parts.append(f"{spelled(use.param)} is not None")
    if use.when is not None:
        parts.append(f"({use.when})")
    if len(use.patterns) > 1:
        parts.append(pattern.rank_check(spelled(use.param)))
    return " and ".join(parts) or None


def _value(bindings: list[_Binding]) -> str:
    """The first binding whose condition holds; without an unconditional one the dim may stay undefined."""
    chosen: list[_Binding] = []
    for binding in bindings:
        chosen.append(binding)
        if binding.condition is None:
            break
    if len(chosen) == 1:
        return chosen[0].value
    text = (
        chosen[-1].value
        if chosen[-1].condition is None
        else f"{chosen[-1].value} if {chosen[-1].condition} else undefined"
    )
    for binding in reversed(chosen[:-1]):
        text = f"{binding.value} if {binding.condition} else ({text})"
    return text


def rank_check(use: Use) -> str:
    """The ranks that a use's patterns allow, as a check."""
    subject = spelled(use.param)
    checks = list(dict.fromkeys(pattern.rank_check(subject) for pattern in use.patterns))
    exact = [str(pattern.fixed) for pattern in use.patterns if pattern.star is None]
    if len(exact) == len(use.patterns) and len(set(exact)) > 1:
        return f"{subject}.rank in ({', '.join(dict.fromkeys(exact))})"
    return " or ".join(checks)


def shape_check(use: Use, dims: Mapping[str, str]) -> str | None:
    """The shapes that a use's patterns allow, as a check; None when the pattern says the rank alone."""
    subject = spelled(use.param)
    if len(use.patterns) == 1 and all(
        _binds_here(use.patterns[0], i, subject, dims) for i in range(len(use.patterns[0].items))
    ):
        return None
    return " or ".join(f"{subject}.shape == {_tuple(pattern)}" for pattern in use.patterns)


def _binds_here(pattern: ShapePattern, i: int, subject: str, dims: Mapping[str, str]) -> bool:
    name = pattern.names[i]
    return name is not None and dims.get(name) == pattern.position(i, subject)


def _tuple(pattern: ShapePattern) -> str:
    items = [("*" if i == pattern.star else "") + item for i, item in enumerate(pattern.items)]
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"
