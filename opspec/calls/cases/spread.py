"""Legal calls of an operator that differ in what matters: dtypes, formats, ranks, presence, values, bounds, empties,
strides, list lengths and products, as far as each has a legal call.

Each wanted feature is put into a legal call that is known, alone or wherever its like stands; what that breaks is
mended while the feature stays.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from opspec.calls.cases.around import around
from opspec.calls.cases.isolate import Isolation
from opspec.calls.examples.aim import aims
from opspec.calls.examples.call import Call, fresh, items, put
from opspec.calls.examples.listed import Wanted, in_step, listed
from opspec.calls.examples.search import Search
from opspec.language import tree
from opspec.language.interpret import Env, evaluate
from opspec.language.types import INT
from opspec.language.values import Tensor
from opspec.model.definition import Definition, ParamDef
from opspec.registry.registry import Form
from opspec.validator.judge import judge
from opspec.vocabulary import products
from opspec.vocabulary.literals import Facet

STEPS = 80  # of the search for one feature
MOST_TRIED = 600  # calls around a known one that are judged for a feature
MOST_STARTS = 3
RANKS = range(9)


@dataclass(frozen=True, slots=True)
class Feature:
    """Something that a legal call may have.

    Args:
        says: ``dtype of x INT8``.
        param, facet: where it shows.
        held: whether a call has it.
        wanted: it, where it is a dtype or a format.
    """

    says: str
    param: str
    facet: Facet
    held: Callable[[Call], bool]
    wanted: Wanted | None = None


@dataclass(frozen=True, slots=True)
class Legal:
    """A legal call and what it was made for."""

    call: Call
    product: str
    says: str


def spread(definition: Definition, form: Form, isolation: Isolation, seed: int = 0) -> Iterator[Legal]:
    """The legal calls, no two alike; a feature that a call before has is not looked for again.

    Args:
        isolation: whose products and plain legal calls are taken, and which gets the calls that are found.
    """
    seen: list[Call] = []
    for number, product in enumerate(isolation.where()):
        known = isolation.legal(product)
        for call in known if number == 0 else known[:1]:
            if call not in seen or number:
                seen.append(call)
                yield Legal(call, product, "as plain as can be" if call is known[0] else "with an optional argument")
        if number or not known:
            continue
        for feature in features(definition, product):
            if any(map(feature.held, known)):
                continue
            found = _with(definition, form, product, feature, known, seed)
            if found is not None and found not in seen:
                known.append(found)
                seen.append(found)
                yield Legal(found, product, feature.says)


def _with(
    definition: Definition, form: Form, product: str, feature: Feature, known: list[Call], seed: int
) -> Call | None:
    """A legal call that has a feature, made of a known one."""
    names = [param.name for param in definition.params]
    closest: list[tuple[float, int, Call]] = []
    on, chance = products.resolve(product), random.Random(f"{seed} {product} {feature.says}")
    search = Search(definition, form, *on, chance, keeps=feature.held)
    for start in (known[0], *known[-MOST_STARTS + 1 :]):
        for number, call in enumerate(_around(definition, start, feature, Env(start, definition.lets, *on))):
            if number == MOST_TRIED:
                break
            if not feature.held(call):
                continue
            cost = search.cost(call)
            if cost == 0:
                verdict = judge(form, tuple(call[name] for name in names), *on)
                if verdict.legal and not verdict.warnings:
                    return call
            closest.append((cost, len(closest), call))
    for _, _, call in sorted(closest)[:2]:
        found = search.legal(STEPS, start=call)
        if found is not None and feature.held(found):
            verdict = judge(form, tuple(found[name] for name in names), *on)
            if verdict.legal and not verdict.warnings:
                return found
    return None


def _around(definition: Definition, start: Call, feature: Feature, env: Env) -> Iterator[Call]:
    params = {param.name: param for param in definition.params}
    if start[feature.param] is None and feature.facet != "presence":
        start = {**start, feature.param: fresh(params[feature.param].kind)}
    together = None if feature.wanted is None else in_step(start, feature.wanted, params)
    if together is not None:
        yield together
    bound = definition.rule(feature.says.removeprefix("at the bound of "))
    if bound is not None:
        for equal in _equalities(bound.check):
            for change in aims(equal, True, env):
                call = put(start, *change, params)
                if call is not None:
                    yield call
    yield from around(definition, start, frozenset({(feature.param, feature.facet)}))


# --- what may matter


def features(definition: Definition, product: str) -> Iterator[Feature]:
    """What legal calls may differ in, the commonest first."""
    for wanted in listed(definition, product):
        yield Feature(
            f"{wanted.facet} of {wanted.param} {wanted.value}", wanted.param, wanted.facet, wanted.held, wanted
        )
    for param in definition.params:
        yield from _of_param(definition, param)
    yield from _bounds(definition, product)


def _of_param(definition: Definition, param: ParamDef) -> Iterator[Feature]:
    name = param.name
    if param.nullable and param.pointer:
        yield Feature(f"{name} is null", name, "presence", lambda call: call[name] is None)
        yield Feature(f"{name} is there", name, "presence", lambda call: call[name] is not None)
    if param.kind in ("tensor", "tensor_list"):
        for rank in RANKS:
            yield Feature(f"rank of {name} {rank}", name, "shape", _of_rank(name, rank))
        yield Feature(f"{name} is empty", name, "shape", _some(name, lambda x: 0 in x.shape))
        yield Feature(f"{name} has a dim of 1", name, "shape", _some(name, lambda x: 1 in x.shape))
        yield Feature(f"{name} is not contiguous", name, "layout", _some(name, lambda x: x.strides is not None))
    if param.kind == "tensor_list":
        for length in (1, 2, 3):
            yield Feature(f"{length} elements of {name}", name, "presence", _length(name, length))
    if param.kind == "bool":
        for value in (False, True):
            yield Feature(f"{name} is {str(value).lower()}", name, "value", _is(name, value))
    for value in _named(definition, param):
        yield Feature(f"{name} is {value!r}", name, "value", _is(name, value))
    if param.kind == "int_array":
        for length in (0, 1, 2, 3, 4):
            yield Feature(f"{length} elements of {name}", name, "value", _length(name, length))
    if param.kind in ("int", "float", "float32") and definition.rule(f"{name}.enum") is None:
        yield Feature(f"{name} is negative", name, "value", lambda call: call[name] is not None and call[name] < 0)
        yield Feature(f"{name} is 0", name, "value", _is(name, 0))


def _some(name: str, test: Callable[[Tensor], bool]) -> Callable[[Call], bool]:
    return lambda call: any(isinstance(item, Tensor) and test(item) for item in items(call[name]))


def _of_rank(name: str, rank: int) -> Callable[[Call], bool]:
    return _some(name, lambda x: len(x.shape) == rank)


def _length(name: str, length: int) -> Callable[[Call], bool]:
    return lambda call: isinstance(call[name], tuple) and len(call[name]) == length


def _is(name: str, value: Any) -> Callable[[Call], bool]:
    return lambda call: bool(call[name] == value)


def _named(definition: Definition, param: ParamDef) -> list[Any]:
    """The values that the param's own enumeration lists."""
    rule = definition.rule(f"{param.name}.enum")
    parts = () if rule is None else tree.walk(rule.check)
    found = [part.value for part in parts if isinstance(part, tree.Const) and part.type == param.type]
    return list(dict.fromkeys(found))


def _bounds(definition: Definition, product: str) -> Iterator[Feature]:
    """Calls in which the two sides of a rule's comparison are as near as they may be."""
    for rule in definition.rules:
        equal = list(_equalities(rule.check))
        params = [name for name, _ in sorted(definition.facts(rule.check)) if name]
        if equal and params and not definition.reads_values(rule.check):
            yield Feature(
                f"at the bound of {rule.id}", params[0], "value", _meets(definition, equal, products.resolve(product))
            )


def _meets(definition: Definition, equal: list[tree.Node], product: tuple[str, str | None]) -> Callable[[Call], bool]:
    return lambda call: any(evaluate(item, Env(call, definition.lets, *product)) is True for item in equal)


def _equalities(check: tree.Node) -> Iterator[tree.Node]:
    """``a == b`` for ``a <= b``, ``a == b - 1`` for ``a < b``, where no variable is bound."""
    if isinstance(check, tree.Compare):
        for op, left, right in zip(check.ops, check.operands, check.operands[1:], strict=False):
            if op in ("<=", ">="):
                yield tree.Compare(("==",), (left, right), check.type)
            elif op in ("<", ">") and left.type == INT and right.type == INT:
                one = tree.Const(1, INT)
                nearest = tree.Binary("-" if op == "<" else "+", right, one, INT)
                yield tree.Compare(("==",), (left, nearest), check.type)
    elif isinstance(check, tree.Logic):
        for item in check.items:
            yield from _equalities(item)
