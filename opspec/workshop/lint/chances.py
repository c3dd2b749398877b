"""Whether a rule can find anything on a product, as far as what single params may be there tells."""

from __future__ import annotations

from opspec.language import tree
from opspec.language.interpret import Undef, evaluate
from opspec.language.types import BOOL
from opspec.model.definition import Definition, RuleDef
from opspec.workshop.lint.worlds import Worlds

EITHER = frozenset({True, False})


class Chances:
    """What the conditions of an operator may come to on one product."""

    def __init__(self, definition: Definition, product: str) -> None:
        self.lets = definition.lets
        self.worlds = Worlds(definition, product=product)

    def breaks(self, rule: RuleDef) -> bool:
        """Whether some call may break a rule."""
        applies = rule.when is None or True in self._of(rule.when, rule)
        return applies and False in self._of(rule.check, rule)

    def _of(self, node: tree.Node, rule: RuleDef) -> frozenset[bool]:
        if isinstance(node, tree.Let) and node.type == BOOL:
            return self._of(self.lets[node.name], rule)
        if isinstance(node, tree.If):
            ways = self._of(node.condition, rule)
            return frozenset().union(*(self._of(node.then if way else node.other, rule) for way in ways))
        if isinstance(node, tree.Logic):
            return joined(node.op == "or", [self._of(item, rule) for item in node.items])
        if isinstance(node, tree.Unary) and node.op == "not":
            return frozenset(not value for value in self._of(node.operand, rule))
        if isinstance(node, tree.Implies):
            premise = frozenset(not value for value in self._of(node.condition, rule))
            return joined(True, [premise, self._of(node.then, rule)])
        return self._alone(node, rule)

    def _alone(self, node: tree.Node, rule: RuleDef) -> frozenset[bool]:
        calls = self.worlds.of(rule, node)
        if calls is None:
            return EITHER
        found = set[bool]()
        for env in calls:
            value = evaluate(node, env)
            found |= EITHER if isinstance(value, Undef) else {value is True}
            if len(found) > 1:
                break
        return frozenset(found)


def joined(decisive: bool, items: list[frozenset[bool]]) -> frozenset[bool]:
    """What conditions joined by ``or``, where true decides, or by ``and``, where false does, may come to."""
    found = set[bool]()
    if any(decisive in item for item in items):
        found.add(decisive)
    if all((not decisive) in item for item in items):
        found.add(not decisive)
    return frozenset(found)
