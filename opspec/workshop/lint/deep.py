"""Whether each dtype and format that a spec lists occurs in some legal call on each product that lists it.

A set that no call can use to the full shows a relation that was misread, or a set that belongs to another product.
The search for a call starts from a legal one, forces the dtype or format, and mends what that breaks.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from opspec.language import tree
from opspec.language.interpret import Env, Undef, evaluate
from opspec.language.types import DTYPE, FORMAT
from opspec.model.definition import Definition, ParamDef, RuleDef
from opspec.registry.registry import Form
from opspec.vocabulary import products
from opspec.workshop.examples.call import Call, Place, fresh, put
from opspec.workshop.examples.legal import example
from opspec.workshop.examples.search import Search
from opspec.workshop.lint.chances import joined
from opspec.workshop.lint.example import form_of
from opspec.workshop.lint.subject import Fault, Found, Subject

STEPS = (150, 600)  # of one search after the other
FIRST_STEPS = (600, 4000)  # for the legal call that the others start from

_FACETS = {"dtype": DTYPE, "format": FORMAT}


@dataclass(frozen=True, slots=True)
class Wanted:
    """A dtype or format of a param that a product lists."""

    param: str
    facet: str
    value: str

    def same(self, other: Wanted) -> bool:
        """Whether it is the same dtype or format."""
        return (self.facet, self.value) == (other.facet, other.value)

    def held(self, call: Call) -> bool:
        """Whether the call, or an element of its list, has it."""
        value = call[self.param]
        items = value if isinstance(value, tuple) else (value,)
        return any(getattr(item, self.facet, None) == self.value for item in items)


def reachable(subject: Subject) -> Found:
    """Each listed dtype and format has a legal call on each product that lists it."""
    definition = subject.own
    form = form_of(definition)
    for product in (name for name, support in definition.spec.products.items() if support == "yes"):
        for wanted in _unreached(definition, form, product):
            if wanted is None:
                yield Fault(("products", product), product, f"no legal call was found on {product}")
                continue
            message = f"no legal call on {product} was found whose {wanted.param} has {wanted.facet} {wanted.value}"
            yield Fault(_path(definition, wanted), f"{wanted.param}.{wanted.facet}:{wanted.value}@{product}", message)


def _path(definition: Definition, wanted: Wanted) -> tuple[str | int, ...]:
    rule = definition.rule(f"{wanted.param}.{wanted.facet}")
    return ("params",) if rule is None else rule.path


def _unreached(definition: Definition, form: Form, product: str) -> Iterator[Wanted | None]:
    """What no legal call on a product was found for; None when there is no legal call at all."""
    start = _first(definition, form, product)
    if start is None:
        yield None
        return
    known = [start]
    for wanted in listed(definition, product):
        if any(map(wanted.held, known)):
            continue
        call = _found(definition, form, product, wanted, known)
        if call is None:
            yield wanted
        else:
            known.append(call)


def _search(definition: Definition, form: Form, product: str, seed: str) -> Search:
    owner = products.owner(product)
    member = None if product == owner else product
    return Search(definition, form, owner, member, random.Random(f"{definition.name} {product} {seed}"))


def _first(definition: Definition, form: Form, product: str) -> Call | None:
    for steps in FIRST_STEPS:
        search = _search(definition, form, product, str(steps))
        call = search.legal(steps, start=example(definition, form))
        if call is not None:
            return call
    return None


def _found(definition: Definition, form: Form, product: str, wanted: Wanted, known: list[Call]) -> Call | None:
    """A legal call that has what is wanted, from one that has it there alone or wherever that is listed."""
    others = [other for other in listed(definition, product) if wanted.param != other.param and wanted.same(other)]
    for steps in STEPS:
        for spread in ([], others):
            search = _search(definition, form, product, f"{wanted} {steps} {len(spread)}")
            search.keeps = wanted.held
            start = forced(definition, known[0] if steps == STEPS[0] else search.random.choice(known), wanted)
            for other in spread:
                if start is not None and start[other.param] is not None:
                    start = forced(definition, start, other)
            call = None if start is None else search.legal(steps, start=start)
            if call is not None:
                return call
    return None


def forced(definition: Definition, call: Call, wanted: Wanted) -> Call | None:
    """The call with the dtype or format put where it is wanted."""
    params = {param.name: param for param in definition.params}
    if not call[wanted.param]:
        call = {**call, wanted.param: fresh(params[wanted.param].kind)}
    return put(call, Place(wanted.param, wanted.facet), wanted.value, params)


# --- what a spec lists


def listed(definition: Definition, product: str) -> Iterator[Wanted]:
    """The dtypes and formats that a product lists, by param."""
    for param in definition.params:
        for facet in _FACETS:
            names: list[str] = []
            rules = [rule for rule in definition.rules if rule.id in _ids(param.name, facet)]
            for rule in rules:
                names += _named(rule, facet)
            for value in dict.fromkeys(names):
                if all(_allows(rule, param, facet, value, product) for rule in rules):
                    yield Wanted(param.name, facet, value)


def _ids(param: str, facet: str) -> tuple[str, ...]:
    return (f"{param}.{facet}", f"{param}.private-format") if facet == "format" else (f"{param}.{facet}",)


def _named(rule: RuleDef, facet: str) -> Iterator[str]:
    for part in tree.walk(rule.check):
        if isinstance(part, tree.Const) and part.type == _FACETS[facet]:
            yield str(part.value)


def _allows(rule: RuleDef, param: ParamDef, facet: str, value: str, product: str) -> bool:
    """Whether a rule may let the value pass on a product, whatever the other params are."""
    owner = products.owner(product)
    plain = put({param.name: fresh(param.kind)}, Place(param.name, facet), value, {param.name: param})
    if plain is None:
        return True
    env = Env(plain, {}, owner, None if product == owner else product)
    if rule.when is not None and True not in possible(rule.when, env):
        return True
    return True in possible(rule.check, env)


def possible(node: tree.Node, env: Env) -> frozenset[bool]:
    """What a condition may come to when only some of the params are known."""
    if isinstance(node, tree.If):
        conditions = possible(node.condition, env)
        return frozenset().union(*(possible(node.then if way else node.other, env) for way in conditions))
    if isinstance(node, tree.Logic):
        return joined(node.op == "or", [possible(item, env) for item in node.items])
    if isinstance(node, tree.Unary) and node.op == "not":
        return frozenset(not value for value in possible(node.operand, env))
    if _unknown(node, env):
        return frozenset({True, False})
    value = evaluate(node, env)
    return frozenset({True, False}) if isinstance(value, Undef) else frozenset({value is True})


def _unknown(node: tree.Node, env: Env) -> bool:
    """Whether it reads more than the one param that is known."""
    parts = tree.walk(node)
    return any(
        isinstance(part, tree.Let) or (isinstance(part, tree.Param) and part.name not in env.args) for part in parts
    )
