"""Dtypes, formats, ranks and plain values that are allowed now, or no longer, product by product."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import partial

from opspec.diff.change import Change
from opspec.diff.law import alike, asked_of_product, counts, nodes_of
from opspec.diff.meaning import allowed, domain, facet
from opspec.diff.pair import GENERAL, Pair, source
from opspec.diff.runtime import seen
from opspec.language import tree
from opspec.model.definition import Definition, RuleDef
from opspec.vocabulary.literals import Lang

_ANY = "*"

Facet = tuple[str, str]
Values = tuple[object, ...]
Later = list[Callable[[], Change | None]]  #: finds changes, if there are any, when it is called


class ValueChanges:
    """What differs in single properties of params.

    Args:
        later: takes what finds changes that one side alone speaks of, if there is such a list.

    Attributes:
        settled: ids of rules of either side that a change of values tells about.
    """

    def __init__(self, pair: Pair, later: Later | None) -> None:
        self.pair, self._later = pair, later
        self.settled: set[str] = set()
        self._back = {now: was for was, now in pair.names.items()}

    def __iter__(self) -> Iterator[Change]:
        pair = self.pair
        old = _by_facet(pair.old, pair.before, pair.names)
        new = _by_facet(pair.new, pair.after, {})
        for about in dict.fromkeys((*old, *new)):
            here, there = old.get(about, []), new.get(about, [])
            if all(rule.id in pair.kept for rule in here) and all(rule.id in pair.same for rule in there):
                continue
            groups = self._groups(about, here, there)
            if groups is not None:
                self.settled.update(rule.id for rule in (*here, *there))
                for (was, now), on in groups.items():
                    find = partial(self._change, about, (here, there), (was, now), on)
                    is_of_both = (_without(was, now) and _states(here)) or (_without(now, was) and _states(there))
                    if self._later is None or is_of_both:
                        yield find()
                    else:
                        self._later.append(find)

    def _groups(
        self, about: Facet, old: list[RuleDef], new: list[RuleDef]
    ) -> dict[tuple[Values, Values], list[str]] | None:
        """What is allowed before and after -> the products where it is; None where rules cannot be judged by this
        alone."""
        pair = self.pair
        name, what = about
        was = next((param for param in pair.before.params if param.name == self._back.get(name)), None)
        now = next((param for param in pair.after.params if param.name == name), None)
        if was is None or now is None or was.kind != now.kind:
            return None
        values = domain((*old, *new), now, what)
        if values is None:
            return None
        groups: defaultdict[tuple[Values, Values], list[str]] = defaultdict(list)
        asked = asked_of_product(node for side in ((old, pair.before), (new, pair.after)) for node in _read(*side))
        found: dict[Hashable, tuple[Values | None, Values | None]] = {}
        for product in pair.products:
            same = alike(product, asked)
            if same not in found:
                here = allowed(old, pair.before, was, what, product, values)
                found[same] = here, allowed(new, pair.after, now, what, product, values)
            here, there = found[same]
            if here is None or there is None:
                return None
            if here != there:
                groups[here, there].append(product)
        return groups

    def _change(
        self, about: Facet, rules: tuple[list[RuleDef], list[RuleDef]], allowed: tuple[Values, Values], on: list[str]
    ) -> Change:
        (old, new), (here, there) = rules, allowed
        lost, fresh = _without(here, there), _without(there, here)
        less, by = self._says_more(new, on) if lost else (False, ())
        more, others = self._says_more(old, on) if fresh else (False, ())
        kind = _kind(less, more, _states(old), _states(new))
        line = _told(about, rules, allowed)
        told: Mapping[Lang, str] = {"en": line, "zh": line}
        before, after = _sides(about, rules, allowed)
        return Change(
            self.pair.after.name, kind, " ".join(about), before, after, self.pair.where(on), told,
            tuple(rule.id for rule in new), lost, seen(new, on) if less else "", () if less or more else (*by, *others),
        )  # fmt: skip

    def _says_more(self, rules: list[RuleDef], on: list[str]) -> tuple[bool, tuple[str, ...]]:
        """Whether rules of one side say what the other side's do not require anyway; else those that do."""
        pair = self.pair
        by: dict[str, None] = {}
        for rule in rules:
            if rule.id in (pair.same if pair.new.get(rule.id) is rule else pair.kept):
                continue
            found = pair.follows(rule, products=on, first=True)
            if found.open:
                return True, ()
            by.update(dict.fromkeys(found.by))
        return False, tuple(by)


def _kind(less: bool, more: bool, stated_before: bool, stated_after: bool) -> str:
    """The kind of a change after which fewer values are allowed, or more, or both."""
    if less and more and stated_before:
        return "replaced"
    if less:
        return "narrowed" if stated_before else "values-stated"
    if more:
        return "widened" if stated_after else "values-open"
    return "values-moved"


def _read(rules: list[RuleDef], definition: Definition) -> list[tree.Node]:
    """What rules are made of, derived values included."""
    nodes = nodes_of(rules)
    return [*nodes, *(definition.lets[name] for name in definition.let_order(nodes))]


def _states(rules: list[RuleDef]) -> bool:
    """Whether a page says something, and not the engine alone."""
    return any(rule.kind not in GENERAL for rule in rules)


def _by_facet(
    rules: Mapping[str, RuleDef], definition: Definition, names: Mapping[str, str]
) -> dict[Facet, list[RuleDef]]:
    found: defaultdict[Facet, list[RuleDef]] = defaultdict(list)
    for rule in rules.values():
        about = facet(rule, definition)
        if about is not None and counts(rule, definition):
            found[names.get(about[0], about[0]), about[1]].append(rule)
    return found


def _sides(about: Facet, rules: tuple[list[RuleDef], list[RuleDef]], allowed: tuple[Values, Values]) -> tuple[str, str]:
    """How it was and is: what differs of two lists, and the whole list where there is but one."""
    (old, new), (here, there) = rules, allowed
    if about[1] == "value":  # numbers are but those around the ones that rules name
        before, after = ("; ".join(map(source, side)) for side in (old, new))
        return before, after
    before = "" if not old else _signed("-", _without(here, there)) if new else _signed("", here)
    after = "" if not new else _signed("+", _without(there, here)) if old else _signed("", there)
    return before, after


def _told(about: Facet, rules: tuple[list[RuleDef], list[RuleDef]], allowed: tuple[Values, Values]) -> str:
    before, after = _sides(about, rules, allowed)
    if about[1] == "value" or not all(rules):
        return f"{before or _ANY} → {after or _ANY}"
    return " ".join(filter(None, (before, after)))


def _without(values: Values, others: Values) -> Values:
    return tuple(item for item in values if item not in others)


def _signed(sign: str, values: Values) -> str:
    return " ".join(f"{sign}{value}" for value in values)
