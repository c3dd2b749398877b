"""A call to begin with: a legal call of the operator in which what a message says holds, as far as the rules allow.

It is sought from the operator's example by the search that finds examples. All that is said is tried together
first; where that cannot be, one after the other, and what then finds no place is told. How much is tried is bounded by
a count.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from opspec.assist.definitions import definition
from opspec.assist.explain.known import Known
from opspec.assist.explain.stated import Stated
from opspec.assist.repair.changes import differences, weight
from opspec.calls.examples.aim import aims
from opspec.calls.examples.call import Call, example, put
from opspec.calls.examples.legal import COMMON
from opspec.calls.examples.search import Search
from opspec.language import tree
from opspec.language.interpret import Env, evaluate
from opspec.registry.registry import Form, Registry
from opspec.validator.api import resolved
from opspec.validator.judge import judge

SEEDS = 3  # searches for one wish; the call that is nearest to the example is taken
MOST_STEPS = 240  # of a search
MOST_SEARCHES = 15  # for one template
MOST_JUDGED = 60_000  # rules of all calls of a search together
DEEPEST = 3  # changes that make a rule apply, and so many calls of each number of changes
MOST_BEGUN = 8


@dataclass(frozen=True, slots=True)
class Template:
    """A legal call.

    Attributes:
        product: the one on which it is legal: that of the message, unless no call was found there.
        holds: what is said and is so in it; ``lacks``: what is said and is not: what a message objects to, or what
            could not be.
        failing: the call with what it lacks: as it was when it failed, as far as that is known. None where it lacks
            nothing, or one thing leaves no room for another.
    """

    call: Call
    product: str | None
    holds: tuple[Stated, ...]
    lacks: tuple[Stated, ...]
    failing: Call | None

    def without(self, refused: Sequence[Stated], form: Form) -> Template:
        """The same call, which was made without something that was refused."""
        lacks = tuple(replace(item, objected=True) for item in refused if not is_so(self.call, item))
        return _template(self.call, self.product, self.holds, (*self.lacks, *lacks), form)


def template(
    known: Registry, form: Form, product: str | None, said: Sequence[Stated], where: tree.Node | None = None
) -> Template | None:
    """A legal call of an operator in which what is said holds; None where no legal call of it is known.

    Args:
        product: the product that the message is of, in any spelling; None where it does not tell.
        where: a condition that should hold in it: the one under which the rule applies that the message means.
    """
    start = example(form)
    if start is None or form.info.example is None:
        return None
    own = form.info.example[0]
    for name in dict.fromkeys((product, own, COMMON)):
        if name is None or form.case(*resolved(name)).support != "yes":
            continue
        maker = _Maker(known, form, name, start)
        found = start if maker.is_legal(start) else maker.near(start, ())
        if found is not None:
            return maker.with_all(maker.within(found, where), said)
    return _template(start, own, (), tuple(said), form)


def _template(
    call: Call, product: str | None, holds: tuple[Stated, ...], lacks: tuple[Stated, ...], form: Form
) -> Template:
    return Template(call, product, holds, lacks, having(call, lacks, form) if lacks else None)


def is_so(call: Call, item: Stated) -> bool:
    """Whether a call has what is said."""
    place, value = item.place, call[item.place.param]
    if place.facet == "present":
        return value is None
    if place.item is not None:
        value = value[place.item] if isinstance(value, tuple) and place.item < len(value) else None
    if value is None:
        return False
    found: object = value
    if place.facet in ("dtype", "format", "shape"):
        found = getattr(value, place.facet, None)
    elif place.facet in ("rank", "dim"):
        found = len(value.shape) if place.facet == "rank" else _at(value.shape, place.index)
    elif place.facet in ("element", "length"):
        found = _at(value, place.index) if place.facet == "element" else len(value)
    return type(found) is type(item.value) and found == item.value


def _at(items: Sequence[object], index: int) -> object:
    return items[index] if -len(items) <= index < len(items) else None


class _Maker:
    """Makes calls of one operator on one product."""

    def __init__(self, known: Registry, form: Form, product: str, start: Call) -> None:
        self.known, self.form, self.product, self.start = known, form, product, start
        self.params = form.param_infos
        self.where: tree.Node | None = None
        self.left = MOST_SEARCHES

    def with_all(self, call: Call, said: Sequence[Stated]) -> Template:
        """The call in which as much as can be of what is said is so: what should have been before what was."""
        one = sum(item.objected for item in said) == 1
        wished = [item.better for item in said if not (one and self._is_wrong(call, item))]
        found = self.near(call, wished)
        holds = wished if found is not None else []
        call = call if found is None else found
        for item in wished if found is None and len(wished) > 1 else ():
            found = self.near(call, (*holds, item))
            if found is not None:
                call, holds = found, [*holds, item]
        lacks = tuple(self._lacking(item) for item in said if not is_so(call, item))
        return _template(call, self.product, tuple(holds), lacks, self.form)

    def _is_wrong(self, call: Call, item: Stated) -> bool:
        """Whether a message objects to an attribute that breaks an otherwise legal call: it is what has to change."""
        if not item.objected or item.instead is not None or item.place.facet != "value":
            return False
        new = having(call, (item,), self.form)
        return new is not None and not self.is_legal(new)

    def _lacking(self, item: Stated) -> Stated:
        """Something that is not so in a call: what breaks a rule by itself is wrong, whatever a message says."""
        return replace(item, instead=None, objected=item.objected or self._refuted((item,)))

    def within(self, call: Call, where: tree.Node | None) -> Call:
        """A legal call to which a rule applies, kept so from now on; the call itself where none is found."""
        if where is None:
            return call
        self.where = where
        for begin in self._to_apply(call):
            found = self.near(begin, ())
            if found is not None:
                return found
        self.where = None
        return call

    def _to_apply(self, call: Call) -> Iterator[Call]:
        """Calls like this one to which the rule applies, by as few changes as its condition suggests."""
        ahead = [call]
        for _ in range(DEEPEST):
            further: list[Call] = []
            for one in ahead[:MOST_BEGUN]:
                if self._applies(one):
                    yield one
                    continue
                changes = aims(self.where, True, self._env(one)) if self.where is not None else ()
                made = (put(one, *change, self.params) for change in changes)
                further += [new for new in itertools.islice(made, MOST_BEGUN) if new is not None]
            ahead = sorted(further, key=lambda new: not self._applies(new))

    def _env(self, call: Call) -> Env:
        return Env(call, self.form.info.lets, *resolved(self.product))

    def _applies(self, call: Call) -> bool:
        return self.where is None or evaluate(self.where, self._env(call)) is True

    def near(self, call: Call, said: Sequence[Stated]) -> Call | None:
        """A legal call in which all that is said is so, and little else differs from the example."""
        begin = having(call, said, self.form)
        if begin is None or not self._applies(begin):
            return None
        if self.is_legal(begin):
            return begin
        found = []
        for seed in range(0 if self._refuted(said) else min(SEEDS, self.left)):
            self.left -= 1
            made = self._search(seed, said).legal(self._steps, start=begin)
            if made is not None:
                found.append(made)
        return min(found, key=lambda made: weight(differences(self.start, made, self.params.values())), default=None)

    def _refuted(self, said: Sequence[Stated]) -> bool:
        """Whether what is said breaks a rule, whatever the rest of the call is."""
        known = Known(self.form, said, *resolved(self.product))
        rules = (rule for rule in self.form.info.rules if known.reads(rule))
        return any(known.breaks(rule) == (True, True) for rule in rules)

    def is_legal(self, call: Call) -> bool:
        """Whether the validator calls it so, with nothing to warn of."""
        verdict = judge(self.form, tuple(call.values()), *resolved(self.product))
        return verdict.legal and not verdict.warnings

    @property
    def _steps(self) -> int:
        return min(MOST_STEPS, MOST_JUDGED // (1 + len(self.form.info.rules)))

    def _search(self, seed: int, said: Sequence[Stated]) -> Search:
        owner, member = resolved(self.product)
        assert owner is not None  # a product was given

        def keeps(call: Call) -> bool:
            return all(is_so(call, item) for item in said) and self._applies(call)

        spec = definition(self.known, self.form.operator, self.form.release)
        return Search(spec, self.form, owner, member, random.Random(seed), keeps)


def having(call: Call, said: Iterable[Stated], form: Form) -> Call | None:
    """The call with what is said put in; None where one thing leaves no room for another."""
    said = list(said)
    params = form.param_infos
    new: Call | None = call
    for item in said:
        new = None if new is None else put(new, item.place, item.value, params)
    return new if new is not None and all(is_so(new, item) for item in said) else None
