"""Whether a call may break a rule and no other: what the rules say is put together until it contradicts itself.

The rule is broken, all others hold, and what that leaves is propagated to and fro; where it ends in the open, a facet
of few values takes each of them in turn. What is refuted has no call for certain; what is not may still have none.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from opspec.calls.cases.proof.outcomes import ALL, BROKEN, FALSE, LACKING, NULL, TRUE
from opspec.calls.cases.proof.reading import Reader
from opspec.calls.cases.proof.shared import SOME, Shared
from opspec.calls.cases.proof.state import Conflict, State, Sym, exactly
from opspec.language import tree
from opspec.language.facts import PRODUCT_FACT, Facts
from opspec.language.types import INT
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
_SPLIT = ("presence", "rank", "value", "length", "dtype", "format")


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


class _Spent(Exception):
    """The proof takes too long."""


@dataclass(slots=True)
class Prover:
    """Refutes calls of an operator on a product."""

    definition: Definition
    product: str
    shared: Shared = field(init=False)
    _numbers: dict[str, int] = field(default_factory=dict)
    _read: dict[str, frozenset[tuple[str, str]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        owner = products.owner(self.product)
        self.shared = Shared(self.definition, (owner, None if owner == self.product else self.product))
        self._numbers = {rule.id: number for number, rule in enumerate(self.definition.rules)}
        self._read = {rule.id: self._facts(rule) for rule in self.definition.rules}

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

    def idle(self, rule: RuleDef) -> tuple[str, ...] | None:
        """The rules with which a call cannot comply to which this one applies; None where that is not shown."""
        return self._core(Claim(rule, ALL & ~NULL, applies=True), [Claim(one, _HOLDS) for one in self._near(rule)])

    def _core(self, claim: Claim, others: list[Claim]) -> tuple[str, ...] | None:
        """Few of the others that contradict the claim together."""
        used = None
        for many in FEW:
            if used is None and (many == FEW[0] or len(others) > many // GROWTH):
                used = _refuted(self.shared, claim, others[:many])
        if used is None:
            return None
        left = [one for one in others if one.rule.id in used]
        for one in left[::-1]:  # the furthest first
            fewer = [other for other in left if other is not one]
            if _refuted(self.shared, claim, fewer) is not None:
                left = fewer
        return tuple(one.rule.id for one in left)

    def _others(self, rule: RuleDef) -> list[Claim]:
        """What holds of the other rules in a call that breaks this one alone."""
        found = []
        for other in self._near(rule):
            if rule.is_lookup and self._hidden(rule, other):
                continue
            found.append(Claim(other, _HOLDS | (BROKEN if self._excused(other, rule) else 0)))
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

    def _facts(self, rule: RuleDef) -> frozenset[tuple[str, str]]:
        found = self.definition.facts(rule.check)
        found = found if rule.when is None else found | self.definition.facts(rule.when)
        nullable = {name for name, _ in found if name and self.shared.params[name].nullable}
        read = frozenset((name, _TOGETHER.get(facet, facet)) for name, facet in found if name)
        lists = {name for name, _ in read if self.shared.params[name].kind.endswith("_list")}
        return read | {(name, "presence") for name in nullable} | {(name, "length") for name in lists}

    def _near(self, rule: RuleDef) -> list[RuleDef]:
        """The other rules that read what it reads, then those that read what these do, and so on."""
        left = [other for other in self.definition.rules if other is not rule and self._read[other.id]]
        seen, found = set(self._read[rule.id]), list[RuleDef]()
        for _ in range(FURTHEST):
            near = [other for other in left if self._read[other.id] & seen]
            near.sort(key=lambda other: len(self._read[other.id]))
            found += near
            left = [other for other in left if other not in near]
            seen.update(*(self._read[other.id] for other in near))
        return found[: FEW[-1]]


_HOLDS = TRUE | LACKING | NULL


def _refuted(shared: Shared, claim: Claim, others: Sequence[Claim]) -> set[str] | None:
    """The rules that were needed; None where nothing is refuted."""
    search = _Search(shared, claim, [claim, *others])
    limit = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(max(limit, 5000))
        return search.used if search.closed(State(), True) else None
    except (_Spent, RecursionError):
        return None
    finally:
        sys.setrecursionlimit(limit)


@dataclass(slots=True)
class _Search:
    """The tree of cases of one proof."""

    shared: Shared
    claim: Claim
    claims: list[Claim]
    used: set[str] = field(default_factory=set)
    states: int = 0

    def closed(self, state: State, first: bool = False) -> bool:
        """Whether no call is in a state."""
        self.states += 1
        if self.states > MOST_STATES:
            raise _Spent
        reader = Reader(self.shared, state)
        try:
            self._propagate(reader)
        except Conflict:
            return True
        cases = self._cases(reader)
        return cases is not None and all(self._closed(state, case) for case in cases)

    def _closed(self, state: State, case: tuple[Sym, object] | tuple[tree.Node, int]) -> bool:
        made = state.copy()
        at, value = case
        try:
            if isinstance(at, Sym):
                made.meet(at, exactly(value))
            elif isinstance(value, int):
                Reader(self.shared, made).want(at, value, {})
        except Conflict:
            return True
        return self.closed(made)

    def _propagate(self, reader: Reader) -> None:
        for _ in range(MOST_PASSES):
            before = reader.state.version
            for claim in self.claims:
                version = reader.state.version
                try:
                    _assume(reader, claim)
                except Conflict:
                    self.used.add(claim.rule.id)
                    raise
                if reader.state.version != version:
                    self.used.add(claim.rule.id)
            if reader.state.version == before:
                return

    def _cases(self, reader: Reader) -> list[tuple[Sym, object]] | list[tuple[tree.Node, int]] | None:
        """The cases of an open state: of a facet that the rule reads, or of the rule itself; or of a facet nearby."""
        own = self._facets(reader, [self.claim])
        chosen = min(own, key=_size(reader), default=None)
        if chosen is not None:
            return [(chosen, value) for value in _values(reader, chosen)]
        near = self._nearby(reader, self.claims[1:CLOSE])
        if near:
            return near
        ways = list(_ways(reader, self.claim.rule.check, self.claim.mask))
        return ways if len(ways) > 1 else self._nearby(reader, self.claims[CLOSE:]) or None

    def _nearby(self, reader: Reader, claims: Iterable[Claim]) -> list[tuple[Sym, object]]:
        """The cases of a facet that a rule reads which is not settled."""
        for claim in claims:
            if not self._settled(reader, claim):
                chosen = min(self._facets(reader, [claim]), key=_size(reader), default=None)
                if chosen is not None:
                    return [(chosen, value) for value in _values(reader, chosen)]
        return []

    def _settled(self, reader: Reader, claim: Claim) -> bool:
        """Whether a rule comes to what is claimed whatever else the call is like."""
        rule = claim.rule
        applies = TRUE if rule.when is None else reader.truth(rule.when, {})
        return not applies & TRUE or not reader.truth(rule.check, {}) & ~claim.mask

    def _facets(self, reader: Reader, claims: Iterable[Claim]) -> list[Sym]:
        found: dict[Sym, None] = {}
        for claim in claims:
            for node in (claim.rule.when, claim.rule.check):
                for name, facet in () if node is None else sorted(self.shared.definition.facts(node)):
                    if name:
                        found.update(dict.fromkeys(_open(reader, name, facet)))
        return list(found)


def _open(reader: Reader, name: str, facet: str) -> Iterator[Sym]:
    """The facets of few values, more than one, that a fact stands for."""
    kind = reader.shared.params[name].kind
    wanted = {"shape": "rank"}.get(facet, facet)
    if facet == "value" and kind.endswith("_array"):
        wanted = "length"
    if kind.endswith("_list") and wanted != "presence":
        if reader.state.picked is None:
            return
        name += SOME
    if wanted not in _SPLIT:
        return
    for one in ("presence", wanted):
        sym = reader.state.find(reader.facet(name, one))
        if len(reader.state.domain(sym).choices(MOST_CHOICES)) > 1:
            yield sym


def _size(reader: Reader) -> Callable[[Sym], int]:
    return lambda sym: len(_values(reader, sym))


def _values(reader: Reader, sym: Sym) -> list[object]:
    return reader.state.domain(sym).choices(MOST_CHOICES)


def _ways(reader: Reader, check: tree.Node, mask: int) -> Iterator[tuple[tree.Node, int]]:
    """The parts of a broken rule of which one at least is broken."""
    while isinstance(check, tree.Let):
        check = reader.shared.definition.lets[check.name]
    if mask & TRUE:
        return
    if isinstance(check, tree.Logic) and check.op == "and":
        yield from ((item, mask) for item in check.items if reader.truth(item, {}) & mask)
    elif isinstance(check, tree.Compare):
        yield from ((part, mask) for part in _compared(reader, check) if reader.truth(part, {}) & mask)


def _compared(reader: Reader, check: tree.Compare) -> Iterator[tree.Node]:
    """The parts of a comparison of lists, or of a chain."""
    if len(check.ops) > 1:
        for op, left, right in zip(check.ops, check.operands, check.operands[1:], strict=False):
            yield tree.Compare((op,), (left, right), check.type)
        return
    (op,), (left, right) = check.ops, check.operands
    whole = right if op == "not in" else left
    items = reader.value(whole, {})[0]
    if op not in ("==", "not in") or not isinstance(items, tuple):
        return
    for at in range(len(items)):
        index = _number(at)
        if op == "not in" and right.type.item is not None:
            yield tree.Compare(("!=",), (tree.Index(right, index, right.type.item), left), check.type)
        elif op == "==" and left.type.item is not None and right.type.item is not None:
            other = reader.value(right, {})[0]
            if not isinstance(other, tuple) or len(other) != len(items):
                return
            yield tree.Compare(
                ("==",),
                (tree.Index(left, index, left.type.item), tree.Index(right, index, right.type.item)),
                check.type,
            )


def _number(value: int) -> tree.Node:
    return tree.Const(value, INT)


def _apply(reader: Reader, rule: RuleDef) -> None:
    """A rule applies: its condition holds, and the one param that it reads is there."""
    if rule.when is not None:
        reader.want(rule.when, TRUE, {})
    about = reader.shared.about(rule.check)
    names = {name for name, _ in about.facts}
    if len(names) == 1 and about.hidden:
        reader.state.meet(reader.facet(about.hidden[0], "presence"), exactly(True))


def _assume(reader: Reader, claim: Claim) -> None:
    """A rule comes to what is claimed."""
    rule = claim.rule
    if claim.applies:
        _apply(reader, rule)
    applies = TRUE if rule.when is None or claim.applies else reader.truth(rule.when, {})
    if not applies & TRUE:
        return
    if applies == TRUE:
        reader.want(rule.check, claim.mask, {})
    elif not reader.truth(rule.check, {}) & claim.mask and rule.when is not None:
        reader.want(rule.when, ALL & ~TRUE, {})
