"""What is known of an operator and its expressions before a call is looked at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from opspec.language import tree
from opspec.language.types import BOOL
from opspec.model.definition import Definition
from opspec.vocabulary.literals import Facet

FINITE = ("presence", "dtype", "format", "rank")
FIRST, SOME = "[0]", "[*]"  # elements of a list that are followed: the first, and one that stands for any
ELEMENTS = {"tensor_list": "tensor", "scalar_list": "scalar"}


class Shared:
    """What all readers of an operator on a product have in common."""

    def __init__(self, definition: Definition, product: tuple[str, str | None]) -> None:
        self.definition = definition
        self.product = product
        self.params = {param.name: param for param in definition.params}
        for param in definition.params:
            if param.kind in ELEMENTS:
                elements = definition.rule(f"{param.name}.elements") is None
                for which in (FIRST, SOME):
                    name = f"{param.name}{which}"
                    self.params[name] = replace(param, name=name, kind=ELEMENTS[param.kind], nullable=elements)
        self.worlds: dict[Any, Any] = {}
        self._seen: dict[int, About] = {}
        self._numbers: dict[tree.Node, int] = {}

    def about(self, node: tree.Node) -> About:
        """What is known of an expression."""
        found = self._seen.get(id(node))
        if found is None:
            facts = sorted(item for item in self.definition.facts(node) if item[0])
            parts = list(tree.walk(node))
            variables = frozenset(part.name for part in parts if isinstance(part, tree.Var))
            number = self._numbers.setdefault(node, len(self._numbers))
            plain = node.type == BOOL and not variables and self._few(node, facts)
            hidden = tuple({name for name, _ in facts if (name, "presence") not in facts})
            found = self._seen[id(node)] = About(node, number, facts, variables, plain, hidden)
        return found

    def _few(self, node: tree.Node, facts: Iterable[tuple[str, str]]) -> bool:
        """Whether an expression reads nothing but facets of few values."""
        for name, facet in facts:
            kind = self.params[name].kind
            if kind in ("tensor", "scalar"):
                if facet not in FINITE:
                    return False
            elif facet != "presence" and not (facet == "value" and kind in ("bool", "dtype", "string", "int")):
                return False
        parts = tree.expanded(node, self.definition.lets)
        return not any(isinstance(part, (tree.Each, tree.Range)) or _stored(part) for part in parts)


@dataclass(frozen=True, slots=True)
class About:
    """An expression.

    Args:
        node: kept, so that no other one gets its address.
        number: the same for all that are alike.
        facts: what it reads, but for the product.
        variables: those that it does not bind itself.
        plain: it may be tried.
        hidden: the params whose presence it does not ask for.
    """

    node: tree.Node
    number: int
    facts: Sequence[tuple[str, Facet]]
    variables: frozenset[str]
    plain: bool
    hidden: tuple[str, ...]


def _stored(part: tree.Node) -> bool:
    return isinstance(part, tree.Attr) and part.name == "storage_format"
