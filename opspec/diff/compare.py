"""The changes between two specs of an operator: what a program writes, what values it may give, what rules require."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from opspec.diff.change import Change
from opspec.diff.meaning import Meaning, allowed, conjuncts, domain, facet, meaning
from opspec.diff.signature import of_page, of_products, of_signature
from opspec.docs.changes import renamed
from opspec.docs.saying import Sayings
from opspec.language.facts import PRODUCT_FACT
from opspec.language.text import write
from opspec.model.definition import Definition, RuleDef
from opspec.model.enforcement import enforcement
from opspec.vocabulary.enforcement import CONTRADICTED

_ANY = "*"
_SHOWN = 400  # characters of a rule's source

Facet = tuple[str, str]


def compared(before: Definition, after: Definition) -> list[Change]:
    """All changes, those that a compiler sees first."""
    names = {param.name: param.name for param in before.params if param.name in {item.name for item in after.params}}
    names |= dict(renamed(before.params, after.params))
    pair = _Pair(before, after, names)
    return [
        *of_signature(before, after, names),
        *of_products(before, after),
        *of_page(before, after),
        *pair.values(),
        *pair.rules(),
    ]


class _Pair:
    """Two definitions, and what their rules mean."""

    def __init__(self, before: Definition, after: Definition, names: Mapping[str, str]) -> None:
        self.before, self.after, self.names = before, after, names
        known = set(names.values())
        self.old = {rule.id: rule for rule in before.rules if _is_own(rule, before, set(names))}
        self.new = {rule.id: rule for rule in after.rules if _is_own(rule, after, known)}
        self.was = {name: meaning(rule, before, names) for name, rule in self.old.items()}
        self.now = {name: meaning(rule, after, {}) for name, rule in self.new.items()}
        self.products = tuple(
            name for name, support in after.spec.products.items()
            if support == "yes" and before.spec.products.get(name) == "yes"
        )  # fmt: skip
        self.settled: set[str] = set()  # ids of rules of either that a change of values tells about

    # --- values

    def values(self) -> Iterator[Change]:
        """Dtypes, formats, ranks and plain values that are allowed now, or no longer."""
        old, new = self._by_facet(self.old, self.before, self.names), self._by_facet(self.new, self.after, {})
        for about in dict.fromkeys((*old, *new)):
            here, there = old.get(about, []), new.get(about, [])
            if {self.was[rule.id] for rule in here} == {self.now[rule.id] for rule in there}:
                continue
            found = self._changed(about, here, there)
            if found is not None:
                self.settled.update(rule.id for rule in (*here, *there))
                yield from found

    @staticmethod
    def _by_facet(
        rules: Mapping[str, RuleDef], definition: Definition, names: Mapping[str, str]
    ) -> dict[Facet, list[RuleDef]]:
        found: defaultdict[Facet, list[RuleDef]] = defaultdict(list)
        for rule in rules.values():
            about = facet(rule, definition)
            if about is not None and _counts(rule, definition):
                found[names.get(about[0], about[0]), about[1]].append(rule)
        return found

    def _changed(self, about: Facet, old: list[RuleDef], new: list[RuleDef]) -> list[Change] | None:
        """What differs by product, alike ones together; None where rules cannot be judged by this alone."""
        name, what = about
        back = {now: was for was, now in self.names.items()}
        was = next((param for param in self.before.params if param.name == back.get(name)), None)
        now = next((param for param in self.after.params if param.name == name), None)
        if was is None or now is None or was.kind != now.kind:
            return None
        values = domain((*old, *new), now, what)
        groups: defaultdict[tuple[tuple[object, ...], tuple[object, ...]], list[str]] = defaultdict(list)
        for product in self.products if values is not None else ():
            here = allowed(old, self.before, was, what, product, values or ())
            there = allowed(new, self.after, now, what, product, values or ())
            if here is None or there is None:
                return None
            if here != there:
                groups[here, there].append(product)
        return None if values is None else [self._change(about, old, new, *both, on) for both, on in groups.items()]

    def _change(
        self,
        about: Facet,
        old: list[RuleDef],
        new: list[RuleDef],
        here: tuple[object, ...],
        there: tuple[object, ...],
        on: list[str],
    ) -> Change:
        lost, fresh = _without(here, there), _without(there, here)
        kind = "stated" if not old else "replaced" if lost and fresh else "narrowed" if lost else "widened"
        if about[1] == "value":  # numbers are but those around the ones that rules name
            before, after = ("; ".join(map(_source, rules)) for rules in (old, new))
        else:
            before = "" if not old else _signed("-", lost) if new else _signed("", here)
            after = "" if not new else _signed("+", fresh) if old else _signed("", there)
        between = " → " if about[1] == "value" or not (old and new) else " "
        told = between.join((before or _ANY, after or _ANY) if between != " " else filter(None, (before, after)))
        where = () if len(on) == len(self.products) else tuple(on)
        rules = tuple(rule.id for rule in new)
        return Change(
            self.after.name, kind, " ".join(about), before, after, where, {"en": told, "zh": told}, rules, lost
        )

    # --- rules

    def rules(self) -> Iterator[Change]:
        """Rules that are new, gone, or require something else."""
        kept, known = set(self.now.values()), set(self.was.values())
        for name, rule in self.new.items():
            if name in self.settled or self.now[name] in known:
                continue
            other = self.old.get(name)
            if other is None or name in self.settled or self.was[name] in kept:
                yield self._told("param-required" if rule.kind == "null" else "rule-added", None, rule)
            else:
                yield self._told(_direction(other, rule, self.was[name], self.now[name]), other, rule)
        for name, rule in self.old.items():
            gone = name not in self.settled and self.was[name] not in kept
            if gone and (name not in self.new or self.now[name] in known):
                yield self._told("param-optional" if rule.kind == "null" else "rule-removed", rule, None)
        yield from self._statuses()

    def _told(self, kind: str, old: RuleDef | None, new: RuleDef | None) -> Change:
        rule = new or old
        assert rule is not None
        if new is not None and kind != "rule-looser" and not _counts(new, self.after):
            kind = "rule-not-checked"
        before, after = _source(old), _source(new)
        side = self.before if new is None else self.after
        says = {"en": Sayings(side, "en").brief(rule), "zh": Sayings(side, "zh").brief(rule)}
        subject = str(rule.param) if kind in ("param-required", "param-optional") else rule.id
        return Change(self.after.name, kind, subject, before, after, (), says, () if new is None else (new.id,))

    def _statuses(self) -> Iterator[Change]:
        for name, rule in self.new.items():
            other = self.old.get(name)
            if other is not None and other.status != rule.status and self.was[name] == self.now[name]:
                yield Change(self.after.name, "return-code", name, other.status, rule.status)


def _is_own(rule: RuleDef, definition: Definition, params: set[str]) -> bool:
    """Whether a rule is no other change's: of a product alone, of the engine, or of a param that comes or goes."""
    if rule.kind == "rank-limit" or (not rule.alternatives and definition.facts(rule.check) == {PRODUCT_FACT}):
        return False
    return rule.param is None or rule.param in params


def _counts(rule: RuleDef, definition: Definition) -> bool:
    """Whether a call is illegal that breaks it."""
    return enforcement(rule, definition).anywhere != {CONTRADICTED}


def _direction(old: RuleDef, new: RuleDef, was: Meaning, now: Meaning) -> str:
    """Whether a rule requires more or less, where its parts or its condition tell."""
    if old.alternatives or new.alternatives:
        return "rule-changed"
    before, after = conjuncts(old), conjuncts(new)
    same_guard = was[1:2] == now[1:2]
    if same_guard and was[0] != now[0] and before != after and was[2:] == now[2:]:
        return "rule-stricter" if before < after else "rule-looser" if after < before else "rule-changed"
    if was[0] == now[0] and was[2:] == now[2:]:
        return "rule-stricter" if new.when is None else "rule-looser" if old.when is None else "rule-changed"
    return "rule-changed"


def _without(values: tuple[object, ...], others: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(item for item in values if item not in others)


def _signed(sign: str, values: tuple[object, ...]) -> str:
    return " ".join(f"{sign}{value}" for value in values)


def _source(rule: RuleDef | None) -> str:
    if rule is None:
        return ""
    text = write(rule.check) if not rule.alternatives else " or ".join(item.id for item in rule.alternatives)
    when = "" if rule.when is None else f" if {write(rule.when)}"
    return f"{text}{when}"[:_SHOWN]
