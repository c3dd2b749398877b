"""Which dtypes and formats a spec lists for its params on a product."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from opspec.calls.examples.call import Call, Place, fresh, items, places, put
from opspec.calls.examples.chances import possible
from opspec.language import tree
from opspec.language.interpret import Env
from opspec.language.types import DTYPE, FORMAT, Type
from opspec.model.definition import Definition, ParamDef, RuleDef
from opspec.vocabulary import products

Listed: TypeAlias = Literal["dtype", "format"]
_FACETS: dict[Listed, Type] = {"dtype": DTYPE, "format": FORMAT}


@dataclass(frozen=True, slots=True)
class Wanted:
    """A dtype or format of a param that a product lists."""

    param: str
    facet: Listed
    value: str

    def same(self, other: Wanted) -> bool:
        """Whether it is the same dtype or format."""
        return (self.facet, self.value) == (other.facet, other.value)

    def held(self, call: Call) -> bool:
        """Whether the call, or an element of its list, has it."""
        return self.value in now(call, self)


def now(call: Call, wanted: Wanted) -> list[str | None]:
    """The dtypes or formats that a call has in the place of one that is wanted; more than one in a list."""
    return [getattr(item, wanted.facet, None) for item in items(call[wanted.param])]


def in_step(call: Call, wanted: Wanted, params: Mapping[str, ParamDef]) -> Call | None:
    """The call with what is wanted in all places that have what it takes the place of: most kernels take no mixes."""
    old, new = {*now(call, wanted)} - {None}, call
    for place, item in (found for name in call for found in places(call, name, wanted.facet)):
        if getattr(item, wanted.facet, None) in old:
            changed = put(new, place, wanted.value, params)
            if changed is None:
                return None
            new = changed
    return new if wanted.held(new) else None


def listed(definition: Definition, product: str) -> Iterator[Wanted]:
    """The dtypes and formats that a product lists, by param."""
    for param in definition.params:
        for facet in _FACETS:
            names = [name for rule in _rules(definition, param.name, facet) for name in _named(rule, facet)]
            found = (Wanted(param.name, facet, name) for name in dict.fromkeys(names))
            yield from (wanted for wanted in found if may(definition, wanted, product))


def _rules(definition: Definition, param: str, facet: str) -> list[RuleDef]:
    """The rules that a param itself makes of a facet; one of a twin also those of the output that it is, too."""
    names = [f"{param}.{facet}", f"{param}.out-{facet}"]
    names += [f"{param}.private-format"] if facet == "format" else []
    return [rule for rule in map(definition.rule, names) if rule is not None]


def may(definition: Definition, wanted: Wanted, product: str) -> bool:
    """Whether the param's own rules may let a value pass on a product, whatever the other params are."""
    param = next(param for param in definition.params if param.name == wanted.param)
    rules = _rules(definition, wanted.param, wanted.facet)
    return all(_allows(rule, param, wanted.facet, wanted.value, product) for rule in rules)


def _named(rule: RuleDef, facet: Listed) -> Iterator[str]:
    for part in tree.walk(rule.check):
        if isinstance(part, tree.Const) and part.type == _FACETS[facet]:
            yield str(part.value)


def _allows(rule: RuleDef, param: ParamDef, facet: str, value: str, product: str) -> bool:
    """Whether a rule may let the value pass on a product, whatever the other params are."""
    plain = put({param.name: fresh(param.kind)}, Place(param.name, facet), value, {param.name: param})
    if plain is None:
        return True
    env = Env(plain, {}, *products.resolve(product))
    if rule.when is not None and True not in possible(rule.when, env):
        return True
    return True in possible(rule.check, env)
