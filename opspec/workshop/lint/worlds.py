"""All calls that differ in what some expressions read, where each of it has few values.

Products, flags, enumerations, dtypes, formats and ranks have few; an expression that reads more (a shape, a number,
the elements of a list) has too many calls to try.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence

from opspec.language import tree
from opspec.language.facts import PRODUCT_FACT, expanded
from opspec.language.interpret import Env, Undef, evaluate
from opspec.language.outcome import ABSENT, NO_DATA
from opspec.language.types import BOOL, Type
from opspec.language.values import Scalar, Tensor
from opspec.model.definition import Definition, ParamDef, RuleDef
from opspec.model.enforcement import is_refused
from opspec.vocabulary import dtypes, formats, products
from opspec.vocabulary.limits import MOST_DIMS

MOST = 5_000
HIGHEST_RANK = MOST_DIMS + 1  # which no tensor may have


def applies(rule: RuleDef, env: Env) -> bool:
    """Whether the rule's guard holds, or may hold."""
    if rule.when is None:
        return True
    value = evaluate(rule.when, env)
    return value is True or (isinstance(value, Undef) and value.cause == NO_DATA)


def passes(rule: RuleDef, env: Env) -> bool:
    """Whether the rule's check holds, or nothing is found wrong for another reason."""
    value = evaluate(rule.check, env)
    return value is True or (isinstance(value, Undef) and value.cause in (NO_DATA, ABSENT))


class Worlds:
    """The calls of an operator, one for each combination of what is read.

    Args:
        legal: only those that the enforced rules of the params themselves let pass; otherwise any dtype and format.
        product: only those on it that all rules let pass, enforced or not.
    """

    def __init__(self, definition: Definition, legal: bool = True, product: str | None = None) -> None:
        self.definition = definition
        self.legal = legal
        self.one = product is not None
        self.params = {param.name: param for param in definition.params}
        self.products = [*map(products.resolve, _supported(definition) if product is None else (product,))]
        own = [
            rule
            for rule in definition.rules
            if self.one or (legal and rule.path[0] == "params" and is_refused(rule, definition))
        ]
        self.own = [(rule, definition.read_by(rule)) for rule in own if legal]

    def of(self, rule: RuleDef, *nodes: tree.Node) -> Iterator[Env] | None:
        """The calls that differ in what the nodes read and that other rules of the params let pass; None when there
        are too many to try.
        """
        if any(_makes_list(part) for node in nodes for part in expanded(node, self.definition.lets)):
            return None
        read = frozenset[tuple[str, str]]().union(*(self.definition.facts(node) for node in nodes))
        read |= {PRODUCT_FACT} if self.one else frozenset()
        names = sorted({name for name, _ in read if name})
        domains = [self._domain(self.params[name], {facet for other, facet in read if other == name}) for name in names]
        reads_product = PRODUCT_FACT in read
        calls = self.products if reads_product else [(None, None)]
        if any(domain is None for domain in domains):
            return None
        sizes = [len(domain) for domain in domains if domain is not None]
        if math.prod(sizes) * len(calls) > MOST:
            return None
        filters = [own for own, facts in self.own if own is not rule and facts <= read]
        return self._worlds(names, [domain for domain in domains if domain is not None], calls, filters)

    def _worlds(
        self, names: Sequence[str], domains: Iterable[list[object]], calls: Iterable[tuple[str | None, str | None]],
        filters: Iterable[RuleDef],
    ) -> Iterator[Env]:  # fmt: skip
        for product, member in calls:
            for combination in itertools.product(*domains):
                env = Env(dict(zip(names, combination, strict=True)), self.definition.lets, product, member)
                if all(not applies(own, env) or passes(own, env) for own in filters):
                    yield env

    def _domain(self, param: ParamDef, facets: set[str]) -> list[object] | None:
        values = self._values(param, facets)
        if values is None:
            return None
        return [*values, None] if param.nullable and param.pointer else values

    def _values(self, param: ParamDef, facets: set[str]) -> list[object] | None:
        if facets <= {"presence"} and param.pointer:
            return [Tensor((), "FLOAT")]  # that it is there is all that counts
        match param.kind:
            case "bool":
                return [True, False]
            case "dtype" if self.legal:
                return list(self._named(param, "enum", param.type) or dtypes.names())
            case "int" | "string" if self.legal:
                return self._named(param, "enum", param.type) or None
            case "scalar" if facets <= {"dtype", "presence"}:
                return [Scalar(name, None) for name in self._names(param, "dtype", dtypes.names())]
            case "tensor" if facets <= {"dtype", "format", "rank", "presence"}:
                return list(self._tensors(param, facets))
        return None

    def _tensors(self, param: ParamDef, facets: set[str]) -> Iterator[Tensor]:
        kinds = self._names(param, "dtype", dtypes.names()) if "dtype" in facets else ["FLOAT"]
        layouts = self._names(param, "format", formats.names()) if "format" in facets else ["ND"]
        ranks = range(HIGHEST_RANK + 1) if "rank" in facets else [1]
        for dtype, layout, rank in itertools.product(kinds, layouts, ranks):
            yield Tensor((1,) * rank, dtype, layout)

    def _names(self, param: ParamDef, facet: str, every: Iterable[str]) -> list[str]:
        """The dtypes or formats that the param's own rule names, if it lets no others pass."""
        own = [rule for rule, _ in self.own if rule.id == f"{param.name}.{facet}" and not _open(rule)]
        parts = [part for rule in own for part in tree.walk(rule.check) if isinstance(part, tree.Const)]
        named = [str(part.value) for part in parts if part.type.name == facet]
        return list(dict.fromkeys(named)) or list(every)

    def _named(self, param: ParamDef, kind: str, of: Type) -> list[object]:
        rule = self.definition.rule(f"{param.name}.{kind}")
        if rule is None or _open(rule):
            return []
        constants = [part.value for part in tree.walk(rule.check) if isinstance(part, tree.Const) and part.type == of]
        return list(dict.fromkeys(constants))


def _makes_list(part: tree.Node) -> bool:
    """Whether it makes a list, which may be too long to make thousands of times."""
    made = isinstance(part, (tree.Binary, tree.Range, tree.Zip, tree.Call))
    return isinstance(part, tree.Binder) or (made and part.type.name == "list")


def _open(rule: RuleDef) -> bool:
    """Whether a rule of sets lets everything pass in some calls, those of another product for example."""
    return rule.when is not None or any(part == tree.Const(True, BOOL) for part in tree.walk(rule.check))


def _supported(definition: Definition) -> Iterator[str]:
    for name, support in definition.spec.products.items():
        if support != "no":
            yield name
            if name in products.ids():
                yield from (member for member in products.members(name) if definition.spec.products.get(member) != "no")
