"""Promise: a tree written as JSON values and read again is the same tree, and says the same in every word."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given

from opspec.errors import SpecError
from opspec.language import parse, text, tree
from opspec.language.codec import Trees, Writer
from tests.committed import EVERY, defined
from tests.language import expressions as random_
from tests.language.expressions import Choices, Expressions
from tests.language.test_differential import KINDS, choices, few


def again(*nodes: tree.Node) -> list[tree.Node]:
    """Trees of one table, written and read."""
    writer = Writer()
    numbers = [writer.add(node) for node in nodes]
    table, places = writer.table()
    trees = Trees(json.loads(json.dumps(table)))
    return [trees.node(places[number]) for number in numbers]


def assert_same(node: tree.Node, other: tree.Node) -> None:
    """Equal, and of the same types throughout: ``1``, ``1.0`` and ``True`` are equal, too."""
    assert other == node
    assert text.write(other) == text.write(node)
    assert [part.type for part in tree.walk(other)] == [part.type for part in tree.walk(node)]


@few
@given(choices())
def test_every_tree_survives(c: Choices) -> None:
    written = [Expressions(c).write(c.of(KINDS), 1 + c.below(5)) for _ in range(3)]
    nodes = [node for node in map(parsed, written) if node is not None]
    for node, other in zip(nodes, again(*nodes), strict=True):
        assert_same(node, other)


def parsed(written: str) -> tree.Node | None:
    """The tree of an expression; none of one that may cost more than a rule is allowed to."""
    try:
        return parse.parse(written, random_.SCOPE)
    except SpecError as error:
        if "steps to evaluate this" in error.message:
            return None
        raise


@pytest.mark.parametrize("paths", EVERY)
def test_the_trees_of_every_operator_survive(paths: list[Path]) -> None:
    for definition in defined(paths):
        nodes = [*definition.lets.values(), *(rule.check for rule in definition.rules)]
        nodes += [rule.when for rule in definition.rules if rule.when is not None]
        for node, other in zip(nodes, again(*nodes), strict=True):
            assert_same(node, other)


def test_what_occurs_twice_is_one_row_and_one_tree() -> None:
    node = parse.parse("x.rank == 1 and x.rank == 1.0", random_.SCOPE)
    assert isinstance(node, tree.Logic)
    (other,) = again(node)
    assert isinstance(other, tree.Logic)
    first, second = other.items
    assert isinstance(first, tree.Compare)
    assert isinstance(second, tree.Compare)
    assert first.operands[0] is second.operands[0]
    assert_same(node, other)  # 1 and 1.0 are equal, and not one row
