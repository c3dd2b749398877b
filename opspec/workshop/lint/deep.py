"""Whether each dtype and format that a spec lists occurs in some legal call on each product that lists it.

A set that no call can use to the full shows a relation that was misread, or a set that belongs to another product.
Most need no search: a legal call is still one with the dtype or format put in it, alone or where its like stands. Of
the rest, what the relations of dtypes and formats leave out has no call; for what they leave, one is searched.

A param that a rule says to be null on a product lists nothing there. Only rules of the page count: one that calls, or
the definition of a kernel, showed says of itself that the runtime refuses what the page lists.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cached_property

from opspec.calls.examples.call import Call, Place, example, fresh, put
from opspec.calls.examples.listed import Listed, Wanted, listed, may, now
from opspec.calls.examples.search import Search
from opspec.model.definition import Definition
from opspec.registry.registry import Form, form_of
from opspec.vocabulary import dtypes, formats, products
from opspec.workshop.lint.narrow import Narrowed
from opspec.workshop.lint.subject import Fault, Found, Subject, of_each

BY_PAGE = ("documented",)  # bases of the rules that count

#: Steps of one search after the other; what was not found is sought again from the calls that were found after it.
ROUNDS = ((300, 600), (1500, 1500))
FIRST_STEPS = (600, 4000)  # for the legal call that the others start from
MOST_KNOWN = 8  # legal calls in which something is put, the last ones first

_EVERY: dict[Listed, Callable[[], tuple[str, ...]]] = {"dtype": dtypes.names, "format": formats.names}


@of_each
def reachable(subject: Subject, definition: Definition) -> Found:
    """Each listed dtype and format has a legal call on each product that lists it."""
    form = form_of(definition)
    for product in (name for name, support in definition.spec.products.items() if support == "yes"):
        reach = Reach(definition, form, product)
        for wanted in reach.missing():
            if wanted is None:
                yield Fault(("products", product), product, f"no legal call was found on {product}")
                continue
            message = f"no legal call on {product} was found whose {wanted.param} has {wanted.facet} {wanted.value}"
            rules = reach.narrowed.without(wanted.param, wanted.facet, wanted.value)
            message += f", which {' and '.join(map(repr, rules))} leaves out" if rules else ""
            yield Fault(_path(definition, wanted), f"{wanted.param}.{wanted.facet}:{wanted.value}@{product}", message)


def _path(definition: Definition, wanted: Wanted) -> tuple[str | int, ...]:
    rule = definition.rule(f"{wanted.param}.{wanted.facet}")
    return ("params",) if rule is None else rule.path


class Reach:
    """The legal calls of an operator on one product, as far as they are found."""

    def __init__(self, definition: Definition, form: Form, product: str) -> None:
        self.definition = definition
        self.form = form
        self.product = product
        self.params = {param.name: param for param in definition.params}
        self.listed = list(listed(definition, product))
        self.known: list[Call] = []

    def missing(self) -> Iterator[Wanted | None]:
        """What no legal call was found for; None when there is no legal call at all."""
        first = self._first()
        if first is None:
            yield None
            return
        self.known.append(first)
        left = self.listed
        for steps in ROUNDS:
            left = [wanted for wanted in left if not self._reached(wanted, steps)]
        yield from (wanted for wanted in left if not self.narrowed.null(wanted.param))

    def _reached(self, wanted: Wanted, steps: tuple[int, ...]) -> bool:
        """Whether a known call has what is wanted, or one is found that has, which then is known, too."""
        if any(map(wanted.held, self.known)):
            return True
        call = self._with(wanted, steps)
        if call is not None:
            self.known.append(call)
        return call is not None

    def _first(self) -> Call | None:
        for steps in FIRST_STEPS:
            call = self._search(str(steps)).legal(steps, start=example(self.form))
            if call is not None:
                return call
        return None

    def _search(self, seed: str) -> Search:
        chance = random.Random(f"{self.definition.name} {self.product} {seed}")
        ignored = frozenset(i for i, rule in enumerate(self.definition.rules) if rule.basis not in BY_PAGE)
        return Search(self.definition, self.form, *products.resolve(self.product), chance, ignored=ignored)

    def _with(self, wanted: Wanted, steps: tuple[int, ...]) -> Call | None:
        """A legal call that has what is wanted."""
        search = self._search(f"{wanted} {steps}")
        search.keeps = wanted.held
        starts: list[tuple[float, Call]] = []
        for call in self._substituted(wanted):
            cost = search.cost(call)
            if cost < 1:
                return call
            starts.append((cost, call))
        if not self.narrowed.has(wanted.param, wanted.facet, wanted.value):
            return None
        starts.sort(key=lambda start: start[0])
        found = (search.legal(most, start=start) for (_, start), most in zip(starts, steps, strict=False))
        return next((call for call in found if call is not None), None)

    def _substituted(self, wanted: Wanted) -> Iterator[Call]:
        """Known calls with what is wanted put there alone, with the params that are like it, and wherever it is
        listed."""
        others = [other for other in self.listed if wanted.param != other.param and wanted.same(other)]
        for call in self.known[-MOST_KNOWN:]:
            alike = [other for other in others if now(call, other) == now(call, wanted)]
            spreads = [[], *([alike] if alike else []), *([others] if others != alike else [])]
            for spread in spreads:
                made = self._put(call, wanted)
                for other in spread:
                    if made is not None and made[other.param] is not None:
                        made = self._put(made, other)
                if made is not None:
                    yield made

    def _put(self, call: Call, wanted: Wanted) -> Call | None:
        if not call[wanted.param]:
            call = {**call, wanted.param: fresh(self.params[wanted.param].kind)}
        return put(call, Place(wanted.param, wanted.facet), wanted.value, self.params)

    @cached_property
    def narrowed(self) -> Narrowed:
        """What the rules of the page leave each param."""
        every: dict[tuple[str, str], list[str]] = {
            (param.name, facet): [
                name for name in names() if may(self.definition, Wanted(param.name, facet, name), self.product)
            ]
            for param in self.definition.params
            for facet, names in _EVERY.items()
        }
        rules = [rule for rule in self.definition.rules if rule.basis in BY_PAGE]
        return Narrowed(self.definition, self.product, every, rules)
