"""What a spec amounts to once its sugar is expanded: params, derived values, and one flat list of rules in order."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from opspec.language import facts, parse, tree
from opspec.language.types import OF_KIND, Type
from opspec.model.spec import PHASES, Spec
from opspec.vocabulary import ctypes_

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class ParamDef:
    """A param of the first phase.

    Args:
        kind: kind of its C type; ``float32`` for ``float``, whose values are rounded to binary32.
        nullable: whether null may stand for it in some call, so that rules over it may not apply.
    """

    name: str
    kind: str
    ctype: str
    io: str
    nullable: bool
    required: bool
    spellings: tuple[str, ...]
    low: int | None
    high: int | None

    @property
    def type(self) -> Type:
        """Its type in expressions."""
        return OF_KIND["float" if self.kind == "float32" else self.kind]

    @property
    def pointer(self) -> bool:
        """Whether the C type is a pointer, so that a caller can pass null."""
        return ctypes_.parse(self.ctype).nullable


@dataclass(frozen=True, slots=True)
class RuleDef:
    """A rule with everything that is known of it.

    Args:
        id: its name within the operator.
        kind: what the general default for enforcement goes by.
        path: where in the spec it stems from.
        alternatives: for a scenario, (id, condition, [(part's name, check)]).
        sources: places of the clauses that it formalises.
        witnessed: the word on enforcement rests on recorded calls, not on the page.
        in_row: a row of return codes is about it.
    """

    id: str
    kind: str
    check: str
    path: Path
    when: str | None = None
    param: str | None = None
    phase: str | None = None
    status: str | None = None
    stage: str | None = None
    enforced: str | None = None
    basis: str = "documented"
    evidence: tuple[str, str] | None = None
    contradicts: tuple[str, ...] = ()
    why: tuple[str, str] | None = None
    sources: tuple[str, ...] = ()
    witnessed: bool = False
    in_row: bool = False
    alternatives: tuple[tuple[str, str | None, tuple[tuple[str, str], ...]], ...] = ()


@dataclass(slots=True)
class Definition:
    """An operator, expanded. Its params and derived values are final: every expression is parsed once."""

    name: str
    spec: Spec
    params: tuple[ParamDef, ...]
    lets: dict[str, str]
    let_paths: dict[str, Path]
    rules: list[RuleDef]
    early: list[tuple[str, str]] = field(default_factory=list)  # (when, after which phase)
    header: str | None = None
    helpers: tuple[Definition, ...] = ()
    _let_trees: dict[str, tree.Node] = field(default_factory=dict)
    _let_facts: dict[str, facts.Facts] = field(default_factory=dict)
    _open: list[str] = field(default_factory=list)
    _scope: parse.Scope | None = None

    @property
    def scope(self) -> parse.Scope:
        """The names that expressions may use, with the trees of those parsed before."""
        if self._scope is None:
            params = {param.name: (param.type, param.nullable and param.pointer) for param in self.params}
            self._scope = parse.Scope(params, self._let_type, tuple(self.lets), {})
        return self._scope

    def _let_type(self, name: str) -> Type | None:
        return self.let_tree(name).type if name in self.lets else None

    def let_tree(self, name: str) -> tree.Node:
        """The tree of a derived value; a cycle is an error."""
        if name not in self._let_trees:
            if name in self._open:
                cycle = " -> ".join([*self._open[self._open.index(name) :], name])
                raise parse.ExpressionError(f"derived values go round in a circle: {cycle}")
            self._open.append(name)
            try:
                self._let_trees[name] = parse.parse(self.lets[name], self.scope)
            finally:
                self._open.pop()
        return self._let_trees[name]

    def let_facts(self, name: str) -> facts.Facts:
        """What a derived value reads."""
        if name not in self._let_facts:
            self._let_facts[name] = facts.facts(self.let_tree(name), self.let_facts)
        return self._let_facts[name]

    def facts(self, node: tree.Node) -> facts.Facts:
        """What a tree reads, derived values included."""
        return facts.facts(node, self.let_facts)

    def rule(self, rule_id: str) -> RuleDef | None:
        """The rule of this id."""
        return next((rule for rule in self.rules if rule.id == rule_id), None)

    def replaced(self, rule: RuleDef, **changes: object) -> None:
        """Change a rule in place in the list."""
        self.rules[self.rules.index(rule)] = replace(rule, **changes)  # type: ignore[arg-type]


_FACET_PHASE = {
    "presence": "attribute", "dtype": "dtype", "format": "format", "rank": "rank", "shape": "shape", "layout": "shape",
    "values": "value", "value": "attribute", "product": "attribute",
}  # fmt: skip


def phase_of(rule: RuleDef, check: tree.Node, found: facts.Facts, types: dict[str, Type]) -> str:
    """The phase of the first phase's order in which a rule is checked.

    A rule about an attribute belongs to the attributes whatever else it reads; any other rule to the last facet that
    it reads of tensors.
    """
    if rule.phase is not None:
        return rule.phase
    subject = types.get(rule.param or "")
    if subject is not None and subject.name not in ("tensor", "list") and not _is_list_of_tensors(subject):
        return "attribute"
    tensor_facets = {
        _FACET_PHASE[facet] for name, facet in found if name in types and facet not in ("value", "presence")
    }
    if not tensor_facets:
        return "attribute"
    return max(tensor_facets, key=PHASES.index)


def _is_list_of_tensors(kind: Type) -> bool:
    return kind.name == "list" and kind.item is not None and kind.item.name == "tensor"
