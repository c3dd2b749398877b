"""Whether the rules of one definition require what a rule of another says: then it only moved.

A limit that one release states in a rule of its own another one states in a table, by a shape, or as "the same as" a
param that is limited. Texts do not show that. So the rule is put beside the other definition's, broken, and what the
others leave of a call is propagated until it contradicts itself (:mod:`opspec.calls.cases.proof`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import replace

from opspec.calls.cases.proof.refute import Prover
from opspec.language import tree
from opspec.language.interpret import Env, evaluate
from opspec.model.definition import Definition, ParamDef, RuleDef
from opspec.model.enforcement import enforcement
from opspec.vocabulary import products
from opspec.vocabulary.enforcement import CONTRADICTED

NEAR = 8  # other rules that a proof looks at
LARGEST = 150  # nodes that a rule may have, derived values written out, to be looked at: proofs of more take too long
MOST_ASKED = 40  # rules of an operator that are asked about: one that has more on one side alone was written anew
DEEP, FLAT = 12, 1  # states of a call that it tries: of what would break programs else, and of anything else
_FOREIGN = "\0"  # what ids and derived values of the other definition begin with


class Law:
    """The rules of a definition by which calls are illegal, and rules of another one that may follow from them.

    Args:
        definition: whose rules hold.
        other: whose rules are asked about.
        asked: these.
        names: params of the other -> what this one calls them; others have the same name.
    """

    def __init__(
        self, definition: Definition, other: Definition, asked: Iterable[RuleDef], names: Mapping[str, str]
    ) -> None:
        params = {param.name: param for param in definition.params}
        for param in other.params:
            params.setdefault(names.get(param.name, param.name), param)
        params = {name: replace(param, name=name) for name, param in params.items()}
        foreign = _Foreign(names, params)
        others = _Sizes(other)
        small = [rule for rule in asked if others.of(rule) <= LARGEST]
        self._asked = {rule.id: foreign.rule(rule) for rule in small[:MOST_ASKED]}
        sizes = _Sizes(definition)
        own = tuple(rule for rule in definition.rules if counts(rule, definition) and sizes.of(rule) <= LARGEST)
        self._own = frozenset(rule.id for rule in own)
        lets = dict(definition.lets) | {foreign.let(name): foreign.tree(node) for name, node in other.lets.items()}
        rules = (*own, *self._asked.values())
        both = replace(definition, params=tuple(params.values()), lets=lets, rules=rules)
        read = both.let_order(nodes_of(rules))
        self._both = replace(both, lets={name: lets[name] for name in read})
        self._of_product = asked_of_product((*nodes_of(rules), *self._both.lets.values()))
        self._provers: dict[Hashable, Prover] = {}
        self._found: dict[tuple[str, Hashable, int], frozenset[str] | None] = {}

    def requires(self, rule: RuleDef, product: str, states: int = FLAT) -> frozenset[str] | None:
        """Rules that a rule of the other definition follows from on a product: none where it says nothing there; None
        where that is not shown.
        """
        asked, prover = self._asked.get(rule.id), self._prover(product)
        if asked is None:
            return None
        key = (rule.id, prover.product if prover.is_of_product(asked) else "", states)
        if key not in self._found:
            prover.most_states = states
            found = prover.follows(asked)
            self._found[key] = None if found is None else frozenset(found - {asked.id})
        return self._found[key]

    def fewest(self, rule: RuleDef, product: str, states: int) -> tuple[str, ...]:
        """The rules that it cannot do without, where it follows."""
        prover = self._prover(product)
        prover.most_states = states
        return prover.alone(self._asked[rule.id]) or ()

    def _prover(self, product: str) -> Prover:
        """What proves on a product; on all on which what rules ask of the product comes to the same."""
        same = alike(product, self._of_product)
        if same not in self._provers:
            self._provers[same] = Prover(self._both, product, self._own, FLAT, (NEAR,))
        return self._provers[same]


def counts(rule: RuleDef, definition: Definition) -> bool:
    """Whether a call is illegal that breaks it."""
    return enforcement(rule, definition).anywhere != {CONTRADICTED}


def nodes_of(rules: Iterable[RuleDef]) -> list[tree.Node]:
    """What rules require, and under which conditions."""
    return [node for rule in rules for node in (rule.check, rule.when) if node is not None]


def asked_of_product(nodes: Iterable[tree.Node]) -> tuple[tree.Node, ...] | None:
    """What rules and derived values ask of the product; None where they read it for something else."""
    asked: dict[tree.Node, None] = {}
    for node in nodes:
        for part in tree.walk(node):
            if tree.on_products(part) is not None:
                asked[part] = None
            elif any(isinstance(child, tree.Product) for child in tree.children(part)):
                return None
    return tuple(asked)


def alike(product: str, asked: tuple[tree.Node, ...] | None) -> Hashable:
    """The same for products on which what is asked of the product comes to the same."""
    if asked is None:
        return product
    on = Env({}, {}, *products.resolve(product))
    return tuple(repr(evaluate(node, on)) for node in asked)


class _Sizes:
    """How many nodes rules of a definition have, derived values written out wherever they stand."""

    def __init__(self, definition: Definition) -> None:
        self._definition = definition
        self._lets: dict[str, int] = {}

    def of(self, rule: RuleDef) -> int:
        return self._size(rule.check) + (0 if rule.when is None else self._size(rule.when))

    def _size(self, node: tree.Node) -> int:
        return sum(self._let(part.name) if isinstance(part, tree.Let) else 1 for part in tree.walk(node))

    def _let(self, name: str) -> int:
        if name not in self._lets:
            self._lets[name] = self._size(self._definition.lets[name])
        return self._lets[name]


class _Foreign:
    """Trees of another definition: derived values are told apart from those of this one, params are this one's.

    That a param may be null on one side alone is a change of its own.
    """

    def __init__(self, names: Mapping[str, str], params: Mapping[str, ParamDef]) -> None:
        self._names, self._params = names, params

    def let(self, name: str) -> str:
        return _FOREIGN + name

    def rule(self, rule: RuleDef) -> RuleDef:
        when = None if rule.when is None else self.tree(rule.when)
        return rule.but(id=_FOREIGN + rule.id, check=self.tree(rule.check), when=when)

    def tree(self, node: tree.Node) -> tree.Node:
        match node:
            case tree.Let():
                return tree.Let(self.let(node.name), node.type)
            case tree.Param():
                param = self._params[self._names.get(node.name, node.name)]
                return tree.Param(param.name, node.type, param.nullable and param.pointer)
        return tree.rebuilt(node, self.tree)
