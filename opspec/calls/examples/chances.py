"""What a condition may come to where only some of a call is known: true, false, or either."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from opspec.language import tree
from opspec.language.interpret import Env, Undef, evaluate
from opspec.language.types import BOOL

EITHER = frozenset({True, False})


def possible(node: tree.Node, env: Env) -> frozenset[bool]:
    """What a condition may come to when only some of the params are known."""
    parts = connected(node, env.lets, lambda part: possible(part, env))
    if parts is not None:
        return parts
    return EITHER if _unknown(node, env) else tried(node, [env])


def _unknown(node: tree.Node, env: Env) -> bool:
    """Whether it reads more than the one param that is known."""
    parts = tree.walk(node)
    return any(
        isinstance(part, tree.Let) or (isinstance(part, tree.Param) and part.name not in env.args) for part in parts
    )


def connected(
    node: tree.Node, lets: Mapping[str, tree.Node], of: Callable[[tree.Node], frozenset[bool]]
) -> frozenset[bool] | None:
    """What a condition that is made of others may come to, by what ``of`` says of these; None of any other one."""
    match node:
        case tree.Let() if node.type == BOOL and node.name in lets:
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


def joined(decisive: bool, items: list[frozenset[bool]]) -> frozenset[bool]:
    """What conditions joined by ``or``, where true decides, or by ``and``, where false does, may come to."""
    found = set[bool]()
    if any(decisive in item for item in items):
        found.add(decisive)
    if all((not decisive) in item for item in items):
        found.add(not decisive)
    return frozenset(found)
