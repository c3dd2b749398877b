"""Whether a call may break a rule and no other: what the rules say is put together until it contradicts itself.

The rule is broken, all others hold, and what that leaves is propagated to and fro; where it ends in the open, a facet
of few values takes each of them in turn. What is refuted has no call for certain; what is not may still have none.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from opspec.calls.cases.proof.known import Conflict, Constants, Spent, State, presence
from opspec.calls.cases.proof.outcomes import ALL, BROKEN, FALSE, LACKING, NULL, TRUE
from opspec.calls.cases.proof.reading import ELEMENTS, FEW_KINDS, FEW_OF, SOME, Operator, Reader
from opspec.language import tree
from opspec.language.facts import PRODUCT_FACT, Facts
from opspec.model.definition import Definition, RuleDef
from opspec.vocabulary import products

MOST_STATES = 400  # that are tried for a proof
MOST_PASSES = 12  # over all rules, for one state
CLOSE = 9  # rules whose facets are tried before the parts of the broken one
GROWTH = 3
FEW = (8, 24, 72)  # other rules that are looked at: mostly the nearest are enough
MOST_CHOICES = 45  # values of a facet that are tried in turn
FURTHEST = 3  # rules between the one and another that is looked at
_TOGETHER = {"rank": "shape", "layout": "shape"}  # what says something of the other, too


@dataclass(frozen=True, slots=True)
class Claim:
    """What a rule comes to, where it applies: one of the outcomes."""

    rule: RuleDef
    mask: int
    applies: bool = False  # it does for certain


@dataclass(frozen=True, slots=True)
class Proof:
    """That no call breaks a rule alone.

    Args:
        reason: ``implied``, ``shadowed`` or ``contradictory``.
        by: the rules that leave no call, together with this one.
        of_product: whether it may be otherwise on another product.
    """

    reason: str
    by: tuple[str, ...]
    of_product: bool


@dataclass(slots=True)
class Prover:
    """Refutes calls of an operator on a product.

    Args:
        assumed: the rules that may be taken to hold, whichever is broken; None for all that its breach leaves to be
            judged.
        most_states: that are tried for a proof.
        few: how many other rules are looked at, first and then.
    """

    definition: Definition
    product: str
    assumed: frozenset[str] | None = None
    most_states: int = MOST_STATES
    few: tuple[int, ...] = FEW
    operator: Operator = field(init=False)
    _numbers: dict[str, int] = field(default_factory=dict)
    _read: dict[str, frozenset[tuple[str, str]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.operator = Operator.on(self.definition, products.resolve(self.product))
        self._numbers = {rule.id: number for number, rule in enumerate(self.definition.rules)}
        self._read = self.definition.once(_read)

    def why(self, rule: RuleDef, reached: bool = False) -> Proof | None:
        """Why no call breaks a rule alone; None where that is not proved.

        Args:
            reached: whether a legal call is known to which it applies.
        """
        if rule.kind == "null":  # whose breach hides what other rules say
            return None
        core = self.alone(rule)
        if core is None:
            return None
        idle = None if reached or not self._depends(rule) else self.idle(rule)
        if idle is not None:
            return self._proof(rule, "contradictory", idle)
        rules = [self.definition.rules[self._numbers[name]] for name in core]
        shadowed = any(other.is_lookup and self._hidden(other, rule) for other in rules)
        return self._proof(rule, "shadowed" if shadowed else "implied", core)

    def _depends(self, rule: RuleDef) -> bool:
        """Whether it does not apply to each call."""
        return rule.when is not None or any(facet == "presence" for _, facet in self._read[rule.id])

    def _proof(self, rule: RuleDef, reason: str, by: tuple[str, ...]) -> Proof:
        rules = [rule, *(self.definition.rules[self._numbers[name]] for name in by)]
        nodes = [node for one in rules for node in (one.check, one.when) if node is not None]
        return Proof(reason, by, any(PRODUCT_FACT in self.definition.facts(node) for node in nodes))

    def alone(self, rule: RuleDef) -> tuple[str, ...] | None:
        """The rules with which a call cannot comply that breaks this one; None where that is not shown."""
        return self._core(Claim(rule, FALSE | BROKEN, applies=True), self._others(rule))

    def follows(self, rule: RuleDef) -> set[str] | None:
        """Rules with which a call cannot comply that breaks this one, not as few as there may be."""
        claim, others = Claim(rule, FALSE | BROKEN, applies=True), self._others(rule)
        return self._refuted(claim, others[: self.few[-1]])

    def is_of_product(self, rule: RuleDef) -> bool:
        """Whether what it is proved by may be otherwise on another product."""
        rules = (rule, *self._near(rule))
        return any(
            PRODUCT_FACT in self.definition.facts(node)
            for one in rules for node in (one.check, one.when) if node is not None
        )  # fmt: skip

    def idle(self, rule: RuleDef) -> tuple[str, ...] | None:
        """The rules with which a call cannot comply to which this one applies; None where that is not shown."""
        return self._core(Claim(rule, ALL & ~NULL, applies=True), [Claim(one, _HOLDS) for one in self._near(rule)])

    def _core(self, claim: Claim, others: list[Claim]) -> tuple[str, ...] | None:
        """Few of the others that contradict the claim together."""
        used = None
        for many in self.few:
            if used is None and (many == self.few[0] or len(others) > many // GROWTH):
                used = self._refuted(claim, others[:many])
        if used is None:
            return None
        left = [one for one in others if one.rule.id in used]
        for one in left[::-1]:  # the furthest first
            fewer = [other for other in left if other is not one]
            if self._refuted(claim, fewer) is not None:
                left = fewer
        return tuple(one.rule.id for one in left)

    def _refuted(self, claim: Claim, others: Sequence[Claim]) -> set[str] | None:
        return _refuted(self.operator, [claim, *others], self.most_states)

    def _others(self, rule: RuleDef) -> list[Claim]:
        """What holds of the other rules in a call that breaks this one alone."""
        found = []
        for other in self._near(rule):
            if rule.is_lookup and self._hidden(rule, other):
                continue
            excused = self.assumed is None and self._excused(other, rule)
            found.append(Claim(other, _HOLDS | (BROKEN if excused else 0)))
        return found

    def _hidden(self, rule: RuleDef, other: RuleDef) -> bool:
        """Whether a lookup says it all."""
        later = self._numbers[other.id] > self._numbers[rule.id]
        return later and self.definition.facts(rule.check) >= self.definition.facts(other.check)

    def _excused(self, rule: RuleDef, broken: RuleDef) -> bool:
        """Whether it may be undefined, for the broken rule is the reason."""
        common = self._reported(rule) & self._reported(broken)
        if self._numbers[broken.id] < self._numbers[rule.id]:
            return bool(common)
        return any(facet == "value" for _, facet in common)

    def _reported(self, rule: RuleDef) -> Facts:
        """What it reads, as far as one finding explains another.

        That lists side by side differ in length is no finding of a rule about their elements, and excuses nothing here.
        """
        lists = {param.name for param in self.definition.params if param.kind.endswith("_list")}
        found = {
            (name, facet) for name, facet in self.definition.facts(rule.check) if name not in lists or facet != "value"
        }
        return frozenset((name, "shape" if facet == "rank" else facet) for name, facet in found)

    def _near(self, rule: RuleDef) -> list[RuleDef]:
        """The other rules that read what it reads, then those that read what these do, and so on."""
        left = [other for other in self.definition.rules if other is not rule and self._read[other.id]]
        if self.assumed is not None:
            left = [other for other in left if other.id in self.assumed]
        seen, found = set(self._read[rule.id]), list[RuleDef]()
        for _ in range(FURTHEST):
            near = [other for other in left if self._read[other.id] & seen]
            near.sort(key=lambda other: len(self._read[other.id]))
            found += near
            taken = set(map(id, near))
            left = [other for other in left if id(other) not in taken]
            seen.update(*(self._read[other.id] for other in near))
        return found[: self.few[-1]]


def _read(definition: Definition) -> dict[str, frozenset[tuple[str, str]]]:
    """What each rule reads, with the presence of what may be null and the length of lists: the same on all products."""
    nullable = {param.name for param in definition.params if param.nullable}
    lists = {param.name for param in definition.params if param.kind.endswith("_list")}
    found: dict[str, frozenset[tuple[str, str]]] = {}
    for rule in definition.rules:
        read = {(name, _TOGETHER.get(facet, str(facet))) for name, facet in definition.read_by(rule) if name}
        names = {name for name, _ in read}
        read |= {(name, "presence") for name in names & nullable} | {(name, "length") for name in names & lists}
        found[rule.id] = frozenset(read)
    return found


_HOLDS = TRUE | LACKING | NULL


def _refuted(operator: Operator, claims: list[Claim], most_states: int) -> set[str] | None:
    """The rules that were needed; None where nothing is refuted. The first claim is that of the broken rule."""
    nodes = [node for one in claims for node in operator.rules[one.rule.id] if node is not None]
    search = _Search(operator, claims, most_states)
    limit = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(max(limit, 5000))
        return search.used if search.closed(State(Constants([*nodes, *operator.lets.values()]))) else None
    except (Spent, RecursionError):
        return None
    finally:
        sys.setrecursionlimit(limit)


@dataclass(slots=True)
class _Search:
    """The tree of cases of one proof; the first claim is that of the broken rule."""

    operator: Operator
    claims: list[Claim]
    most_states: int
    used: set[str] = field(default_factory=set)
    states: int = 0

    def closed(self, state: State) -> bool:
        """Whether no call is in a state."""
        self.states += 1
        if self.states > self.most_states:
            raise Spent
        reader = Reader(self.operator, state)
        try:
            self._propagate(reader)
        except Conflict:
            return True
        cases = self._cases(reader)
        return bool(cases) and all(self._closed(state, node, case) for node, case in cases)

    def _closed(self, state: State, node: tree.Node, case: object) -> bool:
        """Whether no call is in a state in which a term has a value, or a condition one of some outcomes."""
        made = state.copy()
        try:
            if isinstance(case, _Outcome):
                Reader(self.operator, made).want(node, case.mask)
            else:
                made.meet(node, frozenset((case,)))
        except Conflict:
            return True
        return self.closed(made)

    def _propagate(self, reader: Reader) -> None:
        idle: dict[int, object] = {}  # claims that add nothing to what is known, by number
        for _ in range(MOST_PASSES):
            before = reader.state.version
            for number, claim in enumerate(self.claims):
                version, mark = reader.state.version, reader.state.mark
                if idle.get(number) == mark:
                    continue
                try:
                    self._assume(reader, claim)
                except Conflict:
                    self.used.add(claim.rule.id)
                    raise
                if reader.state.version != version:
                    self.used.add(claim.rule.id)
                elif reader.state.mark == mark:
                    idle[number] = mark
            if reader.state.version == before:
                return

    def _assume(self, reader: Reader, claim: Claim) -> None:
        """A rule comes to what is claimed."""
        check, when = reader.check(claim.rule), self.operator.when(claim.rule)
        if claim.applies:
            if when is not None:
                reader.want(when, TRUE)
            read = self.operator.about(check)
            if len(read.names) == 1 and read.hidden:  # it applies where the one param that it reads is there
                reader.state.meet(presence(read.hidden[0]), frozenset((True,)))
        applies = TRUE if when is None or claim.applies else reader.truth(when)
        if applies == TRUE:
            reader.want(check, claim.mask)
        elif applies & TRUE and not reader.truth(check) & claim.mask and when is not None:
            reader.want(when, ALL & ~TRUE)

    def _cases(self, reader: Reader) -> list[tuple[tree.Node, object]]:
        """The cases of an open state: of a term that the rule reads, or of the rule itself; or of a term nearby."""
        claim, *others = self.claims
        return (
            self._values(reader, [claim])
            or self._nearby(reader, others[:CLOSE])
            or self._parts(reader, claim)
            or self._nearby(reader, others[CLOSE:])
        )

    def _nearby(self, reader: Reader, claims: Iterable[Claim]) -> list[tuple[tree.Node, object]]:
        """The cases of a term that a rule reads which is not settled."""
        open_ = (claim for claim in claims if not self._settled(reader, claim))
        return next(filter(None, (self._values(reader, [claim]) for claim in open_)), [])

    def _settled(self, reader: Reader, claim: Claim) -> bool:
        """Whether a rule comes to what is claimed whatever else the call is like."""
        check, when = reader.check(claim.rule), self.operator.when(claim.rule)
        applies = TRUE if when is None else reader.truth(when)
        return not applies & TRUE or not reader.truth(check) & ~claim.mask

    def _values(self, reader: Reader, claims: Iterable[Claim]) -> list[tuple[tree.Node, object]]:
        """The values of the term with the fewest of them, more than one, that some rules read."""
        nodes = (node for claim in claims for node in self.operator.rules[claim.rule.id] if node is not None)
        terms = dict.fromkeys(term for node in nodes for term in self._terms(reader.state, node))
        choices = [(term, reader.state.values(term) or frozenset()) for term in terms]
        choices = [(term, values) for term, values in choices if 1 < len(values) <= MOST_CHOICES]
        if not choices:
            return []
        term, values = min(choices, key=lambda choice: len(choice[1]))
        return [(term, value) for value in sorted(values, key=repr)]

    def _terms(self, state: State, node: tree.Node) -> Iterator[tree.Node]:
        """The facets of few values that a condition reads."""
        for param, facet in sorted(self.operator.definition.facts(node)):
            listed = bool(param) and self.operator.params[param].kind in ELEMENTS and facet != "presence"
            name = param if not listed else f"{param}{SOME}" if state.picked is not None else ""
            if name:
                for one in ("presence", "rank" if facet == "shape" else facet):
                    if one in FEW_OF or self.operator.params[name].kind in FEW_KINDS:
                        yield state.find(self.operator.term(name, one))

    def _parts(self, reader: Reader, claim: Claim) -> list[tuple[tree.Node, object]]:
        """The parts of a broken rule of which one at least is broken."""
        check = self.operator.check(claim.rule)
        while isinstance(check, tree.Let):
            check = self.operator.lets[check.name]
        if claim.mask & TRUE or not isinstance(check, tree.Logic) or check.op != "and":
            return []
        open_ = [item for item in check.items if reader.truth(item) & claim.mask]
        return [(item, _Outcome(claim.mask)) for item in open_] if len(open_) > 1 else []


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What a condition comes to in a case."""

    mask: int
