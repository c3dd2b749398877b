"""Promise: what the C back end can express means what the reference interpreter says, far beyond what specs use.

``OPSPEC_EXAMPLES`` multiplies the number of operators.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from opspec.codegen.rules.cvalues import CannotExpress
from opspec.codegen.rules.operator import operator_file
from opspec.errors import OpspecError
from opspec.language import parse
from opspec.model.definition import Definition
from opspec.validator.judge import judge_by_interpreter
from tests.codegen.rules.native import Library, build_definitions, outcome_of
from tests.committed import MANY
from tests.language import expressions as random_
from tests.language.differential import form_of

OPERATORS = 60 * MANY
CALLS = 40


def operators(count: int) -> tuple[list[Definition], Counter[str]]:
    """Random operators that the C back end can express, and what it refused."""
    found: list[Definition] = []
    refused: Counter[str] = Counter()
    seed = 0
    while len(found) < count:
        seed += 1
        definition = replace(random_.operator(random_.seeded(seed), rules=3), name=f"aclnnRandom{seed}")
        try:
            operator_file(definition)
        except CannotExpress as error:
            refused[error.message] += 1
        else:
            found.append(definition)
    return found, refused


BESIDE = (
    "all(v == w for v, w in zip(ints, range(n)))",
    "any(v > w for v, w in zip(range(-1, len(ints) - 1), ints))",
    "len([v for v, w in zip(range(n), range(1, n + 1)) if w > 1]) == 2",
    "sum([v * w for v, w in zip(more, range(y.rank))]) > 3",
    "all(t.rank == v for t, v in zip(xs, range(len(xs))))",
)


def test_a_range_beside_a_list_has_one_meaning(tmp_path: Path) -> None:
    """A range may stand where a list may: as short, as long, and undefined where that is."""
    plain = random_.operator(random_.seeded(1))
    checks = [parse.parse(text, random_.SCOPE) for text in BESIDE]
    rules = [replace(plain.rules[0], when=None, check=check) for check in checks]
    compare(tmp_path, [replace(plain, name=f"aclnnBeside{n}", rules=(rule,)) for n, rule in enumerate(rules)])


def test_random_operators_have_one_meaning(tmp_path: Path) -> None:
    definitions, refused = operators(OPERATORS)
    assert sum(refused.values()) < 2 * len(definitions), refused.most_common(20)
    compare(tmp_path, definitions)


def compare(tmp_path: Path, definitions: list[Definition]) -> None:
    """C and interpreter say the same of many calls of each operator."""
    library = Library(build_definitions(str(tmp_path), definitions))
    limited = 0
    for number, definition in enumerate(definitions):
        form, choices = form_of(definition), random_.seeded(1_000_000 + number)
        rules = [rule.id for rule in definition.rules]
        kinds = [param.kind for param in definition.params]
        for _ in range(CALLS):
            args, product = random_.arguments(choices), random_.product(choices)
            expected = outcome_of(judge_by_interpreter(form, args, *product))
            found, beyond = library.judge(definition.name, kinds, args, *product, rules)
            limited += beyond
            told = f"{definition.lets} {[(r.id, r.when, r.check) for r in definition.rules]}: {args} {product}"
            assert found == expected or beyond, told
    assert limited < len(definitions) * CALLS / 50


def test_what_has_no_form_in_c_is_named() -> None:
    definition = replace(random_.operator(random_.seeded(1)), name="aclnnRandom")
    scope = parse.Scope({param.name: (param.type, False) for param in definition.params})
    odd = parse.parse("len([s for s in ss]) == 1", scope)
    rule = replace(definition.rules[0], id="odd", when=None, check=odd)
    definition = replace(definition, rules=(rule,))
    with pytest.raises(CannotExpress, match="aclnnRandom odd: the C back end cannot express a comprehension that"):
        operator_file(definition)


def test_names_that_c_cannot_have_are_refused() -> None:
    definition = replace(random_.operator(random_.seeded(1)), name="system(); aclnnX")
    with pytest.raises(OpspecError, match="can have the name"):
        operator_file(definition)
