"""Whether a rule can find anything on a product, as far as what single params may be there tells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from opspec.calls.examples.listed import joined
from opspec.language import tree
from opspec.language.interpret import Env, Undef, evaluate
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
        parts = connected(node, self.lets, lambda part: self._of(part, rule))
        if parts is not None:
            return parts
        if isinstance(node, tree.Implies):
            return joined(True, [denied(self._of(node.condition, rule)), self._of(node.then, rule)])
        calls = self.worlds.of(rule, node)
        return EITHER if calls is None else tried(node, calls)


def connected(
    node: tree.Node, lets: Mapping[str, tree.Node], of: Callable[[tree.Node], frozenset[bool]]
) -> frozenset[bool] | None:
    """What a condition that is made of others may come to, by what ``of`` says of these; None of any other one."""
    match node:
        case tree.Let() if node.type == BOOL:
            return of(lets[node.name])
        case tree.If():
            return frozenset().union(*(of(node.then if way else node.other) for way in of(node.condition)))
        case tree.Logic():
            return joined(node.op == "or", [of(item) for item in node.items])
        case tree.Unary() if node.op == "not":
            return denied(of(node.operand))
    return None


def tried(node: tree.Node, calls: Iterable[Env]) -> frozenset[bool]:
    """What a condition comes to in some calls; undefined, it may be either."""
    found = set[bool]()
    for env in calls:
        value = evaluate(node, env)
        found |= EITHER if isinstance(value, Undef) else {value is True}
        if len(found) > 1:
            break
    return frozenset(found)


def denied(ways: frozenset[bool]) -> frozenset[bool]:
    """What the opposite of a condition may come to."""
    return frozenset(not way for way in ways)
