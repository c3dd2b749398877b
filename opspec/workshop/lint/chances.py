"""Whether a rule can find anything on a product, as far as what single params may be there tells."""

from __future__ import annotations

from opspec.calls.examples.chances import EITHER, connected, denied, joined, tried
from opspec.language import tree
from opspec.model.definition import Definition, RuleDef
from opspec.workshop.lint.worlds import Worlds


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
        parts = connected(node, self.lets, lambda part: self._of(part, rule))
        if parts is not None:
            return parts
        if isinstance(node, tree.Implies):
            return joined(True, [denied(self._of(node.condition, rule)), self._of(node.then, rule)])
        calls = self.worlds.of(rule, node)
        return EITHER if calls is None else tried(node, calls)
