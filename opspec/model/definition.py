"""What a spec amounts to once its sugar is expanded: params, derived values, and one flat list of rules in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from opspec.language import facts, tree
from opspec.language.prose import Terms
from opspec.language.prose.terms import shared
from opspec.language.types import OF_KIND, Type
from opspec.later import later
from opspec.model.draft import Path, RuleBase
from opspec.model.neighbours import ALONE, Neighbours
from opspec.vocabulary import ctypes_
from opspec.vocabulary.literals import STEPS, Facet, Stage, Status, Step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec.model import evidence, ledger
    from opspec.model import spec as written
else:  # pydantic takes longer to load than what is found by a definition's rules alone
    evidence, ledger = later("opspec.model.evidence"), later("opspec.model.ledger")
    written = later("opspec.model.spec")

T = TypeVar("T")


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
    def is_output(self) -> bool:
        """Whether it holds nothing before the call."""
        return self.io == "out"

    @property
    def pointer(self) -> bool:
        """Whether the C type is a pointer, so that a caller can pass null."""
        return ctypes_.parse(self.ctype).nullable


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleDef(RuleBase):
    """A rule with everything that is known of it.

    Args:
        step: its step in the order in which a first phase checks.
        status: the name of the status code that breaking it leads to.
        recorded: what recorded calls say of it, by product.
        recorded_elsewhere: those calls are of another release, or of another version of the operator.
        refused_at: the stage that refuses what breaks it, where it is not the rule's own.
    """

    step: Step
    status: Status
    stage: Stage
    recorded: Mapping[str, evidence.Recorded] = field(default_factory=dict)
    recorded_elsewhere: bool = False
    refused_at: Stage | None = None

    @property
    def seen_at(self) -> Stage:
        """The stage that refuses what breaks it, if one does."""
        return self.refused_at or self.stage

    @property
    def is_behind(self) -> bool:
        """Whether that comes behind the checks of arguments, as the inference of shapes does that an interface runs
        itself; the lookup of a generated interface comes first."""
        return (self.seen_at != "params" or self.stage == "infershape") and not self.is_lookup

    @property
    def is_lookup(self) -> bool:
        """Whether it is what a generated interface looks up: dtypes and formats of a kernel together."""
        return self.kind == "kernel" and self.stage == "kernel"


@dataclass(frozen=True, slots=True)
class Definition:
    """An operator, expanded: all expressions are trees.

    Args:
        lets: derived values, each after those that it reads.
        let_paths: where in the spec each of them stems from.
        let_words: noun phrases in English and in Chinese for those that have some, names of params in backticks.
        early: (condition, the step after which a first phase returns success where it holds).
        results: what a function of one phase writes, by output.
        places: place of a clause -> the rules that formalise it.
        clauses: id of a clause of the page -> its place.
        returns: the rows of the page's table of return codes.
        home: the file of its spec, beside which its ledger lies.
        elsewhere: what was recorded of its rules on that other release.
        neighbours: what is known of rules of operators beside it.
    """

    name: str
    spec: written.Spec
    params: tuple[ParamDef, ...]
    lets: Mapping[str, tree.Node]
    let_paths: Mapping[str, Path]
    rules: tuple[RuleDef, ...] = ()
    let_words: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    early: tuple[tuple[tree.Node, Step], ...] = ()
    results: Mapping[str, tree.Node] = field(default_factory=dict)
    places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    clauses: Mapping[str, str] = field(default_factory=dict)
    returns: tuple[ledger.ReturnRow, ...] = ()
    header: str | None = None
    helpers: tuple[Definition, ...] = ()
    home: str | None = None
    elsewhere: evidence.Evidence = field(default_factory=dict)
    neighbours: Neighbours = ALONE
    _let_facts: dict[str, facts.Facts] = field(default_factory=dict, compare=False, init=False)
    _facts: dict[tree.Node, facts.Facts] = field(default_factory=dict, compare=False, init=False)
    _found: dict[Callable[[Definition], Any], Any] = field(default_factory=dict, compare=False, init=False)

    @property
    def terms(self) -> Terms:
        """What sentences call its derived values."""
        return self.once(_terms)

    @property
    def types(self) -> Mapping[str, Type]:
        """The types of its params in expressions, by name."""
        return self.once(_types)

    @property
    def supported(self) -> frozenset[str]:
        """The products that have it, in part or whole."""
        return frozenset(name for name, support in self.spec.products.items() if support != "no")

    @property
    def dims(self) -> frozenset[str]:
        """The derived values that are dims of symbolic shapes."""
        return frozenset(name for name, path in self.let_paths.items() if path == ("params",))

    def read_by(self, rule: RuleDef) -> facts.Facts:
        """What a rule's check and its guard read."""
        found = self.facts(rule.check)
        return found if rule.when is None else found | self.facts(rule.when)

    def let_facts(self, name: str) -> facts.Facts:
        """What a derived value reads."""
        if name not in self._let_facts:
            self._let_facts[name] = facts.facts(self.lets[name], self.let_facts)
        return self._let_facts[name]

    def once(self, find: Callable[[Definition], T]) -> T:
        """What a function finds by looking at the whole operator; it looks but once."""
        try:
            found: T = self._found[find]
        except KeyError:
            found = find(self)
            self._found[find] = found
        return found

    def in_order(self, rules: tuple[RuleDef, ...]) -> Definition:
        """The same with its rules in another order: their trees read what they read."""
        made = replace(self, rules=rules)
        made._let_facts.update(self._let_facts)
        made._facts.update(self._facts)
        return made

    @property
    def looked_up(self) -> facts.Facts:
        """What the kernel lookup of a generated interface reads; nothing of others."""
        return self.once(_looked_up)

    @property
    def contradicted(self) -> frozenset[str]:
        """The rules that others, which were observed, contradict."""
        return self.once(_contradicted)

    def facts(self, node: tree.Node) -> facts.Facts:
        """What a tree reads, derived values included."""
        known = self._facts.get(node)
        if known is None:
            known = self._facts[node] = facts.facts(node, self.let_facts)
        return known

    def reads_values(self, node: tree.Node) -> bool:
        """Whether a tree reads the values of tensors, which lie on the device."""
        return any(facet == "values" for _, facet in self.facts(node))

    def guarded_by(self, rule: RuleDef) -> list[str]:
        """The params that a rule's guard reads more of than its check does."""
        if rule.when is None:
            return []
        more = self.facts(rule.when) - self.facts(rule.check)
        return sorted({name for name, facet in more if name and facet != "presence"})

    def let_order(self, nodes: Iterable[tree.Node]) -> list[str]:
        """Derived values that these trees need, each after those it reads."""
        order: dict[str, None] = {}

        def visit(node: tree.Node) -> None:
            for part in tree.walk(node):
                if isinstance(part, tree.Let) and part.name not in order:
                    visit(self.lets[part.name])
                    order[part.name] = None

        for node in nodes:
            visit(node)
        return list(order)

    def early_position(self, after: Step) -> int:
        """The number of the first rule that an early success after this step comes before."""
        step = STEPS.index(after)
        later = (i for i, rule in enumerate(self.rules) if rule.is_behind or STEPS.index(rule.step) > step)
        return next(later, len(self.rules))

    def rule(self, rule_id: str) -> RuleDef | None:
        """The rule of this id."""
        return self.once(_by_id).get(rule_id)


_FACET_STEP: dict[Facet, Step] = {
    "presence": "attribute", "dtype": "dtype", "format": "format", "rank": "rank", "shape": "shape", "layout": "shape",
    "values": "value", "value": "attribute", "product": "attribute",
}  # fmt: skip


def step_of(param: str | None, found: facts.Facts, types: Mapping[str, Type]) -> Step:
    """The step of the first phase's order in which a rule is checked that does not say so itself.

    A rule about an attribute belongs to the attributes whatever else it reads; any other rule to the last facet that
    it reads of tensors.
    """
    subject = types.get(param or "")
    if subject is not None and subject.name not in ("tensor", "list") and not _is_list_of_tensors(subject):
        return "attribute"
    tensor_facets = {
        _FACET_STEP[facet] for name, facet in found if name in types and facet not in ("value", "presence")
    }
    if not tensor_facets:
        return "attribute"
    return max(tensor_facets, key=STEPS.index)


def _is_list_of_tensors(kind: Type) -> bool:
    return kind.name == "list" and kind.item is not None and kind.item.name == "tensor"


def _by_id(definition: Definition) -> dict[str, RuleDef]:
    return {rule.id: rule for rule in reversed(definition.rules)}


def _terms(definition: Definition) -> Terms:
    return shared(definition.let_words, definition.lets, definition.dims, definition.supported)


def _types(definition: Definition) -> dict[str, Type]:
    return {param.name: param.type for param in definition.params}


def _looked_up(definition: Definition) -> facts.Facts:
    return frozenset().union(*(definition.facts(rule.check) for rule in definition.rules if rule.is_lookup))


def _contradicted(definition: Definition) -> frozenset[str]:
    return frozenset(name for rule in definition.rules for name in rule.contradicts)
