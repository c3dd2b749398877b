"""The changes between two specs of an operator: what a program writes, what values it may give, what rules require, and
what the first phases make of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from opspec.diff.change import Change
from opspec.diff.law import counts
from opspec.diff.meaning import conjuncts, meaning
from opspec.diff.pair import Pair, both_said, source
from opspec.diff.runtime import differences, seen
from opspec.diff.signature import of_page, of_products, of_signature
from opspec.diff.values import Later, ValueChanges
from opspec.model.definition import Definition, RuleDef


def compared(before: Definition, after: Definition) -> list[Change]:
    """All changes, those that a compiler sees first."""
    return _changes(Pair(before, after), None)


def compared_in_short(before: Definition, after: Definition) -> tuple[list[Change], Iterator[Change]]:
    """The changes, and, sought when they are asked for, more of what one side alone says.

    Of what only moved, and of the products on which one side alone says something, not all is found: that saves time.
    """
    later: Later = []
    found = _changes(Pair(before, after, sources=False), later)
    return found, filter(None, (find() for find in later))


def _changes(pair: Pair, later: Later | None) -> list[Change]:
    """The changes; what one side alone says, if anything, is left for later where there is such a list."""
    before, after = pair.before, pair.after
    values = ValueChanges(pair, later)
    same = [(pair.old[was], pair.new[now]) for now, was in pair.same.items()]
    return [
        *of_signature(before, after, pair.names),
        *of_products(before, after),
        *of_page(before, after),
        *differences(before, after, same, pair.says),
        *values,
        *_Rules(pair, values.settled, later),
    ]


class _Rules:
    """Rules that are new, gone, or require something else.

    Args:
        settled: ids of rules of either that other changes tell about.
        later: takes what finds changes that one side alone speaks of, for which one product will do; None where each
            product counts.
    """

    def __init__(self, pair: Pair, settled: set[str], later: Later | None) -> None:
        self.pair, self._later = pair, later
        self.new = [rule for rule in pair.unmatched_new() if rule.id not in settled]
        self.old = [rule for rule in pair.unmatched_old() if rule.id not in settled]
        self.others = self._counterparts()

    def _counterparts(self) -> dict[str, RuleDef]:
        """Rule of the second -> the one of the first that it takes the place of: by its name, else by what it reads."""
        pair = self.pair
        left = {rule.id: rule for rule in self.old}
        found = {rule.id: left.pop(rule.id) for rule in self.new if rule.id in left}
        for rule in self.new:
            if rule.id not in found:
                read = pair.after.facts(rule.check)
                alike = (one for one in left.values() if one.kind == rule.kind and self._facts(one) == read)
                other = next(alike, None)
                if other is not None:
                    found[rule.id] = left.pop(other.id)
        return found

    def _facts(self, rule: RuleDef) -> frozenset[tuple[str, str]]:
        names = self.pair.names
        return frozenset((names.get(name, name), facet) for name, facet in self.pair.before.facts(rule.check))

    def __iter__(self) -> Iterator[Change]:
        taken = {rule.id for rule in self.others.values()}
        finds: list[tuple[RuleDef, Callable[[], Change | None]]]
        finds = [(rule, partial(self._of_new, rule, self.others.get(rule.id))) for rule in self.new]
        finds += [(rule, partial(self._of_old, rule)) for rule in self.old if rule.id not in taken]
        for rule, find in finds:
            if self._later is not None and rule.kind != "null" and self._is_of_one_side(rule):
                self._later.append(find)
            elif (change := find()) is not None:
                yield change
        yield from self._of_same()

    def _is_of_one_side(self, rule: RuleDef) -> bool:
        """Whether the other side says nothing in its place."""
        return rule.id not in self.others and not (rule.kind == "strided" and self._takes_strides(rule))

    def _of_new(self, rule: RuleDef, other: RuleDef | None) -> Change | None:
        pair = self.pair
        if not counts(rule, pair.after):
            return self._told("rule-not-checked", other, rule)
        is_stated = self._is_of_one_side(rule)
        found = pair.follows(rule, deep=other is not None, first=is_stated and self._later is not None)
        if not found.open:
            if other is not None and pair.follows(other, first=True).open:
                return self._told("rule-looser", other, rule)
            return self._told("rule-moved", other, rule, by=found.by) if found.by else None
        where = pair.where(found.open)
        if other is None:
            kind = "param-required" if rule.kind == "null" else "rule-stated" if is_stated else "rule-stricter"
        else:
            kind = _by_parts(other, rule, pair)
            if not kind:
                kind = "rule-changed" if pair.follows(other, deep=True, first=True).open else "rule-stricter"
        return self._told(kind, other, rule, where)

    def _takes_strides(self, rule: RuleDef) -> bool:
        """Whether the older page says that the param of a rule of the newer one need not be contiguous."""
        pair = self.pair
        return any(
            param.strided == "yes" and pair.names.get(param.name) == rule.param for param in pair.before.spec.params
        )

    def _of_old(self, rule: RuleDef) -> Change:
        found = self.pair.follows(rule, first=self._later is not None)
        if not found.open:
            return self._told("rule-moved", rule, None, by=found.by)
        kind = "param-optional" if rule.kind == "null" else "rule-open"
        return self._told(kind, rule, None, self.pair.where(found.open))

    def _of_same(self) -> Iterator[Change]:
        """Rules that mean the same and have another name, or return another status by the page."""
        pair = self.pair
        for now, was in pair.same.items():
            old, new = pair.old[was], pair.new[now]
            follows_param = old.param is not None and old.param != new.param == pair.names.get(old.param)
            if was != now and was not in pair.new and now not in pair.old and not follows_param:
                yield self._told("rule-moved", None, new, by=(was,))
            if old.status != new.status and not (old.recorded and new.recorded):
                yield Change(pair.after.name, "return-code", now, old.status, new.status)

    def _told(
        self, kind: str, old: RuleDef | None, new: RuleDef | None, where: tuple[str, ...] = (), by: tuple[str, ...] = ()
    ) -> Change:
        rule = new or old
        assert rule is not None
        subject = str(rule.param) if kind in ("param-required", "param-optional") else rule.id
        ids = () if new is None else (new.id,)
        limits = kind in ("rule-stated", "rule-stricter", "rule-changed", "param-required")
        shown = seen((new,), where) if new is not None and limits else ""
        says = self.pair.says(rule)
        if old is not None and new is not None:
            says = both_said(self.pair.says(old), says)
        return Change(
            self.pair.after.name,
            kind,
            subject,
            source(old),
            source(new),
            where,
            says,
            ids,
            (),
            shown,
            by,
        )


def _by_parts(old: RuleDef, new: RuleDef, pair: Pair) -> str:
    """Whether a rule requires more or less, where its parts or its condition tell."""
    if old.alternatives or new.alternatives:
        return ""
    was, now = meaning(old, pair.before, pair.names), meaning(new, pair.after, {})
    if was[2:] != now[2:]:  # derived values that they read
        return ""
    before, after = conjuncts(old), conjuncts(new)
    if was[1] == now[1]:
        return "rule-stricter" if before < after else "rule-looser" if after < before else ""
    if was[0] == now[0]:
        return "rule-stricter" if new.when is None else "rule-looser" if old.when is None else ""
    return ""
