"""Calls that show what breaks: legal before, illegal now."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from opspec.calls.examples.aim import aims
from opspec.calls.examples.call import Call, Place, example, put, to_json
from opspec.calls.examples.legal import COMMON
from opspec.calls.examples.search import Search
from opspec.diff.change import BREAKING, Change
from opspec.diff.meaning import FACETS
from opspec.diff.signature import renames
from opspec.language.interpret import Env
from opspec.model.definition import Definition
from opspec.registry.registry import form_of
from opspec.validator.judge import judge
from opspec.validator.verdict import Verdict

STEPS = 150  # of the search for a call that the earlier rules let pass
MOST_STARTS = 4  # calls that break the new rule and that the search mends
MOST_CHANGES = 24  # of one call that are tried

#: changes after which a program does not compile: no call of the one is a call of the other
_OF_COMPILERS = ("interface", "param-removed", "param-added", "params-reordered", "param-type")


def with_calls(before: Definition, after: Definition, changes: list[Change]) -> list[Change]:
    """The changes, those that break calls with one that shows it, where one was found."""
    if any(change.kind in _OF_COMPILERS for change in changes):
        return changes
    wanted = [change for change in changes if change.level == BREAKING and (change.rules or _of_product(change))]
    if not wanted:
        return changes
    shown = _Shown(before, after)
    return [replace(change, call=shown.call(change)) if change in wanted else change for change in changes]


def _of_product(change: Change) -> bool:
    return change.kind == "product-removed"


class _Shown:
    """Two definitions, compiled, and legal calls of the first to begin with."""

    def __init__(self, before: Definition, after: Definition) -> None:
        self.before, self.after = before, after
        self.old, self.new = form_of(before), form_of(after)
        old_names = {param.name for param in before.params}
        back = {param.name: param.name for param in after.params if param.name in old_names}
        back |= {new: old for old, new in renames(before, after).items()}
        self.names = tuple(back[param.name] for param in after.params)  # of the first, in the second's order
        self.renamed = {new: old for new, old in back.items() if new != old}
        self.params = {param.name: param for param in before.params}
        self.starts: dict[str, Call | None] = {}

    def call(self, change: Change) -> Mapping[str, Any] | None:
        """A call that was legal and that the change makes illegal."""
        for product in self._products(change):
            start = self._start(product)
            found = None if start is None else next(self._found(change, product, start), None)
            if found is not None:
                kinds = {param.name: param.kind for param in self.before.params}
                args = to_json(found, kinds)
                return {"op": self.before.name, "release": self.before.spec.release, "product": product, "args": args}
        return None

    def _products(self, change: Change) -> list[str]:
        if _of_product(change):
            return [change.subject]
        both = [name for name, support in self.new.support.items() if support == self.old.support.get(name) == "yes"]
        both.sort(key=lambda name: name != COMMON)
        return [name for name in both if name in change.products or not change.products][:2]

    def _start(self, product: str) -> Call | None:
        """A call that is legal before."""
        if product not in self.starts:
            start = example(self.old)
            if start is None or not self._is_legal(start, product):
                search = Search(self.before, self.old, product, None, random.Random(0))
                start = search.legal(steps=STEPS, plain=start is None, start=start)
            self.starts[product] = start
        return self.starts[product]

    def _found(self, change: Change, product: str, start: Call) -> Iterator[Call]:
        if self._breaks(start, product, change):
            yield start
        breaking: list[Call] = []
        for call in self._changed(change, product, start):
            if self._breaks(call, product, change):
                if self._is_legal(call, product):
                    yield call
                breaking.append(call)
        for call in breaking[:MOST_STARTS]:
            search = Search(
                self.before, self.old, product, None, random.Random(0),
                keeps=lambda other: self._breaks(other, product, change),
            )  # fmt: skip
            mended = search.legal(steps=STEPS, start=call)
            if mended is not None and self._is_legal(mended, product):
                yield mended

    def _changed(self, change: Change, product: str, start: Call) -> Iterator[Call]:
        """The call with what is no longer allowed, or as a rule that is new does not have it."""
        for place, value in self._places(change, product, start):
            call = put(start, replace(place, param=self.renamed.get(place.param, place.param)), value, self.params)
            if call is not None:
                yield call

    def _places(self, change: Change, product: str, start: Call) -> Iterator[tuple[Place, Any]]:
        name, _, facet = change.subject.rpartition(" ")
        param = self.params.get(self.renamed.get(name, name))
        if change.lost and param is not None and facet in FACETS:
            at = 0 if param.kind.endswith("_list") else None
            yield from ((Place(name, facet, at), value) for value in change.lost[:MOST_CHANGES])
        args = dict(zip((param.name for param in self.after.params), self._args(start), strict=True))
        for rule in (rule for rule in self.after.rules if rule.id in change.rules):
            yield from islice(aims(rule.check, False, Env(args, self.after.lets, product)), MOST_CHANGES)

    def _args(self, call: Call) -> tuple[Any, ...]:
        return tuple(call[name] for name in self.names)

    def _verdict(self, call: Call, product: str) -> Verdict:
        return judge(self.new, self._args(call), product)

    def _breaks(self, call: Call, product: str, change: Change) -> bool:
        verdict = self._verdict(call, product)
        if _of_product(change):
            return verdict.support == "no"
        return not verdict.legal and any(finding.rule in change.rules for finding in verdict.violations)

    def _is_legal(self, call: Call, product: str) -> bool:
        verdict = judge(self.old, tuple(call.values()), product)
        return verdict.legal and verdict.support == "yes"
