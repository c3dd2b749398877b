"""Sentences have the letters by which a page shows dims."""

from __future__ import annotations

import pytest

from opspec.docs.lettered import dims, with_letters
from opspec.docs.page import page
from opspec.docs.shapes import shapes
from opspec.language import tree
from opspec.language.text import write
from opspec.language.types import INT
from opspec.model.load import load_text
from opspec.registry.registry import Registry, definition_of

SPEC = """\
operator: aclnnX
release: 9.1.0
products: {910b: yes}
params:
  - {name: x, ctype: const aclTensor*, dtype: FLOAT, rank: 2}
  - {name: y, ctype: const aclTensor*, dtype: FLOAT, rank: 2}
  - {name: out, ctype: aclTensor*, io: out, dtype: FLOAT, rank: 2}
rules:
  inner: {check: "x.shape[1] == y.shape[0]"}
  out-shape: {check: "out.shape == (x.shape[0], y.shape[1])"}
  rows: {check: "x.shape[0] <= 4096"}
  square: {check: "x.shape[-1] * x.shape[0] % 16 == 0", when: "y.dtype == FLOAT"}
"""


def test_a_dim_is_called_by_the_letter_that_its_shape_has() -> None:
    """From either end of a shape; a comparison of a dim with itself keeps its words."""
    definition = load_text(SPEC, "x.yaml").definitions[0]
    letters = dims(definition)
    assert letters["x", 0] == letters["x", -2] == letters["out", 0] != letters["x", 1] == letters["y", 0]
    rules = {rule.id: rule.check for rule in definition.rules}
    assert write(with_letters(rules["rows"], letters)) == f"{letters['x', 0]} <= 4096"
    assert with_letters(rules["inner"], letters) == rules["inner"]
    made = page(definition, "en")
    said = [note.text for param in made.params for note in param.notes]
    assert f"{letters['x', 0]} must be at most 4096." in said


@pytest.mark.parametrize("op", ["aclnnCrossEntropyLoss", "aclnnBaddbmm", "aclnnGroupQuant", "aclnnChunkGatedDeltaRule"])
def test_letters_of_the_registry_stand_in_shapes_and_for_nothing_else(op: str) -> None:
    """Each is the item of its param's one shape at its place, and no name of a param or of a derived value."""
    definition = definition_of(Registry().find(op, "9.1.0"))
    found = shapes(definition).of
    for (name, place), letter in dims(definition).items():
        if name in definition.lets:  # it is that dim
            assert with_letters(definition.lets[name], dims(definition)) == tree.Let(letter, INT)
            continue
        (shape,) = found[name]
        assert shape.items[place] == letter
        assert letter not in {one.name for one in definition.params}
    for rule in definition.rules:
        made = with_letters(rule.check, dims(definition))
        names = {node.name for node in tree.walk(made) if isinstance(node, tree.Let)}
        assert names <= {*definition.lets, *dims(definition).values()}
