"""Promise: the JavaScript rules come to the verdicts of Python: status, legality, what is refused, unchecked,
unknown, contradicted and undecided, and what of it is assumed, in order; on recorded calls, legal ones and mutations of
them, and on operators by chance.

All operators and a million calls: ``python -m tests.codegen.rules.million``. ``OPSPEC_EXAMPLES`` multiplies the sample.
"""

from __future__ import annotations

import random
from dataclasses import astuple, replace
from pathlib import Path

import pytest

from opspec.language import parse, tree
from opspec.language.functions import FUNCTIONS
from opspec.registry.registry import Registry, definition_of
from opspec.validator.judge import judge, judge_by_interpreter
from tests.codegen.javascript.node import Node
from tests.codegen.rules.differential import generated
from tests.codegen.rules.native import outcome_of
from tests.codegen.rules.recorded import readable
from tests.codegen.rules.test_verdicts import ENTRIES, RARE, REGISTRY, RELEASE
from tests.committed import MANY
from tests.language import expressions as random_
from tests.language.differential import form_of
from tests.recorded import RECORDS

pytestmark = pytest.mark.node


def sample() -> list[str]:
    """The operators to compare."""
    others = sorted(set(ENTRIES) - set(RARE))
    return [*RARE, *random.Random(7).sample(others, min(12 * MANY, len(others)))]


def test_generated_calls(tmp_path: Path) -> None:
    node = Node(tmp_path)
    for name in sample():
        definition, form = definition_of(ENTRIES[name]), REGISTRY.form(name, RELEASE)
        node.define(definition)
        for call, product in generated(definition, form, seeds=1, mutations=40 * MANY):
            args = tuple(call[param.name] for param in definition.params)
            node.add(form, args, product, astuple(outcome_of(judge(form, args, *product))))
    assert node.written > 500
    assert not node.differences()


def test_recorded_calls(tmp_path: Path) -> None:
    node, names = Node(tmp_path), set(sample())
    for name in names:
        node.define(definition_of(ENTRIES[name]))
    for path in RECORDS:
        for name, args, product in readable(path, REGISTRY, RELEASE, names):
            form = REGISTRY.form(name, RELEASE)
            node.add(form, args, product, astuple(outcome_of(judge(form, args, *product))))
    assert node.written
    assert not node.differences()


def test_random_operators_have_one_meaning(tmp_path: Path) -> None:
    node = Node(tmp_path)
    kinds: set[str] = set()
    for seed in range(120 * MANY):
        definition = replace(random_.operator(random_.seeded(seed), rules=4), name=f"aclnnRandom{seed}")
        form, choices = form_of(definition), random_.seeded(2_000_000 + seed)
        node.define(definition)
        for each in (*definition.lets.values(), *(rule.check for rule in definition.rules)):
            kinds |= random_.kinds_of(each)
        for _ in range(25):
            args, product = random_.arguments(choices), random_.product(choices)
            node.add(form, args, product, astuple(outcome_of(judge_by_interpreter(form, args, *product))))
    assert {kind.__name__ for kind in tree.KINDS} <= kinds, "the operators cover the language"
    assert not node.differences()


def test_each_function_has_the_value_of_its_example(tmp_path: Path) -> None:
    """The library is complete, whatever operators use of it."""
    node = Node(tmp_path)
    choices = random_.seeded(1)
    definition = random_.operator(choices, rules=1)
    scope = parse.Scope({param.name: (param.type, False) for param in definition.params})
    for number, row in enumerate(row for row in FUNCTIONS.values() if row.example[0]):
        check = parse.parse(f"{row.example[0]} == {row.example[1]}", scope)
        named = replace(
            definition, name=f"aclnnRow{number}", lets={}, rules=(replace(definition.rules[0], when=None, check=check),)
        )
        node.define(named)
        args = random_.arguments(choices)
        node.add(form_of(named), args, ("910b", None), (0, True, (), (), ()))
    assert node.written > 20
    assert not node.differences()


def test_operators_of_all_releases_have_scripts(tmp_path: Path) -> None:
    node = Node(tmp_path)
    registry = Registry()
    for release in registry.releases():
        name, entry = min(registry.entries(release).items())
        node.define(definition_of(entry))
        form = registry.form(name, release)
        args = (None,) * len(form.params)
        node.add(form, args, (None, None), astuple(outcome_of(judge(form, args))))
    assert not node.differences()
