"""For each rule of an operator a call that breaks it and no other; where none is found, why.

Legal calls are changed around what a rule reads (``around.py``), as the rule itself suggests (``aim.py``), and what
still breaks another rule besides is mended by the search that makes legal calls, while the rule stays broken. Where
that finds nothing, a proof is tried that no call breaks the rule alone (``proof``); without one the search goes on.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice

from opspec.calls.cases.around import around, levelled
from opspec.calls.cases.proof.refute import Prover
from opspec.calls.examples.aim import aims
from opspec.calls.examples.call import Call, example, fresh, put
from opspec.calls.examples.chances import possible
from opspec.calls.examples.legal import COMMON
from opspec.calls.examples.search import Search
from opspec.language import tree
from opspec.language.facts import PRODUCT_FACT
from opspec.language.interpret import Env, evaluate
from opspec.language.outcome import NEITHER, VIOLATED
from opspec.model.definition import Definition, RuleDef
from opspec.registry.registry import Form
from opspec.validator.judge import judge, verdict_of
from opspec.validator.verdict import Verdict
from opspec.vocabulary import products

MOST_STARTS = 4  # legal calls that are changed for a rule
MOST_BREAKING = 400  # calls that break a rule, and others besides: enough for a first search
MOST_PRODUCTS = 2  # on which a rule is tried that could not be broken alone, and says nothing of products
MOST_AIMED = 60  # changes of one call that the rule suggests
MOST_AROUND = 700  # other changes of one call
MOST_ANSWERS = 100  # calls of which it is kept what they break
FIRST_STEPS = 1500

DOUBT = "product.unknown"  # no rule: the page does not say whether the product is supported

#: why no call breaks a rule alone; the first three are proved by what the rules say
IMPLIED = "implied"  # what breaks it breaks one of a few other rules, too
SHADOWED = "shadowed"  # another finding explains whatever breaks it, and it is never reported
CONTRADICTORY = "contradictory"  # no legal call has what it is about
NOT_FOUND = "not found"  # there may be one


@dataclass(frozen=True, slots=True)
class Effort:
    """How far a search goes.

    Args:
        mended: calls in which other rules are mended.
        mend_steps: for each of them.
        guarded: calls that are made legal so that a rule applies.
        guard_steps: for each of them.
    """

    mended: int
    mend_steps: int
    guarded: int
    guard_steps: int


LITTLE = Effort(mended=4, mend_steps=60, guarded=3, guard_steps=60)
MUCH = Effort(mended=6, mend_steps=200, guarded=4, guard_steps=400)


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
    """

    definition: Definition
    form: Form
    product: str | None = None
    seed: int = 0
    known: dict[str, list[Call]] = field(default_factory=dict)
    _numbers: dict[str, int] = field(default_factory=dict)
    _provers: dict[str, Prover] = field(default_factory=dict)
    _hidden: dict[str, set[frozenset[str]]] = field(default_factory=dict)
    _answers: dict[tuple[int, str, str], tuple[Call, tuple[str, ...] | None]] = field(default_factory=dict)

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
            found = self._on(rule, product, tally, LITTLE)
            if found is not None:
                return Isolated(rule, found, product)
        proof, left = self._proof(rule, fitting)
        if left is None:
            return tally.result(rule, *proof)
        found = self._on(rule, left, tally, MUCH)
        if found is not None:
            return Isolated(rule, found, left)
        return tally.result(rule, NOT_FOUND, _hitting(tally.sets or self._hidden.get(rule.id, set())))

    def _proof(self, rule: RuleDef, fitting: list[str]) -> tuple[tuple[str, tuple[str, ...]], str | None]:
        """Why no call breaks a rule alone; with a product on which that is not proved."""
        proofs: list[tuple[str, tuple[str, ...]]] = []
        for product in fitting:
            reached = any(self._applies(rule, call, product) for call in self.legal(product))
            proof = self._prover(product).why(rule, reached)
            if proof is None:
                return (NOT_FOUND, ()), product
            proofs.append((proof.reason, proof.by))
            if not proof.of_product:
                break
        proofs.sort(key=lambda found: found[0] == CONTRADICTORY)
        return (proofs[0] if proofs else (CONTRADICTORY, ())), None

    def _prover(self, product: str) -> Prover:
        if product not in self._provers:
            self._provers[product] = Prover(self.definition, product)
        return self._provers[product]

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
                others = self._others(rule, start, product)
                if others == ():
                    return Isolated(rule, start, product)
                tally.take(start, product, others)
        reason = self._of_products(rule, names)
        return tally.result(rule, NOT_FOUND if reason is None else IMPLIED, reason or _hitting(tally.sets))

    def _of_products(self, rule: RuleDef, names: list[str]) -> tuple[str, ...] | None:
        """The other rules about nothing but products that exclude each product that this one does."""
        others = [
            other for other in self.definition.rules
            if other is not rule and self.definition.facts(other.check) == {PRODUCT_FACT} and other.when is None
        ]  # fmt: skip
        sets = []
        for env in (Env({}, self.definition.lets, *products.resolve(name)) for name in names):
            if evaluate(rule.check, env) is not True:
                sets.append(frozenset(other.id for other in others if evaluate(other.check, env) is False))
        return _hitting(sets) if all(sets) else None

    def _on(self, rule: RuleDef, product: str, tally: _Tally, effort: Effort) -> Call | None:
        starts = [call for call in self.legal(product) if self._applies(rule, call, product)][:MOST_STARTS]
        if effort is MUCH:
            plain = (call for start in self.legal(product)[:1] for call in levelled(self.definition, start))
            legal = (call for call in plain if self._applies(rule, call, product) and self._is_legal(call, product))
            starts += [call for call in legal if call not in starts]
        if not starts or (effort is MUCH and not any(self._full(rule, call) for call in starts)):
            starts += list(islice(self._reached(rule, product, effort), 1))
        near: list[tuple[int, int, Call]] = []
        for start in starts:
            if len(near) >= MOST_BREAKING:
                break
            for call in self._changed(rule, start, product):
                others = self._others(rule, call, product)
                if others == ():
                    return call
                if others is not None:
                    near.append((len(others), len(near), call))
                tally.take(call, product, others)
                if len(near) >= MOST_BREAKING:
                    break
        near.sort(key=lambda item: item[:2])
        for number, (_, _, call) in enumerate(near[: effort.mended]):
            mended = self._mended(rule, call, product, effort.mend_steps, number)
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
            start = example(self.form)
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
                    found = search.legal(LITTLE.guard_steps, start={**call, param.name: fresh(param.kind)})
                    if found is not None and found[param.name] is not None and self._is_legal(found, product):
                        yield found

    def _reached(self, rule: RuleDef, product: str, effort: Effort) -> Iterator[Call]:
        """Legal calls to which a rule applies that applies to none of those that are known."""
        search = self._search(product, f"guard {rule.id}")
        search.keeps = lambda call: (
            self._applies(rule, call, product) and (effort is LITTLE or self._full(rule, call))
        )  # fmt: skip
        starts = [self._filled(rule, call) for call in self.legal(product)[:MOST_STARTS]]
        applying: Iterator[Call] = (call for call in starts if search.keeps(call))
        if rule.when is not None:
            applying = chain(applying, self._applying(rule.when, starts, product, search.keeps))
        for call in islice(applying, effort.guarded):
            found = search.legal(effort.guard_steps, start=call)
            if found is not None and self._applies(rule, found, product) and self._is_legal(found, product):
                self.known[product].append(found)
                yield found

    def _filled(self, rule: RuleDef, call: Call) -> Call:
        """A call in which all that a rule reads is there."""
        params = {param.name: param for param in self.definition.params}
        absent = [name for name in self._wanted(rule) if call[name] is None]
        return {**call, **{name: fresh(params[name].kind) for name in absent}}

    def _full(self, rule: RuleDef, call: Call) -> bool:
        """Whether all that a rule reads is there."""
        return all(call[name] is not None for name in self._wanted(rule))

    def _wanted(self, rule: RuleDef) -> list[str]:
        """The params without which a rule says nothing."""
        read = self.definition.facts(rule.check)
        return sorted({name for name, _ in read if name and (name, "presence") not in read})

    def _applying(
        self, condition: tree.Node, starts: list[Call], product: str, keeps: Callable[[Call], bool]
    ) -> Iterator[Call]:
        """Calls, mostly illegal, in which a condition holds: by one change, else by several one after the other."""
        read = self.definition.facts(condition)
        for start in starts:
            yield from filter(keeps, levelled(self.definition, start))
            nearby = chain(self._aimed(condition, True, start, product), around(self.definition, start, read))
            yield from filter(keeps, islice(nearby, MOST_AROUND))
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
        env = Env({}, {}, *products.resolve(product))
        return rule.when is None or True in possible(rule.when, env)

    def _applies(self, rule: RuleDef, call: Call, product: str) -> bool:
        """Whether a rule says something of a call: its condition holds, and what it reads is there."""
        env = self._env(call, product)
        if rule.when is not None and evaluate(rule.when, env) is not True:
            return False
        wanted = self._wanted(rule)
        if len(wanted) == 1 and call[wanted[0]] is None:
            return False
        return (
            rule.kind in ("null", "reserved")
            or isinstance(evaluate(rule.check, env), bool)
            or self.definition.reads_values(rule.check)
        )

    def _mended(self, rule: RuleDef, call: Call, product: str, steps: int, number: int) -> Call | None:
        """The call with the other rules kept, and this one still broken."""
        search = self._search(product, f"{rule.id} {number}" if number else rule.id)
        search.keeps = lambda call: self._others(rule, call, product) is not None
        search.broken = lambda call: [self._numbers[name] for name in self._others(rule, call, product) or ()]
        found = search.legal(steps, start=call)
        return found if found is not None and self._others(rule, found, product) == () else None

    def _search(self, product: str, chance: str) -> Search:
        chances = random.Random(f"{self.seed} {product} {chance}")
        return Search(self.definition, self.form, *products.resolve(product), chances)

    def _env(self, call: Call, product: str) -> Env:
        return Env(call, self.definition.lets, *products.resolve(product))

    def _is_legal(self, call: Call, product: str) -> bool:
        verdict = self.verdict(call, product)
        return verdict.legal and not verdict.warnings

    def _others(self, rule: RuleDef, call: Call, product: str) -> tuple[str, ...] | None:
        """The other rules that a call breaks; None where it does not break this one."""
        key = id(call), rule.id, product
        if key not in self._answers:  # a search asks what it keeps, then what is broken, of the same call
            if len(self._answers) == MOST_ANSWERS:
                self._answers.clear()
            self._answers[key] = call, self._others_anew(rule, call, product)  # with the call, whose id it is
        return self._answers[key][1]

    def _others_anew(self, rule: RuleDef, call: Call, product: str) -> tuple[str, ...] | None:
        report: list[tuple[int, int]] = []
        args, resolved = self._args(call), products.resolve(product)
        self.form.judge(args, *resolved, report.append)
        if all(number != self._numbers[rule.id] or outcome not in (VIOLATED, NEITHER) for number, outcome in report):
            return None
        broken = broken_by(verdict_of(self.form.case(*resolved), args, report))
        if rule.id in broken:
            return tuple(name for name in broken if name != rule.id)
        self._hidden.setdefault(rule.id, set()).add(frozenset(broken))
        return None

    def _args(self, call: Call) -> tuple[object, ...]:
        return tuple(call[param.name] for param in self.definition.params)

    def verdict(self, call: Call, product: str) -> Verdict:
        """The verdict on a call."""
        return judge(self.form, self._args(call), *products.resolve(product))


def broken_by(verdict: Verdict) -> tuple[str, ...]:
    """The rules that a call breaks, those that the runtime contradicts included, in order."""
    found = (finding.rule for finding in (*verdict.violations, *verdict.warnings))
    return tuple(rule for rule in found if rule != DOUBT)


def _there(name: str) -> Callable[[Call], bool]:
    return lambda call: call[name] is not None


@dataclass(slots=True)
class _Tally:
    """What came of the calls that were tried for a rule.

    Attributes:
        best: (product, call) of the call that breaks the rule and the fewest others.
        besides: the other rules that it breaks.
        sets: what the tried calls broke besides.
    """

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

    def result(self, rule: RuleDef, reason: str, by: tuple[str, ...]) -> Isolated:
        """The finding."""
        product, call = (None, None) if self.best is None else self.best
        return Isolated(rule, call, product, self.besides, reason, by)


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
