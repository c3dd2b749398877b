"""For each rule of an operator a call that breaks it and no other; where none is found, why.

Legal calls are changed around what a rule reads (``around.py``), as the rule itself suggests (``aim.py``), and what
still breaks another rule besides is mended by the search that makes legal calls, while the rule stays broken.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from opspec.language import tree
from opspec.language.facts import PRODUCT_FACT
from opspec.language.interpret import Env, evaluate
from opspec.language.outcome import NEITHER, VIOLATED
from opspec.model.definition import Definition, RuleDef
from opspec.registry.registry import Form
from opspec.validator.judge import judge
from opspec.validator.verdict import Verdict
from opspec.vocabulary import products
from opspec.workshop.cases.around import around
from opspec.workshop.examples.aim import aims
from opspec.workshop.examples.call import Call, fresh, put
from opspec.workshop.examples.legal import COMMON, example
from opspec.workshop.examples.search import Search
from opspec.workshop.lint.deep import possible

MOST_STARTS = 4  # legal calls that are changed for a rule
MOST_BREAKING = 400  # calls that break a rule, and others besides: enough to say that it has no other
MOST_PRODUCTS = 2  # on which a rule is tried that could not be broken alone, and says nothing of products
MOST_AIMED = 60  # changes of one call that the rule suggests
MOST_AROUND = 700  # other changes of one call
MOST_MENDED = 4  # calls in which other rules are mended
MEND_STEPS = 60
MOST_GUARDED = 3  # calls that are made legal so that a rule applies
GUARD_STEPS = 60
FIRST_STEPS = 1500

DOUBT = "product.unknown"  # no rule: the page does not say whether the product is supported

#: why no call breaks a rule alone
IMPLIED = "implied"  # every call found that breaks it breaks one of a few other rules, too
SHADOWED = "shadowed"  # calls break it, but another finding explains it, and it is never reported
IDLE = "idle"  # no legal call is found to which it applies: rules contradict its condition, or it is a rare one
UNBROKEN = "unbroken"  # no call that breaks it is found: everything that a call can say satisfies it


@dataclass(frozen=True, slots=True)
class Isolated:
    """What was found for a rule.

    Args:
        call: breaks the rule; None where no call does.
        product: that the call is for: an id or a member.
        besides: ids of the other rules that it breaks; none when the rule is isolated.
        reason: why the rule is not isolated; None when it is.
        by: the rules that make it so, where some do.
    """

    rule: RuleDef
    call: Call | None
    product: str | None
    besides: tuple[str, ...] = ()
    reason: str | None = None
    by: tuple[str, ...] = ()


@dataclass(slots=True)
class Isolation:
    """The search for calls that break one rule each.

    Args:
        product: where all calls are made for; None: wherever the rule can be broken.
        seed: other seeds find other calls.
        known: legal calls by product, the first ones first.
        judged: how many calls were tried.
    """

    definition: Definition
    form: Form
    product: str | None = None
    seed: int = 0
    known: dict[str, list[Call]] = field(default_factory=dict)
    judged: int = 0
    _numbers: dict[str, int] = field(default_factory=dict)
    _hidden: dict[str, set[frozenset[str]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._numbers = {rule.id: number for number, rule in enumerate(self.definition.rules)}

    def all(self) -> Iterator[Isolated]:
        """Every rule in order."""
        for rule in self.definition.rules:
            yield self.of(rule)

    def of(self, rule: RuleDef) -> Isolated:
        """What is found for a rule."""
        if self.definition.facts(rule.check) == {PRODUCT_FACT}:
            return self._product(rule)
        tally = _Tally()
        fitting = [product for product in self.where() if self._may_apply(rule, product)]
        by_product = PRODUCT_FACT in self.definition.facts(rule.check)
        for product in fitting if by_product else fitting[:MOST_PRODUCTS]:
            found = self._on(rule, product, tally)
            if found is not None:
                return Isolated(rule, found, product)
        return tally.result(rule, self._hidden.get(rule.id, set()))

    def where(self) -> list[str]:
        """Where to try: that of the spec's example first, then the common one, then the others."""
        if self.product is not None:
            return [self.product]
        example = self.definition.spec.example
        first = [example.product] if example is not None and example.product is not None else []
        supported = [name for name, support in self.form.support.items() if support == "yes"]
        return list(dict.fromkeys([*first, *sorted(supported, key=lambda name: name != COMMON)]))

    def _product(self, rule: RuleDef) -> Isolated:
        """A legal call for a product that the rule excludes."""
        tally = _Tally()
        names = [name for id_ in products.ids() for name in (id_, *products.members(id_))]
        for start in (call for product in self.where() for call in self.legal(product)[:1]):
            for product in names:
                tally.reached = True
                others = self._others(rule, start, product)
                if others == ():
                    return Isolated(rule, start, product)
                tally.take(start, product, others)
        return tally.result(rule, self._hidden.get(rule.id, set()))

    def _on(self, rule: RuleDef, product: str, tally: _Tally) -> Call | None:
        starts = [call for call in self.legal(product) if self._applies(rule, call, product)][:MOST_STARTS]
        if not starts:
            starts = [] if rule.when is None else list(islice(self._guarded(rule, product), 1))
        near: list[tuple[int, Call]] = []
        for start in starts:
            tally.reached = True
            if len(near) >= MOST_BREAKING:
                break
            for call in self._changed(rule, start, product):
                others = self._others(rule, call, product)
                if others == ():
                    return call
                if others is not None:
                    near.append((len(others), call))
                tally.take(call, product, others)
                if len(near) >= MOST_BREAKING:
                    break
        near.sort(key=lambda item: item[0])
        for _, call in near[:MOST_MENDED]:
            mended = self._mended(rule, call, product)
            if mended is not None:
                return mended
        return None

    def _changed(self, rule: RuleDef, start: Call, product: str) -> Iterator[Call]:
        yield from self._aimed(rule.check, False, start, product)
        yield from islice(around(self.definition, start, self.definition.facts(rule.check)), MOST_AROUND)

    # --- legal calls

    def legal(self, product: str) -> list[Call]:
        """The legal calls of a product: the spec's example, where it is one there, else one that is like it."""
        if product not in self.known:
            start = example(self.definition, self.form)
            found = start if start is not None and self._is_legal(start, product) else None
            if found is None:
                found = self._search(product, "first").legal(FIRST_STEPS, start=start)
            legal = [] if found is None or not self._is_legal(found, product) else [found]
            self.known[product] = [*legal, *self._larger(legal, product)]
        return self.known[product]

    def _larger(self, legal: list[Call], product: str) -> Iterator[Call]:
        """The plain call with each optional argument that may be there by itself."""
        for call in legal:
            for param in self.definition.params:
                if call[param.name] is None and param.pointer:
                    search = self._search(product, f"with {param.name}")
                    search.keeps = _there(param.name)
                    found = search.legal(GUARD_STEPS, start={**call, param.name: fresh(param.kind)})
                    if found is not None and found[param.name] is not None and self._is_legal(found, product):
                        yield found

    def _guarded(self, rule: RuleDef, product: str) -> Iterator[Call]:
        """Legal calls to which a rule with a condition applies."""
        assert rule.when is not None  # only such rules are asked for
        search = self._search(product, f"guard {rule.id}")
        search.keeps = lambda call: self._applies(rule, call, product)
        applying = self._applying(rule.when, list(self.legal(product)), product, search.keeps)
        for call in islice(applying, MOST_GUARDED):
            found = search.legal(GUARD_STEPS, start=call)
            if found is not None and self._applies(rule, found, product) and self._is_legal(found, product):
                self.known[product].append(found)
                yield found

    def _applying(
        self, condition: tree.Node, starts: list[Call], product: str, keeps: Callable[[Call], bool]
    ) -> Iterator[Call]:
        """Calls, mostly illegal, in which a condition holds: by one change, else by several one after the other."""
        read = self.definition.facts(condition)
        for start in starts:
            nearby = (*self._aimed(condition, True, start, product), *around(self.definition, start, read))
            yield from (call for call in islice(nearby, MOST_AROUND) if keeps(call))
        chance = random.Random(f"{self.seed} {product}")
        for start in starts:
            call = start
            for _ in range(MOST_AIMED // 4):
                found = list(islice(self._aimed(condition, True, call, product), MOST_AIMED))
                if not found:
                    break
                call = chance.choice(found)
                if keeps(call):
                    yield call

    def _aimed(self, condition: tree.Node, wanted: bool, start: Call, product: str) -> Iterator[Call]:
        """The calls that a condition suggests."""
        params = {param.name: param for param in self.definition.params}
        changes = islice(aims(condition, wanted, self._env(start, product)), MOST_AIMED)
        found = (put(start, *change, params) for change in changes)
        return (call for call in found if call is not None)

    # --- judging

    def _may_apply(self, rule: RuleDef, product: str) -> bool:
        """Whether a rule's condition may hold on a product."""
        env = Env({}, {}, *_resolved(product))
        return rule.when is None or True in possible(rule.when, env)

    def _applies(self, rule: RuleDef, call: Call, product: str) -> bool:
        """Whether a rule says something of a call: its condition holds, and what it reads is there."""
        env = self._env(call, product)
        if rule.when is not None and evaluate(rule.when, env) is not True:
            return False
        return (
            rule.kind in ("null", "reserved") or isinstance(evaluate(rule.check, env), bool) or self._reads_values(rule)
        )

    def _reads_values(self, rule: RuleDef) -> bool:
        return self.definition.reads_values(rule.check)

    def _mended(self, rule: RuleDef, call: Call, product: str) -> Call | None:
        """The call with the other rules kept, and this one still broken."""
        search = self._search(product, rule.id)
        search.keeps = lambda call: self._others(rule, call, product) is not None
        search.broken = lambda call: [self._numbers[name] for name in self._others(rule, call, product) or ()]
        found = search.legal(MEND_STEPS, start=call)
        return found if found is not None and self._others(rule, found, product) == () else None

    def _search(self, product: str, chance: str) -> Search:
        owner, member = _resolved(product)
        return Search(self.definition, self.form, owner, member, random.Random(f"{self.seed} {product} {chance}"))

    def _env(self, call: Call, product: str) -> Env:
        return Env(call, self.definition.lets, *_resolved(product))

    def _is_legal(self, call: Call, product: str) -> bool:
        verdict = self.verdict(call, product)
        return verdict.legal and not verdict.warnings

    def _others(self, rule: RuleDef, call: Call, product: str) -> tuple[str, ...] | None:
        """The other rules that a call breaks; None where it does not break this one."""
        self.judged += 1
        report: list[tuple[int, int]] = []
        self.form.judge(self._args(call), *_resolved(product), report.append)
        if all(number != self._numbers[rule.id] or outcome not in (VIOLATED, NEITHER) for number, outcome in report):
            return None
        broken = broken_by(self.verdict(call, product))
        if rule.id in broken:
            return tuple(name for name in broken if name != rule.id)
        self._hidden.setdefault(rule.id, set()).add(frozenset(broken))
        return None

    def _args(self, call: Call) -> tuple[object, ...]:
        return tuple(call[param.name] for param in self.definition.params)

    def verdict(self, call: Call, product: str) -> Verdict:
        """The verdict on a call."""
        return judge(self.form, self._args(call), *_resolved(product))


def broken_by(verdict: Verdict) -> tuple[str, ...]:
    """The rules that a call breaks, those that the runtime contradicts included, in order."""
    found = (finding.rule for finding in (*verdict.violations, *verdict.warnings))
    return tuple(rule for rule in found if rule != DOUBT)


def _there(name: str) -> Callable[[Call], bool]:
    return lambda call: call[name] is not None


def _resolved(product: str) -> tuple[str, str | None]:
    owner = products.owner(product)
    return owner, None if owner == product else product


@dataclass(slots=True)
class _Tally:
    """What came of the calls that were tried for a rule.

    Attributes:
        reached: whether there was a legal call to which the rule applies.
        best: (product, call) of the call that breaks the rule and the fewest others.
        besides: the other rules that it breaks.
        sets: what the tried calls broke besides.
    """

    reached: bool = False
    best: tuple[str, Call] | None = None
    besides: tuple[str, ...] = ()
    sets: set[frozenset[str]] = field(default_factory=set)

    def take(self, call: Call, product: str, others: tuple[str, ...] | None) -> None:
        """Count a call."""
        if others is None:
            return
        self.sets.add(frozenset(others))
        if self.best is None or len(others) < len(self.besides):
            self.best, self.besides = (product, call), others

    def result(self, rule: RuleDef, hidden: set[frozenset[str]]) -> Isolated:
        """The finding.

        Args:
            hidden: what was reported of calls that break the rule where it was not reported itself.
        """
        if self.best is None and hidden:
            return Isolated(rule, None, None, reason=SHADOWED, by=_hitting(hidden))
        if self.best is None:
            return Isolated(rule, None, None, reason=UNBROKEN if self.reached else IDLE)
        product, call = self.best
        return Isolated(rule, call, product, self.besides, IMPLIED, _hitting(self.sets))


def _hitting(sets: Iterable[frozenset[str]]) -> tuple[str, ...]:
    """A few rules of which each set has one: the most frequent first."""
    left = [found for found in sets if found]
    chosen: list[str] = []
    while left:
        names = sorted({name for found in left for name in found})
        best = max(names, key=lambda name: sum(name in found for found in left))
        chosen.append(best)
        left = [found for found in left if best not in found]
    return tuple(chosen)
