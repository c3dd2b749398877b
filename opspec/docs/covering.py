"""Conditions under which rules require the same, as one: a page says once what they require, and when.

Specs tell apart what the first phase makes of calls: of an empty tensor, on one product. Who makes a call needs what
must hold; that only some of it is checked is told by a mark.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from opspec.docs.domains import Domains, emptiness
from opspec.language import build, tree
from opspec.language.text import write
from opspec.model.definition import Definition

_MOST = 4096  # cases that are tried on each product
_COUNTED = re.compile(r"\.(numel|rank)$|^len\(.*\)$")  # what is never negative
_OTHER = "\0"  # a value that no condition names
_DENIED = {"!=": "==", "not in": "in"}
_ORDER: Mapping[str, Callable[[int, int], bool]] = {
    "<": int.__lt__, "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__,
}  # fmt: skip

Case = Mapping[str, object]  #: what conditions are about -> its value


def any_of(
    conditions: Iterable[tree.Node | None], definition: Definition, domains: Domains
) -> tuple[tree.Node | None] | None:
    """The one condition that holds where one of several does, of which None always holds; None if it has no such form.

    It is made of what they are put together of and of a set of products, in which the operator is supported.

    Args:
        domains: what the arguments may be.
    """
    products = [name for name, value in definition.spec.products.items() if value == "yes"]
    tried = _tried(conditions, domains, products)
    found = None if tried is None else tried.condition()
    return None if found is None else (None if found == build.TRUE else found,)


@dataclass(frozen=True, slots=True)
class _Tried:
    """Conditions in every case that they tell apart.

    Args:
        parts: what they are put together of, by its text.
        held: in which cases each of them holds.
        wanted: in which cases one of the conditions holds.
    """

    parts: dict[str, tree.Node]
    held: dict[str, list[bool]]
    wanted: list[bool]

    def condition(self) -> tree.Node | None:
        """The condition that holds where one of these does, of their parts and a set of products; None if there is
        none of this form."""
        if all(self.wanted):
            return build.TRUE
        kept = [
            name
            for name, held in self.held.items()
            if all(there for there, here in zip(held, self.wanted, strict=True) if here)
        ]
        if not self._are_enough(kept):
            return None
        for name in reversed(kept):
            rest = [other for other in kept if other != name]
            kept = rest if rest and self._are_enough(rest) else kept
        return build.all_of([self.parts[name] for name in kept])

    def _are_enough(self, names: Sequence[str]) -> bool:
        """Whether these parts hold together only where one of the conditions does."""
        found = (all(self.held[name][i] for name in names) for i in range(len(self.wanted)))
        return bool(names) and all(map(bool.__eq__, found, self.wanted))


def _tried(conditions: Iterable[tree.Node | None], domains: Domains, products: Sequence[str]) -> _Tried | None:
    """Some conditions, of which None always holds, in every case; None where there are too many."""
    given = [build.TRUE if condition is None else condition for condition in conditions]
    values = _values(given, domains)
    if math.prod(map(len, values.values())) > _MOST:
        return None
    cases = [dict(zip(values, case, strict=True)) for case in itertools.product(*values.values())]
    places = [(case, product) for product in products for case in cases]
    wanted = [any(_holds(condition, *place) for condition in given) for place in places]
    parts = {write(part): part for condition in given for part in build.conjuncts(condition)}
    on = {product for (_, product), here in zip(places, wanted, strict=True) if here}
    if on and len(on) < len(products):
        node = build.on_products([product for product in products if product in on])
        parts.setdefault(write(node), node)
    held = {name: [_holds(part, *place) for place in places] for name, part in parts.items()}
    return _Tried(parts, held, wanted)


# --- what a condition hangs on


@dataclass(frozen=True, slots=True)
class _Fact:
    """A comparison of something with constants; a statement that is none is compared with whether it is true.

    Args:
        subject: its text.
        node: what may have a domain.
    """

    subject: str
    op: str
    values: tuple[object, ...]
    node: tree.Node | None = None

    def holds(self, value: object) -> bool:
        """Whether it is so where the subject has a value."""
        if self.op in _ORDER:
            limit = self.values[0]
            return isinstance(value, int) and isinstance(limit, int) and _ORDER[self.op](value, limit)
        return (value in self.values) != (self.op in _DENIED)


def _fact(node: tree.Node) -> _Fact:
    """What a condition says that is neither joined nor about the product."""
    about = emptiness(node)
    if about is not None:
        return _Fact(f"{about[0]}.numel", "==" if about[1] else "!=", (0,))
    match node:
        case tree.IsNone(operand=operand, negated=negated):
            return _Fact(f"{write(operand)} is None", "==", (not negated,))
        case tree.Compare(ops=(op,), operands=(left, right)):
            items = right.items if isinstance(right, tree.Seq) else (right,)
            values = tuple(item.value for item in items if isinstance(item, tree.Const))
            if len(values) == len(items) and (op not in _ORDER or isinstance(values[0], int)):
                return _Fact(write(left), op, values, left)
            if op in _DENIED:
                return _Fact(f"{write(left)} {_DENIED[op]} {write(right)}", "==", (False,))
    return _Fact(write(node), "==", (True,))


def _facts(node: tree.Node) -> Iterator[_Fact]:
    parts = _joined(node)
    if parts is not None:
        for part in parts:
            yield from _facts(part)
    elif tree.on_products(node) is None and not isinstance(node, tree.Const):
        yield _fact(node)


def _values(conditions: Iterable[tree.Node], domains: Domains) -> dict[str, list[object]]:
    """The values of each thing that conditions are about, one of those that no condition tells apart."""
    by_subject: dict[str, list[_Fact]] = {}
    for condition in conditions:
        for fact in _facts(condition):
            by_subject.setdefault(fact.subject, []).append(fact)
    found: dict[str, list[object]] = {}
    for subject, facts in by_subject.items():
        told: dict[tuple[bool, ...], object] = {}
        for value in _possible(facts, domains):
            told.setdefault(tuple(fact.holds(value) for fact in facts), value)
        found[subject] = [*told.values()]
    return found


def _possible(facts: Sequence[_Fact], domains: Domains) -> Iterable[object]:
    """Values that something may have: those that its domain has, else those that are named, and some beside them."""
    known = next((domains.values(fact.node, "") for fact in facts if fact.node is not None), None)
    if known is not None:
        return sorted(known, key=str)
    named = [value for fact in facts for value in fact.values]
    if all(isinstance(value, bool) for value in named):
        return (False, True)
    whole = [value for value in named if isinstance(value, int)]
    if len(whole) < len(named):
        return [*named, _OTHER]
    least = 0 if _COUNTED.search(facts[0].subject) else min(whole) - 1
    return sorted({number for value in whole for number in (value - 1, value, value + 1) if number >= least})


def _holds(node: tree.Node, known: Case, product: str) -> bool:
    """Whether a condition holds in a case on a product."""
    parts = _joined(node)
    if parts is not None:
        found = [_holds(part, known, product) for part in parts]
        if isinstance(node, tree.Logic):
            return all(found) if node.op == "and" else any(found)
        return found[0] != isinstance(node, tree.Unary)
    on = tree.on_products(node)
    if on is not None:
        return on.holds(product)
    if isinstance(node, tree.Const):
        return node.value is True
    fact = _fact(node)
    return fact.holds(known[fact.subject])


def _joined(node: tree.Node) -> tuple[tree.Node, ...] | None:
    """What a condition joins or denies."""
    if isinstance(node, tree.Logic):
        return node.items
    if isinstance(node, tree.Given):
        return (node.operand,)
    return (node.operand,) if isinstance(node, tree.Unary) and node.op == "not" else None
