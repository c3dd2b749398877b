"""One operator in Python and in C: the same verdict on the same calls."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any

from opspec.calls.examples.call import Call
from opspec.model.definition import Definition
from opspec.registry.registry import Form
from opspec.validator.judge import judge
from tests.codegen.javascript.node import Node
from tests.codegen.rules.calls import Product, base_calls, mutated
from tests.codegen.rules.native import Library, Outcome, Packed, outcome_of
from tests.committed import in_turn

#: what Node is told of an outcome
FIELDS = tuple(field.name for field in fields(Outcome))
#: of which there is nothing to report
NOTHING = Outcome(0, True, (), (), ())


@dataclass(slots=True)
class Tally:
    """What a comparison comes to."""

    operators: int = 0
    calls: int = 0
    legal: int = 0
    #: illegal calls that the first phase accepts
    untold: int = 0
    limited: int = 0
    #: calls of which there is nothing to report, and those among them that C lets pass at once
    silent: int = 0
    at_once: int = 0
    #: calls that C lets pass at once though there is something to report
    wrong: int = 0
    #: sentences about broken rules, and those that Python and C word differently
    sentences: int = 0
    reworded: list[tuple[str, ...]] = field(default_factory=list)
    differences: list[tuple[str, Any, Product, Outcome, Outcome]] = field(default_factory=list)
    #: operator, call and what JavaScript says, where it is not what Python says
    in_javascript: list[list[str]] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Count what another comparison came to."""
        self.operators += other.operators
        self.calls += other.calls
        self.legal += other.legal
        self.untold += other.untold
        self.limited += other.limited
        self.silent += other.silent
        self.at_once += other.at_once
        self.wrong += other.wrong
        self.sentences += other.sentences
        self.reworded += other.reworded
        self.differences += other.differences
        self.in_javascript += other.in_javascript

    def __str__(self) -> str:
        return (
            f"{self.calls} calls of {self.operators} operators compared, {self.legal} of them legal, "
            f"{self.untold} illegal with status 0, "
            f"{self.limited} beyond a limit of C, {len(self.differences)} differences in C, "
            f"{len(self.in_javascript)} in JavaScript; C lets {self.at_once} of {self.silent} pass at once "
            f"that there is nothing to report of; {self.sentences} sentences compared, {len(self.reworded)} differ"
        )


@dataclass(slots=True)
class Comparison:
    """Compares calls of one operator; Node, where there is one, is given each with what Python says."""

    library: Library
    form: Form
    tally: Tally
    node: Node | None = None
    packed: Packed = field(default_factory=Packed)
    rules: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.rules = tuple(rule.id for rule in self.form.info.rules)
        self.kinds = tuple(param[1] for param in self.form.params)

    def compare(self, args: tuple[Any, ...], product: Product) -> None:
        """Judge a call twice. A call beyond a limit may leave more undecided, and nothing else."""
        form = self.form
        python = outcome_of(judge(form, args, *product))
        if self.node is not None:
            self.node.add(form, args, product, [getattr(python, name) for name in FIELDS])
        rules, kinds = self.rules, self.kinds
        call = self.library.call(kinds, args, *product, self.packed)
        native, limited = self.library.judged(form.operator, call, rules)
        self.tally.calls += 1
        self.tally.legal += python.legal
        self.tally.untold += python.code == 0 and not python.legal
        self.tally.limited += limited
        silent, at_once = python == NOTHING, self.library.at_once(form.operator, call)
        self.tally.silent += silent
        self.tally.at_once += at_once
        self.tally.wrong += at_once and not silent
        same = python == native
        if limited and not same:
            same = set(native.violations) <= set(python.violations) and set(native.warnings) <= set(python.warnings)
        if not same:
            self.tally.differences.append((form.operator, args, product, python, native))


def messages(
    library: Library, form: Form, args: tuple[Any, ...], product: Product
) -> Iterator[tuple[str, str, str]]:  # fmt: skip
    """Rule, and what Python and C say, of everything that a call breaks."""
    verdict = judge(form, args, *product)
    numbers = {rule.id: number for number, rule in enumerate(form.info.rules)}
    keep: list[Any] = []
    call = library.call([param[1] for param in form.params], args, *product, keep)
    for finding in (*verdict.violations, *verdict.warnings):
        said = library.message(form.operator, call, numbers.get(finding.rule, -1))
        yield finding.rule, finding.message, said.decode()


def generated(definition: Definition, form: Form, seeds: int, mutations: int) -> Iterator[tuple[Call, Product]]:
    """Calls that are legal, or nearly, and for each of them mutations."""
    for number, (call, product) in enumerate(base_calls(definition, form, seeds)):
        yield from mutations_of(call, product, definition, number, mutations)


def mutations_of(
    call: Call, product: Product, definition: Definition, number: int, mutations: int, shares: int = 1
) -> Iterator[tuple[Call, Product]]:  # fmt: skip
    """A call and mutations of it; where runs take turns, so that each has a share, those of this one."""
    yield call, product
    for mutation in in_turn(range(mutations), shares):
        yield mutated(call, product, definition, random.Random(f"mutation {mutation} {definition.name} {number}"))


def compare_generated(
    library: Library, definition: Definition, form: Form, seeds: int, mutations: int, tally: Tally,
    node: Node | None = None, shares: int = 1,
) -> None:  # fmt: skip
    """Compare generated calls of an operator; of their mutations a share where runs take turns."""
    tally.operators += 1
    names = [param.name for param in definition.params]
    for number, (base, made_for) in enumerate(base_calls(definition, form, seeds)):
        comparison = Comparison(library, form, tally, node)  # what its calls have in common is packed once
        for call, product in mutations_of(base, made_for, definition, number, mutations, shares):
            comparison.compare(tuple([call[name] for name in names]), product)
